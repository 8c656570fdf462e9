import { describe, expect, test } from 'vitest';
import { type PurchaseOutcome, parseTransferCredential } from '../../../../src/web/islands/buying/paid-request.ts';
import { englishWords } from '../../../../src/web/islands/buying/english-words.ts';
import { germanWords } from '../../../../src/web/islands/buying/german-words.ts';
import { encodeJsonBase64 } from '../../../../src/web/islands/buying/payment-signing.ts';
import {
  describeGivenUp,
  describeKeptPurchase,
  canAskAgain,
  describeOrder,
  describeRestored,
  describeOutcome,
} from '../../../../src/web/islands/buying/purchase-words.ts';

const EN = englishWords.purchase;
const HASH = `0x${'a1'.repeat(32)}`;
const order = { capability: 'full_audit', bodyText: '{"url":"https://example.com/?a=b\'c","profile":"blog"}' };
const bare = { ...order, credential: HASH };
const proven = {
  ...order,
  credential: encodeJsonBase64({ payload: { transaction: HASH, signature: '0x12', issuedAt: 1, expiresAt: 2 } }),
};
const signed = {
  ...order,
  credential: encodeJsonBase64({ payload: { signature: '0x12', authorization: { validBefore: '1' } } }),
};
const held = (code: string, wasInDoubt = true): PurchaseOutcome & { kind: 'held' } => ({
  kind: 'held',
  code,
  detail: 'A title',
  wasInDoubt,
});
const UNDECIDED = { kind: 'undecided', code: undefined, detail: 'Lost.', afterS: 3 } as const;

test('a transfer is known by its hash alone, and in a proof; a signed payment is none', () => {
  expect([bare, proven, signed].map(({ credential }) => parseTransferCredential(credential))).toEqual([
    HASH,
    HASH,
    undefined,
  ]);
  expect(parseTransferCredential('garbage')).toBeUndefined();
});

describe('a purchase that may have been made', () => {
  test.each(['payment_already_used', 'payer_proof_expired', 'not_configured', 'wrong_amount'])(
    'is never called not bought after %s',
    (code) => {
      for (const paid of [bare, proven, signed]) {
        expect(describeOutcome(held(code), paid, EN)).not.toContain('Not bought');
        expect(describeOutcome(held(code), paid, EN)).toContain(code);
      }
    },
  );

  test('of a used transfer is told what probably used it, and what gets the result', () => {
    expect(describeOutcome(held('payment_already_used'), bare, EN)).toMatch(/probably by this very order.*payer proof/);
    expect(describeOutcome(held('payment_already_used', false), bare, EN)).not.toContain('probably');
  });

  test('P1: a bare hash is promised no result for asking again', () => {
    for (const text of [describeOutcome(UNDECIDED, bare, EN), describeRestored(bare, EN)]) {
      expect(text).not.toContain('nothing is paid twice');
      expect(text).toContain('prove that the transfer is yours');
    }
    for (const paid of [proven, signed])
      expect(describeOutcome(UNDECIDED, paid, EN)).toContain('nothing is paid twice');
    expect(describeRestored(signed, EN)).toContain('nothing is paid twice');
    expect(describeOutcome({ ...UNDECIDED, afterS: 3600 }, signed, EN)).toContain('Ask again in 60 minutes');
  });

  test('asks again only with what may still bring the result', () => {
    expect(canAskAgain(bare, undefined)).toBe(true);
    expect(canAskAgain(bare, 'payment_already_used')).toBe(false);
    expect(canAskAgain(proven, 'payer_proof_expired')).toBe(false);
    expect(canAskAgain(bare, 'not_configured')).toBe(true);
    expect(canAskAgain(signed, 'payment_already_used')).toBe(true);
  });

  test('without a wallet is proved by a pasted signature, or by a command for exactly the kept order', () => {
    const place = { origin: 'https://sightline.test', isDemo: false, hasWallet: false };
    const note = describeKeptPurchase(bare, place, EN);
    expect(note).toContain(
      String.raw`sightline buy full_audit 'https://example.com/?a=b'\''c' profile='blog' --hash ${HASH} --proof --base https://sightline.test`,
    );
    expect(describeKeptPurchase(bare, { ...place, isDemo: true }, EN)).toContain('npm run buy -- full_audit');
    expect(describeKeptPurchase(bare, { ...place, hasWallet: true }, EN)).not.toContain('--proof');
    expect(describeKeptPurchase(signed, place, EN)).not.toContain('--proof');
    expect(note).toContain('shows the message to sign');
  });

  test('that is given up leaves its hash', () => {
    expect(describeGivenUp(bare, EN)).toContain(HASH);
    expect(describeGivenUp(signed, EN)).toContain('before you pay again');
  });
});

test.each([
  [10, '10 seconds'],
  [60, '60 seconds'],
  [3600, '60 minutes'],
])('when nothing was taken, one can try again in %s s', (afterS, words) => {
  const later = { kind: 'later', code: undefined, detail: 'The host is busy', afterS } as const;
  expect(describeOutcome(later, signed, EN)).toBe(
    `Not bought, nothing was charged: The host is busy. Try again in ${words}.`,
  );
  expect(describeOutcome(later, bare, EN)).toContain('your transfer was not used');
});

test('a refusal ends its sentence once, and names its code apart', () => {
  const refused = { kind: 'refused', code: 'niche_names_brand' } as const;
  const said = 'Not bought, nothing was charged: The niche names a brand. Code: niche_names_brand.';
  for (const detail of ['The niche names a brand', 'The niche names a brand.'])
    expect(describeOutcome({ ...refused, detail }, signed, EN)).toBe(said);
});

test('a chosen kind of site says that its report cannot be published', () => {
  expect(describeOrder({ url: 'https://example.com/', profile: 'blog' }, EN)).toMatch(/\(blog\).*never be published/);
  expect(describeOrder({ url: 'https://example.com/' }, EN)).toBe('');
});

test('German says the same in its own words, by the code where the service says it in English', () => {
  const refused = { kind: 'refused', code: 'insufficient_funds', detail: 'No money' } as const;
  expect(describeOutcome(refused, signed, germanWords.purchase)).toBe(
    'Nicht gekauft, es wurde nichts abgebucht: Das Konto Ihrer Wallet hat nicht genug USDC auf Base. Laden Sie es auf. Code: insufficient_funds.',
  );
  const onPolygon = { ...order, credential: encodeJsonBase64({ accepted: { network: 'eip155:137' }, payload: {} }) };
  expect(describeOutcome(refused, onPolygon, germanWords.purchase)).toContain('nicht genug USDC auf Polygon.');
  expect(describeOutcome({ ...refused, code: 'x' }, signed, germanWords.purchase)).toContain('No money');
});

test('from credits nothing is said of a charge of a wallet', () => {
  const credits = { ...order, credential: `credits:account-1:${'ab'.repeat(16)}` };
  expect(describeOutcome({ kind: 'later', code: undefined, detail: 'Busy', afterS: 5 }, credits, EN)).toContain(
    'no credits were taken',
  );
  expect(describeOutcome(held('sign_in_needed'), credits, EN)).toContain('never debited twice');
  expect(describeOutcome(UNDECIDED, credits, EN)).toContain('whether credits were taken');
});
