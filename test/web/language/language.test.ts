import { describe, expect, test } from 'vitest';
import {
  formatWholeNumber,
  formatLongDay,
  formatDollars,
  formatUsdcAmount,
} from '../../../src/web/language/amounts.ts';
import { chooseLanguage } from '../../../src/web/language/language.ts';

describe('the language of a page', () => {
  test.each([
    [undefined, undefined, 'en'],
    [undefined, 'de', 'de'],
    [undefined, 'de-CH, de;q=0.9, en;q=0.5', 'de'],
    [undefined, 'fr, de;q=0.7, en;q=0.8', 'en'],
    [undefined, 'fr-FR, fr', 'en'],
    [undefined, '*', 'en'],
    [undefined, 'de;q=0, en;q=0.1', 'en'],
    [undefined, 'de;q=0', 'en'],
    [undefined, 'de;q=many, en;q=0.2', 'en'],
    [undefined, `${'xx,'.repeat(20)}de`, 'en'],
    ['de', 'en', 'de'],
    ['en', 'de', 'en'],
    ['tlh', 'de', 'de'],
    ['__proto__', undefined, 'en'],
  ])('chosen %s, accepted %s: %s', (chosen, accepted, expected) => {
    expect(chooseLanguage(chosen, accepted)).toBe(expected);
  });
});

describe('amounts and days', () => {
  test('are written as the language writes them', () => {
    expect(formatDollars(60_000, 'en')).toBe('$0.06');
    expect(formatDollars(60_000, 'de').replaceAll(/\s/g, ' ')).toBe('0,06 $');
    expect(formatDollars(1_234_500, 'en')).toBe('$1.2345');
    expect(formatUsdcAmount(3_500_000, 'en')).toBe('3.50 USDC');
    expect(formatUsdcAmount(3_500_000, 'de')).toBe('3,50 USDC');
    expect(formatWholeNumber(12_345, 'de')).toBe('12.345');
    expect(formatLongDay(Date.UTC(2026, 10, 27, 23, 59), 'en')).toBe('27 November 2026');
    expect(formatLongDay(Date.UTC(2026, 10, 27, 23, 59), 'de')).toBe('27. November 2026');
  });
});
