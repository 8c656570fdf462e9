import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, createServer, get, request, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, expect, test } from 'vitest';
import { stackSchema, type StackFile } from '../../../src/cli/buy/wallet.ts';
import { isFull } from '../../support/runner/budget.ts';
import { credentialOf } from '../../support/stack/presenting.ts';

const START = fileURLToPath(new URL('../../../local/start.ts', import.meta.url));
/** For hangs only. */
const READY_TIMEOUT_MS = 100_000;

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0).toReversed()) stop();
});

/** A site of the test's own; `asked` resolves at the first request. */
async function siteThat(answer: RequestListener): Promise<{ url: string; asked: Promise<void> }> {
  const asked = Promise.withResolvers<void>();
  const server: Server = createServer((incoming, response) => {
    asked.resolve();
    answer(incoming, response);
  }).listen(0, '127.0.0.1');
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`,
    asked: asked.promise,
  };
}

const slowly: RequestListener = (_incoming, response) => {
  setTimeout(() => response.setHeader('content-type', 'text/html').end('<!doctype html><title>Slow</title>'), 300);
};
const never: RequestListener = () => undefined;

/** Code 0 says as well that all ended within the limit that `npm start` sets itself: beyond it the code is 1. */
type Exit = { code: number | null; signal: NodeJS.Signals | null };
type Running = {
  stack: StackFile;
  child: ChildProcessWithoutNullStreams;
  output: () => string;
  end: () => Promise<Exit>;
};

/** `npm start` as a process of its own. `end` asks it to stop and waits until it has. */
async function started(): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-start-'));
  stops.push(() => rmSync(folder, { recursive: true, force: true }));
  // As without npm, which passes signals on.
  const { npm_lifecycle_event: _own, ...env } = process.env;
  const child = spawn(process.execPath, [START, '--port', '0'], { cwd: folder, env });
  stops.push(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const exit = new Promise<Exit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  const isReady = (): boolean => {
    if (child.exitCode !== null) throw new Error(`npm start ended: ${output}`);
    return output.includes('Sightline is ready');
  };
  await expect.poll(isReady, { timeout: READY_TIMEOUT_MS }).toBe(true);
  const stack = stackSchema.parse(JSON.parse(readFileSync(join(folder, '.local', 'stack.json'), 'utf8')));
  const end = (): Promise<Exit> => {
    child.kill('SIGTERM');
    return exit;
  };
  return { stack, child, output: () => output, end };
}

/** Buys a check of the site; the answer, or undefined when the connection broke. */
async function buying({ stack }: Running, url: string): Promise<Response | undefined> {
  const order = { url };
  const ask = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${stack.api}/api/agent/check_health`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(order),
    });
  const credential = await credentialOf(await ask({}), privateKeyToAccount(stack.buyer.privateKey));
  return ask({ 'payment-signature': credential }).catch(() => undefined);
}

/** Process id of the workerd that this process started. */
function workerdOf({ child }: Running): number {
  const rows = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(child.pid)], { encoding: 'utf8' }).split('\n');
  const pid = Number(
    rows
      .find((row) => row.includes('workerd') && row.includes('serve'))
      ?.trim()
      .split(' ')[0],
  );
  if (!(pid > 0)) throw new Error(`no workerd among:\n${rows.join('\n')}`);
  return pid;
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // There is no such process.
  }
};

/** The status of an answer over this agent's connection, or `refused` when there is none. */
const statusOver = (agent: Agent, url: string): Promise<number | 'refused'> =>
  new Promise((resolve) => {
    const asking = get(url, { agent }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    });
    asking.once('error', () => resolve('refused'));
  });

test('SIGTERM: a purchase that runs is delivered; idle connections hold nothing up, and new requests are refused', async () => {
  const running = await started();
  const site = await siteThat(slowly);
  const idle = new Agent({ keepAlive: true, maxSockets: 1 });
  stops.push(() => idle.destroy());
  expect(await statusOver(idle, `${running.stack.api}/health`)).toBe(200);
  const purchase = buying(running, site.url);
  await site.asked;
  const ended = running.end();
  await expect.poll(() => running.output(), { timeout: READY_TIMEOUT_MS }).toContain('Stopping (SIGTERM)');
  const fresh = new Agent({ keepAlive: false });
  for (const agent of [fresh, idle])
    expect([200, 503, 'refused']).toContain(await statusOver(agent, `${running.stack.api}/health`));
  expect((await purchase)?.status).toBe(200);
  const { code } = await ended;
  expect({ code, output: running.output() }).toMatchObject({
    code: 0,
    output: expect.not.stringContaining('broken off'),
  });
});

test.runIf(isFull)('SIGTERM: idle connections alone end at once, without the wait for requests that run', async () => {
  const running = await started();
  const idle = new Agent({ keepAlive: true, maxSockets: 1 });
  stops.push(() => idle.destroy());
  expect(await statusOver(idle, `${running.stack.api}/health`)).toBe(200);
  expect(await running.end()).toMatchObject({ code: 0, signal: null });
  expect(running.output()).not.toContain('broken off');
});

test('SIGTERM: requests that hang are ended, and everything ends within 10 s', async () => {
  const running = await started();
  const pid = workerdOf(running);
  const site = await siteThat(never);
  const purchase = buying(running, site.url);
  // A request whose body never comes.
  const half = request(`${running.stack.api}/api/agent/check_health`, {
    method: 'POST',
    headers: { 'content-length': '99' },
  });
  half.once('error', () => undefined).write('{');
  stops.push(() => half.destroy());
  await site.asked;
  const { code } = await running.end();
  expect(code).toBe(0);
  expect((await purchase)?.status).not.toBe(200);
  expect(isRunning(pid)).toBe(false);
});

test.runIf(isFull)('SIGTERM: a workerd that does not react is killed, and everything ends within 10 s', async () => {
  const running = await started();
  const pid = workerdOf(running);
  process.kill(pid, 'SIGSTOP');
  const { code } = await running.end();
  expect(code).toBe(0);
  expect(isRunning(pid)).toBe(false);
});

test('a second SIGTERM ends it at once, and what it started with it', async () => {
  const running = await started();
  const pid = workerdOf(running);
  process.kill(pid, 'SIGSTOP'); // So that nothing ends by itself.
  const ended = running.end();
  await expect.poll(() => running.output(), { timeout: READY_TIMEOUT_MS }).toContain('Stopping (SIGTERM)');
  running.child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 1, signal: null });
  await expect.poll(() => isRunning(pid), { timeout: READY_TIMEOUT_MS }).toBe(false);
});
