import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservePort } from '../../local/ports.ts';
import { listShardNames } from '../../src/payment/ledger/books-rows.ts';
import { type Aim, atMost, round } from '../aims.ts';
import { bundleForWorkerd } from '../bundle-worker.ts';
import { cpuMsOf, median } from '../process-usage.ts';
import { serveWorkerd } from '../workerd.ts';

/** What one page takes: its first load after the ledger was filled, and the median and CPU of those that follow. */
export type PageCost = { path: string; firstMs: number; medianMs: number; worstMs: number; cpuMs: number; kB: number };
export type ConsoleResults = { aims: readonly Aim[]; sales: number; pages: readonly PageCost[] };

const SALES = 100_000;
const LOADS = 20;
const LIMIT_MS = 1_000;
const LIMIT_CPU_MS = 60;
const PARALLEL_FILLS = 8;
const POLL_MS = 500;
const MAX_POLLS = 240;
const TIMEOUT_MS = 120_000;
const PAGES = [
  '',
  'money?days=7',
  'money',
  'money?days=400',
  'money.csv?days=400',
  'payers.csv',
  'money/lines.csv?days=400',
  'customers',
  'payments',
  'payments?state=unknown',
  'payments?state=released',
  'payments?capability=compare',
  `payments?payer=0x${'0'.repeat(39)}7`,
  'payments.csv',
  'runs',
  'channels',
  'logs',
  'traces',
  'quotas',
];
const OBJECTS = {
  AUTHORIZATION_STORE: 'AuthorizationStore',
  PAYMENT_LEDGER: 'PaymentLedger',
  OPERATIONS_REGISTER: 'OperationsRegister',
  ENGINE_METER: 'EngineMeter',
  RESOURCE_STORE: 'ResourceStore',
  TENANT_REGISTRY: 'TenantRegistry',
  ENTRY_STORE: 'EntryStore',
  RATE_COUNTER: 'RateCounter',
} as const;

/** What every page of the console takes when the ledger of 256 shards has made 100,000 sales. */
export async function measureConsole(say: (line: string) => void): Promise<ConsoleResults> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  const port = await reservePort(0, 'the benchmark', '');
  const origin = `http://127.0.0.1:${port}`;
  const running = await serveWorkerd(
    {
      folder,
      port,
      script: await bundleForWorkerd(new URL('console-worker.ts', import.meta.url).pathname),
      durableObjects: Object.entries(OBJECTS).map(([binding, className]) => ({ binding, className })),
      bindings: {
        BASE_URL: 'https://sightline.example',
        CONTROL_URL: origin,
        LEDGER_SECRET: 'of the benchmark, and nothing else of it',
        RPC_URL: 'http://127.0.0.1:9/',
        PAY_TO: `0x${'7a'.repeat(20)}`,
        OPERATOR_TENANT: 'C00000001',
        OPERATOR_PROJECT: 'bench',
      },
    },
    { method: 'GET', path: '/health' },
  );
  try {
    const startedMs = performance.now();
    await fill(origin);
    await awaitBooks(origin);
    say(`console: ${SALES} sales in the ledger and its books after ${round((performance.now() - startedMs) / 1000)} s`);
    const pages: PageCost[] = [];
    for (const path of PAGES) {
      const cost = await measurePage(`${origin}/console/${path}`, () => cpuMsOf(running.pid), path);
      pages.push(cost);
      say(describe(cost));
    }
    return { aims: listAims(pages), sales: SALES, pages };
  } finally {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const nameOf = (path: string): string => `/console/${path}`;

const describe = ({ path, firstMs, medianMs, worstMs, cpuMs, kB }: PageCost): string =>
  `${nameOf(path)}: ${round(medianMs)} ms (${round(medianMs / LIMIT_MS)} of the limit; first ${round(firstMs)}, worst ${round(worstMs)}),` +
  ` ${round(cpuMs)} ms CPU (${round(cpuMs / LIMIT_CPU_MS)} of the limit), ${round(kB)} kB`;

const listAims = (pages: readonly PageCost[]): Aim[] =>
  pages.flatMap(({ path, worstMs, cpuMs }) => [
    atMost(`console of ${SALES} sales, ${nameOf(path)}, worst of ${LOADS}`, worstMs, LIMIT_MS, 'ms'),
    atMost(`console of ${SALES} sales, ${nameOf(path)}, CPU of all that takes part`, cpuMs, LIMIT_CPU_MS, 'ms'),
  ]);

async function fill(origin: string): Promise<void> {
  const waiting = listShardNames();
  const each = Math.ceil(SALES / waiting.length);
  const work = async (): Promise<void> => {
    for (let shard = waiting.shift(); shard !== undefined; shard = waiting.shift()) {
      const first = Number.parseInt(shard, 16) * each;
      const sales = Math.min(each, SALES - first);
      const answer = await fetch(`${origin}/fill/${shard}/${first}/${sales}`, {
        method: 'POST',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!answer.ok) throw new Error(`shard ${shard} answers ${answer.status}: ${await answer.text()}`);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_FILLS }, work));
}

/** Until the page of the money lacks no shard and its figures stand still. */
async function awaitBooks(origin: string): Promise<void> {
  let before = '';
  for (let polls = 0; polls < MAX_POLLS; polls += 1) {
    const page = await load(`${origin}/console/money?days=7`);
    const sales = /<dt>Sales<\/dt><dd>(\d+)/.exec(page.text)?.[1] ?? '';
    if (sales !== '' && sales === before && !page.text.includes('shards of the ledger')) return;
    before = sales;
    await new Promise((resolve) => setTimeout(resolve, 2 * POLL_MS));
  }
  throw new Error('the books are not complete');
}

async function load(address: string): Promise<{ text: string; ms: number }> {
  const startedMs = performance.now();
  const answer = await fetch(address, {
    headers: { cookie: `sightline-console=${'a'.repeat(64)}` },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await answer.text();
  const isShown = answer.status === 200 || (answer.status === 503 && address.endsWith('/channels')); // No webhook Worker is there.
  if (!isShown) throw new Error(`${address} answers ${answer.status}: ${text.slice(0, 200)}`);
  return { text, ms: performance.now() - startedMs };
}

async function measurePage(address: string, cpu: () => number, path: string): Promise<PageCost> {
  const first = await load(address);
  const before = cpu();
  const times: number[] = [];
  for (let loads = 0; loads < LOADS; loads += 1) times.push((await load(address)).ms);
  return {
    path,
    firstMs: first.ms,
    medianMs: median(times),
    worstMs: Math.max(...times),
    cpuMs: (cpu() - before) / LOADS,
    kB: first.text.length / 1000,
  };
}
