import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, expect, test } from 'vitest';
import { stackSchema, type StackFile } from '../../src/cli/wallet.ts';

const START = fileURLToPath(new URL('../../local/start.ts', import.meta.url));
const READY_TIMEOUT_MS = 60_000;
const folders: string[] = [];
const running: ChildProcessWithoutNullStreams[] = [];

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'npm start says what runs, writes it to a private file, and %s ends all of it with status 0',
  async (signal) => {
    const started = start(['--port', '0']);
    const stack = await ready(started);
    for (const url of [
      stack.api,
      stack.rpc,
      stack.facilitator,
      stack.sites.good,
      stack.sites.poor,
      stack.buyer.address,
      stack.seller.address,
    ]) {
      expect(started.output()).toContain(url);
    }
    expect(started.output()).not.toContain(stack.buyer.privateKey);
    expect(statSync(started.stackFile).mode & 0o777).toBe(0o600);
    started.child.kill(signal);
    expect(await started.exit).toEqual({ code: 0, signal: null });
    expect(existsSync(started.stackFile)).toBe(false);
    expect(readdirSync(join(started.folder, '.local', 'state'))).toEqual([]);
    for (const url of [stack.api, stack.rpc, stack.facilitator, stack.sites.good])
      await expect(fetch(url)).rejects.toThrow('fetch failed');
  },
);

test('the keys are new at each start', async () => {
  const stacks = await Promise.all([start(['--port', '0']), start(['--port', '0'])].map(ready));
  expect(new Set(stacks.flatMap(({ buyer, seller }) => [buyer.address, seller.address])).size).toBe(4);
});

test('a killed stack leaves nothing running', async () => {
  const started = start(['--port', '0']);
  const stack = await ready(started);
  started.child.kill('SIGKILL');
  await started.exit;
  for (const url of [stack.api, stack.rpc]) await expect.poll(() => answers(url), { timeout: 10_000 }).toBe(false);
});

test('a taken port is named, with the option that changes it, and nothing starts', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const address = blocker.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const started = start(['--port', '0', '--rpc-port', String(port)]);
  expect(await started.exit).toEqual({ code: 1, signal: null });
  expect(started.output()).toContain(`Port ${port} is taken`);
  expect(started.output()).toContain('--rpc-port');
  expect(existsSync(started.stackFile)).toBe(false);
  blocker.close();
});

test.each(['--port eighty', '--port 65536', '--port -1', '--unknown', 'stray'])(
  'wrong usage (%s) is explained with status 2',
  async (text) => {
    const started = start(text.split(' '));
    expect(await started.exit).toEqual({ code: 2, signal: null });
    expect(started.output()).toContain('usage: npm start');
  },
);

type Started = {
  child: ChildProcessWithoutNullStreams;
  folder: string;
  stackFile: string;
  output: () => string;
  exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

/** Starts the stack as a process of its own, in an empty folder so that a stack of the developer's is not disturbed. */
function start(args: readonly string[]): Started {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-start-'));
  folders.push(folder);
  const child = spawn(process.execPath, [START, ...args], { cwd: folder });
  running.push(child);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  );
  return { child, folder, stackFile: join(folder, '.local', 'stack.json'), output: () => output, exit };
}

async function ready(started: Started): Promise<StackFile> {
  const isReady = (): boolean => {
    if (started.child.exitCode !== null) throw new Error(`npm start ended: ${started.output()}`);
    return started.output().includes('Sightline is ready');
  };
  await expect.poll(isReady, { timeout: READY_TIMEOUT_MS }).toBe(true);
  return stackSchema.parse(JSON.parse(readFileSync(started.stackFile, 'utf8')));
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(2_000) });
    return true;
  } catch {
    return false;
  }
}
