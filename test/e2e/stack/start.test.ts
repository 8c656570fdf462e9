import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createPublicClient, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { request } from 'undici';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { USDC, usdcAbi } from '../../../local/chain/usdc.ts';
import { credentialOf } from '../../support/stack/presenting.ts';
import { sampleRows } from '../../support/runner/budget.ts';
import { stackSchema, type StackFile, WALLET_KEY_VARIABLE } from '../../../src/cli/buy/wallet.ts';

const START = fileURLToPath(new URL('../../../local/start.ts', import.meta.url));
const BUY = fileURLToPath(new URL('../../../local/buy.ts', import.meta.url));
const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const TERMINAL = fileURLToPath(new URL('../../support/runner/terminal.py', import.meta.url));
const READY_TIMEOUT_MS = 60_000;
const folders: string[] = [];
/** Buyer and seller of the first stack of each folder. */
const accounts = new Map<string, readonly string[]>();
const running: ChildProcessWithoutNullStreams[] = [];

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test.each(sampleRows(['SIGINT', 'SIGTERM', 'SIGHUP'] as const, 3))(
  'npm start says what runs, writes it to a private file, and %s ends all of it with status 0',
  async (signal) => {
    const started = start(['--port', '0']);
    const stack = await ready(started);
    for (const url of [
      stack.api,
      stack.control ?? 'no control Worker',
      stack.webhook ?? 'no webhook Worker',
      stack.grpc ?? 'no gRPC front',
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
    // Four engines answer, so that panels can be tried too.
    expect(await (await fetch(`${stack.api}/api/agent/index`)).json()).toMatchObject({
      panels: { visibility_panel_2: { available: true }, visibility_panel_4: { available: true } },
      engines: ['sim-a', 'sim-b', 'sim-c', 'sim-d'].map((name) => ({ name, kind: 'simulated' })),
    });
    await expectOneSiteOfTwoNames(stack);
    const keyFile = join(started.folder, '.local', 'operator-key.json');
    expect(stack.operator).toMatchObject({ keyFile, customerId: 'C00000001', domain: 'example.com', project: 'local' });
    // Once, for its reader: lines of the Workers' log never have it.
    const naming = started
      .output()
      .split('\n')
      .filter((line) => line.includes(stack.operator?.token ?? 'no token'));
    expect(naming).toEqual([expect.stringMatching(/^ {2}token {8}slm_/)]);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    started.child.kill(signal);
    expect(await started.exit).toEqual({ code: 0, signal: null });
    expect(existsSync(started.stackFile)).toBe(false);
    expect(existsSync(keyFile)).toBe(false);
    expect(readdirSync(join(started.folder, '.local', 'state'))).toEqual(['stack']);
    for (const url of [
      stack.api,
      stack.control ?? '',
      stack.webhook ?? '',
      `http://${stack.grpc}`,
      stack.rpc,
      stack.facilitator,
      stack.sites.good,
    ])
      await expect(fetch(url)).rejects.toThrow('fetch failed');
  },
);

/** At its address the api answers programs with the same bodies, and leads browsers to its name. */
async function expectOneSiteOfTwoNames({ api }: StackFile): Promise<void> {
  const byAddress = api.replace('//localhost:', '//127.0.0.1:');
  expect(byAddress).not.toBe(api);
  for (const path of ['/.well-known/oauth-authorization-server', '/api/agent/index', '/llms.txt']) {
    const [named, addressed] = await Promise.all(
      [api, byAddress].map(async (base) => (await fetch(base + path)).text()),
    );
    expect(addressed).toBe(named);
  }
  // fetch of Node says of itself that it is a script.
  const asBrowser = { headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate' } };
  const { statusCode, headers } = await request(`${byAddress}/signin?return_to=%2Faccount`, asBrowser);
  expect([statusCode, headers['location']]).toEqual([302, `${api}/signin?return_to=%2Faccount`]);
}

test('P8: npm run buy pays the stack as its demo buyer by a signed payment, a transfer, and a transfer with a proof of the payer, though another key is in the environment', async () => {
  const started = start(['--port', '0']);
  const stack = await ready(started);
  for (const [options, method] of [
    [[], 'x402'],
    [['--transfer'], 'transfer'],
    [['--transfer', '--proof'], 'transfer'],
  ] as const) {
    const bought = await run([BUY, 'check_health', `${stack.sites.good}/`, ...options], started.folder);
    expect(bought).toMatchObject({ code: 0 });
    expect(bought.output).toContain(`Paid 0.060000 USDC by ${method} from ${stack.buyer.address.toLowerCase()}`);
    expect(bought.output).toMatch(/\d+ checks: \d+ passed/);
  }
});

test.each(
  sampleRows<[string, string[], number, string]>(
    [
      ['without a running stack', ['check_health', 'http://127.0.0.1:1/'], 3, 'npm start'],
      ['without a capability', [], 2, 'Name the capability'],
      ['with a broken limit', ['check_health', 'http://127.0.0.1:1/', '--max-usd', 'much'], 2, '--max-usd'],
      ['with a broken hash', ['check_health', 'http://127.0.0.1:1/', '--hash', '0x12'], 2, '--hash'],
      ['with a field twice', ['check_health', 'url=a', 'url=b'], 2, 'url is given twice'],
      ['with a proof of nothing', ['check_health', 'http://127.0.0.1:1/', '--proof'], 2, '--proof'],
      ['with an unknown option', ['check_health', '--cheap'], 2, '--cheap'],
    ],
    3,
  ),
)('npm run buy %s explains itself', async (_what, args, code, words) => {
  const folder = emptyFolder();
  const bought = await run([BUY, ...args], folder);
  expect(bought.code).toBe(code);
  expect(bought.output).toContain(words);
});

/** From the first instruction to the first answers; the whole of it in the soak. */
const ENDED_AFTER_MS = [100, 600, 1_200, 2_000, 3_000, 4_500, 6_000, 8_000];
const ENDS = ENDED_AFTER_MS.flatMap((ms) => [['SIGKILL', ms] as const, ['SIGTERM', ms] as const]);
test.each(sampleRows(ENDS, 5, 2))(
  'a stack that gets %s %d ms after its start leaves no process',
  async (signal, ms) => {
    const started = start(['--port', '0']);
    await sleep(ms);
    started.child.kill(signal);
    await started.exit;
    await expect.poll(() => listOwnProcesses(started.mark), { timeout: 20_000 }).toEqual([]);
  },
);

test('the end of npm ends the stack in order, though no signal reaches it', async () => {
  // As `npm start` does: a shell between, which stays when npm is killed.
  const npm = `require('node:child_process').spawn('/bin/sh', ['-c', '"$0" "$@"; true', ...process.argv.slice(1)], { stdio: 'inherit' })`;
  const started = launchIn(emptyFolder(), ['-e', npm, process.execPath, START, '--port', '0'], {
    npm_lifecycle_event: 'start',
  });
  await ready(started);
  started.child.kill('SIGKILL');
  await expect.poll(() => listOwnProcesses(started.mark), { timeout: 30_000 }).toEqual([]);
  expect(started.output()).toContain('Stopping (npm ended)');
  expect(existsSync(started.stackFile)).toBe(false);
});

test('an output that no one reads any more ends the stack in order, though it has nothing to say', async () => {
  const started = start(['--port', '0']);
  await ready(started);
  started.child.stdout.destroy();
  started.child.stderr.destroy();
  expect(await started.exit).toEqual({ code: 0, signal: null });
  expect(existsSync(started.stackFile)).toBe(false);
  await expect.poll(() => listOwnProcesses(started.mark), { timeout: 20_000 }).toEqual([]);
});

test('npm start in a terminal: Ctrl-C, which npm passes on as well, ends it in order, and so does the end of the terminal', async () => {
  const folder = emptyFolder();
  const scripts = { start: `"${process.execPath}" "${START}" --port 0` };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }));
  const inTerminal = (): Started => launchIn(folder, [TERMINAL, 'npm', 'start'], {}, 'python3');
  const first = inTerminal();
  await ready(first);
  first.child.stdin.write('\x03');
  await expect.poll(() => listOwnProcesses(first.mark), { timeout: 20_000 }).toEqual([]);
  expect(first.output()).toMatch(/Stopping \(SIGINT\) \.\.\.\s*$/);
  expect(existsSync(first.stackFile)).toBe(false);
  const second = inTerminal();
  await ready(second);
  second.child.stdin.end();
  await expect.poll(() => listOwnProcesses(second.mark), { timeout: 20_000 }).toEqual([]);
  expect(existsSync(second.stackFile)).toBe(false);
});

describe.each(sampleRows(['SIGTERM', 'SIGKILL'] as const, 2, 1))('a folder whose stack ended by %s', (signal) => {
  const folder = emptyFolder();
  let stack: StackFile;
  let path: string;

  test('has the report, the group and the channel of before, and the money where it was', async () => {
    const first = startIn(folder, ['--port', '0']);
    stack = await ready(first);
    expect((await askControl(stack, GROUPS, { email: 'staff@example.com' })).status).toBe(200);
    expect(await runChannels('create', folder)).toContain('"customer": "C00000001"');
    path = await buyReport(stack);
    expect(await readSellerUsdc(stack)).toBe(PRICE);
    // Saved within a second after its block: a kill before that loses the payment, on the chain only.
    const chainFile = join(folder, '.local', 'state', 'stack', 'chain.json');
    const boughtMs = Date.now();
    await expect.poll(() => statSync(chainFile).mtimeMs, { timeout: 20_000 }).toBeGreaterThan(boughtMs - LAST_BLOCK_MS);
    first.child.kill(signal);
    await first.exit;

    const second = startIn(folder, ['--port', '0']);
    const again = await ready(second);
    expect(again.buyer).toEqual(stack.buyer);
    expect(again.seller).toEqual(stack.seller);
    const report = await fetch(`${again.api}${path}`);
    expect(report.status).toBe(200);
    expect(await readSellerUsdc(again)).toBe(PRICE);
    expect((await askControl(again, `${GROUPS}/staff@example.com`)).status).toBe(200);
    expect(await runChannels('list', folder)).toContain('"customer": "C00000001"');
    // Sold on: the chain goes on from where it was.
    const next = await run([BUY, 'check_health', `${again.sites.good}/`, '--transfer'], folder);
    expect(next.output).toContain('Paid 0.060000 USDC by transfer');
  });

  test('takes no second stack, and begins with nothing by --fresh', async () => {
    const one = startIn(folder, ['--port', '0']);
    await ready(one);
    const beside = startIn(folder, ['--port', '0']);
    await expect.poll(() => beside.output(), { timeout: READY_TIMEOUT_MS }).toContain('Another stack');
    beside.child.kill('SIGTERM');
    expect(await beside.exit).toEqual({ code: 0, signal: null });
    one.child.kill('SIGTERM');
    await one.exit;

    const fresh = startIn(folder, ['--port', '0', '--fresh']);
    const other = await ready(fresh);
    expect(other.buyer.address).not.toBe(stack.buyer.address);
    expect((await fetch(`${other.api}${path}`)).status).toBe(404);
    expect((await askControl(other, `${GROUPS}/staff@example.com`)).status).toBe(404);
    expect(await runChannels('list', folder)).not.toContain('"customer": "C00000001"');
  });
});

test('a taken port is named, with the option that changes it, and nothing starts', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const address = blocker.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const started = start(['--port', '0', '--rpc-port', String(port)]);
  expect(await started.exit).toEqual({ code: 1, signal: null });
  expect(started.output()).toContain(`Port ${port} is taken (wanted for the local chain) by process ${process.pid}:\n`);
  expect(started.output()).toContain('--rpc-port');
  expect(existsSync(started.stackFile)).toBe(false);
  blocker.close();
});

test.each(sampleRows(['--port eighty', '--port 65536', '--port -1', '--unknown', 'stray'], 3))(
  'wrong usage (%s) is explained with status 2',
  async (text) => {
    const started = start(text.split(' '));
    expect(await started.exit).toEqual({ code: 2, signal: null });
    expect(started.output()).toContain('usage: npm start');
  },
);

test('the keys of each folder are its own', () => {
  const all = [...accounts.values()].flat();
  expect(all.length).toBeGreaterThanOrEqual(2 * 3);
  expect(new Set(all).size).toBe(all.length);
});

const PRICE = 60_000n;
/** A purchase is answered soon after its block, which may have been saved by then. */
const LAST_BLOCK_MS = 1_500;

/** @returns the path of the report of a check of the good site, bought by a signed payment */
async function buyReport({ api, sites, buyer }: StackFile): Promise<string> {
  const order = (headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${api}/api/agent/check_health`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ url: `${sites.good}/` }),
    });
  const credential = await credentialOf(
    await order(),
    privateKeyToAccount(z.templateLiteral(['0x', z.string()]).parse(buyer.privateKey)),
  );
  const answer = await order({ 'payment-signature': credential });
  expect(answer.status).toBe(200);
  return new URL(z.object({ report_url: z.url() }).parse(await answer.json()).report_url).pathname;
}

const GROUPS = '/admin/directory/v1/groups';

/** One call of the control Worker by the operator's token. */
const askControl = ({ control, operator }: StackFile, path: string, body?: object): Promise<Response> =>
  fetch(`${control}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${operator?.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** Does what `sightline channels` does in the folder of a stack. */
async function runChannels(action: string, folder: string): Promise<string> {
  const { code, output } = await run([CLI, 'channels', action, '--json'], folder);
  expect(`${code}\n${output}`).toMatch(/^0\n/);
  return output;
}

const readSellerUsdc = ({ rpc, seller }: StackFile): Promise<bigint> =>
  createPublicClient({ transport: http(rpc) }).readContract({
    address: USDC,
    abi: usdcAbi,
    functionName: 'balanceOf',
    args: [z.templateLiteral(['0x', z.string()]).parse(seller.address)],
  });

/** The processes that have the mark of a start in their environment: all that it started, whosever children they are now. */
function listOwnProcesses(mark: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readProcessFile(pid, 'environ').includes(mark))
    .map((pid) => `${pid} ${readProcessFile(pid, 'cmdline').replaceAll('\0', ' ')}`);
}

function readProcessFile(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return ''; // It has ended.
  }
}

type Started = {
  child: ChildProcessWithoutNullStreams;
  folder: string;
  /** What the environment of all its processes has, and no other's. */
  mark: string;
  stackFile: string;
  output: () => string;
  exit: Promise<Exit>;
};

type Exit = { code: number | null; signal: NodeJS.Signals | null };

/** Starts the stack as a process of its own, in an empty folder so that a stack of the developer's is not disturbed. */
const start = (args: readonly string[]): Started => startIn(emptyFolder(), args);
const startIn = (folder: string, args: readonly string[]): Started => launchIn(folder, [START, ...args]);

function launchIn(
  folder: string,
  args: readonly string[],
  environment: Record<string, string> = {},
  command = process.execPath,
): Started {
  const mark = `mark-${randomUUID()}`;
  const launched = launch(args, folder, { ...environment, START_TEST_MARK: mark }, command);
  return { ...launched, folder, mark, stackFile: join(folder, '.local', 'stack.json') };
}

async function run(args: readonly string[], folder: string): Promise<{ code: number | null; output: string }> {
  const launched = launch(args, folder);
  const { code } = await launched.exit;
  return { code, output: launched.output() };
}

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-start-'));
  folders.push(folder);
  return folder;
}

function launch(
  args: readonly string[],
  folder: string,
  environment: Record<string, string> = {},
  command = process.execPath,
): Pick<Started, 'child' | 'output' | 'exit'> {
  const { npm_lifecycle_event: _own, ...outside } = process.env;
  const env = { ...outside, [WALLET_KEY_VARIABLE]: generatePrivateKey(), ...environment };
  const child = spawn(command, args, { cwd: folder, env });
  running.push(child);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const exit = new Promise<Exit>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  return { child, output: () => output, exit };
}

async function ready(started: Started): Promise<StackFile> {
  const isReady = (): boolean => {
    if (started.child.exitCode !== null) throw new Error(`npm start ended: ${started.output()}`);
    return started.output().includes('Sightline is ready');
  };
  await expect.poll(isReady, { timeout: READY_TIMEOUT_MS }).toBe(true);
  const stack = stackSchema.parse(JSON.parse(readFileSync(started.stackFile, 'utf8')));
  // Nothing stands above it, but what npm prints in a terminal.
  const [opening] = started
    .output()
    .replace(/^(?:\r?\n|> .*)*/, '')
    .split(/\r?\n/);
  expect(opening).toBe(`Sightline is ready. Open ${stack.api}/ in a browser.`);
  if (!accounts.has(started.folder)) accounts.set(started.folder, [stack.buyer.address, stack.seller.address]);
  return stack;
}
