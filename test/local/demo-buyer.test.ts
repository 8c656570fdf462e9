import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { answerDemoBuyer, findDemoBuyer } from '../../local/demo-buyer.ts';
import { buildDemoBuyerBindings } from '../../local/stack.ts';
import { checkSignInMessage, signInTerms, verifySignInSignature } from '../../src/authorization/people/siwe.ts';
import { findCapability } from '../../src/capabilities/catalog.ts';
import { recoverAuthorizationSigner } from '../../src/payment/terms/authorization-signer.ts';
import { computeSha256Hex } from '../../src/lib/digest.ts';
import { parseCredential } from '../../src/payment/rails/x402-credential.ts';
import { computePayerProofSalt, recoverProofSigner } from '../../src/payment/rails/transfer/payer-proof.ts';
import { buildRequirements } from '../../src/payment/terms/terms.ts';

const BASE_URL = 'http://127.0.0.1:8787';
const PAY_TO = '0x7a3f1c0d5b8e4a6f9c2d1e0b3a5c7d9e1f2a4b6c';
const TOKEN = 'a-token-of-this-start-with-32-chars-or-more';
const KEY = generatePrivateKey();
const env = { BASE_URL, PAY_TO, ...buildDemoBuyerBindings(KEY, TOKEN) };
const price = findCapability('full_audit')?.priceMicroUsdc ?? 0;

const OURS = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'x-demo-token': TOKEN };
const terms = (changes: object = {}): object => ({
  ...buildRequirements(
    { name: 'full_audit', description: '', url: '', payTo: PAY_TO, amountMicroUsdc: price },
    price,
    'ab'.repeat(16),
  ),
  ...changes,
});

type Asking = { headers?: Record<string, string>; body?: unknown; method?: string; url?: string };

function ask({ headers = OURS, body = { capability: 'full_audit', accepted: terms() }, method = 'POST', url }: Asking) {
  const content = method === 'GET' ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  return answerDemoBuyer(new Request(url ?? `${BASE_URL}/local/demo-buyer`, { method, headers, ...content }), env);
}

const without = (name: keyof typeof OURS): Record<string, string> =>
  Object.fromEntries(Object.entries(OURS).filter(([key]) => key !== name));

async function expectRefused(answer: Response, status: number, code: string): Promise<void> {
  const text = await answer.text();
  expect([answer.status, (JSON.parse(text) as { code: string }).code]).toEqual([status, code]);
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  expect(text).not.toContain(KEY.slice(2));
  expect(text).not.toContain(TOKEN);
}

describe('F3: the demo buyer', () => {
  test('proves a transfer of its own for one order of this stack, and nothing else', async () => {
    const [transaction, body, issuedAt] = [`0x${'a1'.repeat(32)}`, '{"url":"https://example.com/"}', 1_790_000_000];
    const proof = { transaction, capability: 'full_audit', body, issued_at: issuedAt };
    const { signature } = (await (await ask({ body: { proof } })).json()) as { signature: `0x${string}` };
    const presented = { transaction, signature, issuedAtS: issuedAt, expiresAtS: issuedAt + 600 };
    const expected = {
      hash: transaction,
      capability: 'full_audit',
      bodySha256: await computeSha256Hex(body),
      salt: await computePayerProofSalt(BASE_URL),
    };
    const signer = await recoverProofSigner(presented, expected);
    expect(signer).toBe(privateKeyToAccount(KEY).address.toLowerCase());
    for (const wrong of [
      { ...proof, transaction: '0x12' },
      { ...proof, domain: {} },
      { ...proof, issued_at: -1 },
    ])
      await expectRefused(await ask({ body: { proof: wrong } }), 422, 'invalid_body');
    await expectRefused(await ask({ body: { proof }, headers: without('x-demo-token') }), 403, 'wrong_token');
  });

  test('signs the terms of its own stack, for a page of that stack', async () => {
    const answer = await ask({});
    const text = await answer.text();
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, null]);
    expect(text).not.toContain(KEY.slice(2));
    const parsed = parseCredential((JSON.parse(text) as { payment_signature: string }).payment_signature);
    if (!parsed.ok || parsed.credential.kind !== 'signed') throw new Error('not a signed payment');
    const { authorization, signature, quote, resourceUrl } = parsed.credential;
    expect(await recoverAuthorizationSigner(authorization, signature)).toBe(
      privateKeyToAccount(KEY).address.toLowerCase(),
    );
    expect(authorization).toMatchObject({ to: PAY_TO, value: BigInt(price) });
    expect([quote, resourceUrl]).toEqual(['ab'.repeat(16), `${BASE_URL}/api/agent/full_audit`]);
  });

  test('signs in to its own stack with a text that it makes itself', async () => {
    const nonce = 'ab'.repeat(29);
    const answer = await ask({ body: { sign_in: { nonce } } });
    const { message, signature } = (await answer.json()) as { message: string; signature: string };
    const { address } = privateKeyToAccount(KEY);
    expect(checkSignInMessage(message, signInTerms(BASE_URL), Date.now())).toEqual({ ok: true, address, nonce });
    const asked = async () => ({ ok: false, reason: 'bad_signature' }) as const;
    const proof = { message, address, signature: signature as `0x${string}` };
    expect(await verifySignInSignature(proof, asked)).toEqual({ ok: true });
  });

  test.each([
    { sign_in: { nonce: 'ab' } },
    { sign_in: { nonce: `${'ab'.repeat(28)}\n\n` } },
    { sign_in: { nonce: 'ab'.repeat(29), message: 'another text' } },
    { sign_in: { nonce: 'ab'.repeat(29) }, capability: 'full_audit' },
  ])('signs no other text (%#)', async (body) => {
    await expectRefused(await ask({ body }), 422, 'invalid_body');
  });

  test.each([
    ['a page of another site', { ...OURS, 'sec-fetch-site': 'cross-site' }],
    ['a page of another port', { ...OURS, 'sec-fetch-site': 'same-site' }],
    ['an address that was typed', { ...OURS, 'sec-fetch-site': 'none' }],
    ['a program that says nothing', without('sec-fetch-site')],
    ['a page whose origin is another', { ...OURS, origin: 'http://127.0.0.1:8080' }],
    ['a page without an origin', { ...OURS, origin: 'null' }],
  ])('refuses %s', async (_who, headers) => {
    await expectRefused(await ask({ headers }), 403, 'foreign_origin');
  });

  test.each([
    ['no token', without('x-demo-token')],
    ['an empty token', { ...OURS, 'x-demo-token': '' }],
    ['the token of another start', { ...OURS, 'x-demo-token': `${TOKEN.slice(0, -1)}X` }],
    ['a part of the token', { ...OURS, 'x-demo-token': TOKEN.slice(0, -1) }],
    ['more than the token', { ...OURS, 'x-demo-token': `${TOKEN}a` }],
  ])('refuses %s', async (_what, headers) => {
    await expectRefused(await ask({ headers }), 403, 'wrong_token');
  });

  test.each([
    'http://evil.example/local/demo-buyer',
    'http://127.0.0.1:1/local/demo-buyer',
    'http://localhost:8787/local/demo-buyer',
  ])('is not there as %s', async (url) => {
    await expectRefused(await ask({ url }), 421, 'wrong_host');
  });

  test.each(['GET', 'OPTIONS', 'PUT'])('answers %s with 405, and no page of another site may ask', async (method) => {
    await expectRefused(await ask({ method }), 405, 'method_not_allowed');
  });

  test.each([
    ['another payee', { payTo: `0x${'9'.repeat(40)}` }],
    ['another token', { asset: `0x${'8'.repeat(40)}` }],
    ['another network', { network: 'eip155:1' }],
    ['another scheme', { scheme: 'upto' }],
    ['more than the price', { amount: String(price + 1) }],
    ['an amount that is no number', { amount: '1e3' }],
    ['nothing', { amount: '0' }],
    ['an authorization of a year', { maxTimeoutSeconds: 31_536_000 }],
  ])('signs nothing for %s', async (_what, changes) => {
    const body = { capability: 'full_audit', accepted: terms(changes) };
    await expectRefused(await ask({ body }), 403, 'terms_refused');
  });

  test('signs nothing dearer than the capability that is bought', async () => {
    const body = { capability: 'check_health', accepted: terms() };
    await expectRefused(await ask({ body }), 403, 'terms_refused');
  });

  test.each(['not_a_capability', '__proto__', 'credits_7'])('knows no %s', async (capability) => {
    await expectRefused(await ask({ body: { capability, accepted: terms() } }), 403, 'terms_refused');
  });

  test.each([
    '',
    'null',
    '[]',
    '{"capability":"full_audit"}',
    '{"capability":"full_audit","accepted":{}}',
    JSON.stringify({ capability: 'full_audit', accepted: terms(), more: 1 }),
    JSON.stringify({ capability: 'full_audit', accepted: terms({ extra: { assetTransferMethod: 'permit2' } }) }),
    'x'.repeat(9_000),
  ])('takes no other body (%#)', async (body) => {
    await expectRefused(await ask({ body }), 422, 'invalid_body');
  });

  test('is not there without its key, and no page offers it', async () => {
    const bare = { BASE_URL, PAY_TO };
    expect(findDemoBuyer(bare)).toBeUndefined();
    expect(findDemoBuyer(env)).toMatchObject({ token: TOKEN });
    const answer = await answerDemoBuyer(
      new Request(`${BASE_URL}/local/demo-buyer`, { method: 'POST', headers: OURS }),
      bare,
    );
    await expectRefused(answer, 404, 'not_found');
  });
});
