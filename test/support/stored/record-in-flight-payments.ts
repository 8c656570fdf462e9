import type { Hex } from 'viem';
import * as z from 'zod';
import type { Account, Chain } from '../../../local/chain/chain.ts';
import { computeShardName } from '../../../src/payment/ledger/payment-key.ts';
import { askDirectly, countDeadPrompts, listReports, listRuns, readPrompts } from './direct.ts';
import {
  type InFlight,
  KEPT_FROM,
  type Purchase,
  SIGNED_CASES,
  type SignedCase,
  type TransferCase,
} from './in-flight.ts';
import type { Outside } from './outside.ts';
import { buy, signPurchase } from './purchase.ts';
import { until } from './recording.ts';
import type { Settler, SettlerFault } from './settler.ts';
import { ORIGINS } from './stack.ts';

export type FlightRecording = {
  chain: Chain;
  settler: Settler;
  outside: Outside;
  seller: Hex;
  /** Payers, with money, by what they pay for. */
  accounts: Map<string, Account>;
  record: Partial<Omit<InFlight, 'signed' | 'transfers' | 'runs'>> & {
    bindings: Record<string, string>;
    signed: Partial<InFlight['signed']>;
    transfers: Partial<InFlight['transfers']>;
    runs: Partial<InFlight['runs']>;
  };
};

type Order = Pick<Purchase, 'capability' | 'body'>;

/** A little more than a check may take, in seconds. */
const SHORT_S = 110;
const CHECK_MICRO_USDC = 60_000n;
const FAILURES = 20;
/** The answer for a site that does not answer. */
const UNREADABLE = 422;
/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:32629';
/** A mark of an earlier version lasts as long as the transfer could be presented. */
const MARK_MS = 31 * 86_400_000;
const CHECK = 'check_health';

const check = (path: string): Order => ({ capability: CHECK, body: { url: `${ORIGINS.outside}/${path}` } });

const signNow = (payer: Hex, order: Order, validS?: number): Promise<Purchase> =>
  signPurchase(payer, order, { nowMs: Date.now(), ...(validS === undefined ? {} : { validS }) });

const soldSchema = z.looseObject({ payment: z.looseObject({ transaction: z.string() }) });

async function expectStatus(answer: Promise<Response>, status: number): Promise<string> {
  const { status: seen, text } = await answer.then(async (got) => ({ status: got.status, text: await got.text() }));
  if (seen !== status) throw new Error(`answered ${seen} instead of ${status}: ${text.slice(0, 600)}`);
  return text;
}

function payerOf({ accounts }: FlightRecording, name: string): Account {
  const found = accounts.get(name);
  if (found === undefined) throw new Error(`no account pays for ${name}`);
  return found;
}

async function transfer(recording: FlightRecording, name: TransferCase, path: string): Promise<Hex> {
  const { chain, seller, record } = recording;
  const hash = await chain.transfer(payerOf(recording, `transfer_${name}`), seller, CHECK_MICRO_USDC);
  record.transfers[name] = { hash, ...check(path) };
  return hash;
}

const present = (recording: FlightRecording, name: TransferCase): Promise<Response> => {
  const found = recording.record.transfers[name];
  if (found === undefined) throw new Error(`no transfer ${name}`);
  return buy({ ...found, credential: found.hash });
};

/** Sales whose rows are pruned a day later, and a transfer of the same time. */
export async function recordOldSales(recording: FlightRecording): Promise<void> {
  await transfer(recording, 'pruned', 'pruned');
  await expectStatus(present(recording, 'pruned'), 200);
  await transfer(recording, 'kept_back', 'kept-back');
  const sale = await signNow(payerOf(recording, 'pruned_sale').privateKey, check('pruned-sale'));
  const { payment } = soldSchema.parse(JSON.parse(await expectStatus(buy(sale), 200)));
  recording.record.prunedSale = { ...sale, transaction: payment.transaction as Hex };
}

/** A payment that runs out unsettled, failures of one payer, and a transfer that an earlier version marked. */
export async function recordOverdue(recording: FlightRecording): Promise<void> {
  const { record } = recording;
  const before = await listReports();
  await expectStatus(buy(await signCase(recording, 'expired', SHORT_S)), 503);
  const [report = ''] = (await listReports()).filter((key) => !before.includes(key));
  record.expiredReport = report;

  const { privateKey } = payerOf(recording, 'failing');
  for (let failure = 0; failure < FAILURES; failure += 1) {
    const body = { url: `${NOWHERE}/${failure}` };
    await expectStatus(buy(await signNow(privateKey, { capability: CHECK, body })), UNREADABLE);
  }
  record.failing = privateKey;

  const hash = await transfer(recording, 'marked_spent', 'marked-spent');
  const name = await computeShardName(record.bindings['LEDGER_SECRET'] ?? '', hash);
  await askDirectly({
    do: 'call',
    binding: 'PAYMENT_LEDGER',
    name,
    method: 'spend',
    args: [hash, Date.now() + MARK_MS],
  });
}

async function signCase(recording: FlightRecording, name: SignedCase, validS?: number): Promise<Purchase> {
  const { privateKey, address } = payerOf(recording, name);
  const purchase = await signNow(privateKey, check(name.replaceAll('_', '-')), validS);
  const fault: SettlerFault | undefined = SIGNED_CASES[name].fault;
  if (fault !== undefined) recording.settler.faults.set(address.toLowerCase(), fault);
  recording.record.signed[name] = purchase;
  return purchase;
}

/** A measurement that has half of its answers. */
export async function beginRun(recording: FlightRecording, name: 'waiting' | 'lost'): Promise<void> {
  const { record } = recording;
  const body = { brand: 'Example Desk', niche: `${name} harbour pilots` };
  const { privateKey } = payerOf(recording, `run_${name}`);
  const purchase = await signNow(privateKey, { capability: 'visibility_check', body });
  leave(buy(purchase));
  await until('not half of the run', readPrompts, ({ kept, consumed }) => kept.length === KEPT_FROM && consumed === 15);
  const { kept } = await readPrompts();
  const [run] = await listRuns();
  record.runs[name] = { ...purchase, runId: run?.runId ?? '' };
  if (name === 'waiting') record.runs.prompts = kept;
  else await recordDeadPrompt(kept.slice(-1));
}

/** A prompt that comes to the queue of dead letters. */
async function recordDeadPrompt(bodies: readonly unknown[]): Promise<void> {
  await askDirectly({ do: 'send', queue: 'PROMPTS_DLQ', bodies });
  await until('the dead letter is not counted', countDeadPrompts, (count) => count === bodies.length);
}

/** A request that is never answered: the Workers end before. */
const leave = (request: Promise<unknown>): void => void request.catch(() => undefined);

/** Payments whose settlement or work failed without deciding them. */
export async function recordUndecided(recording: FlightRecording): Promise<void> {
  await expectStatus(buy(await signCase(recording, 'unknown')), 503);
  await expectStatus(buy(await signCase(recording, 'refused')), 402);
  await expectStatus(buy(await signCase(recording, 'refused_but_paid')), 402);
  const hash = await transfer(recording, 'released', 'released');
  recording.record.transfers.released = { hash, capability: CHECK, body: { url: `${NOWHERE}/released` } };
  await expectStatus(present(recording, 'released'), UNREADABLE);
  recording.record.transfers.released = { hash, ...check('released') };
}

/** Payments that wait for a facilitator or a site when the Workers end. Returns once those were asked. */
export async function leavePayments(recording: FlightRecording): Promise<void> {
  const { settler, outside } = recording;
  for (const path of ['/working', '/transferring']) outside.silent.add(path);
  const purchases = [];
  for (const name of ['verifying', 'working', 'settling', 'settled_unanswered'] as const)
    purchases.push(await signCase(recording, name));
  await transfer(recording, 'working', 'transferring');
  leave(present(recording, 'working'));
  for (const purchase of purchases) leave(buy(purchase));
  const isAsked = (operation: string, name: SignedCase): boolean =>
    settler.asked.includes(`${operation} ${payerOf(recording, name).address.toLowerCase()}`);
  await until(
    'not every payment is under way',
    async () => ({ asked: settler.asked.slice(-8), pages: outside.asked.slice(-8) }),
    () =>
      isAsked('verify', 'verifying') &&
      isAsked('settle', 'settling') &&
      settler.settled.has(payerOf(recording, 'settled_unanswered').address.toLowerCase()) &&
      ['/working', '/transferring'].every((path) => outside.asked.includes(path)),
  );
}
