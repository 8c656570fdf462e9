import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservePort } from '../../local/ports.ts';
import { type Aim, atMost } from '../aims.ts';
import { serveWorkerd } from '../workerd.ts';
import { prompts } from './market.ts';

/** Modules of the AI SDK in the deployed bundle, and which of them had run at two moments. */
export type LazySdk = {
  bundled: number;
  /** Of the bundled ones those that no lazy wrapper holds back: they run at the start of every isolate. */
  eager: readonly string[];
  /** Those that had run when the Worker had answered `GET /health` and the catalogue; and when it had handled one prompt of the queue. */
  beforePrompt: readonly string[];
  afterPrompt: readonly string[];
};

const root = new URL('../..', import.meta.url).pathname;
const BUILD_TIMEOUT_MS = 60_000;
const TIMEOUT_MS = 20_000;
/** The Worker answers only behind a front that proves itself and names its caller. */
const FRONT_SECRET = randomBytes(32).toString('hex');
const HEADERS = { 'x-front-secret': FRONT_SECRET, 'cf-connecting-ip': '198.18.0.1' };
const SDK = /node_modules\/(?:ai|@ai-sdk\/[\w-]{1,40}|workers-ai-provider)\//;

/** Asks the bundle of `wrangler deploy` itself, readable and with a marker in the helpers by which esbuild runs lazy modules. */
export async function measureLazySdk(): Promise<LazySdk> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  try {
    const script = build(folder);
    const modules = sdkModules(script);
    const port = await reservePort(0, 'the benchmark', '');
    const origin = `http://127.0.0.1:${port}`;
    const running = await serveWorkerd(
      {
        folder,
        port,
        script: marked(script),
        bindings: {
          BASE_URL: origin,
          FRONT_SECRET,
          ANSWER_ENGINE: 'openai-compatible',
          ANSWER_ENGINE_URL: 'https://engine.example/v1', // Asked in vain: what counts is what was loaded for it.
          ANSWER_ENGINE_MODEL: 'bench',
        },
        durableObject: { className: 'PaymentLedger', binding: 'PAYMENT_LEDGER' },
      },
      { method: 'GET', path: '/health' },
    );
    try {
      await read(`${origin}/api/agent/index`);
      const beforePrompt = await evaluated(origin);
      await read(`${origin}/bench/prompt`);
      return { ...modules, beforePrompt, afterPrompt: await evaluated(origin) };
    } finally {
      await running.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const lazySdkLines = ({ bundled, eager, beforePrompt, afterPrompt }: LazySdk): string[] => [
  `AI SDK: ${bundled} modules in the bundle, ${eager.length} of them not lazy; run before the first prompt ${beforePrompt.length}, after it ${afterPrompt.length}`,
];

/** A prompt that ran none of them would prove nothing about the time before. */
export function lazySdkAims({ eager, beforePrompt, afterPrompt }: LazySdk): Aim[] {
  if (afterPrompt.length === 0) throw new Error('the prompt did not load the AI SDK: the marker does not see it');
  return [atMost('AI SDK, modules run before the first prompt', eager.length + beforePrompt.length, 0, '')];
}

function build(folder: string): string {
  const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js');
  const options = ['--dry-run', '--env', '', '--no-minify', '--outdir', join(folder, 'out')];
  execFileSync(process.execPath, [wrangler, 'deploy', ...options], {
    cwd: root,
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: BUILD_TIMEOUT_MS,
  });
  return readFileSync(join(folder, 'out/worker.js'), 'utf8');
}

/** esbuild puts the path of each module in a comment above it, and as a key into the wrapper of a lazy one. */
function sdkModules(script: string): Pick<LazySdk, 'bundled' | 'eager'> {
  const paths = [...script.matchAll(/^\/\/ (\S{1,300})$/gm)].map(([, path = '']) => path);
  const bundled = [...new Set(paths.filter((path) => SDK.test(path)))];
  if (bundled.length === 0) throw new Error('the bundle names no module of the AI SDK');
  return { bundled: bundled.length, eager: bundled.filter((path) => !script.includes(`\n  "${path}"(`)) };
}

/** The script with a note of every lazy module that runs, and two paths of ours beside its own. */
function marked(script: string): string {
  const runner = /\(0, (fn|cb)\[__getOwnPropNames\(\1\)\[0\]\]\)/g;
  const entry = /^ {2}(\w{1,60}) as default$/m.exec(script)?.[1];
  if (entry === undefined || !runner.test(script)) throw new Error('the bundle is not written as esbuild writes them');
  const noted = script
    .replaceAll(runner, '(benchRun.add(__getOwnPropNames($1)[0]), 0, $1[__getOwnPropNames($1)[0]])')
    .replace(`${entry} as default`, 'benchEntry as default');
  return `const benchRun = new Set();\n${noted}\n${entryText(entry)}`;
}

const entryText = (entry: string): string => `
const benchMessage = () => ({
  attempts: 1, ack() {}, retry() {},
  body: { object: "bench", runId: "${'0'.repeat(32)}", prompt: ${JSON.stringify(prompts[0])}, deadlineMs: Date.now() + 10000, callMs: 5000 },
});
const benchObjects = { getByName: () => ({ begin: async () => "ask", putBack: async () => {}, record: async () => true }) };
const benchEntry = {
  async fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (pathname === "/bench/run") return Response.json([...benchRun]);
    if (pathname !== "/bench/prompt") return ${entry}.fetch(request, env, context);
    await ${entry}.queue({ queue: "sightline-prompts", messages: [benchMessage()] }, { ...env, VISIBILITY_RUN: benchObjects });
    return new Response("ok");
  },
};
`;

const evaluated = async (origin: string): Promise<readonly string[]> =>
  (JSON.parse(await read(`${origin}/bench/run`)) as readonly string[]).filter((path) => SDK.test(path));

async function read(url: string): Promise<string> {
  const response = await fetch(url, { headers: HEADERS, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
  return response.text();
}
