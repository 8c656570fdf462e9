import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { WranglerEnd, WranglerRun } from '../../deploy/run.ts';
import { deploySettings } from '../../deploy/settings-data.ts';

/** What a program may print, in characters; more is cut. */
const MAX_OUTPUT_CHARS = 200_000;
/** The longest that one call may take: an upload of all static files over a slow line. */
const MAX_RUN_MS = 600_000;

/** Where wrangler and the scripts of a clone run. */
export type CloneTools = {
  root: string;
  /** The Node that runs them. */
  node: string;
  /** Address of the API; wrangler is always given it, so that no file of the clone can name another. */
  apiBase: string;
  accountId?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
};

/** Children that run: they end with this process. */
const running = new Set<ReturnType<typeof spawn>>();

/** Ends what runs, when a signal ends the command. */
export function stopTools(): void {
  for (const child of running) child.kill('SIGTERM');
}

/** Runs the wrangler of the clone. Secrets go to its standard input, never into an argument or a file. */
export function runCloneWrangler({ args, input, files = {} }: WranglerRun, tools: CloneTools): Promise<WranglerEnd> {
  let folder: string | undefined;
  try {
    folder = Object.keys(files).length === 0 ? undefined : mkdtempSync(join(tmpdir(), 'sightline-deploy-'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder ?? '', name), text);
  } catch (error) {
    return Promise.resolve({ code: -1, output: `A temporary file cannot be written: ${getErrorCode(error)}` });
  }
  const words = args.map((word) => (word.startsWith('@') && folder !== undefined ? join(folder, word.slice(1)) : word));
  const cli = join(tools.root, 'node_modules', 'wrangler', 'wrangler-dist', 'cli.js');
  const ended = runTool(['--no-warnings', cli, ...words], input, tools);
  return ended.finally(() => folder !== undefined && rmSync(folder, { recursive: true, force: true }));
}

const getErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown';

/** Runs a script of the clone. */
export const runCloneScript = (words: readonly string[], tools: CloneTools): Promise<WranglerEnd> =>
  runTool(words, undefined, tools);

function runTool(words: readonly string[], input: string | undefined, tools: CloneTools): Promise<WranglerEnd> {
  const child = spawn(tools.node, words, { cwd: tools.root, env: buildToolEnvironment(tools), timeout: MAX_RUN_MS });
  running.add(child);
  let output = '';
  const add = (chunk: string): void => {
    output = `${output}${chunk}`.slice(-MAX_OUTPUT_CHARS);
  };
  child.stdout.setEncoding('utf8').on('data', add);
  child.stderr.setEncoding('utf8').on('data', add);
  child.stdin.on('error', () => undefined); // It ended before it had read everything: its status says why.
  child.stdin.end(input ?? '');
  return new Promise((resolve) => {
    const end = (code: number): void => {
      running.delete(child);
      resolve({ code, output: stripVTControlCharacters(output) });
    };
    child.on('error', ({ message }) => {
      add(message);
      end(-1);
    });
    child.on('close', (code) => end(code ?? -1));
  });
}

/** Where wrangler signs in and asks: these would take the login elsewhere. The address of the API is always given. */
const REDIRECTS = /^WRANGLER_(?:API_ENVIRONMENT|AUTH_DOMAIN|AUTH_URL|TOKEN_URL|REVOKE_URL)$/;

/** The environment without our own secrets; wrangler asks no question, sends no statistics and writes no log of the run. */
function buildToolEnvironment({ env, apiBase, accountId }: CloneTools): Record<string, string> {
  const own = new Set(deploySettings.map(({ name }) => name));
  const others = Object.entries(env).filter(
    (pair): pair is [string, string] =>
      pair[1] !== undefined && !own.has(pair[0]) && !pair[0].startsWith('SIGHTLINE_') && !REDIRECTS.test(pair[0]),
  );
  return {
    ...Object.fromEntries(others),
    CI: '1',
    NO_COLOR: '1',
    FORCE_COLOR: '0',
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_SEND_ERROR_REPORTS: 'false',
    WRANGLER_WRITE_LOGS: 'false',
    CLOUDFLARE_API_BASE_URL: apiBase,
    CLOUDFLARE_ENV: '', // Each call names its environment; a stub has none.
    ...(accountId === undefined ? {} : { CLOUDFLARE_ACCOUNT_ID: accountId }),
  };
}
