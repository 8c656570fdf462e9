import {
  createSIWxMessage,
  createSIWxPayload,
  encodeSIWxHeader,
  parseSIWxHeader,
  type SIWxExtensionInfo,
  type SIWxPayload,
  verifySIWxSignature,
} from '@x402/extensions/sign-in-with-x';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { signInTerms } from '../../../src/authorization/people/siwe.ts';
import { buildSiwxExtension, buildSiwxTerms, readSiwxProof } from '../../../src/authorization/people/siwx.ts';

const BASE = 'https://sightline.test';
const URL_ASKED = `${BASE}/reports`;
const TERMS = buildSiwxTerms(BASE, '/reports', 8453);
const NOW = Date.parse('2026-11-21T12:00:00Z');
const MINUTE = 60_000;
const NONCE = '0123456789abcdef'.repeat(4).slice(0, 58);
const account = privateKeyToAccount(`0x${'a5'.repeat(32)}`);

type Challenge = { info: SIWxExtensionInfo; supportedChains: readonly [{ chainId: string; type: 'eip191' }] };
const challenge = buildSiwxExtension(TERMS, NONCE, NOW) as unknown as Challenge;
const complete = { ...challenge.info, ...challenge.supportedChains[0] };

/** A proof as the official client makes it. */
const payload = await createSIWxPayload(complete, account, URL_ASKED);
const read = (proof: unknown, nowMs = NOW) => readSiwxProof(JSON.stringify(proof), TERMS, nowMs);

describe('the official client', () => {
  test('signs our challenge, and its proof is read to the very text that it signed', async () => {
    const header = encodeSIWxHeader(payload);
    const text = Buffer.from(header, 'base64').toString();
    const proof = readSiwxProof(text, TERMS, NOW);
    expect(proof).toEqual({
      ok: true,
      address: account.address,
      nonce: NONCE,
      message: createSIWxMessage(complete, account.address),
      signature: payload.signature,
    });
    expect(await verifySIWxSignature(parseSIWxHeader(header))).toEqual({ isValid: true, payer: account.address });
    expect(header.length).toBeLessThan(2_000);
  });

  test('refuses to sign it for another origin', async () => {
    await expect(createSIWxPayload(complete, account, 'https://other.test/reports')).rejects.toThrow(/does not match/);
  });
});

describe('A3: every field is compared', () => {
  const later = new Date(NOW + 10 * MINUTE).toISOString();
  test.each<[string, Partial<Record<keyof SIWxPayload, unknown>>, string]>([
    ['another domain', { domain: 'evil.test' }, 'wrong_domain'],
    ['another page of ours', { uri: `${BASE}/signin` }, 'wrong_uri'],
    ['another origin', { uri: 'https://evil.test/reports' }, 'wrong_uri'],
    ['another statement', { statement: signInTerms(BASE).statement }, 'wrong_statement'],
    ['an empty statement', { statement: '' }, 'wrong_statement'],
    ['another version', { version: '2' }, 'wrong_version'],
    ['another chain', { chainId: 'eip155:1' }, 'wrong_chain'],
    ['a nonce of another form', { nonce: 'abcdefgh' }, 'wrong_nonce'],
    ['a time before', { issuedAt: new Date(NOW - 5 * MINUTE).toISOString() }, 'too_old'],
    ['a time ahead', { issuedAt: later }, 'in_the_future'],
    ['a time that is none', { issuedAt: 'yesterday' }, 'malformed'],
    ['an end that has passed', { expirationTime: new Date(NOW).toISOString() }, 'expired'],
    ['a beginning that has not come', { notBefore: later }, 'not_yet_valid'],
    ['Solana', { chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', type: 'ed25519' }, 'malformed'],
    ['a wallet that is not deployed', { signatureScheme: 'eip6492' }, 'malformed'],
    ['resources', { resources: ['https://evil.test/'] }, 'malformed'],
    ['a request id', { requestId: 'x' }, 'malformed'],
    ['a member of its own', { role: 'admin' } as never, 'malformed'],
    ['no address', { address: undefined }, 'malformed'],
    ['an address that is none', { address: 'vitalik.eth' }, 'malformed'],
    ['a line of its own in a field', { uri: `${URL_ASKED}\nVersion: 1` }, 'malformed'],
    ['a line of its own in the nonce', { nonce: `${NONCE}\nIssued At: ${later}` }, 'malformed'],
    ['letters that look alike', { domain: 'sightlinе.test' }, 'malformed'],
  ])('%s', (_what, changes, reason) => {
    expect(read({ ...payload, ...changes })).toEqual({ ok: false, reason });
  });

  test.each([undefined, '', '{', 'null', '[]', '"0x"', '{}'])('%j is no proof', (text) => {
    expect(readSiwxProof(text, TERMS, NOW)).toEqual({ ok: false, reason: 'malformed' });
  });

  test('it is good for five minutes', () => {
    expect(read(payload, NOW + 5 * MINUTE - 1).ok).toBe(true);
    expect(read(payload, NOW + 5 * MINUTE).ok).toBe(false);
  });
});
