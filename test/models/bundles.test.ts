import { build, type BuildOptions } from 'esbuild';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workerBuild } from '../../local/worker-build.js';

const root = join(import.meta.dirname, '../..');
const SDK = /node_modules\/(ai|@ai-sdk|workers-ai-provider)\//u;

const bundling: BuildOptions = {
  absWorkingDir: root,
  outdir: 'out',
  bundle: true,
  format: 'esm',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['cloudflare:*', 'node:*'],
  alias: workerBuild.alias,
  write: false,
  logLevel: 'silent',
};

/** Inputs of the chunks that are evaluated when `entry` is imported, and of all others. */
async function chunksOf(entry: string): Promise<{ atOnce: readonly string[]; later: readonly string[] }> {
  const { metafile } = await build({ ...bundling, entryPoints: [join(root, entry)], splitting: true, metafile: true });
  const paths = Object.keys(metafile.outputs);
  const start = paths.find((path) => metafile.outputs[path]?.entryPoint === entry) ?? '';
  const reached = new Set([start]);
  for (const path of reached) {
    const imports = metafile.outputs[path]?.imports ?? [];
    for (const { kind, path: next } of imports) if (kind === 'import-statement') reached.add(next);
  }
  const inputsOf = (wanted: readonly string[]) =>
    wanted.flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}));
  return { atOnce: inputsOf([...reached]), later: inputsOf(paths.filter((path) => !reached.has(path))) };
}

test.each([
  'adapters/anthropic/engines',
  'adapters/google/engines',
  'adapters/openai/engines',
  'adapters/openai-compatible/engines',
  'adapters/perplexity/engines',
  'adapters/workers-ai/engines',
  'core/sdk-engines',
  'panel',
  'registry',
  'registry-local',
  'settings',
])('importing %s evaluates nothing of the SDK, which comes with the first question', async (name) => {
  const entry = `src/models/${name}.ts`;
  const { atOnce, later } = await chunksOf(entry);
  expect(atOnce).toContain(entry);
  expect(atOnce.filter((input) => SDK.test(input))).toEqual([]);
  expect(later.some((input) => SDK.test(input))).toBe(true);
});

test.each([
  ['the word lists of refusals', /^src\/visibility\/refusals\/refusals\.ts$/],
  ['the SDK of Stripe', /node_modules\/stripe\//],
  ['the verifier of passkeys', /node_modules\/@simplewebauthn\/server\//],
])('%s: in the Worker of models alone', async (_what, path) => {
  const { metafile } = await build({
    ...bundling,
    entryPoints: ['src/worker.ts', 'src/models-worker.ts'],
    jsxImportSource: 'hono/jsx',
    metafile: true,
  });
  const holders = Object.values(metafile.outputs).filter(({ inputs }) =>
    Object.entries(inputs).some(([input, { bytesInOutput }]) => path.test(input) && bytesInOutput > 0),
  );
  expect(holders.map(({ entryPoint }) => entryPoint)).toEqual(['src/models-worker.ts']);
});

test.each(['src/worker.ts', 'src/models-worker.ts', 'src/webhook-worker.ts'])(
  '%s loads packages on use through one of our modules, so that its bundle has the used parts alone',
  async (entry) => {
    const { metafile } = await build({
      ...bundling,
      entryPoints: [entry],
      jsxImportSource: 'hono/jsx',
      metafile: true,
    });
    const own = Object.entries(metafile.inputs).filter(([input]) => !input.includes('node_modules/'));
    const whole = own.flatMap(([input, { imports }]) =>
      imports
        .filter(({ kind, path }) => kind === 'dynamic-import' && path.includes('node_modules/'))
        .map(({ path }) => `${input} loads all of ${path}`),
    );
    expect(own.length).toBeGreaterThan(0);
    expect(whole).toEqual([]);
  },
);

/** Modules of this folder of which the bundle of an entry has code. */
async function modelsIn(entry: string): Promise<readonly string[]> {
  const { metafile } = await build({ ...bundling, entryPoints: [entry], jsxImportSource: 'hono/jsx', metafile: true });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs
    .filter(([input, { bytesInOutput }]) => input.startsWith('src/models/') && bytesInOutput > 0)
    .map(([input]) => input.slice('src/models/'.length));
}

const ANSWERS = /^core\/sdk-answer\.ts$|answer-model\.ts$/;
const CHATS = /^core\/(?:sdk-chat|sdk-embed|event-lines)\.ts$|chat-models\.ts$/;

test.each([
  ['api', 'src/worker.ts', /^$/, 0, /^core\/sdk-(?!engines)|-models?\.ts$/],
  ['models', 'src/models-worker.ts', ANSWERS, 7, CHATS],
  ['control', 'src/control-worker.ts', CHATS, 5, ANSWERS],
  ['webhook', 'src/webhook-worker.ts', /^$/, 0, /./],
])(
  'the %s Worker holds engines of its own uses alone, and none that is no model',
  async (_name, entry, own, count, others) => {
    const modules = await modelsIn(entry);
    expect(modules.filter((module) => own.test(module))).toHaveLength(count);
    expect(modules.filter((module) => others.test(module))).toEqual([]);
    expect(modules.filter((module) => /^registry-local|^adapters\/(?:simulated|recorded)\b/.test(module))).toEqual([]);
  },
);
