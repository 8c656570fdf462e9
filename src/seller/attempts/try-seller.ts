import { type CheckOutcome, verdict } from '../../audit/core/check.ts';
import { generateRandomHex } from '../../lib/digest.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Fetched } from '../../net/fetched.ts';
import type { X402Terms } from '../reading/x402-terms.ts';
import { type AttemptName, attemptNames } from './attempt-rows-data.ts';
import { type TriedAuthorization, encodeCredential, findPayableWay, type PayableWay } from './credential.ts';

/** What the attempts need of the machine they run on. */
export type AttemptPorts = {
  payer: string;
  /** Signs one authorization within what may be spent; undefined, with a reason in `refused`, where that is not allowed. */
  sign: (authorization: TriedAuthorization, way: PayableWay) => Promise<SignOutcome>;
  /** The terms of a new unpaid request; undefined where none came. */
  quote: () => Promise<X402Terms | undefined>;
  /** Sends a payment to the seller, or to another address of its origin. An aborted one has no answer. */
  present: (credential: string, options?: { url?: string; signal?: AbortSignal }) => Promise<Fetched>;
  /** USDC of the payer, in micro-USDC; undefined where the chain cannot be read. */
  readBalance: (way: PayableWay) => Promise<bigint | undefined>;
  nowS: () => number;
  sleep: (ms: number) => Promise<void>;
};

export type SignOutcome = { ok: true; signature: string } | { ok: false; detail: string };

export type AttemptOptions = {
  url: string;
  /** Another paid address of the same origin. */
  otherUrl?: string | undefined;
};

/** What came of the attempts. `spent`: what left the account of the payer, in micro-USDC. */
export type AttemptsResult = {
  outcomes: Readonly<Record<AttemptName, CheckOutcome>>;
  spent: bigint | undefined;
  signed: number;
};

/** A payment that was made ready: its credential, or why there is none. */
type Ready = { ok: true; credential: string } | { ok: false; detail: string };

/** How long a lost answer is waited for before the connection is closed, in milliseconds: the request has arrived by then. */
const LOST_AFTER_MS = 150;
/** Repeats of a payment whose answer was lost, and the wait between them: work and settlement take their time. */
const MAX_REPEATS = 8;
const REPEAT_WAIT_MS = 1_000;
/** How long a settlement that was begun may take, in milliseconds. */
const SETTLE_WAIT_MS = 4_000;
/** Life of an authorization, in seconds: what a lost one can be used for ends with it. */
const LIFE_S = 240;
const FORGED = `0x${'11'.repeat(32)}${'22'.repeat(32)}1b`;
const OTHER_NETWORK = 'eip155:10';

/** Tries a seller in a fixed order. Each attempt asks for terms of its own, and signs one payment at most. */
export async function trySeller(ports: AttemptPorts, options: AttemptOptions): Promise<AttemptsResult> {
  const outcomes = Object.fromEntries(attemptNames.map((name) => [name, verdict.unknown('Not tried')])) as Record<
    AttemptName,
    CheckOutcome
  >;
  const first = await ports.quote();
  const way = first && findPayableWay(first);
  if (way === undefined) {
    const why = verdict.unknown('No way to pay that can be tried: exact, by EIP-3009, in USDC on Base or Base Sepolia');
    return { outcomes: mapAll(outcomes, why), spent: 0n, signed: 0 };
  }
  const counted = countSignatures(ports);
  const before = await ports.readBalance(way);
  const scene: Scene = { ...counted.ports, url: options.url };
  outcomes.forged = await tryRefused(scene, { signature: FORGED });
  outcomes.wrongAmount =
    way.amount > 1n
      ? await tryRefused(scene, { authorization: { value: String(way.amount - 1n) } })
      : verdict.notApplicable('The price is the smallest amount there is');
  outcomes.wrongNetwork = await tryRefused(scene, { accepted: { network: OTHER_NETWORK } });
  outcomes.expired = await tryRefused(scene, { authorization: { validBefore: String(ports.nowS() - 60) } });
  await buyAndRepeat(scene, outcomes, options.otherUrl);
  if (outcomes.honest.status === 'pass') {
    outcomes.doubleSpend = await tryTwoAtOnce(scene);
    outcomes.lostAnswer = await tryLostAnswer(scene, way);
  }
  const after = await ports.readBalance(way);
  const spent = before === undefined || after === undefined ? undefined : before - after;
  return { outcomes, spent, signed: counted.count() };
}

type Scene = AttemptPorts & { url: string };

function mapAll(outcomes: Record<AttemptName, CheckOutcome>, to: CheckOutcome): Record<AttemptName, CheckOutcome> {
  return Object.fromEntries(Object.keys(outcomes).map((name) => [name, to])) as Record<AttemptName, CheckOutcome>;
}

function countSignatures(ports: AttemptPorts): { ports: AttemptPorts; count: () => number } {
  let signed = 0;
  const sign: AttemptPorts['sign'] = async (authorization, way) => {
    const outcome = await ports.sign(authorization, way);
    if (outcome.ok) signed += 1;
    return outcome;
  };
  return { ports: { ...ports, sign }, count: () => signed };
}

type Change = { signature?: string; authorization?: Partial<TriedAuthorization>; accepted?: JsonObject };

/** A payment on fresh terms, with what an attempt changes of it. */
async function makeReady(ports: Scene, change: Change = {}): Promise<Ready> {
  const terms = await ports.quote();
  const way = terms && findPayableWay(terms);
  if (terms === undefined || way === undefined) return { ok: false, detail: 'No terms came' };
  const authorization: TriedAuthorization = {
    from: ports.payer,
    to: way.payTo,
    value: String(way.amount),
    validAfter: '0',
    validBefore: String(ports.nowS() + LIFE_S),
    nonce: `0x${generateRandomHex(32)}`,
    ...change.authorization,
  };
  const signed = change.signature === undefined ? await ports.sign(authorization, way) : undefined;
  if (signed?.ok === false) return signed;
  const signature = change.signature ?? (signed?.ok === true ? signed.signature : '');
  const accepted = { ...way.way, ...change.accepted };
  return { ok: true, credential: encodeCredential(terms, accepted, { signature, authorization }) };
}

const isSold = (answer: Fetched): boolean => answer.ok && answer.status >= 200 && answer.status < 300;

const describeAnswer = (answer: Fetched): string =>
  answer.ok ? `answered with ${answer.status}` : `not answered (${answer.reason})`;

const buildSeenEvidence = (url: string, answer: Fetched) => ({ url, ...(answer.ok ? { status: answer.status } : {}) });

/** A payment that must not buy. */
async function tryRefused(scene: Scene, change: Change): Promise<CheckOutcome> {
  const ready = await makeReady(scene, change);
  if (!ready.ok) return verdict.unknown(ready.detail);
  const answer = await scene.present(ready.credential);
  if (!answer.ok) return verdict.unknown(`It was ${describeAnswer(answer)}`, buildSeenEvidence(scene.url, answer));
  if (isSold(answer))
    return verdict.fail(`It was ${describeAnswer(answer)}: sold`, buildSeenEvidence(scene.url, answer));
  if (answer.status >= 500)
    return verdict.partial(
      0.5,
      `It was ${describeAnswer(answer)}: an error of the server`,
      buildSeenEvidence(scene.url, answer),
    );
  return verdict.pass(`It was ${describeAnswer(answer)}`, buildSeenEvidence(scene.url, answer));
}

/** An honest purchase, then the same payment once more, and at another route. */
async function buyAndRepeat(
  scene: Scene,
  outcomes: Record<AttemptName, CheckOutcome>,
  otherUrl: string | undefined,
): Promise<void> {
  const ready = await makeReady(scene);
  if (!ready.ok) {
    outcomes.honest = verdict.unknown(ready.detail);
    return;
  }
  const bought = await scene.present(ready.credential);
  if (!isSold(bought)) {
    outcomes.honest = verdict.fail(
      `A good payment was ${describeAnswer(bought)}`,
      buildSeenEvidence(scene.url, bought),
    );
    return;
  }
  const hasReceipt = bought.ok && bought.headers['payment-response'] !== undefined;
  outcomes.honest = hasReceipt
    ? verdict.pass('Delivered, with PAYMENT-RESPONSE', buildSeenEvidence(scene.url, bought))
    : verdict.partial(0.7, 'Delivered, without PAYMENT-RESPONSE', buildSeenEvidence(scene.url, bought));
  outcomes.otherRoute =
    otherUrl === undefined
      ? verdict.notApplicable('No other route was named (--other-route)')
      : await tryOtherRoute(scene, otherUrl);
  const again = await scene.present(ready.credential);
  outcomes.replay = judgeRepeat(bought, again, scene.url);
}

/** A new payment on the terms of this route, shown at another one. */
async function tryOtherRoute(scene: Scene, otherUrl: string): Promise<CheckOutcome> {
  const ready = await makeReady(scene);
  if (!ready.ok) return verdict.unknown(ready.detail);
  const answer = await scene.present(ready.credential, { url: otherUrl });
  const evidence = buildSeenEvidence(otherUrl, answer);
  if (!answer.ok) return verdict.unknown(`The other route was ${describeAnswer(answer)}`, evidence);
  return isSold(answer)
    ? verdict.fail(`The other route sold for it: it was ${describeAnswer(answer)}`, evidence)
    : verdict.pass(`The other route refused it: it was ${describeAnswer(answer)}`, evidence);
}

const isSameAnswer = (one: Fetched, other: Fetched): boolean =>
  one.ok && other.ok && new TextDecoder().decode(one.bytes) === new TextDecoder().decode(other.bytes);

/** The stored answer once more is no second sale. */
function judgeRepeat(bought: Fetched, again: Fetched, url: string): CheckOutcome {
  const evidence = buildSeenEvidence(url, again);
  if (!again.ok) return verdict.unknown(`The repeat was ${describeAnswer(again)}`, evidence);
  if (!isSold(again)) {
    return again.status >= 500
      ? verdict.partial(0.5, `The repeat was ${describeAnswer(again)}: an error of the server`, evidence)
      : verdict.pass(`The repeat was ${describeAnswer(again)}`, evidence);
  }
  return isSameAnswer(bought, again)
    ? verdict.pass('The repeat got the same answer, byte for byte', evidence)
    : verdict.fail('The repeat bought a second time: another answer came', evidence);
}

async function tryTwoAtOnce(scene: Scene): Promise<CheckOutcome> {
  const ready = await makeReady(scene);
  if (!ready.ok) return verdict.unknown(ready.detail);
  const [one, other] = await Promise.all([scene.present(ready.credential), scene.present(ready.credential)]);
  const sold = [one, other].filter(isSold);
  const note = `One was ${describeAnswer(one)}, the other ${describeAnswer(other)}`;
  const evidence = [buildSeenEvidence(scene.url, one), buildSeenEvidence(scene.url, other)];
  if (sold.length === 0) return verdict.partial(0.3, `${note}: nothing was sold`, evidence);
  if (sold.length === 1) return verdict.pass(note, evidence);
  return isSameAnswer(one, other)
    ? verdict.pass(`${note}, with the same answer`, evidence)
    : verdict.fail(`${note}, with two different answers: one payment bought twice`, evidence);
}

/** The buyer is gone when the answer comes, and asks again with the same payment. */
async function tryLostAnswer(scene: Scene, way: PayableWay): Promise<CheckOutcome> {
  const before = await scene.readBalance(way);
  const ready = await makeReady(scene);
  if (!ready.ok) return verdict.unknown(ready.detail);
  const gone = new AbortController();
  const lost = scene.present(ready.credential, { signal: gone.signal });
  await Promise.race([lost, scene.sleep(LOST_AFTER_MS)]);
  gone.abort();
  await lost;
  let last = await scene.present(ready.credential);
  for (let repeat = 1; repeat < MAX_REPEATS && isToRepeat(last); repeat += 1) {
    await scene.sleep(REPEAT_WAIT_MS);
    last = await scene.present(ready.credential);
  }
  const evidence = buildSeenEvidence(scene.url, last);
  if (isSold(last)) return verdict.pass('The repeat got the answer', evidence);
  await scene.sleep(SETTLE_WAIT_MS); // What was begun may still settle.
  const after = await scene.readBalance(way);
  if (before === undefined || after === undefined)
    return verdict.unknown(`The repeat was ${describeAnswer(last)}; whether it was paid cannot be read`, evidence);
  return after < before
    ? verdict.fail(`The payment was settled, and the repeat was ${describeAnswer(last)}`, evidence)
    : verdict.partial(0.6, `Nothing was charged, and the repeat was ${describeAnswer(last)}`, evidence);
}

/** In progress, or in doubt: the same payment is to be sent again. */
const isToRepeat = (answer: Fetched): boolean =>
  !answer.ok || answer.status === 409 || answer.status === 425 || answer.status === 429 || answer.status >= 500;
