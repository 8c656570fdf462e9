import { afterAll, describe, expect, test } from 'vitest';
import { createChallenges, parseChallengeEnd } from '../../../../src/payment/rails/mpp/challenge.ts';
import { startMppx } from '../../../support/stack/mppx-buyer.ts';
import { NOW_MS, NOW_S, OFFER } from '../../terms/offer-cases.ts';
import { BEFORE, issueOne, SECRET, TERMS } from './mpp-cases.ts';

const mppx = startMppx();
afterAll(() => mppx.stop());

const SECOND = { ...TERMS, chainId: 137, currency: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' };

describe('the challenges of an answer', () => {
  test('are what the official client reads, one for each network in our order', async () => {
    const { header, list } = (await createChallenges([SECRET], OFFER.url, [TERMS, SECOND]).issue(NOW_MS)).fresh();
    expect(await mppx.do('read', { header })).toEqual(list);
    expect(list.map(({ request }) => request.methodDetails.chainId)).toEqual([8453, 137]);
    expect(list[0]).toMatchObject({ method: 'evm', intent: 'charge', realm: TERMS.realm });
    expect(list[0]?.request).toEqual({
      amount: '60000',
      currency: TERMS.currency,
      recipient: TERMS.recipient,
      methodDetails: { chainId: 8453, credentialTypes: ['authorization'], decimals: 6 },
    });
  });

  test('are never the same twice, since clients sign a hash of the id as their nonce', async () => {
    const issued = await createChallenges([SECRET], OFFER.url, [TERMS]).issue(NOW_MS);
    const ids = Array.from({ length: 100 }, () => issued.fresh().list[0]?.id);
    expect(new Set(ids).size).toBe(100);
  });

  test('end on a full minute, at least 300 s and less than 360 s from now, and are laid out once for it', async () => {
    const { issue } = createChallenges([SECRET], OFFER.url, [TERMS]);
    for (const offset of [0, 1, 999, 1_000, 30_000, 59_999, 60_000]) {
      const [challenge] = (await issue(NOW_MS + offset)).fresh().list;
      const left = Number(parseChallengeEnd(challenge?.expires ?? '')) - (NOW_MS + offset) / 1000;
      expect(left).toBeGreaterThanOrEqual(300);
      expect(left).toBeLessThan(360);
    }
    expect(await issue(NOW_MS)).toBe(await issue(NOW_MS));
  });
});

describe('whether a challenge is ours', () => {
  const end = Math.ceil((NOW_S + 300) / 60) * 60;

  const isOurs = (secrets: [string, ...string[]], id: string, terms = TERMS, expiresS = end, url = OFFER.url) =>
    createChallenges(secrets, url, []).isOurs(id, terms, expiresS);

  test('takes the secret of today and the one before, and no other', async () => {
    const { challenge } = await issueOne();
    expect(await isOurs([SECRET], challenge.id)).toBe(true);
    expect(await isOurs([BEFORE, SECRET], challenge.id)).toBe(true);
    expect(await isOurs([BEFORE], challenge.id)).toBe(false);
  });

  test('is bound to its route', async () => {
    const { challenge } = await issueOne();
    expect(await isOurs([SECRET], challenge.id, TERMS, end, 'https://sightline.test/api/agent/audit_site')).toBe(false);
  });

  test.each([
    ['amount', { amountMicroUsdc: 59_999 }],
    ['network', { chainId: 84532 }],
    ['token', { currency: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' }],
    ['payee', { recipient: `0x${'11'.repeat(20)}` }],
    ['realm', { realm: 'other.test' }],
  ])('is bound to its %s', async (_what, parts) => {
    const { challenge } = await issueOne();
    expect(await isOurs([SECRET], challenge.id, { ...TERMS, ...parts })).toBe(false);
  });

  test('is bound to its end', async () => {
    const { challenge } = await issueOne();
    expect(await isOurs([SECRET], challenge.id, TERMS, end + 60)).toBe(false);
  });

  test.each(['', 'x', 'a'.repeat(76), `${'a'.repeat(43)}.${'0'.repeat(32)}`, `${'a'.repeat(43)}.${'0'.repeat(33)}`])(
    '%j is not',
    async (id) => {
      expect(await isOurs([SECRET], id)).toBe(false);
    },
  );

  test('letter case of addresses changes nothing', async () => {
    const { challenge } = await issueOne();
    const lower = { ...TERMS, currency: TERMS.currency.toLowerCase() };
    expect(await isOurs([SECRET], challenge.id, lower)).toBe(true);
  });
});

test.each(['2026-09-21T14:20:00.000Z', '2026-09-21', '2026-09-21T14:20:00+00:00', 'soon', ''])(
  '%j is not how we write an end',
  (text) => {
    expect(parseChallengeEnd(text)).toBeUndefined();
  },
);
