import * as z from 'zod';
import { vi } from 'vitest';
import type { SoldRow } from '../../../src/capabilities/credit-packs.ts';
import type { WorkOutcome } from '../../../src/capabilities/capability.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import type { SettleOutcome, VerifyOutcome } from '../../../src/payment/facilitator/facilitator.ts';
import { x402Carrier } from '../../../src/payment/rails/x402-carrier.ts';
import { formatPaymentKey } from '../../../src/payment/ledger/payment-key.ts';
import { createSightings } from '../../../src/payment/chain/chain-memory.ts';
import type { PurchaseAnswer } from '../../../src/sales/answer.ts';
import { handlePurchase } from '../../../src/sales/purchase.ts';
import type { ReportMetadata, ReportRecord } from '../../../src/sales/reports/report-store.ts';
import { OFFER, PAY_TO } from '../../payment/terms/offer-cases.ts';
import { memoryLedger } from './memory-shards.ts';
import { type Authorization, CAPABILITY, newMoney, newPayer, type Payer, PRICE, SALT } from './money.ts';
import { toolsOf } from './tools.ts';

/** Who is asked, and waits until the model answers. */
export type Question =
  | { kind: 'verify'; answer: (outcome: VerifyOutcome) => void }
  | { kind: 'settle'; answer: (outcome: SettleOutcome) => void }
  | { kind: 'work'; answer: (outcome: WorkOutcome) => void };

/** One request with a payment, from its arrival to its answer. A Worker that crashed answers nothing any more. */
export type Presentation = {
  by: string;
  /** Key of the payment; '' where only the chain can tell. */
  key: string;
  terms: Authorization | undefined;
  isGood: boolean;
  open: Question[];
  crashed: boolean;
  answer: PurchaseAnswer | undefined;
  fault: unknown;
};

export type Ask = { by: Payer; header: string; body: string; engine: boolean; isGood: boolean; terms?: Authorization };

/** Turns that a request gets to reach its next question, before time moves for those that sleep. */
const TURNS = 60;
const SLEEP_MS = 500;
const ROUNDS = 40;

const row = (engineBacked: boolean, run: SoldRow['run']): SoldRow => ({
  name: CAPABILITY,
  priceMicroUsdc: PRICE,
  summary: 'What the model sells',
  body: z.strictObject({ of: z.string() }),
  result: z.strictObject({}),
  worstCaseS: 30,
  engineBacked,
  run,
});

export type Market = ReturnType<typeof newMarket>;

/**
 * The shop of the model: the real purchase over a ledger in memory, and questions to facilitator and work that stay open
 * until the model answers them.
 */
export function newMarket() {
  const now = (): number => Date.now();
  const seed = now(); // Each world begins at another moment: none meets what one before it has left.
  const payers: readonly Payer[] = [
    newPayer('ada', false, seed),
    newPayer('ben', false, seed),
    newPayer('wallet', true, seed),
  ];
  const stranger = newPayer('stranger', false, seed);
  const thief = newPayer('thief', true, seed);
  const money = newMoney(now, [...payers, stranger, thief]);
  const reports = new Map<string, ReportRecord>();
  const ledger = memoryLedger({
    now,
    paidOn: () => ({ chain: money.chain, payTo: PAY_TO }),
    dropped: (reportId) => void reports.delete(reportId),
  });
  const shown: Presentation[] = [];
  const background = new Set<Promise<unknown>>();
  const sightings = createSightings();

  const ask = <T>(presentation: Presentation, kind: Question['kind']): Promise<T> =>
    new Promise<T>((resolve) => {
      const question = {
        kind,
        answer: (outcome: T) => {
          presentation.open = presentation.open.filter((one) => one !== question);
          if (!presentation.crashed) resolve(outcome);
        },
      } as Question & { answer: (outcome: T) => void };
      presentation.open.push(question);
    });

  function present({ by, header, body, engine, isGood, terms }: Ask): Presentation {
    const key = terms === undefined ? '' : formatPaymentKey({ method: 'x402', from: terms.from, nonce: terms.nonce });
    const presentation: Presentation = {
      by: by.name,
      key,
      terms,
      isGood,
      open: [],
      crashed: false,
      answer: undefined,
      fault: undefined,
    };
    shown.push(presentation);
    const tools = toolsOf({
      caller: `${by.name}.example`,
      now,
      chain: money.chain,
      shardOf: (text) => Promise.resolve(ledger.shardOf(text)),
      sightings,
      salt: SALT,
      payTo: PAY_TO,
      verify: () => ask<VerifyOutcome>(presentation, 'verify'),
      settle: () => ask<SettleOutcome>(presentation, 'settle'),
      waitUntil: (promise) => void background.add(promise),
      reports: {
        put: (reportId: string, json: string, about: ReportMetadata) =>
          Promise.resolve(void reports.set(reportId, { json, storedAtMs: now(), ...about })),
        get: (reportId: string) => Promise.resolve(reports.get(reportId)),
        delete: (reportId: string) => Promise.resolve(void reports.delete(reportId)),
      },
    });
    const request = new Request(OFFER.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const sale = {
      row: row(engine, () => ask<WorkOutcome>(presentation, 'work')),
      offer: {
        ...OFFER,
        name: CAPABILITY,
        amountMicroUsdc: PRICE,
        url: `https://sightline.test/api/agent/${CAPABILITY}`,
      },
      presented: { carrier: x402Carrier, text: header },
      policy: allowPublicOnly(),
      engines: () => ({ ok: false as const, detail: 'none' }),
    };
    const buy = async () => handlePurchase(tools, request, { ...sale, parsed: await x402Carrier.parse(header) });
    buy().then(
      (answer) => (presentation.answer = answer),
      (error: unknown) => (presentation.fault = error),
    );
    return presentation;
  }

  const isBusy = ({ open, crashed, answer, fault }: Presentation): boolean =>
    !crashed && answer === undefined && fault === undefined && open.length === 0;

  return {
    payers,
    stranger,
    thief,
    money,
    reports,
    ledger,
    shown,
    present,
    now,
    openQuestions: () =>
      shown.flatMap((presentation) => presentation.open.map((question) => ({ presentation, question }))),
    /** Lets every request get as far as it gets: to a question, or to its answer. */
    async quiet(): Promise<void> {
      for (let round = 0; round < ROUNDS; round += 1) {
        for (let turns = 0; turns < TURNS && shown.some(isBusy); turns += 1) await turn(turns);
        if (!shown.some(isBusy)) return;
        await vi.advanceTimersByTimeAsync(SLEEP_MS);
      }
      throw new Error('a request neither asks nor answers');
    },
  };
}

/** Digests are made by other threads: after some turns those are waited for. */
const turn = (turns: number): Promise<void> =>
  new Promise((resolve) => (turns < 10 ? setImmediate(resolve) : realTimeout(resolve, 1)));
const realTimeout = globalThis.setTimeout;
