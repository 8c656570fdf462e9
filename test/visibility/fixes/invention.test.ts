import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OwnSite } from '../../../src/fixes/files/own-site.ts';
import { buildVisibilityFixes } from '../../../src/visibility/fixes/fixes.ts';
import { cleanCallerEvidence, cleanCallerName } from '../../../src/visibility/fixes/caller-text.ts';
import { fixOf, textsOf, TOPICS } from '../../support/audit/visibility-fix.ts';
import { budgetFor } from '../../support/runner/budget.ts';

const NUMBER_WORDS =
  /\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|dozens?|half|halves|thirds?|quarters?|first|second|fourth|fifth|tenth|once|twice|thrice|doubled?|tripled?|single|percent|per cent)\b/giu;

/** Every number of a text: runs of digits in any script, and numbers in words. */
const numbersOf = (text: string): readonly string[] => [
  ...[...text.matchAll(/\p{N}+/gu)].map(([digits]) => digits),
  ...[...text.matchAll(NUMBER_WORDS)].map(([word]) => word.toLowerCase()),
];

/** Numbers of `texts` that `given` does not hold. */
function invented(texts: readonly string[], given: string): readonly string[] {
  const known = new Set(numbersOf(given));
  return texts.flatMap(numbersOf).filter((number) => !known.has(number));
}

test('the search for numbers finds them', () => {
  expect(numbersOf('24/7 in 2026, three out of Four, 1. first, ½ ٣')).toEqual([
    '24',
    '7',
    '2026',
    '1',
    '½',
    '٣',
    'three',
    'four',
    'first',
  ]);
  expect(invented(['since 1999'], 'since 199')).toEqual(['1999']);
  expect(numbersOf('anyone, someone, often, seconds of fame')).toEqual([]);
});

describe.each(TOPICS)('X3: on %s', (topic) => {
  test('texts for names without numbers hold no number, in digits or in words', () => {
    const fix = fixOf({ topic });
    expect(invented([...textsOf(fix), fix.faq_json_ld, fix.faq_html], '')).toEqual([]);
  });

  test.each([
    ['Studio 54', '24/7 plumbing in 3 cities', 'Rated by three out of four'],
    ['7-Eleven', 'shops that open at six', 'top 10 of 2026'],
    ['1. FC Köln', '100 % organic food', '½ price, from €1,299.00'],
    ['2001', '4K displays', '٣ things'],
  ])('every number of the texts for %s stands in the names', (brand, niche, ours) => {
    const fix = fixOf({
      brand,
      niche,
      topic: `${topic}: ${ours}`,
      who_wins: 'Rival 88',
      evidence: '"x": Rival 4/5',
    });
    const texts = [...textsOf(fix), fix.faq_json_ld];
    expect(invented(texts, `${brand} ${niche} ${topic} ${ours}`)).toEqual([]);
    expect(texts.some((text) => numbersOf(text).length > 0)).toBe(true);
    expect(invented([fix.evidence ?? ''], 'Rival 88 4/5')).toEqual([]);
  });

  test('texts praise nobody and claim nothing for a brand', () => {
    const all = textsOf(fixOf({ topic })).join('\n');
    expect(all).not.toMatch(
      /\b(?:best|leading|leaders?|top|trusted|most|greatest|finest|premier|premium|unique|perfect|superior|award\w*|innovative|cutting.edge|state.of.the.art|world.class|renowned|popular|favou?rite|guaranteed|ideal|outstanding|excellent|unrivalled|revolutionary|largest|fastest|cheapest|safest|easiest|number)\b(?! of)/iu,
    );
  });

  test('words of a rival or of an answer stand in the evidence alone', () => {
    const canaries = { who_wins: 'Zqwinner', evidence: 'Zqquote from an answer' };
    const fix = fixOf({ topic, ...canaries });
    const { evidence, ...rest } = fix;
    expect(evidence).toBe('Zqwinner: Zqquote from an answer');
    expect(JSON.stringify(rest)).not.toContain('Zq');
    expect(rest).toEqual(fixOf({ topic }));
  });

  test('place, steps and slots are our words alone', () => {
    const {
      place,
      verify,
      facts_needed: facts,
    } = fixOf({ topic: `${topic} Zqtopic`, brand: 'Zqbrand', niche: 'Zqniche' });
    expect(JSON.stringify([place, verify, facts])).not.toContain('Zq');
  });
});

test('X3: no input makes a number that it does not hold', () => {
  const piece = fc.constantFrom(
    '12',
    '3',
    '٣',
    ' ',
    '\u200B',
    '\u00AD',
    '\n',
    'a',
    ',',
    '<',
    '\u001B[31m',
    '𝟘',
    '😀',
    '`',
    '[',
  );
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(piece, { maxLength: 200 }).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(name, name, name, name, (brand, niche, topic, seen) => {
      const [fix] = buildVisibilityFixes({ brand, niche, weak_spots: [{ topic, evidence: seen }] });
      expect(fix && invented(textsOf(fix), [brand, niche, topic].join('\n'))).toEqual([]);
      expect(fix && invented([fix.evidence ?? ''], seen)).toEqual([]);
    }),
    { numRuns: budgetFor(60, 300) },
  );
});

test('X3: no site and no caller makes a number that neither holds', () => {
  const word = fc.constantFrom(
    'price',
    'seat',
    '12',
    '3.50',
    '٣',
    'EUR',
    'teams',
    '24/7',
    '1998',
    '\u200B',
    '[',
    '<b>',
    '½',
  );
  const line = fc.array(word, { minLength: 6, maxLength: 20 }).map((words) => `${words.join(' ')}.`);
  fc.assert(
    fc.property(line, line, line, line, (sentence, answer, value, source) => {
      const from = 'https://acme.example/';
      const own: OwnSite = {
        facts: [{ kind: 'price', text: value, from }],
        texts: [{ heading: sentence, sentences: [sentence, answer], from, lead: false }],
        questions: [{ question: sentence, answer, from }],
        pages: [{ url: from, title: answer, summary: sentence }],
      };
      const facts = [{ name: answer, value, source }];
      const [fix] = buildVisibilityFixes({ brand: 'Acme', niche: 'CRM', weak_spots: [{ topic: 'price' }], facts }, own);
      expect(fix && invented(textsOf(fix), [sentence, answer, value, source].join('\n'))).toEqual([]);
    }),
    { numRuns: budgetFor(60, 300) },
  );
});

describe('a name that is too long', () => {
  test.each([
    ['between words', 'word '.repeat(40), `${'word '.repeat(23).trim()}…`],
    ['not within a number', `${'a'.repeat(110)}${'7'.repeat(40)}`, `${'a'.repeat(110)}…`],
    ['to nothing when all of it is a number', '7'.repeat(500), ''],
    ['far beyond what is read', `${'\u200B'.repeat(4990)}1234567890123`, ''],
  ])('is cut %s', (_, text, expected) => {
    expect(cleanCallerName(text)).toBe(expected);
    expect(cleanCallerName(text).length).toBeLessThanOrEqual(120);
  });

  test('keeps what fits', () => {
    expect(cleanCallerName('x'.repeat(120))).toBe('x'.repeat(120));
    expect(cleanCallerEvidence('x'.repeat(400))).toBe('x'.repeat(400));
  });
});
