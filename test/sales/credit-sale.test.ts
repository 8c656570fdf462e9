import { expect, test } from 'vitest';
import type { AnyCapability, WorkOutcome } from '../../src/capabilities/capability.ts';
import { findCapability } from '../../src/capabilities/catalog.ts';
import { allowPublicOnly } from '../../src/net/address-policy.ts';
import { createSightings } from '../../src/payment/chain/chain-memory.ts';
import type { CreditAccountObject } from '../../src/payment/credits/protocol.ts';
import { LedgerUnavailable } from '../../src/payment/ledger/protocol.ts';
import { sellToCredits } from '../../src/sales/credit-sale.ts';
import { apiWorkerSettingsSchema } from '../../src/sales/settings.ts';
import type { SalesPorts } from '../../src/sales/tools.ts';
import { PAY_TO } from '../payment/terms/offer-cases.ts';
import { toolsOf } from './model/tools.ts';

const NOW_MS = 1_795_000_000_000;
const SETTINGS = apiWorkerSettingsSchema.parse({
  BASE_URL: 'https://sightline.test',
  PAY_TO,
  RPC_URL: 'https://rpc.test',
  FACILITATOR_URL: 'https://facilitator.test',
  LEDGER_SECRET: 'test-ledger-secret-of-32-bytes-or-more',
  PAYMENTS_SINCE: '1700000000',
});

const never = (): never => {
  throw new Error('nothing of this is asked for a call on credits');
};

const CAPTURED = {
  capability: 'check_health',
  amountMicroUsdc: 60_000,
  balanceMicroUsdc: 40_000,
  capturedAtMs: NOW_MS,
};

/** A prepaid account that lets every call pass, and what a sale did to it and with the other ports. */
function market(account: Partial<CreditAccountObject> = {}) {
  const done: string[] = [];
  const stored = new Map<string, string>();
  const note =
    <Given extends unknown[], Answer>(word: string, answer: (...given: Given) => Answer) =>
    async (...given: Given): Promise<Answer> => {
      done.push(word);
      return answer(...given);
    };
  const credits: CreditAccountObject = {
    pledge: never,
    lines: never,
    forfeit: never,
    adjust: never,
    entries: never,
    view: never,
    reports: never,
    releaseClient: never,
    renew: never,
    reserve: note('reserve', () => ({ outcome: 'reserved', attempt: 1 }) as const),
    capture: note('capture', (_id: string, _attempt: number, reportId: string) => ({ ...CAPTURED, reportId })),
    release: note('release', () => true),
    standing: note('standing', () => ({ state: 'absent' }) as const),
    ...account,
  };
  const tools = toolsOf({
    caller: 'nobody',
    now: () => NOW_MS,
    chain: {} as never, // No step of a call on credits asks it.
    shardOf: never,
    sightings: createSightings(),
    salt: '',
    payTo: PAY_TO,
    verify: never,
    settle: never,
    waitUntil: () => undefined,
    reports: {
      put: note('store', (id: string, json: string) => void stored.set(id, json)),
      get: async () => undefined,
      delete: note('drop', (id: string) => void stored.delete(id)),
    },
  });
  const ports: SalesPorts = {
    settings: SETTINGS,
    local: false,
    engines: never,
    openChain: never,
    isGenuine: async () => false,
    toolsOf: (_seller, { room }) => ({ ...tools, room }),
    policy: allowPublicOnly({ alternatePorts: true }),
    credits: { open: () => credits, ofAddress: never },
    registerCreditCall: note('register', () => undefined),
    failedPayments: { limit: () => Promise.resolve({ success: true }) },
    now: () => NOW_MS,
    waitUntil: () => undefined,
  };
  const work = note('work', (): WorkOutcome => ({ ok: true, result: { said: 'done' }, warnings: [] }));
  const row: AnyCapability = { ...(findCapability('check_health') ?? never()), run: work };
  const call = (args: unknown = { url: 'https://shop.example/' }) =>
    sellToCredits(ports, { row, args, account: 'account', clientId: 'client', authorizedAtMs: NOW_MS });
  return { call, done, stored };
}

test('P6: nothing is debited before the result is stored, and nothing is delivered before the debit', async () => {
  const { call, done, stored } = market();
  const answer = await call();
  expect(done).toEqual(['reserve', 'work', 'store', 'capture', 'register']);
  expect(answer).toMatchObject({ kind: 'sold', reportId: [...stored.keys()][0] });
  expect(JSON.parse(answer.kind === 'sold' ? answer.body : '')).toMatchObject({
    said: 'done',
    payment: { method: 'credits', amount: '60000', amount_usd: '0.060000', balance_usd: '0.040000' },
  });
});

test('a body that does not parse reserves nothing', async () => {
  const { call, done } = market();
  expect(await call({ url: 7 })).toMatchObject({ kind: 'problem', problem: { code: 'invalid_body' } });
  expect(done).toEqual([]);
});

test('an account with too little is refused before any work', async () => {
  const lacking = { outcome: 'insufficient_credits', balanceMicroUsdc: 1, priceMicroUsdc: 60_000 } as const;
  const { call, done } = market({ reserve: async () => lacking });
  expect(await call()).toMatchObject({ kind: 'problem', problem: { code: 'insufficient_credits' } });
  expect(done).toEqual([]);
});

test('a debit that another attempt made drops the result of this one', async () => {
  const { call, done, stored } = market({ capture: async () => false });
  expect(await call()).toMatchObject({ kind: 'problem', problem: { code: 'call_superseded' } });
  expect(done).toEqual(['reserve', 'work', 'store', 'drop']);
  expect(stored.size).toBe(0);
});

test('P31: a debit whose reply is lost each time is not known, and an account that cannot be reached is 503', async () => {
  const lost = async (): Promise<never> => {
    throw new LedgerUnavailable('credits');
  };
  const unknown = market({ capture: lost });
  expect(await unknown.call()).toMatchObject({ kind: 'problem', problem: { code: 'debit_unknown' } });
  expect(unknown.stored.size).toBe(1);
  expect(await market({ reserve: lost }).call()).toMatchObject({
    kind: 'problem',
    problem: { status: 503, code: 'ledger_unavailable' },
  });
});
