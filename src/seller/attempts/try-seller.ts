import type { PaymentAuthorization } from '../../payment/terms/authorization.ts';
import { type CheckOutcome, verdict } from '../../audit/core/check.ts';
import { generateRandomHex } from '../../lib/digest.ts';
import type { Fetched } from '../../net/fetched.ts';
import { type AttemptName, attemptNames } from './attempt-rows-data.ts';
import {
  type AttemptProtocol,
  type NotTried,
  type NotTriedReason,
  type PayableOffer,
  type PayableWay,
  RECEIPT_HEADERS,
  type TriedPayment,
  type ClaimedTerms,
} from './payable.ts';

/** What the attempts need of the machine they run on. */
export type AttemptPorts = {
  payer: string;
  /** Signs one authorization on the network of the wallet and within what may be spent. */
  sign: (authorization: PaymentAuthorization, way: PayableWay) => Promise<SignOutcome>;
  /** What a new unpaid request is offered on the network of the wallet. */
  quote: () => Promise<QuotedOffer>;
  /** Sends the headers of a payment to the seller, or to another address of its origin. An aborted one has no answer. */
  present: (payment: Payment, options?: { url?: string; signal?: AbortSignal }) => Promise<Fetched>;
  /** USDC of the payer, in micro-USDC; undefined where the chain cannot be read. */
  readBalance: (way: PayableWay) => Promise<bigint | undefined>;
  nowS: () => number;
  sleep: (ms: number) => Promise<void>;
};

type Payment = Readonly<Record<string, string>>;

export type SignOutcome = { ok: true; signature: string } | NotTried;
export type QuotedOffer = { ok: true; offer: PayableOffer } | NotTried;

export type AttemptOptions = {
  url: string;
  protocol: AttemptProtocol;
  /** Another paid address of the same origin. */
  otherUrl?: string | undefined;
};

/** What came of the attempts. `spent`: what left the account of the payer, in micro-USDC; `notTried`: each reason once. */
export type AttemptsResult = {
  protocol: AttemptProtocol;
  outcomes: Readonly<Record<AttemptName, CheckOutcome>>;
  spent: bigint | undefined;
  signed: number;
  notTried: readonly NotTriedReason[];
};

/** A payment that was made ready: its headers, what was signed and for what, or why there is none. */
type Ready = { ok: true; payment: Payment; offer: PayableOffer; signed: TriedPayment } | NotTried;

/** How long a lost answer is waited for before the connection is closed, in milliseconds: the request has arrived by then. */
const LOST_AFTER_MS = 150;
/** Repeats of a payment whose answer was lost, and the wait between them: work and settlement take their time. */
const MAX_REPEATS = 8;
const REPEAT_WAIT_MS = 1_000;
/** How long a settlement that was begun may take, in milliseconds. */
const SETTLE_WAIT_MS = 4_000;
/** Life of an authorization, in seconds: what a lost one can be used for ends with it. */
const LIFE_S = 240;
/** A well-formed signature by no known key: `r` is on the curve (its generator), so that a key is recovered. */
const FORGED = `0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798${'22'.repeat(32)}1b`;
const OTHER_CHAIN = 10;
/** The longest that the end of terms is waited for, in seconds. */
const MAX_END_WAIT_S = 30;

/** Tries a seller in a fixed order. Each attempt asks for terms of its own. */
export async function trySeller(
  ports: AttemptPorts,
  { url, otherUrl, protocol }: AttemptOptions,
): Promise<AttemptsResult> {
  const outcomes = Object.fromEntries(attemptNames.map((name) => [name, verdict.unknown('Not tried')])) as Record<
    AttemptName,
    CheckOutcome
  >;
  const counted = countSignatures(ports);
  const first = await counted.ports.quote();
  if (!first.ok) {
    const why = verdict.unknown(first.detail);
    return { protocol, outcomes: mapAll(outcomes, why), spent: 0n, ...counted.count() };
  }
  const { offer: way } = first;
  const before = await ports.readBalance(way);
  const scene: Scene = { ...counted.ports, url };
  outcomes.forged = await tryRefused(scene, { signature: FORGED });
  outcomes.wrongAmount = await tryLess(scene, way);
  outcomes.wrongNetwork = await tryRefused(scene, { claimed: { chainId: OTHER_CHAIN } });
  outcomes.expired = await tryEnded(scene);
  await buyAndRepeat(scene, outcomes, otherUrl);
  if (outcomes.honest.status === 'pass') {
    outcomes.doubleSpend = await tryTwoAtOnce(scene);
    outcomes.lostAnswer = await tryLostAnswer(scene, way);
  }
  const after = await ports.readBalance(way);
  const spent = before === undefined || after === undefined ? undefined : before - after;
  return { protocol, outcomes, spent, ...counted.count() };
}

type Scene = AttemptPorts & { url: string };

function mapAll(outcomes: Record<AttemptName, CheckOutcome>, to: CheckOutcome): Record<AttemptName, CheckOutcome> {
  return Object.fromEntries(Object.keys(outcomes).map((name) => [name, to])) as Record<AttemptName, CheckOutcome>;
}

type Counts = Pick<AttemptsResult, 'signed' | 'notTried'>;

/** Counts what was signed, and remembers why something was not tried. */
function countSignatures(ports: AttemptPorts): { ports: AttemptPorts; count: () => Counts } {
  let signed = 0;
  const reasons = new Set<NotTriedReason>();
  const note = <Outcome extends { ok: true } | NotTried>(outcome: Outcome): Outcome => {
    if (!outcome.ok) reasons.add(outcome.reason);
    return outcome;
  };
  const sign: AttemptPorts['sign'] = async (authorization, way) => {
    const outcome = note(await ports.sign(authorization, way));
    if (outcome.ok) signed += 1;
    return outcome;
  };
  const quote: AttemptPorts['quote'] = async () => note(await ports.quote());
  return { ports: { ...ports, sign, quote }, count: () => ({ signed, notTried: [...reasons] }) };
}

type Change = { signature?: string; authorization?: Partial<PaymentAuthorization>; claimed?: ClaimedTerms };

/** A payment on fresh terms, with what an attempt changes of it. */
async function makeReady(ports: Scene, change: Change = {}): Promise<Ready> {
  const quoted = await ports.quote();
  if (!quoted.ok) return quoted;
  const { offer } = quoted;
  const authorization: PaymentAuthorization = {
    from: ports.payer,
    to: offer.payTo,
    value: String(offer.amount),
    validAfter: '0',
    validBefore: String(ports.nowS() + LIFE_S),
    nonce: offer.nonce ?? `0x${generateRandomHex(32)}`,
    ...change.authorization,
  };
  const outcome = change.signature === undefined ? await ports.sign(authorization, offer) : undefined;
  if (outcome?.ok === false) return outcome;
  const signature = change.signature ?? (outcome?.ok === true ? outcome.signature : '');
  const signed = { signature, authorization };
  return { ok: true, payment: offer.carry(signed, change.claimed), offer, signed };
}

const isSold = (answer: Fetched): boolean => answer.ok && answer.status >= 200 && answer.status < 300;

const describeAnswer = (answer: Fetched): string =>
  answer.ok ? `answered with ${answer.status}` : `not answered (${answer.reason})`;

const buildSeenEvidence = (url: string, answer: Fetched) => ({ url, ...(answer.ok ? { status: answer.status } : {}) });

/** A payment that must not buy. */
async function tryRefused(scene: Scene, change: Change): Promise<CheckOutcome> {
  const ready = await makeReady(scene, change);
  return ready.ok ? judgeRefused(scene, ready.payment) : verdict.unknown(ready.detail);
}

async function judgeRefused(scene: Scene, payment: Payment): Promise<CheckOutcome> {
  const answer = await scene.present(payment);
  const evidence = buildSeenEvidence(scene.url, answer);
  const note = `It was ${describeAnswer(answer)}`;
  if (!answer.ok) return verdict.unknown(note, evidence);
  if (isSold(answer)) return verdict.fail(`${note}: sold`, evidence);
  return answer.status >= 500
    ? verdict.partial(0.5, `${note}: an error of the server`, evidence)
    : verdict.pass(note, evidence);
}

/** Less is signed than asked. By MPP also with a challenge that says so: its id shows whether it was issued. */
async function tryLess(scene: Scene, { amount, protocol }: PayableOffer): Promise<CheckOutcome> {
  if (amount === 1n) return verdict.notApplicable('The price is the smallest amount there is');
  const value = String(amount - 1n);
  const ready = await makeReady(scene, { authorization: { value } });
  if (!ready.ok) return verdict.unknown(ready.detail);
  const seen = await judgeRefused(scene, ready.payment);
  if (protocol === 'x402' || seen.status !== 'pass') return seen;
  return judgeRefused(scene, ready.offer.carry(ready.signed, { amount: value }));
}

/** An authorization that has ended; and a good one on terms that have, where their end is near enough to wait for. */
async function tryEnded(scene: Scene): Promise<CheckOutcome> {
  const seen = await tryRefused(scene, { authorization: { validBefore: String(scene.nowS() - 60) } });
  if (seen.status !== 'pass') return seen;
  const ready = await makeReady(scene, { signature: FORGED });
  const waitS = ready.ok && ready.offer.endsAtS !== undefined ? ready.offer.endsAtS - scene.nowS() + 1 : undefined;
  if (!ready.ok || waitS === undefined || waitS > MAX_END_WAIT_S) return seen;
  const outcome = await scene.sign(ready.signed.authorization, ready.offer);
  if (!outcome.ok) return seen;
  await scene.sleep(Math.max(0, waitS) * 1000);
  return judgeRefused(scene, ready.offer.carry({ ...ready.signed, signature: outcome.signature }));
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
  const bought = await scene.present(ready.payment);
  if (!isSold(bought)) {
    outcomes.honest = verdict.fail(
      `A good payment was ${describeAnswer(bought)}`,
      buildSeenEvidence(scene.url, bought),
    );
    return;
  }
  const receipt = RECEIPT_HEADERS[ready.offer.protocol];
  outcomes.honest =
    bought.ok && bought.headers[receipt] !== undefined
      ? verdict.pass(`Delivered, with ${receipt}`, buildSeenEvidence(scene.url, bought))
      : verdict.partial(0.7, `Delivered, without ${receipt}`, buildSeenEvidence(scene.url, bought));
  outcomes.otherRoute =
    otherUrl === undefined
      ? verdict.notApplicable('No other route was named (--other-route)')
      : await tryOtherRoute(scene, otherUrl);
  const again = await scene.present(ready.payment);
  outcomes.replay = judgeRepeat(bought, again, scene.url);
}

/** A new payment on the terms of this route, shown at another one. */
async function tryOtherRoute(scene: Scene, otherUrl: string): Promise<CheckOutcome> {
  const ready = await makeReady(scene);
  if (!ready.ok) return verdict.unknown(ready.detail);
  const answer = await scene.present(ready.payment, { url: otherUrl });
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
  const [one, other] = await Promise.all([scene.present(ready.payment), scene.present(ready.payment)]);
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
  const lost = scene.present(ready.payment, { signal: gone.signal });
  await Promise.race([lost, scene.sleep(LOST_AFTER_MS)]);
  gone.abort();
  await lost;
  let last = await scene.present(ready.payment);
  for (let repeat = 1; repeat < MAX_REPEATS && isToRepeat(last); repeat += 1) {
    await scene.sleep(REPEAT_WAIT_MS);
    last = await scene.present(ready.payment);
  }
  const evidence = buildSeenEvidence(scene.url, last);
  if (isSold(last)) return verdict.pass('The repeat got the answer', evidence);
  await scene.sleep(SETTLE_WAIT_MS); // What was begun may still settle.
  const after = await scene.readBalance(way);
  if (before === undefined || after === undefined)
    return verdict.unknown(`The repeat was ${describeAnswer(last)}; whether it was paid cannot be read`, evidence);
  const note = `and the repeat was ${describeAnswer(last)}`;
  if (after >= before) return verdict.partial(0.6, `Nothing was charged, ${note}`, evidence);
  return last.ok && last.status === 409
    ? verdict.partial(0.5, `The payment was settled, ${note}: nothing more is asked, and nothing delivered`, evidence)
    : verdict.fail(`The payment was settled, ${note}`, evidence);
}

/** In progress, or in doubt: the same payment is to be sent again. */
const isToRepeat = (answer: Fetched): boolean =>
  !answer.ok || answer.status === 409 || answer.status === 425 || answer.status === 429 || answer.status >= 500;
