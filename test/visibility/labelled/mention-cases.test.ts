import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';

const MIN_CASES = 140;
const MIN_CASES_OF_HALF = 60;
const MIN_CASES_OF_TRAP = 5;
const MAX_LINES = 8;
const halves = ['dev', 'frozen'] as const;

/** Every kind of trap, with what the text of each of its cases must have; any text will do for the others. */
const traps: Readonly<Record<string, RegExp>> = {
  substring: /./u,
  common_word: /./u,
  possessive: /['’ʼ]/u,
  accents: /./u,
  cjk: /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u,
  emoji_head: /^(?:#{1,6} )?(?:\p{Emoji_Presentation}|1\uFE0F)|\n1\uFE0F/u,
  table: /\|:?-{2}/u,
  nested_bullets: /\n {2,4}[-*] /u,
  link_text: /\]\(https?:|\]\[1\]/u,
  url_only: /\/\/|\.com\//u,
  code: /`|~~~/u,
  negation: /avoid|recommend|stay away|steer clear|skip|empfehlen|déconseille|can't|no better/iu,
  unlike_comparison: /unlike|alternatives to|compared with|switch from|instead of/iu,
  sub_brand: /./u,
  longer_other_name: /./u,
  html_entities: /&#?\w{1,8};/u,
  shared_prefix: /./u,
  sentence_start: /^\p{Lu}/u,
  all_caps: /\p{Lu}{5}/u,
  symbol_brands: /./u,
  spacing_hyphen_camel: /./u,
  short_names: /./u,
  citation_markers: /\[\d|【|\uE200|\[\^|:contentReference/u,
  bold_italic_split: /[*_]\p{L}/u,
  quote_blocks: /^> /mu,
  curly_quotes: /[‘’“”„]/u,
  hyphenated_compounds: /\p{L}-\p{L}/u,
  domain_as_name: /./u,
  zero_width: /[\u00A0\u00AD\u200B\u2060\uFEFF]/u,
  fullwidth: /[\uFF01-\uFF9F]/u,
  homoglyph: /[\p{sc=Cyrillic}\p{sc=Greek}]/u,
  numbers_in_names: /./u,
  hostile: /./u,
};

const caseSchema = z.strictObject({
  id: z.string().regex(/^case-\d{3}$/),
  half: z.enum(halves),
  trap: z.string(),
  brand: z.string().min(1),
  others: z.array(z.string().min(1)).min(1).optional(),
  text: z.string(),
  mentioned: z.boolean(),
  recommended: z.boolean(),
  negative: z.boolean(),
  why: z.string(),
});
type Case = z.infer<typeof caseSchema>;

const cases = z
  .array(caseSchema)
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'mention-cases.json'), 'utf8')));

/** What is wrong with one case, in words; empty when it is sound. */
function faultsOf({ trap, brand, others, text, mentioned, recommended, negative, why }: Case): readonly string[] {
  const shown = Object.hasOwn(traps, trap) ? traps[trap] : undefined;
  return [
    ...(shown ? [] : ['unknown trap']),
    ...(shown?.test(text) === false ? ['trap not in the text'] : []),
    ...(text.trim() === '' ? ['empty text'] : []),
    ...(text.split('\n').length > MAX_LINES ? ['too many lines'] : []),
    ...(recommended && !mentioned ? ['recommended without a mention'] : []),
    ...(negative && !mentioned ? ['negative without a mention'] : []),
    ...(recommended && negative ? ['recommended and negative'] : []),
    ...(others?.includes(brand) ? ['the brand among the others'] : []),
    ...(/^\S.{8,}\.$/u.test(why) ? [] : ['no reason']),
  ];
}

const sound: Case = {
  id: 'case-001',
  half: 'dev',
  trap: 'table',
  brand: 'Acme',
  text: '| Tool |\n|---|\n| Acme |',
  mentioned: true,
  recommended: true,
  negative: false,
  why: 'The brand heads a row of options.',
};

describe('a case', () => {
  test.each(cases.map((entry) => [entry.id, entry] as const))('%s is sound', (_id, entry) => {
    expect(faultsOf(entry)).toEqual([]);
  });

  test('that is sound has no faults', () => {
    expect(faultsOf(sound)).toEqual([]);
  });

  test.each<[string, Partial<Case>]>([
    ['unknown trap', { trap: 'tables' }],
    ['unknown trap', { trap: 'constructor' }],
    ['trap not in the text', { text: 'Acme' }],
    ['empty text', { trap: 'hostile', text: ' \n' }],
    ['too many lines', { text: `${sound.text}${'\n| Beta |'.repeat(MAX_LINES)}` }],
    ['recommended without a mention', { mentioned: false }],
    ['negative without a mention', { mentioned: false, recommended: false, negative: true }],
    ['recommended and negative', { negative: true }],
    ['the brand among the others', { others: ['Beta', 'Acme'] }],
    ['no reason', { why: '' }],
  ])('with the fault "%s" is found: %j', (fault, change) => {
    expect(faultsOf({ ...sound, ...change })).toContain(fault);
  });
});

describe('the file', () => {
  test('has enough cases, numbered in order', () => {
    expect(cases.length).toBeGreaterThanOrEqual(MIN_CASES);
    expect(cases.map(({ id }) => id)).toEqual(
      cases.map((_case, index) => `case-${String(index + 1).padStart(3, '0')}`),
    );
  });

  test('asks no question twice', () => {
    const questions = cases.map(({ brand, others = [], text }) => JSON.stringify([brand, others, text]));
    expect(questions.filter((question, index) => questions.indexOf(question) !== index)).toEqual([]);
  });

  test.each(halves)('has half of its cases, and enough, in the half %s', (half) => {
    const { length } = cases.filter((entry) => entry.half === half);
    expect(length).toBeGreaterThanOrEqual(MIN_CASES_OF_HALF);
    expect(length * 2).toBe(cases.length);
  });

  test.each(Object.keys(traps))('has enough cases of the trap %s', (trap) => {
    expect(cases.filter((entry) => entry.trap === trap).length).toBeGreaterThanOrEqual(MIN_CASES_OF_TRAP);
  });

  test.each(Object.keys(traps).flatMap((trap) => halves.map((half) => [trap, half] as const)))(
    'has the trap %s in the half %s, with the brand mentioned and not',
    (trap, half) => {
      const found = cases.filter((entry) => entry.trap === trap && entry.half === half);
      expect(new Set(found.map(({ mentioned }) => mentioned))).toEqual(new Set([true, false]));
    },
  );

  test.each(halves)('has recommendations, advice against and plain mentions in the half %s', (half) => {
    const named = cases.filter((entry) => entry.half === half && entry.mentioned);
    expect(named.some(({ recommended }) => recommended)).toBe(true);
    expect(named.some(({ negative }) => negative)).toBe(true);
    expect(named.some(({ recommended, negative }) => !recommended && !negative)).toBe(true);
  });
});
