import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findPresented } from '../../../src/payment/rails/presented.ts';
import type { CredentialCarrier } from '../../../src/payment/rails/rail.ts';
import type { RailId } from '../../../src/payment/rails/rail-ids.ts';
import { getReasonRow, type PaymentReason } from '../../../src/payment/terms/reasons.ts';
import { TABLED_RAILS, tabledRails } from './rail-cases.ts';
import type { Paid, RailCase } from './support/rail-case.ts';
import { BODIES, codeOf, openWorld, PRICE, startClock, stopClock, type World } from './support/world.ts';

beforeEach(startClock);
afterEach(stopClock);

/** A payment that buys nothing, and the code and status that it is answered with. */
type BadRow = {
  make: (world: World, rail: RailCase) => Promise<Paid>;
  codes: Readonly<Record<RailCase['flow'], readonly [PaymentReason, number]>> &
    Readonly<Partial<Record<RailId, readonly [PaymentReason, number]>>>;
  /** The rails whose facilitator alone knows. */
  asks?: readonly RailId[];
};

const DAY_S = 86_400;
const both = (code: PaymentReason, status: number): BadRow['codes'] => ({
  authorization: [code, status],
  made: [code, status],
});

/** Each kind of bad payment; its codes are stable, and 402 is only where a new payment is the next step. */
const rows: Readonly<Record<string, BadRow>> = {
  forged: {
    make: (world, rail) => rail.pay(world, {}, { signer: world.newPayer('stranger') }),
    codes: { authorization: ['invalid_signature', 402], made: ['payer_proof_invalid', 400] },
  },
  expired: {
    make: (world, rail) => rail.pay(world, {}, rail.flow === 'made' ? { ageS: 2 * DAY_S } : { lifeS: -1 }),
    // When the recent block of a message ends only the chain knows, which its facilitator asks.
    codes: {
      authorization: ['authorization_expired', 402],
      made: ['transfer_too_old', 402],
      'x402-svm': ['payment_refused', 402],
    },
    asks: ['x402-svm'],
  },
  'of another route': {
    make: (world, rail) => rail.pay(world, {}, { resource: 'https://sightline.test/api/agent/full_report' }),
    codes: { ...both('wrong_route', 402), mpp: ['challenge_invalid', 402] },
  },
  'of another network': {
    make: (world, rail) => rail.pay(world, {}, { network: rail.foreign.networks[0] ?? rail.network }),
    codes: both('wrong_terms', 402),
  },
  'of a smaller amount': {
    make: (world, rail) => rail.pay(world, {}, { microUsdc: PRICE - 1 }),
    codes: { authorization: ['wrong_amount', 402], made: ['transfer_too_small', 402] },
  },
  'to another payee': {
    make: (world, rail) => rail.pay(world, {}, { payTo: rail.foreign.payTo }),
    codes: both('wrong_recipient', 402),
  },
};

describe.each(TABLED_RAILS)('%s', (name) => {
  const rail = tabledRails[name];
  const { id } = rail;

  test.each(Object.keys(rows))('a payment that is %s buys nothing and leaves nothing', async (kind) => {
    const row = rows[kind];
    if (row === undefined) throw new RangeError(kind);
    const world = openWorld(rail);
    const paid = await row.make(world, rail);
    const before = world.chain.receivedFrom(paid.payer.address);
    const code = codeOf(await world.buy(paid));
    expect([code, getReasonRow(code as PaymentReason).status]).toEqual(row.codes[id] ?? row.codes[rail.flow]);
    expect(world.calls).toEqual({ verify: row.asks?.includes(id) === true ? 1 : 0, settle: 0, work: 0 });
    expect(world.chain.receivedFrom(paid.payer.address)).toBe(before);
    const { text, key } = paid.place();
    expect(await world.stateOf(text, key)).toBe('absent');
  });

  test('a payment that is replayed for something else buys nothing more', async () => {
    const world = openWorld(rail);
    const paid = await rail.pay(world);
    expect(codeOf(await world.buy(paid))).toBe('sold');
    const orders = [{ body: BODIES[1] }, { capability: 'check_schema' }] as const;
    for (const order of orders) {
      const shown = await rail.showAgain(world, paid, order);
      expect(codeOf(await world.buy(shown, { order }))).toBe('payment_already_used');
      expect(codeOf(await world.buy(await rail.rebuild(world, paid), { order }))).toBe('payment_already_used');
    }
    expect(world.calls.work).toBe(1);
    expect(world.chain.receivedFrom(paid.payer.address)).toBe(PRICE);
  });

  test('garbage and what is huge are refused without a call and without a row', async () => {
    const world = openWorld(rail);
    const garbage = rail.garbage(await rail.pay(world));
    expect(garbage.length).toBeGreaterThan(5);
    expect(Math.max(...garbage.map(({ text }) => text.length))).toBeGreaterThan(50_000);
    const { reads } = world.chain.state;
    const answers = [];
    for (const shown of garbage) answers.push(await world.buy(shown));
    expect(new Set(answers.map(codeOf))).toEqual(new Set([unreadable(id)]));
    // What came is repeated to no one.
    const told = JSON.stringify(answers);
    for (const { text } of garbage.filter(({ text: one }) => one.length > 12)) expect(told).not.toContain(text);
    expect([world.calls, world.chain.state.reads]).toEqual([{ verify: 0, settle: 0, work: 0 }, reads]);
  });
});

/** A credential that cannot be read is a mistake, but for MPP, whose scheme answers each with a fresh challenge. */
const unreadable = (id: RailId): PaymentReason => (id === 'mpp' ? 'credential_invalid' : 'invalid_payload');

/** The value of a header that carries a credential: that of a scheme of `Authorization` begins with its name. */
const writeHeader = ({ header }: CredentialCarrier, text: string): string =>
  header === 'Authorization' ? `Payment ${text}` : text;

const pairs = TABLED_RAILS.flatMap((one, at) => TABLED_RAILS.slice(at).map((other) => [one, other] as const));

describe.each(pairs)('%s and %s in one request', (one, other) => {
  test('are refused before either is read, wherever they are', async () => {
    const [a, b] = [tabledRails[one], tabledRails[other]];
    const world = openWorld(a);
    const [first, second] = [await a.pay(world), await b.pay(openWorld(b))];
    const headers = new Headers();
    for (const { carrier, text } of [first, second]) headers.append(carrier.header, writeHeader(carrier, text));
    const inHeaders = findPresented((name) => headers.get(name));
    // One header that is sent twice is one value with a comma, which no credential of ours has.
    if (first.carrier === second.carrier) {
      if (inHeaders.kind === 'credential') expect(codeOf(await world.buy(inHeaders))).toBe(unreadable(a.id));
      else expect(inHeaders).toMatchObject({ kind: 'refused', reason: 'invalid_payload' });
    } else expect(inHeaders).toMatchObject({ kind: 'refused', reason: 'several_payments' });

    const alone = new Headers({ [first.carrier.header]: writeHeader(first.carrier, first.text) });
    const apart = findPresented((name) => alone.get(name), { [second.carrier.metaKey]: second.text });
    const reason = first.carrier === second.carrier ? 'invalid_payload' : 'several_payments';
    expect(apart).toMatchObject({ kind: 'refused', reason });
    expect(world.calls).toEqual({ verify: 0, settle: 0, work: 0 });
  });
});
