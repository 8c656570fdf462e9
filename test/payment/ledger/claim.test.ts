import { describe, expect, test } from 'vitest';
import { type ClaimContext, decideClaim } from '../../../src/payment/ledger/claim.ts';
import type { ClaimRequest, ClaimResult } from '../../../src/payment/ledger/protocol.ts';
import type { LedgerRow } from '../../../src/payment/ledger/row.ts';
import {
  DAY_MS,
  HOUR_MS,
  NOW,
  NOW_S,
  SETTLEMENT,
  TRANSFER_KEY,
  X402_KEY,
  context,
  deadClaim,
  liveClaim,
  refused,
  released,
  settledPhase,
  settling,
  settlingLong,
  signed,
  signedRow,
  transfer,
  transferRow,
  unknown,
} from './cases.ts';

type Row = {
  name: string;
  stored?: LedgerRow;
  request?: Partial<ClaimRequest>;
  known?: Partial<ClaimContext>;
  atMs?: number;
  result: ClaimResult;
};

const claimedAs = (attempt: number, othersInFlightMicroUsdc = 0): ClaimResult => ({
  outcome: 'claimed',
  attempt,
  othersInFlightMicroUsdc,
});
const used: ClaimResult = { outcome: 'already_used' };
const usedFor = (capability: string): ClaimResult => ({
  outcome: 'already_used',
  bought: { capability, amountMicroUsdc: 60_000, settledAtMs: NOW - 1_000 },
});
const tooOld: ClaimResult = { outcome: 'transfer_too_old' };
const inProgress: ClaimResult = { outcome: 'in_progress', retryAfterS: 5 };
/** The same, told to whom the running attempt works for. */
const inProgressForYou: ClaimResult = { ...inProgress, entitled: true };
const manyInFlight: ClaimResult = { outcome: 'too_many_in_flight', retryAfterS: 10 };
const resumed: ClaimResult = { outcome: 'resume_settlement', attempt: 5, reportId: 'report-1' };
const refusedAsThen: ClaimResult = { outcome: 'refused', reason: 'insufficient_funds' };
const servedSigned: ClaimResult = {
  outcome: 'served',
  sale: {
    key: X402_KEY,
    method: 'x402',
    capability: 'check_health',
    reportId: 'report-1',
    payer: signed.payer,
    transaction: SETTLEMENT,
    amountMicroUsdc: 60_000,
    settledAtMs: NOW - 1_000,
  },
};
const servedTransfer: ClaimResult = {
  ...servedSigned,
  sale: { ...servedSigned.sale, key: TRANSFER_KEY, method: 'transfer' },
};
const otherCredential = { credentialSha256: 'credential-2' };
const otherRequest = { fingerprint: 'fingerprint-2' };
const otherDigest = { digest: 'digest-2' };
const twentyFailures = Array.from({ length: 20 }, (_, index) => NOW - 1_000 - index * 60_000);

const signedCases: Row[] = [
  { name: 'a first presentation is claimed as attempt 1', result: claimedAs(1) },
  {
    name: 'P5: a claim is told what else its payer has unsettled',
    known: { inFlight: { engineBacked: 0, other: 2, microUsdc: 120_000 } },
    result: claimedAs(1, 120_000),
  },
  {
    name: 'P2: attempts go on above those of deleted rows',
    known: { attemptFloor: 8 },
    result: claimedAs(9),
  },
  {
    name: 'P22: an identifier that stands for another payment of this payer is refused',
    request: { identifier: 'order-1' },
    known: { identifierKey: 'eip3009:another' },
    result: { outcome: 'identifier_reused' },
  },
  {
    name: 'P22: an identifier that stands for this payment passes',
    request: { identifier: 'order-1' },
    known: { identifierKey: X402_KEY },
    result: claimedAs(1),
  },
  {
    name: 'P22: a reused identifier is refused before the stored answer is looked at',
    stored: signedRow(settledPhase),
    request: { identifier: 'order-1' },
    known: { identifierKey: 'eip3009:another' },
    result: { outcome: 'identifier_reused' },
  },
  {
    name: 'P27: the twentieth uncharged failure of an hour stops the payer until the oldest is an hour old',
    known: { failuresAtMs: twentyFailures },
    result: { outcome: 'too_many_failures', retryAfterS: 2_459 },
  },
  {
    name: 'P27: nineteen failures do not stop a payer',
    known: { failuresAtMs: twentyFailures.slice(1) },
    result: claimedAs(1),
  },
  {
    name: 'P5: a second engine-backed run of a payer waits',
    request: { engineBacked: true },
    known: { inFlight: { engineBacked: 1, other: 0, microUsdc: 1 } },
    result: manyInFlight,
  },
  {
    name: 'P5: an engine-backed run does not wait for other runs',
    request: { engineBacked: true },
    known: { inFlight: { engineBacked: 0, other: 4, microUsdc: 4 } },
    result: claimedAs(1, 4),
  },
  {
    name: 'P5: a fifth other run of a payer waits',
    known: { inFlight: { engineBacked: 0, other: 4, microUsdc: 4 } },
    result: manyInFlight,
  },
  {
    name: 'P5: a fourth other run of a payer passes',
    known: { inFlight: { engineBacked: 1, other: 3, microUsdc: 4 } },
    result: claimedAs(1, 4),
  },

  {
    name: 'P5: a payment that claimed engine work five times rests for a day',
    stored: signedRow(released, { engineClaims: 5, claimedAtMs: NOW - 3_600_000 }),
    request: { engineBacked: true },
    result: { outcome: 'too_many_failures', retryAfterS: 23 * 3_600 },
  },
  {
    name: 'P5: and may then try once more',
    stored: signedRow(released, { engineClaims: 5, claimedAtMs: NOW - 24 * 3_600_000 }),
    request: { engineBacked: true },
    result: claimedAs(5),
  },
  {
    name: 'P5: other work of it does not wait',
    stored: signedRow(released, { engineClaims: 5, claimedAtMs: NOW - 1 }),
    result: claimedAs(5),
  },
  {
    name: 'P11: a running payment is in progress, and its payer may wait for it',
    stored: signedRow(liveClaim),
    result: inProgressForYou,
  },
  {
    name: 'P11: who asks for something else may not wait for it',
    stored: signedRow(liveClaim),
    request: otherRequest,
    result: inProgress,
  },
  {
    name: 'P11: who rebuilt the payment from public data may not wait for it',
    stored: signedRow(liveClaim),
    request: otherCredential,
    result: inProgress,
  },
  {
    name: 'a running payment is in progress for another request too',
    stored: signedRow(liveClaim),
    request: { ...otherCredential, ...otherRequest },
    result: inProgress,
  },
  {
    name: 'B5: a payload whose signature nobody found good makes no row',
    request: { unverified: true },
    result: { outcome: 'unverified' },
  },
  {
    name: 'B5: nor does it claim a released one again',
    stored: signedRow(released),
    request: { unverified: true },
    result: { outcome: 'unverified' },
  },
  {
    name: 'B5: nor does it take over what its payer has running',
    stored: signedRow(liveClaim),
    request: { unverified: true, ...otherCredential },
    result: inProgress,
  },
  {
    name: 'B5: the exact payload gets what it bought without being verified again',
    stored: signedRow(settledPhase),
    request: { unverified: true },
    result: servedSigned,
  },
  {
    name: 'B8: a payer whose ten payloads were refused within a minute waits until the first of them is forgotten',
    known: { refusalsAtMs: Array.from({ length: 10 }, (_none, at) => NOW - 1_000 * (at + 1)) },
    result: { outcome: 'too_many_refusals', retryAfterS: 50 },
  },
  {
    name: 'B8: nine are not too many',
    known: { refusalsAtMs: Array.from({ length: 9 }, () => NOW) },
    result: claimedAs(1),
  },
  {
    name: 'B8: who waits for a place is told when the first one ends',
    known: { inFlight: { engineBacked: 0, other: 4, microUsdc: 240_000 }, placeDueAtMs: { other: NOW + 17_500 } },
    result: { outcome: 'too_many_in_flight', retryAfterS: 18 },
  },
  {
    name: 'B11.6: a sale of an earlier version is found by the URL as it was written',
    stored: signedRow(settledPhase),
    request: { fingerprint: 'canonical', writtenFingerprint: 'fingerprint-1' },
    result: servedSigned,
  },
  {
    name: 'a proof takes over no signed payment',
    stored: signedRow(liveClaim),
    request: { proven: true },
    result: inProgressForYou,
  },
  {
    name: 'the wait for a running payment is no longer than its lease',
    stored: signedRow({ state: 'claimed', leaseUntilMs: NOW + 1_200 }),
    result: { outcome: 'in_progress', retryAfterS: 2, entitled: true },
  },
  {
    name: 'P24: another authorization under the key of a running payment is used up',
    stored: signedRow(liveClaim),
    request: otherDigest,
    result: used,
  },
  {
    name: 'a dead lease of a verified payment goes to the next attempt',
    stored: signedRow(deadClaim),
    result: claimedAs(5),
  },
  {
    name: 'P2: a dead lease of an unverified payment goes to an attempt above its own',
    stored: signedRow(deadClaim, { verified: false }),
    result: claimedAs(5),
  },
  {
    name: 'P24: an expired unverified claim does not stand in the way of another authorization',
    stored: signedRow(deadClaim, { verified: false }),
    request: otherDigest,
    result: claimedAs(5),
  },
  {
    name: 'P24: an expired verified claim does',
    stored: signedRow(deadClaim),
    request: otherDigest,
    result: used,
  },
  {
    name: 'P5: the limits hold for an expired claim that is claimed anew',
    stored: signedRow(deadClaim, { verified: false }),
    known: { inFlight: { engineBacked: 0, other: 4, microUsdc: 4 } },
    result: manyInFlight,
  },

  { name: 'a released payment is claimed again', stored: signedRow(released), result: claimedAs(5) },
  {
    name: 'a released payment may buy another request',
    stored: signedRow(released),
    request: { ...otherCredential, ...otherRequest, capability: 'check_ssl' },
    result: claimedAs(5),
  },
  {
    name: 'P24: another authorization under a released key is used up',
    stored: signedRow(released),
    request: otherDigest,
    result: used,
  },
  {
    name: 'P5: the limits hold for a released payment',
    stored: signedRow(released),
    known: { inFlight: { engineBacked: 0, other: 4, microUsdc: 4 } },
    result: manyInFlight,
  },
  {
    name: 'P27: the hourly limit holds for a released payment',
    stored: signedRow(released),
    known: { failuresAtMs: twentyFailures },
    result: { outcome: 'too_many_failures', retryAfterS: 2_459 },
  },
  {
    name: 'P9: a credential whose work failed 3 times waits 60 s',
    stored: signedRow(released, { failures: 3, lastFailureAtMs: NOW - 15_500 }),
    result: { outcome: 'too_many_failures', retryAfterS: 45 },
  },
  {
    name: 'P9: after 60 s it may try again',
    stored: signedRow(released, { failures: 3, lastFailureAtMs: NOW - 60_000 }),
    result: claimedAs(5),
  },
  {
    name: 'P9: after 2 failures it does not wait',
    stored: signedRow(released, { failures: 2, lastFailureAtMs: NOW }),
    result: claimedAs(5),
  },

  { name: 'a settlement that just began is in progress', stored: signedRow(settling), result: inProgressForYou },
  {
    name: 'a settlement that just began is in progress for other credentials too',
    stored: signedRow(settling),
    request: otherCredential,
    result: inProgress,
  },
  { name: 'P24: but not for another authorization', stored: signedRow(settling), request: otherDigest, result: used },
  {
    name: 'a settlement older than 35 s is resumed by the exact credential',
    stored: signedRow(settlingLong),
    result: resumed,
  },
  { name: 'an unknown settlement is resumed at once', stored: signedRow(unknown), result: resumed },
  {
    name: 'an unknown settlement is not resumed by another credential',
    stored: signedRow(unknown),
    request: otherCredential,
    result: used,
  },
  {
    name: 'an unknown settlement is not resumed for another request',
    stored: signedRow(unknown),
    request: otherRequest,
    result: used,
  },
  {
    name: 'a settlement past validBefore is left to the chain',
    stored: signedRow(unknown),
    atMs: NOW + 300_000,
    result: { outcome: 'settlement_unknown', retryAfterS: 1 },
  },
  {
    name: 'P1: without a secret a settlement is resumed until 300 s after the claim only',
    stored: signedRow(unknown, { instrument: { method: 'x402', nonce: '0x01', validBeforeS: NOW_S + 3_000 } }),
    request: { hasSecret: false },
    atMs: NOW + 290_000,
    result: { outcome: 'settlement_unknown', retryAfterS: 1 },
  },
  { name: 'P4: a refused payment is answered as then', stored: signedRow(refused), result: refusedAsThen },
  {
    name: 'P4: to another credential a refused payment is used up',
    stored: signedRow(refused),
    request: otherCredential,
    result: used,
  },

  { name: 'P1: an exact repeat with a secret is served', stored: signedRow(settledPhase), result: servedSigned },
  {
    name: 'P1: with a secret it is served as long as the row stands',
    stored: signedRow(settledPhase),
    atMs: NOW + 20 * HOUR_MS,
    result: servedSigned,
  },
  {
    name: 'P1: without a secret it is served shortly after the claim',
    stored: signedRow(settledPhase),
    request: { hasSecret: false },
    result: servedSigned,
  },
  {
    name: 'P1: without a secret it is not served 300 s after the claim',
    stored: signedRow(settledPhase, { instrument: { method: 'x402', nonce: '0x01', validBeforeS: NOW_S + 3_000 } }),
    request: { hasSecret: false },
    atMs: NOW + 290_000,
    result: used,
  },
  {
    name: 'P1: without a secret it is not served at validBefore',
    stored: signedRow(settledPhase, { instrument: { method: 'x402', nonce: '0x01', validBeforeS: NOW_S } }),
    request: { hasSecret: false },
    result: used,
  },
  {
    name: 'P1: a rebuilt credential with another header value is used up',
    stored: signedRow(settledPhase),
    request: otherCredential,
    result: used,
  },
  {
    name: 'P1: the same credential with another body is used up, and says what for',
    stored: signedRow(settledPhase),
    request: otherRequest,
    result: usedFor('check_health'),
  },
  {
    name: 'P1, P28: with another body, a rebuilt credential does not learn what was bought',
    stored: signedRow(settledPhase),
    request: { ...otherRequest, ...otherCredential },
    result: used,
  },
  {
    name: 'P1, P28: with another body, a credential without a secret does not learn it after 300 s',
    stored: signedRow(settledPhase, { instrument: { method: 'x402', nonce: '0x01', validBeforeS: NOW_S + 3_000 } }),
    request: { ...otherRequest, hasSecret: false },
    atMs: NOW + 290_000,
    result: used,
  },
  {
    name: 'P24: another authorization under the nonce of a sale is used up',
    stored: signedRow(settledPhase),
    request: otherDigest,
    result: used,
  },
  {
    name: 'a proof of the payer alone does not open a signed sale',
    stored: signedRow(settledPhase),
    request: { proven: true, ...otherCredential },
    result: used,
  },
];

const old = { hash: '0x5e', blockTimeS: NOW_S - 90_000, stale: true };
const transferCases: Row[] = [
  { name: 'a first presentation is claimed as attempt 1', result: claimedAs(1) },
  { name: 'the transaction of a settlement of ours is used up', known: { hashSpent: true }, result: used },
  {
    name: 'the transaction of a settlement of ours is used up before its identifier is looked at',
    known: { hashSpent: true, identifierKey: 'tx:another' },
    result: used,
  },
  { name: 'P16: a stale transfer is too old', request: { transfer: old }, result: tooOld },
  {
    name: 'P16: a transfer mined when pruned ones were is too old',
    known: { prunedThroughS: NOW_S - 120 },
    result: tooOld,
  },
  {
    name: 'P16: a transfer mined after pruned ones passes',
    known: { prunedThroughS: NOW_S - 121 },
    result: claimedAs(1),
  },
  {
    name: 'P5: places in flight are for signed payments only',
    known: { inFlight: { engineBacked: 1, other: 4, microUsdc: 9 } },
    result: claimedAs(1),
  },
  {
    name: 'P27: the hourly limit of failures holds',
    known: { failuresAtMs: twentyFailures },
    result: { outcome: 'too_many_failures', retryAfterS: 2_459 },
  },
  { name: 'a running transfer is in progress', stored: transferRow(liveClaim), result: inProgress },
  {
    name: 'P9: a proven presentation takes over an unproven claim',
    stored: transferRow(liveClaim),
    request: { proven: true, ...otherCredential, ...otherRequest },
    result: claimedAs(5),
  },
  {
    name: 'P9: a proven presentation takes over an unproven and unverified claim',
    stored: transferRow(liveClaim, { verified: false }),
    request: { proven: true },
    result: claimedAs(5),
  },
  {
    name: 'P9: a transfer whose payer proved itself is not given to a bare hash after failed work',
    stored: transferRow(released, { proven: true }),
    request: { proven: false },
    result: { outcome: 'already_used' },
  },
  {
    name: 'P9: engine claims that an onlooker made are not counted against the payer',
    stored: transferRow(released, { engineClaims: 5, claimedAtMs: NOW - 1 }),
    request: { proven: true, engineBacked: true },
    result: claimedAs(5),
  },
  {
    name: 'P9: a proven claim is not taken over',
    stored: transferRow(liveClaim, { proven: true }),
    request: { proven: true },
    result: inProgressForYou,
  },
  {
    name: 'P9: failures of an onlooker do not make the payer wait',
    stored: transferRow(released, { failures: 3, lastFailureAtMs: NOW }),
    request: { proven: true },
    result: claimedAs(5),
  },
  {
    name: 'P9: failures of an onlooker make the onlooker wait',
    stored: transferRow(released, { failures: 3, lastFailureAtMs: NOW }),
    result: { outcome: 'too_many_failures', retryAfterS: 60 },
  },
  {
    name: 'P9: failures of the payer make the payer wait',
    stored: transferRow(released, { failures: 3, lastFailureAtMs: NOW, proven: true }),
    request: { proven: true },
    result: { outcome: 'too_many_failures', retryAfterS: 60 },
  },
  {
    name: 'P15: a released transfer is redeemable though it is stale',
    stored: transferRow(released),
    request: { transfer: old, capability: 'check_ssl', ...otherRequest },
    known: { prunedThroughS: NOW_S },
    result: claimedAs(5),
  },
  {
    name: 'P15: a released transfer is redeemable on the thirtieth day',
    stored: transferRow(released, { firstClaimedAtMs: NOW - 30 * DAY_MS + 1 }),
    request: { transfer: old },
    result: claimedAs(5),
  },
  {
    name: 'P15: a released transfer is too old after thirty days',
    stored: transferRow(released, { firstClaimedAtMs: NOW - 30 * DAY_MS }),
    request: { transfer: old },
    result: tooOld,
  },
  {
    name: 'P16: an abandoned unverified claim does not make a stale transfer fresh',
    stored: transferRow(deadClaim, { verified: false }),
    request: { transfer: old },
    result: tooOld,
  },
  {
    name: 'P1: a sold transfer is served to the proven payer with the same request',
    stored: transferRow(settledPhase),
    request: { proven: true, ...otherCredential },
    result: servedTransfer,
  },
  { name: 'P1: a sold transfer is not served to a bare hash', stored: transferRow(settledPhase), result: used },
  {
    name: 'P1: a sold transfer is not served to a bare hash that claims a secret',
    stored: transferRow(settledPhase),
    request: { hasSecret: true },
    result: used,
  },
  {
    name: 'P1: a sold transfer buys nothing else, and its proven payer learns what it bought',
    stored: transferRow(settledPhase),
    request: { proven: true, ...otherRequest },
    result: usedFor('check_health'),
  },
  {
    name: 'P1, P28: who knows the hash of a transfer does not learn what it bought',
    stored: transferRow(settledPhase),
    request: otherRequest,
    result: used,
  },
];

describe('a claim of a signed payment', () => {
  test.each(signedCases)('$name', ({ stored, request, known, atMs, result }) => {
    expect(decideClaim(stored, { ...signed, ...request }, { ...context, ...known }, atMs ?? NOW).result).toEqual(
      result,
    );
  });
});

describe('a claim of a transfer', () => {
  test.each(transferCases)('$name', ({ stored, request, known, atMs, result }) => {
    expect(decideClaim(stored, { ...transfer, ...request }, { ...context, ...known }, atMs ?? NOW).result).toEqual(
      result,
    );
  });
});

describe('the row that a claim writes', () => {
  test.each([
    ...signedCases.map((row) => ({ base: signed, row })),
    ...transferCases.map((row) => ({ base: transfer, row })),
  ])('is written exactly when the claim is won: $row.name', ({ base, row: { stored, request, known, atMs } }) => {
    const decided = decideClaim(stored, { ...base, ...request }, { ...context, ...known }, atMs ?? NOW);
    const won = decided.result.outcome === 'claimed' || decided.result.outcome === 'resume_settlement';
    const attempt = 'attempt' in decided.result ? decided.result.attempt : undefined;
    expect([decided.write !== undefined, decided.write?.attempt]).toEqual([won, attempt]);
  });

  test('P2: holds a lease of 30 s', () => {
    expect(decideClaim(undefined, signed, context, NOW).write?.phase).toEqual({
      state: 'claimed',
      leaseUntilMs: NOW + 30_000,
    });
  });

  test('P16: is kept a day and an hour after the claim of a signed payment', () => {
    expect(decideClaim(undefined, signed, context, NOW).write?.pruneAtMs).toBe(NOW + 25 * HOUR_MS);
  });

  test('P16: is kept an hour past a validBefore that is further away', () => {
    const far = { ...signed, authorization: { nonce: '0x01', validBeforeS: NOW_S + 200_000 } };
    expect(decideClaim(undefined, far, context, NOW).write?.pruneAtMs).toBe(NOW + 200_000_000 + HOUR_MS);
  });

  test('P16: is kept an hour past the acceptance window of a transfer, by its block time', () => {
    const wide = { ...context, maxAgeS: 200_000 };
    expect(decideClaim(undefined, transfer, wide, NOW).write?.pruneAtMs).toBe(NOW - 120_000 + 200_000_000 + HOUR_MS);
  });

  test('P16: a later claim of the row never shortens how long it is kept', () => {
    const kept = NOW + 40 * HOUR_MS;
    const again = decideClaim(signedRow(released, { pruneAtMs: kept }), signed, context, NOW);
    expect(again.write?.pruneAtMs).toBe(kept);
    const late = decideClaim(transferRow(released, { pruneAtMs: NOW - DAY_MS }), transfer, context, NOW);
    expect(late.write?.pruneAtMs).toBe(NOW + 25 * HOUR_MS);
  });

  test('P15: a redeemed transfer keeps its amount and digest and takes the new request', () => {
    const request = {
      ...transfer,
      capability: 'check_ssl',
      fingerprint: 'f2',
      credentialSha256: 'c2',
      amountMicroUsdc: 1,
      digest: 'd2',
    };
    expect(decideClaim(transferRow(released), request, context, NOW).write).toMatchObject({
      amountMicroUsdc: 60_000,
      digest: 'digest-1',
      capability: 'check_ssl',
      fingerprint: 'f2',
      credentialSha256: 'c2',
      verified: true,
    });
  });

  test('a message of Solana is stored with the recent block that ends it', () => {
    const authorization = { nonce: 'hash', validBeforeS: NOW / 1000 + 300, blockhash: 'a recent block' };
    const { write } = decideClaim(undefined, { ...signed, authorization }, context, NOW);
    expect(write?.instrument).toEqual({ method: 'x402', ...authorization });
  });

  test('a resumed settlement knows the transaction that was named for it', () => {
    const { write } = decideClaim(signedRow({ ...unknown, named: 'a signature' }), signed, context, NOW);
    expect(write?.phase).toMatchObject({ state: 'settling', named: 'a signature' });
  });

  test('a resumed settlement keeps its result, its request and its first attempt, and starts its grace anew', () => {
    expect(decideClaim(signedRow(unknown), signed, context, NOW).write).toMatchObject({
      fingerprint: 'fingerprint-1',
      phase: { state: 'settling', reportId: 'report-1', firstAttempt: 4, beganAtMs: NOW, lookAtMs: NOW + 5_000 },
    });
  });
});

const { authorization: _signedHalf, ...withoutAuthorization } = signed;
const { transfer: _minedHalf, ...withoutTransfer } = transfer;
test.each<[string, ClaimRequest]>([
  ['a signed payment without its authorization', withoutAuthorization],
  ['a transfer without its transaction', withoutTransfer],
])('a claim of %s is a bug and throws', (_, request) => {
  expect(() => decideClaim(undefined, request, context, NOW)).toThrow(TypeError);
});
