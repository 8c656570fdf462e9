import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { GUARD, prepareGuarded } from '../processes/guarded.ts';
import { reservePort } from '../ports.ts';

export const CHAIN_ID = 8453;

const PLATFORM_PACKAGE = '@foundry-rs/anvil-linux-amd64/bin/anvil';
const READY_TIMEOUT_MS = 15_000;
const PROBE_EVERY_MS = 10;
const STOP_TIMEOUT_MS = 3_000;
/** With a block every 2 s, more than an hour: reads at a `safe` block go back about a minute. */
const STATES_KEPT = 2_000;
/** Each chain gets a gas limit of its own from this range: it is the mark by which we know our own anvil on a port. */
const GAS_LIMITS = { from: 100_000_000, to: 200_000_000 };

export type Anvil = {
  rpcUrl: string;
  port: number;
  pid: () => number | undefined;
  /** Resolves when anvil has ended, whether stopped or not. */
  ended: Promise<void>;
  stop: () => Promise<void>;
};

/** Without `blockTimeS` a block is made for each transaction only; with it also every so many seconds, as on Base. */
export type AnvilSettings = { port?: number; blockTimeS?: number; chainId?: number };

/** No anvil on this machine. The message says how to get one. */
export class AnvilMissing extends Error {
  override name = 'AnvilMissing';
}

/**
 * Starts an empty chain, with id 8453 unless another is given, and no accounts at all (so none that is publicly known).
 * @throws AnvilMissing, PortTaken
 */
export async function startAnvil({ port = 0, blockTimeS, chainId = CHAIN_ID }: AnvilSettings = {}): Promise<Anvil> {
  const program = findAnvil();
  const chosen = await reservePort(port, 'the local chain', '--rpc-port');
  const gasLimit = randomInt(GAS_LIMITS.from, GAS_LIMITS.to);
  const guard = prepareGuarded(program);
  const child = spawn(GUARD, buildAnvilArguments({ port: chosen, gasLimit, blockTimeS, chainId }), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...guard.env },
    detached: true, // It acts on Ctrl-C of the terminal, whatever the guard says, before its state is saved.
  });
  const rpcUrl = `http://127.0.0.1:${chosen}`;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    await stopProcess(child);
    guard.forget();
  };
  try {
    await waitUntilReady(child, rpcUrl, gasLimit);
  } catch (error) {
    await stop();
    throw error;
  }
  return { rpcUrl, port: chosen, pid: guard.pid, ended, stop };
}

type AnvilOptions = { port: number; gasLimit: number; blockTimeS: number | undefined; chainId: number };

function buildAnvilArguments({ port, gasLimit, blockTimeS, chainId }: AnvilOptions): string[] {
  const always = [
    '--silent',
    '--chain-id',
    String(chainId),
    '--port',
    String(port),
    '--accounts',
    '0',
    '--gas-limit',
    String(gasLimit),
    // A saved chain is given to it in one request, and 2 MB, its limit, are those of some hours.
    '--no-request-size-limit',
  ];
  if (blockTimeS === undefined) return always;
  // Pruning keeps the states of a long run out of the home folder, where anvil would put them.
  return [...always, '--block-time', String(blockTimeS), '--mixed-mining', '--prune-history', String(STATES_KEPT)];
}

/** The path of anvil: npm's platform package where there is one, else the first on PATH. */
function findAnvil(): string {
  try {
    return createRequire(import.meta.url).resolve(PLATFORM_PACKAGE);
  } catch {
    // Not installed on this platform: it is an optional dependency. PATH is next.
  }
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const candidate = join(folder, 'anvil');
    if (isExecutable(candidate)) return candidate;
  }
  throw new AnvilMissing(
    'No anvil found. On Linux x64 `npm ci` installs it; elsewhere install Foundry (https://getfoundry.sh) and put `anvil` on PATH.',
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Waits for OUR chain: another server on the port, or another chain, does not count. */
async function waitUntilReady(child: ChildProcess, rpcUrl: string, gasLimit: number): Promise<void> {
  let ended: string | undefined;
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-2_000)));
  child.once('error', (error) => (ended = error.message));
  child.once('exit', (code, signal) => (ended = `it ended with ${signal ?? code}`));
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (ended !== undefined) throw new Error(`anvil did not start: ${ended}. ${errors.trim()}`);
    if ((await readGenesisGasLimit(rpcUrl)) === gasLimit) return;
    await sleep(PROBE_EVERY_MS);
  }
  throw new Error(`anvil did not answer on ${rpcUrl} within ${READY_TIMEOUT_MS} ms. ${errors.trim()}`);
}

const blockReply = z.object({ result: z.object({ gasLimit: z.string() }) });

async function readGenesisGasLimit(rpcUrl: string): Promise<number | undefined> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['0x0', false] });
  try {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(1_000),
    });
    const reply = blockReply.safeParse(await response.json());
    return reply.success ? Number(reply.data.result.gasLimit) : undefined;
  } catch {
    return undefined; // No one listens yet, or it does not speak JSON: not our chain so far.
  }
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(killer);
}
