import { createSiweMessage, parseSiweMessage } from 'viem/siwe';
import { privateKeyToAccount } from 'viem/accounts';
import { serializeErc6492Signature } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import {
  type AskContract,
  checkSignInMessage,
  signInMessage,
  signInTerms,
  verifySignInSignature,
} from '../../../src/authorization/people/siwe.ts';
import {
  computePayerProofSalt,
  buildProofTypedData,
  verifyPayerProof,
} from '../../../src/payment/rails/transfer/payer-proof.ts';

const BASE = 'https://sightline.test';
const TERMS = signInTerms(BASE);
const NOW = Date.parse('2026-11-21T12:00:00Z');
const NONCE = '0123456789abcdef'.repeat(4).slice(0, 58);
const MINUTE = 60_000;
const account = privateKeyToAccount(`0x${'a5'.repeat(32)}`);

/** The message as an independent implementation writes it. */
const message = (changes: Record<string, unknown> = {}): string =>
  createSiweMessage({
    address: account.address,
    nonce: NONCE,
    issuedAt: new Date(NOW),
    ...signInTerms(BASE),
    ...changes,
  });

describe('the message', () => {
  test('of an independent writer is read, and ours is the same to the letter', () => {
    expect(checkSignInMessage(message(), TERMS, NOW)).toEqual({ ok: true, address: account.address, nonce: NONCE });
    expect(signInMessage(TERMS, account.address, NONCE, NOW)).toBe(message());
    expect(parseSiweMessage(signInMessage(TERMS, account.address, NONCE, NOW))).toMatchObject({
      domain: 'sightline.test',
      chainId: 8453,
      uri: 'https://sightline.test/signin',
    });
  });

  test('A3: names the chain of the deployment, and that of another is refused', () => {
    const onTestNetwork = signInTerms(BASE, 84_532);
    const text = signInMessage(onTestNetwork, account.address, NONCE, NOW);
    expect(text).toBe(message({ chainId: 84_532 }));
    expect(checkSignInMessage(text, onTestNetwork, NOW)).toMatchObject({ ok: true });
    expect(checkSignInMessage(text, TERMS, NOW)).toEqual({ ok: false, reason: 'wrong_chain' });
    expect(checkSignInMessage(message(), onTestNetwork, NOW)).toEqual({ ok: false, reason: 'wrong_chain' });
  });

  test.each([
    ['a minute of clock skew', { issuedAt: new Date(NOW + MINUTE) }],
    ['almost five minutes of age', { issuedAt: new Date(NOW - 5 * MINUTE + 1) }],
    ['an end that is to come', { expirationTime: new Date(NOW + 1) }],
    ['a start that has passed', { notBefore: new Date(NOW) }],
  ])('A3: is good with %s', (_name, changes) => {
    expect(checkSignInMessage(message(changes), TERMS, NOW)).toMatchObject({ ok: true });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['another domain', { domain: 'evil.example' }, 'wrong_domain'],
    ['our domain with a port', { domain: 'sightline.test:444' }, 'wrong_domain'],
    ['a scheme before the domain', { scheme: 'https' }, 'wrong_domain'],
    ['a site that ends like ours', { domain: 'not-sightline.test' }, 'wrong_domain'],
    ['the URI of another site', { uri: 'https://evil.example/signin' }, 'wrong_uri'],
    ['a URI that starts like ours', { uri: `${BASE}/signin-elsewhere` }, 'wrong_uri'],
    ['another page of ours as URI', { uri: `${BASE}/account` }, 'wrong_uri'],
    ['a page below the sign-in page as URI', { uri: `${BASE}/signin/siwe` }, 'wrong_uri'],
    ['a slash behind the URI', { uri: `${BASE}/signin/` }, 'wrong_uri'],
    ['a query behind the URI', { uri: `${BASE}/signin?next=1` }, 'wrong_uri'],
    ['Ethereum as chain', { chainId: 1 }, 'wrong_chain'],
    ['the test chain', { chainId: 84532 }, 'wrong_chain'],
    ['another statement', { statement: 'Sign in to Sightline.' }, 'wrong_statement'],
    ['no statement', { statement: undefined }, 'malformed'],
    ['a nonce of another shape', { nonce: 'ABCDEFGH' }, 'wrong_nonce'],
    ['five minutes of age', { issuedAt: new Date(NOW - 5 * MINUTE) }, 'too_old'],
    ['an issue in the future', { issuedAt: new Date(NOW + MINUTE + 1) }, 'in_the_future'],
    ['an end that has passed', { expirationTime: new Date(NOW) }, 'expired'],
    ['a start that is to come', { notBefore: new Date(NOW + 1) }, 'not_yet_valid'],
    ['a request id, which we never gave', { requestId: 'x' }, 'malformed'],
    ['resources, which may delegate rights', { resources: ['urn:recap:e30'] }, 'malformed'],
  ])('A3: is refused with %s', (_name, changes, reason) => {
    expect(checkSignInMessage(message(changes), TERMS, NOW)).toEqual({ ok: false, reason });
  });

  test.each<[string, (text: string) => string, string]>([
    ['version 2', (text) => text.replace('Version: 1', 'Version: 2'), 'wrong_version'],
    ['a line before it', (text) => `Pay me.\n${text}`, 'malformed'],
    ['a line after it', (text) => `${text}\nAnd pay me.`, 'malformed'],
    ['a line feed after it', (text) => `${text}\n`, 'malformed'],
    ['a field twice', (text) => `${text}\nIssued At: 2026-11-21T12:00:00Z`, 'malformed'],
    ['fields in another order', (text) => text.replace(/(Version: 1)\n(Chain ID: 8453)/, '$2\n$1'), 'malformed'],
    ['a line between statement and URI', (text) => text.replace('\n\nURI', '\nPay me.\nURI'), 'wrong_statement'],
    ['a blank line too many', (text) => text.replace('\n\nURI', '\n\n\nURI'), 'malformed'],
    ['a blank where the empty line is', (text) => text.replace('\n\nURI', '\n \nURI'), 'wrong_statement'],
    [
      'a carriage return and turned letters behind the URI',
      (text) => text.replace('/signin\n', '/signin/\r\u202ey\n'),
      'malformed',
    ],
    ['a carriage return', (text) => text.replace('Version: 1', 'Version: 1\r'), 'malformed'],
    ['a tab', (text) => text.replace('Version: 1', 'Version:\t1'), 'malformed'],
    ['a character of no width', (text) => text.replace('Sightline', 'Sight\u200bline'), 'malformed'],
    ['a line separator of Unicode', (text) => text.replace('Version', '\u2028Version'), 'malformed'],
    ['a line between its fields', (text) => text.replace('\nNonce', '\nPay me.\nNonce'), 'malformed'],
    ['no nonce', (text) => text.replace(/Nonce: .*\n/, ''), 'malformed'],
    ['no time', (text) => text.replace(/\nIssued At: .*/, ''), 'malformed'],
    ['a time that is none', (text) => text.replace(/Issued At: .*/, 'Issued At: yesterday'), 'malformed'],
    ['a time in seconds', (text) => text.replace(/Issued At: .*/, 'Issued At: 1795262400'), 'malformed'],
    ['CRLF line ends', (text) => text.replaceAll('\n', '\r\n'), 'malformed'],
    ['a short address', (text) => text.replace(/0x[0-9a-fA-F]{40}/, '0x1234'), 'malformed'],
    ['a chain id with a zero in front', (text) => text.replace('8453', '08453'), 'wrong_chain'],
    ['a text of 3,000 characters', (text) => text + 'x'.repeat(3_000), 'malformed'],
    ['nothing in it', () => '', 'malformed'],
  ])('A3: is refused with %s', (_name, change, reason) => {
    expect(checkSignInMessage(change(message()), TERMS, NOW)).toEqual({ ok: false, reason });
  });
});

describe('the signature', () => {
  const never: AskContract = () => Promise.reject(new Error('the chain must not be asked'));
  const no: AskContract = async () => ({ ok: false, reason: 'bad_signature' });
  const { address } = account;

  test('A3: of the key of the address is good, and no chain is asked', async () => {
    const signature = await account.signMessage({ message: message() });
    expect(await verifySignInSignature({ message: message(), address, signature }, never)).toEqual({ ok: true });
  });

  test('A3: of a contract wallet is what the contract says about this message', async () => {
    const asked: unknown[] = [];
    const yes: AskContract = async (...args) => {
      asked.push(args);
      return { ok: true };
    };
    expect(await verifySignInSignature({ message: message(), address, signature: '0x1234' }, yes)).toEqual({
      ok: true,
    });
    expect(asked).toEqual([[address, expect.stringMatching(/^0x[0-9a-f]{64}$/), '0x1234']]);
    expect(await verifySignInSignature({ message: message(), address, signature: '0x1234' }, no)).toEqual({
      ok: false,
      reason: 'bad_signature',
    });
  });

  test.each([
    ['of another key', () => privateKeyToAccount(`0x${'b6'.repeat(32)}`).signMessage({ message: message() })],
    ['of another message', () => account.signMessage({ message: message({ nonce: 'f'.repeat(58) }) })],
    ['that is no point of the curve', async () => `0x${'ff'.repeat(65)}`],
    ['that is no hex', async () => 'signed, me'],
    ['that is empty', async () => ''],
    ['that is longer than any wallet makes', async () => `0x${'ab'.repeat(3_000)}`],
  ])('A3: %s is refused', async (_name, make) => {
    const signature = await make();
    expect(await verifySignInSignature({ message: message(), address, signature }, no)).toEqual({
      ok: false,
      reason: 'bad_signature',
    });
  });

  test('A3: by ERC-6492 is refused before any chain is asked, even around a good one', async () => {
    const inner = await account.signMessage({ message: message() });
    const signature = serializeErc6492Signature({ address, data: '0x1234', signature: inner });
    expect(await verifySignInSignature({ message: message(), address, signature }, never)).toEqual({
      ok: false,
      reason: 'erc6492_refused',
    });
  });

  test('A3: in doubt about the chain is neither yes nor no', async () => {
    const down: AskContract = async () => ({ ok: false, reason: 'chain_unavailable', retryAfterS: 10 });
    expect(await verifySignInSignature({ message: message(), address, signature: '0x12' }, down)).toEqual({
      ok: false,
      reason: 'chain_unavailable',
      retryAfterS: 10,
    });
  });
});

describe('sign-in and payment proofs', async () => {
  const salt = await computePayerProofSalt(BASE);
  const proofTerms = {
    transaction: `0x${'11'.repeat(32)}`,
    capability: 'full_audit',
    bodySha256: '22'.repeat(32),
    issuedAtS: NOW / 1000,
    expiresAtS: NOW / 1000 + 300,
  };
  const chain = { hasCode: async () => false, isContractSignatureValid: async () => false };
  const isProof = (signature: `0x${string}`): Promise<boolean> =>
    verifyPayerProof(
      chain,
      { ...proofTerms, signature },
      { hash: proofTerms.transaction, capability: 'full_audit', bodySha256: proofTerms.bodySha256, salt },
      account.address,
    );

  test('P10: the signature of a payment proof signs nobody in', async () => {
    const signature = await account.signTypedData(buildProofTypedData(proofTerms, salt));
    expect(await isProof(signature)).toBe(true);
    const no: AskContract = async () => ({ ok: false, reason: 'bad_signature' });
    expect(await verifySignInSignature({ message: message(), address: account.address, signature }, no)).toEqual({
      ok: false,
      reason: 'bad_signature',
    });
  });

  test('P10: the signature of a sign-in proves no payment', async () => {
    expect(await isProof(await account.signMessage({ message: message() }))).toBe(false);
  });
});
