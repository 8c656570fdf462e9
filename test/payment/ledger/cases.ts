import type { ClaimContext } from '../../../src/payment/ledger/claim.ts';
import type { ClaimRequest } from '../../../src/payment/ledger/protocol.ts';
import type { LedgerRow, LedgerPhase, SettledLedgerPhase, UndecidedPhase } from '../../../src/payment/ledger/row.ts';

/** The present of these tests, and the payer and terms they share. */
export const NOW = 1_790_000_000_000;
export const NOW_S = NOW / 1000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const PAYER = `0x${'a1'.repeat(20)}`;
export const PAY_TO = '0x7a3f1c0d5b8e4a6f9c2d1e0b3a5c7d9e1f2a4b6c';
export const HASH = `0x${'5e'.repeat(32)}`;
export const SETTLEMENT = `0x${'77'.repeat(32)}`;
export const X402_KEY = `eip3009:eip155:8453:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913:${PAYER}:0x01`;
export const TRANSFER_KEY = `tx:eip155:8453:${HASH}:3`;

export const signed: ClaimRequest = {
  key: X402_KEY,
  method: 'x402',
  capability: 'check_health',
  fingerprint: 'fingerprint-1',
  credentialSha256: 'credential-1',
  hasSecret: true,
  proven: false,
  payer: PAYER,
  amountMicroUsdc: 60_000,
  digest: 'digest-1',
  authorization: { nonce: '0x01', validBeforeS: NOW_S + 300 },
  engineBacked: false,
};

export const transfer: ClaimRequest = {
  key: TRANSFER_KEY,
  method: 'transfer',
  capability: 'check_health',
  fingerprint: 'fingerprint-1',
  credentialSha256: 'credential-1',
  hasSecret: false,
  proven: false,
  payer: PAYER,
  amountMicroUsdc: 60_000,
  digest: 'digest-1',
  transfer: { hash: HASH, blockTimeS: NOW_S - 120, stale: false },
  engineBacked: false,
};

export const context: ClaimContext = {
  hashSpent: false,
  identifierKey: undefined,
  failuresAtMs: [],
  inFlight: { engineBacked: 0, other: 0, microUsdc: 0 },
  prunedThroughS: 0,
  attemptFloor: 0,
  maxAgeS: 86_400,
};

const common = {
  payer: PAYER,
  amountMicroUsdc: 60_000,
  digest: 'digest-1',
  capability: 'check_health',
  fingerprint: 'fingerprint-1',
  credentialSha256: 'credential-1',
  engineBacked: false,
  proven: false,
  identifier: null,
  attempt: 4,
  verified: true,
  firstClaimedAtMs: NOW - 10_000,
  claimedAtMs: NOW - 10_000,
  failures: 0,
  lastFailureAtMs: 0,
  pruneAtMs: NOW + 25 * HOUR_MS,
} as const;

export const released: LedgerPhase = { state: 'released' };
export const liveClaim: LedgerPhase = { state: 'claimed', leaseUntilMs: NOW + 20_000 };
export const deadClaim: LedgerPhase = { state: 'claimed', leaseUntilMs: NOW - 1 };
const begun = { reportId: 'report-1', firstAttempt: 4, beganAtMs: NOW - 5_000, lookAtMs: NOW + 10_000 };
export const settling: UndecidedPhase = { state: 'settling', ...begun };
export const settlingLong: UndecidedPhase = { state: 'settling', ...begun, beganAtMs: NOW - 35_000 };
export const unknown: UndecidedPhase = { state: 'unknown', ...begun };
export const refused: UndecidedPhase = { state: 'refused', ...begun, reason: 'insufficient_funds' };
export const settledPhase: SettledLedgerPhase = {
  state: 'settled',
  reportId: 'report-1',
  firstAttempt: 4,
  transaction: SETTLEMENT,
  settledAtMs: NOW - 1_000,
  checkAtMs: null,
};

/** The row of a signed payment at attempt 4, verified, in the given phase. */
export function signedRow(phase: LedgerPhase, change: Partial<LedgerRow> = {}): LedgerRow {
  const instrument = { method: 'x402', nonce: '0x01', validBeforeS: NOW_S + 300 } as const;
  return { ...common, key: X402_KEY, instrument, phase, ...change };
}

/** The row of a transfer at attempt 4, verified, in the given phase. */
export function transferRow(phase: LedgerPhase, change: Partial<LedgerRow> = {}): LedgerRow {
  const instrument = { method: 'transfer', hash: HASH, blockTimeS: NOW_S - 120 } as const;
  return { ...common, key: TRANSFER_KEY, instrument, phase, ...change };
}
