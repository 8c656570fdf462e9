import { describe, expect, test } from 'vitest';
import {
  buildCreditCredential,
  MAX_PRESENTATIONS_IN_PAGE,
  type PurchaseOutcome,
  type StoredPaidRequest,
  type PaidRequestTools,
  presentPaid,
  type PurchaseProgress,
  readCredentialNetwork,
} from '../../../../src/web/islands/buying/paid-request.ts';
import { encodeJsonBase64 } from '../../../../src/web/islands/buying/payment-signing.ts';

const PAID = { capability: 'full_audit', bodyText: '{"url":"https://example.com/"}', credential: 'the-credential' };
const REPORT = 'ab'.repeat(16);
const RESULT = { report_id: REPORT, publish_token: 'to-publish' };
const SOLD = { kind: 'sold', reportId: REPORT, publishToken: 'to-publish' };

const problem = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json({ title: 'A title', detail: 'a detail', status, code }, { status, headers });

/** Events in pieces of three characters: nothing may depend on how they are cut. */
function stream(text: string): Response {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let at = 0; at < bytes.length; at += 3) controller.enqueue(bytes.slice(at, at + 3));
      controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
}
const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

type Said = {
  outcome: PurchaseOutcome;
  sent: { path: string; init: RequestInit }[];
  waits: number[];
  progress: PurchaseProgress[];
};

/** Answers in turn; the last one stands for all that follow. */
const presented = (...answers: (() => Response)[]): Promise<Said> => presentedAs(PAID, false, answers);
/** The same for a payment that was sent before, with an end that nobody knows. */
const presentedAgain = (...answers: (() => Response)[]): Promise<Said> => presentedAs(PAID, true, answers);

async function presentedAs(paid: StoredPaidRequest, wasInDoubt: boolean, answers: (() => Response)[]): Promise<Said> {
  const sent: Said['sent'] = [];
  const waits: number[] = [];
  const progress: PurchaseProgress[] = [];
  const tools: PaidRequestTools = {
    fetch: async (path, init) => {
      const answer = answers[Math.min(sent.length, answers.length - 1)];
      sent.push({ path, init });
      if (!answer) throw new TypeError('no answer');
      return answer();
    },
    sleep: async (ms) => void waits.push(ms),
    onProgress: (counts) => progress.push(counts),
    onWait: () => undefined,
    lost: { connection: 'Lost.', answer: 'Cut short.', result: 'Not readable.', account: 'Not signed in.' },
    openCredits: async () => ({ account: 'account-1', csrf: 'token' }),
  };
  const outcome = await presentPaid(paid, tools, wasInDoubt);
  return { outcome, sent, waits, progress };
}
const broken = (): Response => {
  throw new TypeError('network');
};

describe('a paid request', () => {
  test('asks for events and is followed to its result', async () => {
    const { outcome, sent, progress } = await presented(() =>
      stream(`${event('progress', { done: 2, total: 9 })}: still working\n\n${event('result', RESULT)}`),
    );
    expect(outcome).toEqual(SOLD);
    expect(progress).toEqual([{ done: 2, total: 9 }]);
    expect(sent[0]).toMatchObject({
      path: '/api/agent/full_audit',
      init: { method: 'POST', body: PAID.bodyText, headers: { 'payment-signature': PAID.credential } },
    });
  });

  test('takes a plain answer as well', async () => {
    expect((await presented(() => Response.json(RESULT))).outcome).toEqual(SOLD);
  });

  test.each([
    ['a lost connection', broken],
    ['a stream that ends early', () => stream(event('progress', { done: 1 }))],
    ['a settlement in doubt', () => problem(503, 'settlement_unknown', { 'retry-after': '10' })],
    ['a transfer without confirmations', () => problem(503, 'payment_pending', { 'retry-after': '5' })],
    ['a running request', () => problem(409, 'payment_in_progress', { 'retry-after': '5' })],
    ['a busy target', () => problem(429, 'target_busy', { 'retry-after': '10' })],
    ['a fault of the service', () => problem(500, 'internal_error')],
    ['an answer that is no problem', () => new Response('<html>', { status: 502 })],
    [
      'a problem in the stream',
      () => stream(event('problem', { status: 503, code: 'settlement_unknown', retry_after_s: 4 })),
    ],
    ['a report id that is no id', () => Response.json({ report_id: '../account' })],
  ])('after %s is sent again, the same to the letter', async (_what, answer) => {
    const { outcome, sent, waits } = await presented(answer, () => stream(event('result', RESULT)));
    expect(outcome).toEqual(SOLD);
    expect(waits).toHaveLength(1);
    const [first, second] = sent.map(({ path, init: { signal: _signal, ...init } }) => ({ path, init }));
    expect(second).toEqual(first);
  });

  test.each([
    ['insufficient_funds', 402],
    ['settlement_refused', 402],
    ['transaction_not_found', 402],
    ['invalid_payload', 400],
    ['payer_proof_expired', 400],
    ['target_unreachable', 422],
    ['measurement_incomplete', 502],
  ])('%s is the last word', async (code, status) => {
    const { outcome, sent } = await presented(() => problem(status, code));
    expect(outcome).toEqual({ kind: 'refused', code, detail: 'A title: a detail' });
    expect(sent).toHaveLength(1);
  });

  test.each([
    [422, 'A title: a detail. Describe the niche without the brand.'],
    [402, 'A title: a detail'],
  ])('a %d says what to correct in the order, and no advice for programs', async (status, detail) => {
    const json = { code: 'x', title: 'A title', detail: 'a detail', next: 'Describe the niche without the brand.' };
    const { outcome } = await presented(() => Response.json({ status, ...json }, { status }));
    expect(outcome).toEqual({ kind: 'refused', code: 'x', detail });
  });

  test('payment_already_used is no end: this very order may have used it', async () => {
    const { outcome, sent } = await presented(() => problem(409, 'payment_already_used'));
    expect(outcome).toMatchObject({ kind: 'held', code: 'payment_already_used', wasInDoubt: false });
    expect(sent).toHaveLength(1);
  });

  const NOT_ASKED: [string, number][] = [
    ['payment_already_used', 409],
    ['payer_proof_expired', 400],
    ['payer_proof_invalid', 400],
    ['payer_proof_required', 402],
    ['invalid_payload', 400],
    ['wrong_amount', 402],
    ['transaction_not_found', 402],
    ['transfer_too_old', 402],
    ['transfer_is_settlement', 409],
    ['target_refused', 422],
    ['invalid_body', 422],
    ['not_configured', 503],
    ['capability_unavailable', 503],
    ['transfers_only', 503],
  ];
  test.each(NOT_ASKED)('P1: %s ends nothing that was in doubt, since no ledger said so', async (code, status) => {
    const held = { kind: 'held', code, wasInDoubt: true };
    const refused = (): Response => problem(status, code, { 'retry-after': '5' });
    const ending = status === 409 ? (): Response => problem(status, code) : refused;
    expect((await presented(broken, ending)).outcome).toMatchObject(held);
    expect((await presentedAgain(ending)).outcome).toMatchObject(held);
  });

  test.each<[string, number]>([
    ['settlement_refused', 402],
    ['authorization_expired', 402],
    ['insufficient_funds', 402],
    ['target_unreachable', 422],
    ['measurement_incomplete', 502],
  ])('%s ends a doubt: the service asks its ledger first', async (code, status) => {
    expect((await presented(broken, () => problem(status, code))).outcome).toMatchObject({ kind: 'refused', code });
    expect((await presentedAgain(() => problem(status, code))).outcome).toMatchObject({ kind: 'refused', code });
  });

  test('P16: of a payment that is older than what the ledger keeps, its word ends no doubt', async () => {
    const signedUntil = (validBeforeS: number): StoredPaidRequest => ({
      ...PAID,
      credential: encodeJsonBase64({ payload: { authorization: { validBefore: String(validBeforeS) } } }),
    });
    const nowS = Math.floor(Date.now() / 1000);
    const expired = [() => problem(402, 'authorization_expired')];
    expect((await presentedAs(signedUntil(nowS - 3600), true, expired)).outcome.kind).toBe('refused');
    expect((await presentedAs(signedUntil(nowS - 100_000), true, expired)).outcome.kind).toBe('held');
  });

  test.each<[string, number]>([
    ['target_busy', 429],
    ['too_many_failures', 429],
    ['too_many_in_flight', 429],
    ['payment_unverifiable', 503],
    ['payment_pending', 503],
  ])('%s took nothing: a wait that is too long is not begun', async (code, status) => {
    const { outcome, sent, waits } = await presented(() => problem(status, code, { 'retry-after': '3600' }));
    expect(outcome).toEqual({ kind: 'later', code, detail: 'A title: a detail', afterS: 3600 });
    expect(sent).toHaveLength(1);
    expect(waits).toEqual([]);
  });

  test('a wait of an answer that took nothing is kept in full, until the next would be too long', async () => {
    const { outcome, waits } = await presented(() => problem(429, 'too_many_failures', { 'retry-after': '60' }));
    expect(waits).toEqual([60_000, 60_000, 60_000, 60_000]);
    expect(outcome).toMatchObject({ kind: 'later', afterS: 60 });
  });

  test('after a doubt such an answer does not say that nothing was charged', async () => {
    const busy = (): Response => problem(429, 'target_busy', { 'retry-after': '3600' });
    expect((await presented(broken, busy)).outcome).toMatchObject({ kind: 'undecided', afterS: 3600 });
    expect((await presentedAgain(busy)).outcome).toMatchObject({ kind: 'undecided' });
  });

  test('a refusal at the end of the stream is one too', async () => {
    const { outcome } = await presented(() =>
      stream(event('problem', { status: 422, code: 'target_unreachable', title: 'No' })),
    );
    expect(outcome).toEqual({ kind: 'refused', code: 'target_unreachable', detail: 'No' });
  });

  test.each(['transfers_only', 'capability_unavailable', 'not_configured'])('%s is not waited for', async (code) => {
    const { outcome, sent } = await presented(() => problem(503, code, { 'retry-after': '600' }));
    expect(outcome).toMatchObject({ kind: 'refused', code });
    expect(sent).toHaveLength(1);
  });

  test('is not sent for ever: then nobody says that it failed', async () => {
    const { outcome, sent, waits } = await presented(() => problem(503, 'settlement_unknown', { 'retry-after': '1' }));
    expect(outcome).toMatchObject({ kind: 'undecided' });
    expect(sent).toHaveLength(MAX_PRESENTATIONS_IN_PAGE);
    expect(waits).toEqual(Array.from({ length: MAX_PRESENTATIONS_IN_PAGE - 1 }, () => 1000));
  });

  test('waits 240 s in all at most, whatever it is told', async () => {
    const { waits } = await presented(() => problem(503, 'settlement_unknown', { 'retry-after': '86400' }));
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(240_000);
    expect(Math.max(...waits)).toBe(30_000);
  });
});

describe('a purchase from credits', () => {
  const NAME = 'ab'.repeat(16);
  const FROM_CREDITS = { ...PAID, credential: buildCreditCredential('account-1', NAME) };

  test('P6: is sent to the account under one name, and again under the same', async () => {
    const { outcome, sent } = await presentedAs(FROM_CREDITS, false, [
      () => problem(503, 'debit_unknown', { 'retry-after': '10' }),
      () => stream(event('result', RESULT)),
    ]);
    expect(outcome).toEqual(SOLD);
    expect(sent.map(({ path }) => path)).toEqual(['/buy/credits', '/buy/credits']);
    for (const { init } of sent) {
      expect(init.headers).toMatchObject({ 'idempotency-key': NAME, 'x-csrf-token': 'token' });
      expect(JSON.parse(typeof init.body === 'string' ? init.body : '')).toEqual({
        capability: 'full_audit',
        account: 'account-1',
        body: { url: 'https://example.com/' },
      });
    }
  });

  test('of another account than the one that is signed in is not sent', async () => {
    const other = { ...PAID, credential: buildCreditCredential('account-2', NAME) };
    const { outcome, sent } = await presentedAs(other, false, [() => Response.json(RESULT)]);
    expect(outcome).toMatchObject({ kind: 'refused', code: 'sign_in_needed', detail: 'Not signed in.' });
    expect(sent).toEqual([]);
    expect((await presentedAs(other, true, [])).outcome).toMatchObject({ kind: 'held', code: 'sign_in_needed' });
  });

  test('too small a balance ends a doubt: the account looks for the call first', async () => {
    const { outcome } = await presentedAs(FROM_CREDITS, true, [() => problem(409, 'insufficient_credits')]);
    expect(outcome).toMatchObject({ kind: 'refused', code: 'insufficient_credits' });
  });
});

test.each([
  ['a payment on Polygon', encodeJsonBase64({ accepted: { network: 'eip155:137' } }), 'eip155:137'],
  [
    'a payment on Base, as every earlier version stored it',
    encodeJsonBase64({ accepted: { network: 'eip155:8453' } }),
    'eip155:8453',
  ],
  ['a transaction hash', `0x${'3c'.repeat(32)}`, 'eip155:8453'],
  ['credits', buildCreditCredential('an-account', '0f'.repeat(16)), 'eip155:8453'],
  ['what cannot be read', 'the-credential', 'eip155:8453'],
])('%s pays on the network that it names', (_what, credential, network) => {
  expect(readCredentialNetwork(credential)).toBe(network);
});
