import { describe, expect, test } from 'vitest';
import { parseOrderFields, refuseBody } from '../../../src/cli/buy/typed-order.ts';

describe('the words of an order', () => {
  test.each(['example.com', '127.0.0.1:8080', 'localhost:3000/shop', 'http://example.com/', 'https://example.com/'])(
    '%s goes as it was typed: the service tries http where https does not answer',
    (address) => {
      expect(parseOrderFields('check_health', [address])).toEqual({ url: address });
      expect(parseOrderFields('compare', [address, 'example.org'])).toEqual({
        url: address,
        competitor: 'example.org',
      });
    },
  );

  test.each([
    ['full_audit', 'max_pages=3', { max_pages: 3 }],
    ['full_audit', 'publish=true', { publish: true }],
    ['full_audit', 'profile=docs', { profile: 'docs' }],
    ['visibility_check', 'brand=365', { brand: '365' }],
    ['visibility_check', 'niche=true crime', { niche: 'true crime' }],
    ['visibility_fix_pack', 'weak_spots=[{"topic":"a"}]', { weak_spots: [{ topic: 'a' }] }],
    ['of_a_newer_service', 'count=3', { count: '3' }],
  ])('%s %s', (capability, word, body) => {
    expect(parseOrderFields(capability, [word])).toEqual(body);
  });

  test.each([
    [['a.example', 'url=b.example'], 'url is given twice.'],
    [['weak_spots=[{'], 'weak_spots is not valid JSON.'],
  ])('%j is no body', (words, fault) => {
    expect(parseOrderFields('visibility_fix_pack', words)).toBe(fault);
  });
});

describe('a body that the service would refuse is refused before a payment is signed', () => {
  test.each([
    ['check_health', {}, 'check_health: url: is missing.', 'Use: sightline buy check_health <url>'],
    [
      'compare',
      { url: 'a.example' },
      'compare: competitor: is missing.',
      'Use: sightline buy compare <url> <competitor>',
    ],
    [
      'compare',
      { url: 'a.example', competitor: 'b.example', competitor_url: 'c.example' },
      'compare: competitor_url: must be the address of competitor, or be left out.',
      'Use: sightline buy compare <url> <competitor>',
    ],
    [
      'visibility_check',
      { brand: 'Acme' },
      'visibility_check: niche: is missing.',
      'Use: sightline buy visibility_check brand=... niche=...',
    ],
    [
      'visibility_check',
      { brand: 'Acme', niche: 'Acme tools' },
      'visibility_check: niche: names a brand that is measured: describe the market without it.',
      'Use: sightline buy visibility_check brand=... niche=...',
    ],
  ])('%s %j', async (capability, body, message, next) => {
    expect(await refuseBody(capability, body)).toMatchObject({ reason: 'usage', message, next, exit: 2 });
  });

  test.each([
    ['check_health', { url: 'example.com' }],
    ['compare', { url: 'example.com', competitor_url: 'example.org' }],
    ['check_health', { url: 'example.com', of_a_newer_service: 'yes' }],
    ['credits_5', {}],
    ['of_a_newer_service', {}],
  ])('%s %j may be bought', async (capability, body) => {
    expect(await refuseBody(capability, body)).toBeUndefined();
  });
});
