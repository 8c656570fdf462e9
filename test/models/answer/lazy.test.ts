import { build } from 'esbuild';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const SDK = /node_modules\/(ai|@ai-sdk|workers-ai-provider)\//u;

/** Inputs of the chunks that are evaluated when `entry` is imported, and of all others. */
async function chunksOf(entry: string): Promise<{ atOnce: readonly string[]; later: readonly string[] }> {
  const { metafile } = await build({
    entryPoints: [join(root, entry)],
    absWorkingDir: root,
    outdir: 'out',
    bundle: true,
    splitting: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
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

test.each(['openai-compatible', 'workers-ai', 'registry'])(
  'importing %s evaluates nothing of the SDK, which comes with the first answer',
  async (name) => {
    const entry = `src/models/answer/${name}.ts`;
    const { atOnce, later } = await chunksOf(entry);
    expect(atOnce).toContain(entry);
    expect(atOnce.filter((input) => SDK.test(input))).toEqual([]);
    expect(later.some((input) => SDK.test(input))).toBe(true);
  },
);
