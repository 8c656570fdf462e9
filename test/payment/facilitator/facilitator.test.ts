import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { x402Facilitator } from '@x402/core/facilitator';
import { HTTPFacilitatorClient } from '@x402/core/server';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { serializeErc6492Signature, verifyTypedData } from 'viem/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  computeAuthorizationHash,
  isWalletSignature,
  recoverAuthorizationSigner,
} from '../../../src/payment/terms/authorization-signer.ts';
import { createFacilitator, createFacilitatorBudget } from '../../../src/payment/facilitator/facilitator.ts';
import { buildRequirements } from '../../../src/payment/terms/terms.ts';
import { blockAt, fakeChain } from '../chain/fake-chain.ts';
import {
  ACCEPTED,
  bodyText,
  BUYER,
  buyer,
  NOW_S,
  OFFER,
  QUOTE,
  sign,
  SIGNATURE,
  signedCredential,
} from '../terms/offer-cases.ts';

type Reply = { status: number; body: string; headers?: Record<string, string>; afterMs?: number };
type Call = {
  path: string;
  headers: IncomingMessage['headers'];
  json: { paymentPayload: PaymentPayload; paymentRequirements: PaymentRequirements; x402Version: number };
};

let server: Server;
let url: string;
let reply: Reply | 'reset';
let calls: Call[];

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      calls.push({
        path: request.url ?? '',
        headers: request.headers,
        json: text === '' ? undefined : JSON.parse(text),
      });
      if (reply === 'reset') {
        request.socket.resetAndDestroy();
        return;
      }
      const { status, body, headers = { 'content-type': 'application/json' }, afterMs = 0 } = reply;
      setTimeout(() => response.writeHead(status, headers).end(body), afterMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const HASH = `0x${'Ab'.repeat(32)}` as const;
const payment = signedCredential();
const requirements = buildRequirements(OFFER, 60_000, QUOTE);
const ok = (body: unknown, status = 200): Reply => ({ status, body: JSON.stringify(body) });
const SETTLED = { success: true, transaction: HASH, network: 'eip155:8453', payer: buyer.address };

const overNetwork = (to: string, init: RequestInit): Promise<Response> => fetch(to, init);

function answering(answer: Reply | 'reset') {
  reply = answer;
  calls = [];
  // Only an answer that is meant to be late meets the limit: a busy machine takes longer than that for any.
  const limitMs = answer !== 'reset' && answer.afterMs !== undefined ? 150 : 10_000;
  return createFacilitator({ url: `${url}/`, fetch: overNetwork, verifyTimeoutMs: limitMs, settleTimeoutMs: limitMs });
}

const verifyAt = (answer: Reply | 'reset') => answering(answer).verify(payment, requirements);
const settleAt = (answer: Reply | 'reset') => answering(answer).settle(payment, requirements);

const bearer = async (operation: string) => ({ authorization: `Bearer for-${operation}` });
const noKey = async () => Promise.reject(new Error('no key'));
const official = () => new HTTPFacilitatorClient({ url });
const fresh = () => ({ ...payment.authorization, validBefore: BigInt(Math.floor(Date.now() / 1000) + 300) });

const HTML: Reply = {
  status: 503,
  body: '<html>503 Service Temporarily Unavailable</html>',
  headers: { 'content-type': 'text/html' },
};
const HUGE = ok({ ...SETTLED, isValid: true, note: 'x'.repeat(70_000) });
const LATE = { ...ok({ ...SETTLED, isValid: true }), afterMs: 2_000 };
const REDIRECT: Reply = { status: 307, body: '', headers: { location: '/elsewhere' } };

describe('verify', () => {
  test('P7: sends our requirements with the echoed quote and a payload made of parsed values', async () => {
    await verifyAt(ok({ isValid: true }));
    const [call] = calls;
    expect(call?.path).toBe('/verify');
    expect(call?.json).toEqual({
      x402Version: 2,
      paymentRequirements: { ...ACCEPTED, extra: { name: 'USD Coin', version: '2', quote: QUOTE } },
      paymentPayload: {
        x402Version: 2,
        accepted: { ...ACCEPTED, extra: { name: 'USD Coin', version: '2', quote: QUOTE } },
        payload: {
          signature: SIGNATURE,
          authorization: {
            from: BUYER,
            to: OFFER.payTo,
            value: '60000',
            validAfter: '0',
            validBefore: String(NOW_S + 300),
            nonce: `0x${'ab'.repeat(32)}`,
          },
        },
      },
    });
  });

  test.each<[string, Reply, object]>([
    ['valid', ok({ isValid: true, payer: buyer.address }), { kind: 'valid', payer: BUYER }],
    ['valid without a payer', ok({ isValid: true, payer: null }), { kind: 'valid', payer: BUYER }],
    [
      'invalid',
      ok({ isValid: false, invalidReason: 'invalid_exact_evm_signature' }),
      { kind: 'refused', reason: 'invalid_exact_evm_signature' },
    ],
    [
      'invalid with status 400',
      ok({ isValid: false, invalidReason: 'insufficient_funds' }, 400),
      { kind: 'refused', reason: 'insufficient_funds' },
    ],
    ...[402, 412, 422].map((status): [string, Reply, object] => [
      `invalid with status ${status}`,
      ok({ isValid: false, invalidReason: 'insufficient_funds' }, status),
      { kind: 'refused', reason: 'insufficient_funds' },
    ]),
    ['invalid without a reason', ok({ isValid: false }), { kind: 'refused', reason: 'unspecified' }],
    [
      'invalid for a reason that is no word',
      ok({ isValid: false, invalidReason: 'Bad <b>thing</b>!\n' }),
      { kind: 'refused', reason: 'bad_b_thing_b' },
    ],
    [
      'invalid for a very long reason',
      ok({ isValid: false, invalidReason: 'x'.repeat(500) }),
      { kind: 'refused', reason: 'x'.repeat(64) },
    ],
  ])('%s is decided', async (_what, answer, outcome) => {
    expect(await verifyAt(answer)).toEqual(outcome);
  });

  test.each([
    ['503 with HTML', HTML],
    ['a reset connection', 'reset'],
    ['no answer in time', LATE],
    ['an answer over 64 KiB', HUGE],
    ['P29: a redirect', REDIRECT],
    ['JSON without a verdict', ok({ error: 'rate limited' }, 429)],
    ['JSON null', ok(null)],
    ['a verdict of the wrong type', ok({ isValid: 'true' })],
    ['valid with status 500', ok({ isValid: true }, 500)],
    ...[429, 500, 503].map(
      (status) =>
        [`invalid with status ${status}`, ok({ isValid: false, invalidReason: 'insufficient_funds' }, status)] as const,
    ),
    ['valid for another payer', ok({ isValid: true, payer: OFFER.payTo })],
    ['a facilitator that could not judge', ok({ isValid: false, invalidReason: 'unexpected_verify_error' })],
    ['a facilitator that does not serve our scheme', ok({ isValid: false, invalidReason: 'unsupported_scheme' })],
  ] as const)('P13: %s is doubt, not a refusal', async (_what, answer) => {
    expect(await verifyAt(answer)).toEqual({ kind: 'unavailable', detail: expect.any(String) });
  });
});

describe('settle', () => {
  test('a plain success is settled, with the hash in lower case', async () => {
    expect(await settleAt(ok(SETTLED))).toEqual({
      kind: 'settled',
      transaction: HASH.toLowerCase(),
      payer: BUYER,
    });
    expect(calls[0]?.path).toBe('/settle');
  });

  test.each<[string, Reply, string]>([
    [
      'a refusal',
      ok({ success: false, errorReason: 'insufficient_funds', transaction: '', network: 'eip155:8453' }),
      'insufficient_funds',
    ],
    [
      'a refusal with status 400',
      ok({ success: false, errorReason: 'invalid_exact_evm_signature', transaction: '' }, 400),
      'invalid_exact_evm_signature',
    ],
    ...[402, 412, 422].map((status): [string, Reply, string] => [
      `a refusal with status ${status}`,
      ok({ success: false, errorReason: 'insufficient_funds', transaction: '' }, status),
      'insufficient_funds',
    ]),
    ['a refusal without anything else', ok({ success: false }), 'unspecified'],
  ])('%s is refused', async (_what, answer, reason) => {
    expect(await settleAt(answer)).toEqual({ kind: 'refused', reason });
  });

  test.each([
    ['503 with HTML', HTML],
    ['a reset connection', 'reset'],
    ['no answer in time', LATE],
    ['an answer over 64 KiB', HUGE],
    ['P29: a redirect', REDIRECT],
    ['500 with JSON but no verdict', ok({ message: 'oops' }, 500)],
    ['200 that is no JSON', { status: 200, body: 'settled' }],
    ['an empty 200', { status: 200, body: '' }],
    ['P7: success without a transaction', ok({ ...SETTLED, transaction: '' })],
    ['P7: success with a short transaction', ok({ ...SETTLED, transaction: '0xabc' })],
  ] as const)('%s leaves the outcome unknown', async (_what, answer) => {
    expect(await settleAt(answer)).toEqual({ kind: 'unknown', detail: expect.any(String) });
  });

  test.each<[string, Reply]>([
    ...[429, 500, 503].map((status): [string, Reply] => [
      `P13: a refusal with status ${status}`,
      ok({ success: false, errorReason: 'insufficient_funds', transaction: HASH }, status),
    ]),
    ...['invalid_payment_requirements', 'unsupported_scheme', 'unexpected_verify_error'].map(
      (errorReason): [string, Reply] => [
        `P13: our request at fault (${errorReason})`,
        ok({ success: false, errorReason, transaction: HASH }),
      ],
    ),
    ['202, accepted for later', ok({ ...SETTLED, paymentId: 'p-1' }, 202)],
    ['settlement_pending', ok({ success: false, errorReason: 'settlement_pending', transaction: HASH }, 500)],
    [
      'an internal error of the facilitator',
      ok({ success: false, errorReason: 'unexpected_settle_error', transaction: HASH }),
    ],
    ['P7: success on another network', ok({ ...SETTLED, network: 'eip155:84532' })],
    ['P7: success for another payer', ok({ ...SETTLED, payer: OFFER.payTo })],
    ['P7: success for nobody', ok({ ...SETTLED, payer: undefined })],
    ['success with status 500', ok(SETTLED, 500)],
  ])('%s leaves the outcome unknown and names the transaction', async (_what, answer) => {
    expect(await settleAt(answer)).toEqual({
      kind: 'unknown',
      detail: expect.any(String),
      transaction: HASH.toLowerCase(),
    });
  });

  test('P29: no redirect is followed with the authorisation headers', async () => {
    reply = REDIRECT;
    calls = [];
    const facilitator = createFacilitator({ url, fetch: overNetwork, authHeaders: bearer });
    await facilitator.settle(payment, requirements);
    expect(calls.map(({ path, headers }) => [path, headers.authorization])).toEqual([['/settle', 'Bearer for-settle']]);
  });

  test('nothing is sent when no authorisation headers can be made', async () => {
    calls = [];
    const facilitator = createFacilitator({ url, fetch: overNetwork, authHeaders: noKey });
    expect(await facilitator.verify(payment, requirements)).toMatchObject({
      kind: 'unavailable',
      detail: expect.stringContaining('not sent'),
    });
    expect(calls).toEqual([]);
  });
});

/** What the official client makes of the same answers: where it knows a verdict, ours is the same. */
describe('compared with the official client', () => {
  const payload: PaymentPayload = { x402Version: 2, accepted: requirements, payload: {} };

  test.each([
    ['success', ok(SETTLED)],
    [
      'a refusal',
      ok({
        success: false,
        errorReason: 'insufficient_funds',
        transaction: '',
        network: 'eip155:8453',
        payer: null,
        amount: null,
      }),
    ],
  ])('a settle verdict is read alike: %s', async (_what, answer) => {
    const ours = await settleAt(answer);
    const theirs = await official().settle(payload, requirements);
    expect(ours).toMatchObject(
      theirs.success
        ? { kind: 'settled', transaction: theirs.transaction.toLowerCase() }
        : { kind: 'refused', reason: theirs.errorReason },
    );
  });

  test.each([
    ['valid', ok({ isValid: true, payer: buyer.address, extra: null })],
    ['invalid', ok({ isValid: false, invalidReason: 'insufficient_funds', invalidMessage: null })],
  ])('a verify verdict is read alike: %s', async (_what, answer) => {
    const ours = await verifyAt(answer);
    const theirs = await official().verify(payload, requirements);
    expect(ours.kind === 'valid').toBe(theirs.isValid);
  });

  test.each([
    ['HTML', HTML],
    ['JSON without a verdict', ok({ message: 'oops' }, 500)],
    ['a verdict of the wrong type', ok({ success: 'true', transaction: HASH, network: 'eip155:8453' })],
  ])('where it throws, ours is unknown: %s', async (_what, answer) => {
    expect((await settleAt(answer)).kind).toBe('unknown');
    await expect(official().settle(payload, requirements)).rejects.toThrow(/Facilitator settle (failed|returned)/);
  });

  test('a refusal with status 500 is one to it and unknown to us: a facilitator in trouble may have sent it', async () => {
    const answer = ok({ ...SETTLED, success: false, errorReason: 'insufficient_funds' }, 500);
    expect((await settleAt(answer)).kind).toBe('unknown');
    expect(
      await official()
        .settle(payload, requirements)
        .catch((error: unknown) => error),
    ).toMatchObject({
      errorReason: 'insufficient_funds',
    });
  });

  test('a 202 is a success to it and unknown to us', async () => {
    expect((await settleAt(ok(SETTLED, 202))).kind).toBe('unknown');
    expect((await official().settle(payload, requirements)).success).toBe(true);
  });
});

/** The official facilitator over a chain that says yes. */
function officialFacilitator() {
  const signer = {
    getAddresses: () => [buyer.address] as const,
    readContract: async () => 10n ** 12n,
    verifyTypedData: (typed: never) => verifyTypedData(typed),
    getCode: async ({ address }: { address: string }) =>
      address.toLowerCase() === BUYER ? undefined : ('0x60' as const),
    writeContract: async () => HASH,
    sendTransaction: async () => HASH,
    waitForTransactionReceipt: async () => ({ status: 'success' }),
  };
  return new x402Facilitator().register('eip155:8453', new ExactEvmScheme(signer));
}

/** What it answers over HTTP to the body of a request of ours. */
async function answerOfficially(_to: string, init: RequestInit): Promise<Response> {
  const { paymentPayload, paymentRequirements } = JSON.parse(bodyText(init));
  return Response.json(await officialFacilitator().verify(paymentPayload, paymentRequirements));
}

const throughOfficial = (signature: `0x${string}`, authorization: ReturnType<typeof fresh>) =>
  createFacilitator({ url, fetch: answerOfficially }).verify({ authorization, signature }, requirements);

describe('the official facilitator', () => {
  test('accepts a payload that the buyer signed', async () => {
    const authorization = fresh();
    expect(await throughOfficial(await sign(authorization), authorization)).toEqual({ kind: 'valid', payer: BUYER });
  });

  test.each([
    ['a tampered nonce', { nonce: `0x${'cd'.repeat(32)}` }],
    ['a tampered end', { validBefore: BigInt(Math.floor(Date.now() / 1000) + 3_000) }],
    ['another payer', { from: OFFER.payTo }],
  ])('refuses %s', async (_what, change) => {
    const authorization = fresh();
    const outcome = await throughOfficial(await sign(authorization), { ...authorization, ...change });
    expect(outcome).toEqual({ kind: 'refused', reason: 'invalid_exact_evm_signature' });
  });
});

describe('P12: the budget of facilitator calls', () => {
  test('is tight from half of the calls of a second on, and fresh in the next second', async () => {
    let nowMs = 5_000;
    const budget = createFacilitatorBudget(() => nowMs, 4);
    const facilitator = createFacilitator({ url, fetch: async () => Response.json({ isValid: true }), budget });
    await facilitator.verify(payment, requirements);
    expect(budget.isTight()).toBe(false);
    await facilitator.verify(payment, requirements);
    expect(budget.isTight()).toBe(true);
    nowMs = 6_000;
    expect(budget.isTight()).toBe(false);
  });

  test('a signature is recovered locally to the payer who made it', async () => {
    expect(await recoverAuthorizationSigner(payment.authorization, await sign(payment.authorization))).toBe(BUYER);
  });

  test.each([
    ['garbage', SIGNATURE],
    ['a contract wallet signature', `0x${'ab'.repeat(200)}` as const],
    ['no curve point', `0x${'ff'.repeat(65)}` as const],
  ] as const)('%s recovers to nobody of interest', async (_what, signature) => {
    expect(await recoverAuthorizationSigner(payment.authorization, signature)).not.toBe(BUYER);
  });

  test("a signature by another key is a contract wallet's where the wallet says so", async () => {
    const chain = fakeChain({ latest: blockAt(9n, NOW_S), safe: blockAt(5n, NOW_S) });
    const stranger = privateKeyToAccount(generatePrivateKey()).address.toLowerCase();
    const signature = await sign(payment.authorization);
    const other = { ...payment.authorization, from: stranger };
    expect(await isWalletSignature(chain, other, signature)).toBe(false);
    expect(chain.state.calls).toEqual(['hasCode']);
    const digest = await computeAuthorizationHash(other);
    const asked: string[][] = [];
    chain.state.contracts.set(stranger, (...given) => asked.push(given) > 0);
    expect(await isWalletSignature(chain, other, signature)).toBe(true);
    expect(asked).toEqual([[digest, signature]]);
    const wrapped = serializeErc6492Signature({ address: `0x${'fa'.repeat(20)}`, data: '0x12', signature });
    expect(await isWalletSignature(chain, other, wrapped)).toBe(false);
    expect(chain.state.calls.at(-1)).toBe('isWrappedSignatureValid');
  });
});
