import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAbi, createPublicClient, http } from 'viem';
import { USDC } from '../../src/payment/terms/constants.ts';
import { type Child, startAnswering, startPrinting } from '../children.ts';
import { signMany } from '../x402/payloads.ts';
import { ourHeader } from '../x402/servers.ts';
import type { LoadJob, LoadReport } from './lanes.ts';
import type { HostileSites } from './sites-child.ts';
import type { StackFacts } from './stack-child.ts';

/** The load of the figures: so many clients of each kind, each in a closed loop. */
export const CLIENTS = { unpaid: 400, paid: 50, preview: 8, hostile: 4 } as const;
export const PRICE_MICRO_USDC = 60_000n;

const PAYERS = 64;
/** Enough for every payment that is signed. */
const PAYER_MICRO_USDC = 1_000_000_000n;
const STACK_READY_MS = 300_000;
/** What a run may take beyond its seconds: requests in flight are waited for. */
const DRAIN_MS = 120_000;
const MEMORY_FOLDER = '/dev/shm';
/**
 * Where a stack keeps its state: in memory where the machine has such a folder. workerd and the chain write through to
 * the disk, and on a shared one a single write was seen to stop everything for 1.5 s: that would time the disk.
 */
export const stateIn: 'memory' | 'disk' = existsSync(MEMORY_FOLDER) ? 'memory' : 'disk';
const root = new URL('../..', import.meta.url).pathname;
const pathOf = (name: string): string => new URL(name, import.meta.url).pathname;

export type RunningStack = Child & StackFacts;

/** A stack of the code in `checkout` (this one when absent), hostile sites, and a folder; all of it is stopped and removed at the end. */
export async function withStack<T>(
  use: (stack: RunningStack, sites: Readonly<Record<string, string>>, folder: string) => Promise<T>,
  checkout = root,
): Promise<T> {
  const folder = mkdtempSync(join(stateIn === 'memory' ? MEMORY_FOLDER : tmpdir(), 'sightline-bench-'));
  const children: Child[] = [];
  try {
    const args = [checkout, folder, String(PAYERS), String(PAYER_MICRO_USDC)];
    const stack = await startPrinting<StackFacts>(pathOf('stack-child.ts'), args, STACK_READY_MS);
    children.push(stack);
    const hostile = await startPrinting<HostileSites>(pathOf('sites-child.ts'), []);
    children.push(hostile);
    return await use(stack, hostile.sites, folder);
  } finally {
    await Promise.all(children.map((child) => child.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

export type LoadOrder = Omit<LoadJob, 'api' | 'good' | 'paymentsFile'> & { payments: number };

/** Signs the payments that a load presents at most; `run` then puts the load on the stack. */
export async function prepareLoad(
  stack: RunningStack,
  folder: string,
  { payments, ...order }: LoadOrder,
): Promise<{ run: () => Promise<LoadReport> }> {
  if (payments === 0) return { run: () => runClients({ ...order, api: stack.api, good: stack.good }) };
  const signers = stack.payers.map(({ address, privateKey }) => ({ key: privateKey, from: address }));
  const signed = await signMany(payments, signers, stack.payTo);
  const paymentsFile = join(folder, 'payments.json');
  const url = `${stack.api}/api/agent/check_health`;
  writeFileSync(paymentsFile, JSON.stringify(signed.map((payload) => ourHeader(payload, url))));
  const job: LoadJob = { ...order, api: stack.api, good: stack.good, paymentsFile };
  return { run: () => runClients(job) };
}

/** Puts a load on a stack and waits until its last request is answered. */
async function runClients(job: LoadJob): Promise<LoadReport> {
  const clients = startAnswering(pathOf('clients-child.ts'));
  try {
    const report = await clients.ask<LoadReport>(job, job.seconds * 1000 + DRAIN_MS);
    if (report === undefined) throw new Error('the clients of the load did not come to an end');
    return report;
  } finally {
    await clients.stop();
  }
}

const usdcAbi = parseAbi(['function balanceOf(address account) view returns (uint256)']);

/** What the seller has got on the chain, in purchases of the load. */
export async function chargedOn({ rpc, payTo }: StackFacts): Promise<number> {
  const client = createPublicClient({ transport: http(rpc) });
  const balance = await client.readContract({ address: USDC, abi: usdcAbi, functionName: 'balanceOf', args: [payTo] });
  if (balance % PRICE_MICRO_USDC !== 0n) throw new Error(`${balance} micro-USDC are no number of purchases`);
  return Number(balance / PRICE_MICRO_USDC);
}
