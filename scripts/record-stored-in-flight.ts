// `node scripts/record-stored-in-flight.ts`: makes test/data/stored/in-flight.br anew, with the code as it is now: what Workers
// leave that end in the middle of their work. As `record-stored-data.ts`: only for a new format that later code has to read,
// and `--days-ago <n>` is to see that old data can be read on a later day.
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import { startChain } from '../local/chain/chain.ts';
import { createOperatorAccess } from '../local/operator.ts';
import { requestTokenByKey } from '../src/cli/login/key-token.ts';
import { setBack } from '../test/support/stored/clock.ts';
import {
  CHAT_USD,
  IN_FLIGHT_FILES,
  IN_FLIGHT_PACK,
  KEPT_FROM,
  SIGNED_CASES,
} from '../test/support/stored/in-flight.ts';
import { HOOKS, startOutside } from '../test/support/stored/outside.ts';
import { pack, shiftAlarms } from '../test/support/stored/pack.ts';
import {
  leaveCrawl,
  leaveCredits,
  recordAccount,
  recordCounters,
  recordMessages,
  recordPdf,
} from '../test/support/stored/record-in-flight-control.ts';
import {
  beginRun,
  type FlightRecording,
  leavePayments,
  recordOldSales,
  recordOverdue,
  recordUndecided,
} from '../test/support/stored/record-in-flight-payments.ts';
import { startSettler } from '../test/support/stored/settler.ts';
import { ORIGINS, startStored, useOriginsOf } from '../test/support/stored/stack.ts';

const DAY_MS = 86_400_000;
const { values } = parseArgs({ options: { 'days-ago': { type: 'string', default: '0' } } });
/** How long before now the parts of the recording take place. Rows of sales are pruned after a day and some hours. */
const END_MS = Number(values['days-ago']) * DAY_MS;
const OVERDUE_MS = END_MS + 600_000;
const LONG_AGO_MS = END_MS + 2 * DAY_MS;
/** The run whose prompts are lost ends this soon; the other one has all of its time. */
const SHORT_RUN_S = 40;
const PAYER_MICRO_USDC = 20_000_000n;
const PRUNED_WAIT_MS = 3_000;
/** More than are made until the end. */
const UNSAFE_BLOCKS = '0x40';

const newSecret = (): string => randomBytes(32).toString('base64url');
const folder = mkdtempSync(join(tmpdir(), 'sightline-in-flight-'));
const inFolder = (name: string): string => join(folder, name);
const state = inFolder(IN_FLIGHT_FILES.state);
mkdirSync(state, { mode: 0o700 });
const realNowMs = Date.now.bind(Date);
process.env['TELEMETRY'] = 'none';
useOriginsOf('inFlight');

/** How far the clock of this process is set back, and that of what the Workers stored. */
let backMs = 0;
function setClock(ms: number): void {
  setBack(ms - backMs);
  backMs = ms;
}

const chain = await startChain();
const settler = await startSettler(chain.client);
const outside = await startOutside();
const seller = await chain.freshAccount();
const payers = [
  ...Object.keys(SIGNED_CASES),
  ...['pruned', 'kept_back', 'marked_spent', 'working', 'released'].map((name) => `transfer_${name}`),
  'pruned_sale',
  'failing',
  'run_waiting',
  'run_lost',
  'credits',
];
const webhookBindings = {
  CHANNEL_TOKEN_KEYS: `1:${newSecret()}`,
  DESTINATIONS: JSON.stringify([
    { name: 'audit', url: `${ORIGINS.outside}${HOOKS}`, secret: `whsec_${randomBytes(32).toString('base64')}` },
  ]),
};
const recording: FlightRecording = {
  chain,
  settler,
  outside,
  seller: seller.address,
  accounts: new Map(),
  record: {
    bindings: {
      PAY_TO: seller.address,
      LEDGER_SECRET: newSecret(),
      OPERATOR_SECRET: newSecret(),
      PAYMENTS_SINCE: String(Math.floor((Date.now() - LONG_AGO_MS - DAY_MS) / 1000)),
      TRANSFER_CONFIRMATIONS: '1',
      CONFIRMATIONS_ABOVE_1_USD: '1',
    },
    webhookBindings,
    signed: {},
    transfers: {},
    runs: {},
  },
};
const { record } = recording;

let operatorKey: string | undefined;

/** Runs the Workers for a part of the recording, at a time before now; then they end without notice. */
async function during(ms: number, bindings: Record<string, string>, work: () => Promise<void>): Promise<void> {
  const before = backMs;
  setClock(0); // Miniflare compares its compatibility date with the real day.
  shiftAlarms(state, ms - before);
  const { api } = await startStored({
    folder: state,
    setBackMs: ms,
    bindings: { ...record.bindings, RPC_URL: chain.rpcUrl, FACILITATOR_URL: settler.url, ...bindings },
    controlBindings: { CHAT_USD },
    webhookBindings,
    directoryKey: () => operatorKey,
  });
  try {
    setClock(ms);
    await chain.client.request({ method: 'evm_setTime', params: [Math.floor(Date.now() / 1000)] } as never);
    await work();
    record.recordedAt = new Date().toISOString();
  } finally {
    await api.stop();
  }
}

const phaseSchema = z.object({ payer: z.string(), phase: z.looseObject({ state: z.string() }) });

/** Rows of the ledger's shards. */
function readLedgers(query: string): Record<string, unknown>[] {
  const files = readdirSync(state, { recursive: true, withFileTypes: true });
  return files.flatMap(({ name, parentPath }) => {
    if (!name.endsWith('.sqlite') || !parentPath.includes('PaymentLedger')) return [];
    const database = new DatabaseSync(join(parentPath, name));
    try {
      const isShard = database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'payments'`).get() !== undefined;
      return isShard ? database.prepare(query).all() : [];
    } finally {
      database.close();
    }
  });
}

/** @throws Error when a row of the ledger is in another phase than its case says */
function checkPhases(): void {
  const rows = readLedgers('SELECT row FROM payments').map(({ row }) => phaseSchema.parse(JSON.parse(String(row))));
  for (const [name, { phase }] of Object.entries(SIGNED_CASES)) {
    const payer = recording.accounts.get(name)?.address.toLowerCase();
    const found = rows.filter((row) => row.payer === payer).map((row) => row.phase.state);
    if (found.join() !== phase) throw new Error(`${name} is ${found.join() || 'gone'}, not ${phase}`);
  }
}

try {
  setClock(LONG_AGO_MS);
  await chain.client.request({ method: 'evm_setTime', params: [Math.floor(Date.now() / 1000)] } as never);
  // The blocks of its contracts are of today: none of them may be the safe one any more.
  await chain.client.request({ method: 'anvil_mine', params: [UNSAFE_BLOCKS, '0x1'] } as never);
  for (const name of payers) recording.accounts.set(name, await chain.freshAccount(PAYER_MICRO_USDC));
  await during(LONG_AGO_MS, {}, () => recordOldSales(recording));
  await during(OVERDUE_MS, {}, async () => {
    await new Promise((resolve) => setTimeout(resolve, PRUNED_WAIT_MS));
    await recordOverdue(recording);
  });
  const marks = readLedgers(`SELECT value FROM marks WHERE name = 'pruned_through'`);
  if (marks.length !== 1) throw new Error(`${marks.length} shards have pruned a transfer`);
  await during(END_MS, { KEEP_PROMPTS_FROM: String(KEPT_FROM), VISIBILITY_RUN_S: String(SHORT_RUN_S) }, () =>
    beginRun(recording, 'lost'),
  );
  await during(END_MS, { KEEP_PROMPTS_FROM: String(KEPT_FROM) }, async () => {
    const order = { secret: record.bindings['OPERATOR_SECRET'] ?? '', resource: ORIGINS.control };
    const operator = await createOperatorAccess(ORIGINS.api, { ...order, keyFile: inFolder(IN_FLIGHT_FILES.key) });
    operatorKey = readFileSync(inFolder(IN_FLIGHT_FILES.key), 'utf8');
    const webhook = await requestTokenByKey(
      { keyFile: operatorKey, resource: ORIGINS.webhook, scope: undefined },
      fetch,
      Date.now(),
    );
    if (!webhook.ok) throw new Error(webhook.detail);
    record.tokens = { control: operator?.access.token ?? '', webhook: webhook.accessToken, person: '' };
    await recordPdf(recording);
    await recordCounters(recording);
    await recordMessages(recording);
    await recordAccount(recording);
    await recordUndecided(recording);
    await beginRun(recording, 'waiting');
    await Promise.all([leaveCrawl(recording), leaveCredits(recording), leavePayments(recording)]);
  });
  shiftAlarms(state, -END_MS); // As if the clock had not been set back.
  checkPhases();
  const dump: string = await chain.client.request({ method: 'anvil_dumpState', params: [] } as never);
  writeFileSync(inFolder(IN_FLIGHT_FILES.chain), gunzipSync(Buffer.from(dump.slice(2), 'hex')));
  writeFileSync(inFolder(IN_FLIGHT_FILES.record), JSON.stringify(record));
  for (const passing of ['cache', 'ratelimit']) rmSync(join(state, passing), { recursive: true, force: true });
  const bytes = pack(folder);
  writeFileSync(IN_FLIGHT_PACK, bytes);
  console.log(
    `${bytes.length} bytes, at ${record.recordedAt}; took ${Math.round((realNowMs() - Date.parse(record.recordedAt ?? '')) / 1000)} s to pack`,
  );
} finally {
  await settler.stop();
  await outside.stop();
  await chain.stop();
  rmSync(folder, { recursive: true, force: true });
}
