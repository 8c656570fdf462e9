import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import type { ClaimRequest } from '../../src/payment/ledger/protocol.ts';

export const PAYER = `0x${'a1'.repeat(20)}`;
export const SETTLEMENT = `0x${'77'.repeat(32)}`;
export const DAY_MS = 86_400_000;

let made = 0;

/** A 32-byte hex word that no other test has. */
export function freshWord(): string {
  made += 1;
  return `0x${made.toString(16).padStart(64, '0')}`;
}

export function shard(name = 'a1') {
  return env.PAYMENT_LEDGER.getByName(name);
}

/** Lets a test move `Date.now()` forward, in the test and in the objects alike. */
export function movableClock() {
  const realNow = Date.now.bind(Date);
  let aheadMs = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + aheadMs);
  return {
    advance(ms: number): void {
      aheadMs += ms;
    },
  };
}

/** A signed payment with a nonce of its own, valid for five minutes. */
export function signed(
  change: Partial<ClaimRequest> = {},
): ClaimRequest & { authorization: { nonce: string; validBeforeS: number } } {
  const nonce = freshWord();
  return {
    key: `eip3009:eip155:8453:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913:${PAYER}:${nonce}`,
    method: 'x402',
    capability: 'check_health',
    fingerprint: 'fingerprint-1',
    credentialSha256: `credential-of-${nonce}`,
    hasSecret: true,
    proven: false,
    payer: PAYER,
    amountMicroUsdc: 60_000,
    digest: `digest-of-${nonce}`,
    engineBacked: false,
    ...change,
    authorization: { nonce, validBeforeS: Math.floor(Date.now() / 1000) + 300 },
  };
}

/** A transfer with a hash of its own, mined two minutes ago. */
export function transfer(
  change: Partial<ClaimRequest> = {},
  hash = freshWord(),
): ClaimRequest & { transfer: { hash: string; blockTimeS: number; stale: boolean } } {
  return {
    key: `tx:eip155:8453:${hash}:3`,
    method: 'transfer',
    capability: 'check_health',
    fingerprint: 'fingerprint-1',
    credentialSha256: `credential-of-${hash}`,
    hasSecret: false,
    proven: false,
    payer: PAYER,
    amountMicroUsdc: 60_000,
    digest: `digest-of-${hash}`,
    engineBacked: false,
    ...change,
    transfer: { hash, blockTimeS: Math.floor(Date.now() / 1000) - 120, stale: false },
  };
}
