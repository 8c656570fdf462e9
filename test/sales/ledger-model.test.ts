import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SettleOutcome, VerifyOutcome } from '../../src/payment/facilitator/facilitator.ts';
import { type Market, newMarket, type Presentation } from './model/market.ts';
import { type Authorization, type Payer, provenHeader, signedHeader, word } from './model/money.ts';

const START_MS = 1_800_000_000_000;
const QUOTE = '0123456789abcdef0123456789abcdef';
const BODIES = ['{"of":"one"}', '{"of":"two"}'] as const;
/** The soak takes more runs, and another seed; otherwise they are always the same few. */
const RUNS = Number(process.env['LEDGER_RUNS'] ?? 20);
const SEED = Number(process.env['LEDGER_SEED'] ?? 24);
/** Authorizations live nearly as long as they may. */
const LIFE_S = 3_500;

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS, toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const payerAt = fc.nat(2);
const nonceAt = fc.nat(2);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('pay' as const),
      payer: payerAt,
      nonce: nonceAt,
      body: fc.nat(1),
      engine: fc.boolean(),
    }),
  },
  // A stranger signs for somebody else, with a key or as a wallet would; or shows again what the chain has made public.
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('forge' as const),
      payer: payerAt,
      nonce: nonceAt,
      as: fc.constantFrom('key', 'wallet', 'replay'),
      engine: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('send' as const), payer: payerAt, other: payerAt }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('prove' as const),
      transfer: fc.nat(3),
      payer: payerAt,
      body: fc.nat(1),
      by: fc.constantFrom('payer', 'stranger', 'hash'),
    }),
  },
  {
    weight: 22,
    arbitrary: fc.record({
      act: fc.constant('answer' as const),
      question: fc.nat(9),
      how: fc.constantFrom('truly', 'truly', 'truly', 'lost', 'never', 'refused'),
      bundle: fc.option(payerAt, { freq: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('wait' as const),
      ms: fc.constantFrom(1_000, 6_000, 31_000, 36_000, 200_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('crash' as const), request: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('alarm' as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('chain' as const), isDown: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('probe' as const), payer: payerAt, engine: fc.boolean() }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

type Transfer = { hash: string; payer: Payer };
type World = Market & {
  transfers: Transfer[];
  terms: Map<string, Authorization & { payer: Payer }>;
  /** Authorizations that a facilitator was asked to settle: their end is in doubt until the chain has decided. */
  begun: Set<string>;
  sales: Map<string, string>;
  probes: number;
  seen: { sold: number; forged: number; bundles: number; probes: number; doubted: number };
};

const newWorld = (seen: World['seen']): World => ({
  ...newMarket(),
  transfers: [],
  terms: new Map(),
  begun: new Set(),
  sales: new Map(),
  probes: 0,
  seen,
});

function must(holds: boolean, law: string): asserts holds {
  if (!holds) throw new Error(`broken: ${law}`);
}

const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];
const payerOf = (world: World, at: number): Payer => {
  const payer = pick(world.payers, at);
  if (payer === undefined) throw new RangeError('no payer');
  return payer;
};

function termsOf(world: World, payer: Payer, name: string): Authorization & { payer: Payer } {
  const nonce = word(`${payer.address} ${name}`);
  const known = world.terms.get(nonce) ?? {
    from: payer.address,
    nonce,
    validBeforeS: Math.floor(world.now() / 1000) + LIFE_S,
    payer,
  };
  world.terms.set(nonce, known);
  return known;
}

async function pay(world: World, { payer: at, nonce, body, engine }: Step & { act: 'pay' }): Promise<Presentation> {
  const payer = payerOf(world, at);
  const terms = termsOf(world, payer, `nonce ${nonce}`);
  const { header } = await signedHeader(terms, payer, QUOTE);
  return world.present({ by: payer, header, body: BODIES[body] ?? BODIES[0], engine, isGood: true, terms });
}

async function forge(world: World, { payer: at, nonce, as, engine }: Step & { act: 'forge' }): Promise<void> {
  const victim = payerOf(world, at);
  const by = as === 'wallet' ? world.thief : world.stranger;
  if (as === 'replay') {
    const known = world.terms.get(word(`${victim.address} nonce ${nonce}`));
    if (known === undefined || !world.money.isUsed(known.nonce)) return; // It is no secret only once it is on chain.
    const { header } = await signedHeader(known, victim, undefined);
    world.present({ by, header, body: BODIES[1], engine, isGood: true, terms: known });
    return;
  }
  world.seen.forged += 1;
  // Now under the victim's own nonce, now under one of its own.
  const name = nonce === 0 ? 'nonce 0' : `forged ${world.seen.forged}`;
  const terms = {
    from: victim.address,
    nonce: word(`${victim.address} ${name}`),
    validBeforeS: Math.floor(world.now() / 1000) + LIFE_S,
  };
  const { header } = await signedHeader(terms, by, nonce === 2 ? undefined : QUOTE);
  world.present({ by, header, body: BODIES[1], engine, isGood: false, terms });
}

async function prove(
  world: World,
  { transfer: at, payer: payerIndex, body, by }: Step & { act: 'prove' },
): Promise<void> {
  const transfer = pick(world.transfers, at);
  if (transfer === undefined) return;
  const text = BODIES[body] ?? BODIES[0];
  const signer = by === 'payer' ? transfer.payer : world.stranger;
  const nowS = Math.floor(world.now() / 1000);
  const header = by === 'hash' ? transfer.hash : await provenHeader(transfer.hash, text, signer, nowS);
  world.present({
    by: by === 'hash' ? payerOf(world, payerIndex) : signer,
    header,
    body: text,
    engine: false,
    isGood: by === 'payer',
  });
}

/** What a facilitator that tells the truth says of a payload. */
const verdictOf = (world: World, { isGood, terms }: Presentation): VerifyOutcome => {
  if (!isGood) return { kind: 'refused', reason: 'invalid_signature' };
  if (terms && world.money.isUsed(terms.nonce)) return { kind: 'refused', reason: 'nonce_already_used' };
  return { kind: 'valid', payer: terms?.from ?? '' };
};

function settleAs(world: World, presentation: Presentation, how: string, bundle: number | null): SettleOutcome {
  const { terms } = presentation;
  if (terms === undefined) throw new TypeError('only authorizations are settled');
  world.begun.add(terms.nonce);
  const unknown: SettleOutcome = { kind: 'unknown', detail: 'no answer came' };
  if (how === 'never') return unknown;
  if (how === 'refused') return { kind: 'refused', reason: 'unexpected_error' };
  const others = bundle === null ? [] : [payerOf(world, bundle)].filter(({ address }) => address !== terms.from);
  const hash = world.money.settle([terms], ...others);
  if (hash === undefined) return { kind: 'refused', reason: 'nonce_already_used' };
  for (const payer of others) {
    world.seen.bundles += 1;
    world.transfers.push({ hash, payer });
  }
  if (how === 'lost') world.seen.doubted += 1;
  return how === 'lost' ? unknown : { kind: 'settled', transaction: hash, payer: terms.from };
}

function answer(world: World, { question: at, how, bundle }: Step & { act: 'answer' }): void {
  const found = pick(world.openQuestions(), at);
  if (found === undefined) return;
  const { presentation, question } = found;
  if (question.kind === 'work')
    question.answer(
      how === 'refused'
        ? { ok: false, reason: 'target_unreachable', detail: 'x' }
        : { ok: true, result: {}, warnings: [] },
    );
  else if (question.kind === 'settle') question.answer(settleAs(world, presentation, how, bundle));
  else
    question.answer(
      how === 'lost' || how === 'never' ? { kind: 'unavailable', detail: 'x' } : verdictOf(world, presentation),
    );
}

/** Whether nothing of the payer's own is under way, so that only others could be in its way. */
async function isFree(world: World, payer: Payer): Promise<boolean> {
  if (world.money.state.down) return false;
  if (world.shown.some(({ by, open }) => by === payer.name && open.length > 0)) return false;
  for (const { nonce, from } of world.terms.values()) {
    if (from !== payer.address) continue;
    if ((await stateOf(world, from, nonce)) === 'unsettled') return false;
  }
  return true;
}

const stateOf = (world: World, from: string, nonce: string): Promise<'settled' | 'unsettled' | 'absent'> =>
  world.ledger.stateOf(from, keyOf(from, nonce));
const keyOf = (from: string, nonce: string): string =>
  `eip3009:eip155:8453:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913:${from}:${nonce}`;

/** B5: an honest payment asks the facilitator at once, and is sold, whatever strangers have open in its payer's name. */
async function probe(world: World, payer: Payer, engine: boolean): Promise<void> {
  world.probes += 1;
  world.seen.probes += 1;
  const terms = termsOf(world, payer, `probe ${world.probes}`);
  const { header } = await signedHeader(terms, payer, QUOTE);
  const presentation = world.present({ by: payer, header, body: BODIES[0], engine, isGood: true, terms });
  const asked: string[] = [];
  for (let question = 0; question < 3; question += 1) {
    await world.quiet();
    const [open] = presentation.open;
    if (open === undefined) break;
    asked.push(open.kind);
    if (open.kind === 'verify') open.answer(verdictOf(world, presentation));
    else if (open.kind === 'settle') open.answer(settleAs(world, presentation, 'truly', null));
    else open.answer({ ok: true, result: {}, warnings: [] });
  }
  await world.quiet();
  must(
    presentation.answer?.kind === 'sold',
    `strangers delay nobody: ${asked.join(', ')}, then ${JSON.stringify(presentation.answer)}`,
  );
  must(asked.join(' ') === 'verify work settle', `an honest payment asks once each: ${asked.join(' ')}`);
}

async function take(world: World, now: Step): Promise<void> {
  if (now.act === 'pay') await pay(world, now);
  else if (now.act === 'forge') await forge(world, now);
  else if (now.act === 'prove') await prove(world, now);
  else if (now.act === 'answer') answer(world, now);
  else if (now.act === 'wait') await vi.advanceTimersByTimeAsync(now.ms);
  else if (now.act === 'alarm') await world.ledger.alarm();
  else if (now.act === 'chain') world.money.state.down = now.isDown;
  else if (now.act === 'send') {
    const payers = [...new Set([payerOf(world, now.payer), payerOf(world, now.other)])];
    const hash = world.money.transfer(...payers);
    for (const payer of payers) world.transfers.push({ hash, payer });
  } else if (now.act === 'crash') {
    const found = pick(
      world.shown.filter(({ answer: ended, crashed }) => ended === undefined && !crashed),
      now.request,
    );
    if (found) Object.assign(found, { crashed: true, open: [] });
  } else if (await isFree(world, payerOf(world, now.payer))) await probe(world, payerOf(world, now.payer), now.engine);
  await world.quiet();
}

async function judge(world: World): Promise<void> {
  for (const { answer: ended, fault, key, by, isGood } of world.shown) {
    must(fault === undefined, `nothing throws: ${String(fault)}`);
    if (ended?.kind !== 'sold') continue;
    must(isGood, `nothing is sold to what is not the payer's: ${by}`);
    const { payment } = JSON.parse(ended.body) as { payment: { transaction: string; payer: string } };
    const paid = key === '' ? `${payment.transaction} ${payment.payer}` : key;
    must((world.sales.get(ended.reportId) ?? paid) === paid, 'no two payments pay for one sale');
    must(
      [...world.sales].every(([reportId, other]) => other !== paid || reportId === ended.reportId),
      'a payment is one sale',
    );
    must(by !== world.stranger.name && by !== world.thief.name, 'a stranger gets nothing that others paid');
    if (!world.sales.has(ended.reportId)) world.seen.sold += 1;
    world.sales.set(ended.reportId, paid);
  }
  for (const nonce of world.begun) {
    const terms = world.terms.get(nonce);
    if (terms === undefined || world.now() / 1000 >= terms.validBeforeS) continue;
    must((await stateOf(world, terms.from, nonce)) !== 'absent', 'what may have been charged is kept');
  }
}

async function judgeCharges(world: World, nonces: readonly string[]): Promise<void> {
  for (const nonce of nonces) {
    const terms = world.terms.get(nonce);
    if (terms && world.money.isUsed(nonce))
      must((await stateOf(world, terms.from, nonce)) === 'settled', 'what was charged is sold');
  }
}

/** A sale whose settlement carries a transfer of the next payer as well, and is reported or lost. @returns its authorization */
async function settleWithOthers(world: World, at: number, how: 'truly' | 'lost'): Promise<string | undefined> {
  const payer = payerOf(world, at);
  if (!(await isFree(world, payer))) return undefined;
  const terms = termsOf(world, payer, `last ${how}`);
  const { header } = await signedHeader(terms, payer, QUOTE);
  const presentation = world.present({ by: payer, header, body: BODIES[0], engine: false, isGood: true, terms });
  for (let question = 0; question < 3; question += 1) {
    await world.quiet();
    const [open] = presentation.open;
    if (open?.kind === 'verify') open.answer(verdictOf(world, presentation));
    else if (open?.kind === 'work') open.answer({ ok: true, result: {}, warnings: [] });
    else open?.answer(settleAs(world, presentation, how, at + 1));
  }
  await world.quiet();
  return terms.nonce;
}

async function passLeases(world: World): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await vi.advanceTimersByTimeAsync(70_000);
    await world.ledger.alarm();
  }
}

/** Everything ends: no Worker lives, the chain can be read, leases run out, and the alarm comes. */
async function finish(world: World): Promise<void> {
  for (const presentation of world.shown)
    if (presentation.answer === undefined) Object.assign(presentation, { crashed: true, open: [] });
  world.money.state.down = false;
  await passLeases(world);
  await judgeCharges(world, [...world.begun]);
  await vi.advanceTimersByTimeAsync(3_600_000); // Nobody's failures count any more.
  const last = [await settleWithOthers(world, 0, 'truly'), await settleWithOthers(world, 1, 'lost')];
  await passLeases(world);
  await judgeCharges(
    world,
    last.filter((nonce) => nonce !== undefined),
  );
  for (const { hash, payer } of world.transfers) {
    const header = await provenHeader(hash, BODIES[0], payer, Math.floor(world.now() / 1000));
    const presentation = world.present({ by: payer, header, body: BODIES[0], engine: false, isGood: true });
    await world.quiet();
    for (const open of presentation.open) if (open.kind === 'work') open.answer({ ok: true, result: {}, warnings: [] });
    await world.quiet();
    const sold = [...world.sales.values()].includes(`${hash} ${payer.address}`) || presentation.answer?.kind === 'sold';
    must(sold, `B7: an honest payer is served for its transfer: ${JSON.stringify(presentation.answer)}`);
  }
  for (const [at, payer] of world.payers.entries()) {
    // Strangers have asked in its name, and nobody has answered them yet.
    for (const as of ['key', 'wallet'] as const)
      await forge(world, { act: 'forge', payer: at, nonce: 1, as, engine: true });
    await world.quiet();
    if (await isFree(world, payer)) await probe(world, payer, true);
  }
  await judge(world);
}

test('B5, B7: in no order do strangers delay a payer, or cost it a transfer, and a payment is one sale', async () => {
  const seen = { sold: 0, forged: 0, bundles: 0, probes: 0, doubted: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 48, size: 'max' }), async (steps) => {
      vi.setSystemTime(Date.now() + 86_400_000);
      const world = newWorld(seen);
      for (const now of steps) {
        await take(world, now);
        await judge(world);
      }
      await finish(world);
    }),
    { numRuns: RUNS, seed: SEED },
  );
  // Each law was put to the test, in most runs more than once.
  expect(Object.entries(seen).filter(([, count]) => count < RUNS / 2)).toEqual([]);
}, 300_000);
