import { describe, expect, test } from 'vitest';
import { analyseBrand, analyseVersus, type BrandAnalysis } from '../../../src/visibility/metrics/analyse.ts';
import type { CollectedRun, RunAnswer } from '../../../src/visibility/run/run.ts';
import { intents } from '../../../src/visibility/run/intents.ts';
import { MAX_ANSWER_BYTES } from '../../../src/models/port.ts';
import { buildPrompts } from '../../../src/visibility/run/prompts.ts';
import { roundRate, computeWilson } from '../../../src/visibility/metrics/statistics.ts';
import { RUN_ID } from './readings.ts';

const prompts = buildPrompts('help desk software');
const INDEXES = prompts.map(({ index }) => index);
/** Thirty pairs of letters that make thirty names. */
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'.split(''), 'sh', 'th', 'kr', 'pl'].map((letter) => `v${letter}r`);

/** A kept answer; `more` replaces what it says of itself. */
const answered = (index: number, text: string, more: Partial<Extract<RunAnswer, { status: 'answered' }>> = {}) =>
  ({
    index,
    status: 'answered',
    text,
    sha256: '0'.repeat(64),
    servedModel: 'test-1',
    finishReason: 'stop',
    citations: undefined,
    ...more,
  }) as const satisfies RunAnswer;

const runOf = (answers: readonly RunAnswer[]): CollectedRun => ({
  runId: RUN_ID,
  promptSet: { id: 'v1', sha256: '0'.repeat(64) },
  engine: { kind: 'recorded', model: 'test-1' },
  niche: 'help desk software',
  startedAtMs: 0,
  endedAtMs: 1000,
  answers,
});

/** The options that the answer to a prompt lists: Quoltix in the first 24, Zendril in the first 12, Brimvale from 20. */
const optionsAt = (index: number): readonly string[] => [
  ...(index < 24 ? ['Quoltix'] : []),
  ...(index < 12 ? ['Zendril'] : []),
  ...(index >= 20 ? ['Brimvale'] : []),
];

const listOf = (names: readonly string[]): string =>
  [
    'Here is what people use:',
    '',
    ...names.map((name, at) => `${at + 1}. **${name}** - answers customers by mail.`),
  ].join('\n');

const listed = INDEXES.map((index) => answered(index, listOf(optionsAt(index))));
const rateOf = (successes: number, n: number) =>
  roundRate(computeWilson(successes, n) ?? { value: 0, low: 0, high: 0, n });

describe('analyseBrand', () => {
  const report = analyseBrand(runOf(listed), 'Zendril', prompts);

  test('the brand heads 12 of 30 lists: 40 %, all of them recommendations', () => {
    expect(report.mention_rate).toEqual(rateOf(12, 30));
    expect(report.recommendation_rate).toEqual(rateOf(12, 30));
  });

  test('it has 12 of the 12 + 24 + 10 mentions', () => {
    expect(report.share_of_voice).toMatchObject({ value: 0.2609, n: 30 });
    expect(report.share_of_voice?.low).toBeLessThan(0.2609);
    expect(report.share_of_voice?.high).toBeGreaterThan(0.2609);
  });

  test('it always stands second', () => {
    expect(report.average_position).toEqual({ value: 2, n: 12 });
  });

  test('the rivals have the other mentions', () => {
    expect(report.rivals).toEqual([
      { name: 'Quoltix', mentioned: 24, mention_rate: rateOf(24, 30), recommended: 24, share_of_voice: 0.5217 },
      { name: 'Brimvale', mentioned: 10, mention_rate: rateOf(10, 30), recommended: 10, share_of_voice: 0.2174 },
    ]);
  });

  test('in the 18 lists without it others are recommended, with a literal quote', () => {
    expect(report.recommended_instead.map(({ name, answers, of }) => ({ name, answers, of }))).toEqual([
      { name: 'Quoltix', answers: 12, of: 18 },
      { name: 'Brimvale', answers: 10, of: 18 },
    ]);
    for (const { name, quote } of report.recommended_instead)
      expect(`${name} - answers customers by mail.`).toContain(quote.replace(/…$/u, ''));
    for (const { name, quote } of report.recommended_instead) expect(quote).toContain(name);
  });

  test('each kind of question counts its five answers', () => {
    expect(
      report.intents.map(({ intent, valid, mention_rate, top_rival }) => [
        intent,
        valid,
        mention_rate?.value,
        top_rival?.name,
        top_rival?.mentioned,
      ]),
    ).toEqual([
      ['discovery', 5, 1, 'Quoltix', 5],
      ['recommendation', 5, 1, 'Quoltix', 5],
      ['problem', 5, 0.4, 'Quoltix', 5],
      ['comparison', 5, 0, 'Quoltix', 5],
      ['price', 5, 0, 'Brimvale', 5],
      ['trust', 5, 0, 'Brimvale', 5],
    ]);
  });

  test('the weak spots are the three kinds in which nobody names it', () => {
    expect(report.weak_spots.map(({ topic, who_wins }) => [topic, who_wins])).toEqual([
      ['Comparison with others', 'Quoltix'],
      ['Price and value', 'Brimvale'],
      ['Trust and alternatives', 'Brimvale'],
    ]);
    expect(report.weak_spots[1]?.evidence).toMatch(/^".*Brimvale.*": Brimvale 5\/5, Zendril 0\/5$/u);
  });

  test('nothing failed, nothing was cut off, and there are no sources to measure', () => {
    expect(report).toMatchObject({ failures: { total: 0, by_reason: {} }, truncated: 0, sources: null });
    expect(report.mention_rate).not.toHaveProperty('worst_case');
    expect(report.notes).toEqual(['The engine gives no sources, so sources were not measured.']);
  });

  test('the same run gives the same bytes', () => {
    expect(JSON.stringify(analyseBrand(runOf(listed), 'Zendril', prompts))).toBe(JSON.stringify(report));
  });
});

describe('answers that are missing or cut off', () => {
  const failing = (from: number): readonly RunAnswer[] =>
    listed.map((answer) =>
      answer.index < from ? answer : { index: answer.index, status: 'failed', reason: 'rate_limited' },
    );

  test('rates are over the answers there are; the worst case is over all prompts', () => {
    const report = analyseBrand(runOf(failing(27)), 'Zendril', prompts);
    expect(report.mention_rate).toEqual({ ...rateOf(12, 27), worst_case: { low: 0.4, high: 0.5 } });
    expect(report.failures).toEqual({ total: 3, by_reason: { rate_limited: 3 } });
    expect(report.intents.at(-1)).toMatchObject({ intent: 'trust', valid: 2 });
    expect(report.notes[0]).toContain('3 of 30 prompts got no answer');
    expect(report.notes.join(' ')).not.toContain('degraded');
  });

  test('fewer than 27 answers are said to be a degraded measurement', () => {
    expect(analyseBrand(runOf(failing(26)), 'Zendril', prompts).notes.join(' ')).toContain('degraded');
  });

  test('reasons are counted one by one', () => {
    const answers = failing(27).map((answer): RunAnswer =>
      answer.index === 29 ? { index: 29, status: 'failed', reason: 'deadline' } : answer,
    );
    expect(analyseBrand(runOf(answers), 'Zendril', prompts).failures).toEqual({
      total: 3,
      by_reason: { rate_limited: 2, deadline: 1 },
    });
  });

  test('answers that were cut off count, and are counted', () => {
    const answers = listed.map((answer) =>
      answer.index < 2 ? { ...answer, finishReason: 'length' as const } : answer,
    );
    const report = analyseBrand(runOf(answers), 'Zendril', prompts);
    expect(report.truncated).toBe(2);
    expect(report.mention_rate).toEqual(rateOf(12, 30));
    expect(report.notes.join(' ')).toContain('2 answers were cut off');
  });

  test('a run without any answer cannot be analysed', () => {
    expect(() => analyseBrand(runOf(failing(0)), 'Zendril', prompts)).toThrow(RangeError);
    expect(() => analyseVersus(runOf([]), 'Zendril', 'Quoltix', prompts)).toThrow(RangeError);
  });

  test('an answer without a prompt is a bug of the caller', () => {
    expect(() => analyseBrand(runOf([answered(30, 'Hello')]), 'Zendril', prompts)).toThrow(RangeError);
  });
});

describe('what is said of a name', () => {
  test('a brand that no answer names has rates of 0, no position, and rivals', () => {
    const report = analyseBrand(runOf(listed), 'Unheard Of Ltd', prompts);
    expect(report.mention_rate).toMatchObject({ value: 0, low: 0, n: 30 });
    expect(report.average_position).toBeNull();
    expect(report.share_of_voice).toMatchObject({ value: 0, low: 0 });
    expect(report.recommended_instead[0]).toMatchObject({ name: 'Quoltix', answers: 24, of: 30 });
    expect(report.notes).toContain('No answer names it, so it has no position.');
  });

  test('a brand that is named throughout has one weak spot all the same, without a winner, and a note', () => {
    const report = analyseBrand(
      runOf(INDEXES.map((index) => answered(index, listOf(['Zendril'])))),
      'Zendril',
      prompts,
    );
    expect(report.weak_spots).toEqual([{ topic: 'Being found at all', evidence: 'Zendril 5/5' }]);
    expect(report.rivals).toEqual([]);
    expect(report.recommended_instead).toEqual([]);
    expect(report.notes.join(' ')).toContain('No rival is named more often in any kind of question');
    expect(report.notes).toContain('No other name was found in two or more answers.');
  });

  test('when nobody is named there is no share of voice', () => {
    const text = 'It depends on what you need. Ask around and compare a few offers before you sign anything.';
    const report = analyseBrand(runOf(INDEXES.map((index) => answered(index, text))), 'Zendril', prompts);
    expect(report).toMatchObject({ share_of_voice: null, average_position: null, rivals: [] });
    expect(report.weak_spots).toHaveLength(1);
  });

  test.each(['Zendril Mail', 'Brimvale Zendril'])('%s is the brand Zendril, not a rival of it', (product) => {
    const answers = INDEXES.map((index) => answered(index, listOf([product, 'Quoltix'])));
    const report = analyseBrand(runOf(answers), 'Zendril', prompts);
    expect(report.mention_rate.value).toBe(1);
    expect(report.rivals.map(({ name }) => name)).toEqual(['Quoltix']);
  });

  test('a name that is an ordinary word counts only with its capitals: the others are told', () => {
    const answers = INDEXES.map((index) =>
      answered(
        index,
        index < 10 ? listOf(['Quoltix', 'Target']) : 'Pick a tool that lets you reach a target group with little work.',
      ),
    );
    const report = analyseBrand(runOf(answers), 'Target', prompts);
    expect(report.mention_rate.value).toBe(0.3333);
    expect(report.ambiguity).toEqual({ level: 'high', case_sensitive: true, rejected: 20 });
    expect(report.notes.join(' ')).toContain('as the ordinary word: 20.');
    expect(report.notes.join(' ')).toContain('More uses were left out than counted');
  });

  test('thirty rivals of one answer each halve the share of voice, and the note does not deny them', () => {
    const answers = INDEXES.map((index) => answered(index, listOf(['Zendril', `Bo${LETTERS[index] ?? ''}dox`])));
    const report = analyseBrand(runOf(answers), 'Zendril', prompts);
    expect(report.share_of_voice).toMatchObject({ value: 0.5 });
    expect(report.rivals).toEqual([]);
    expect(report.notes).toContain('30 more names were found; the share of voice counts them.');
  });

  test.each([
    ['a list that warns in its line', '1. **Quoltix** – not recommended', 0],
    ['a sentence', 'I would recommend Quoltix to almost everyone.', 30],
  ])('a rival is recommended by the rule of the brand: %s', (_what, text, count) => {
    const run = runOf(INDEXES.map((index) => answered(index, text)));
    const [row] = analyseBrand(run, 'Zendril', prompts).rivals;
    expect(row).toMatchObject({ name: 'Quoltix', mentioned: 30, recommended: count });
    expect(analyseBrand(run, 'Quoltix', prompts).recommendation_rate.value).toBe(count / 30);
    expect(analyseBrand(run, 'Zendril', prompts).recommended_instead).toHaveLength(Math.min(1, count));
  });

  test('gaps that five answers cannot show are said to be uncertain', () => {
    const note = 'Five answers per kind of question are few';
    const near = listed.map(({ index }) => answered(index, listOf(index % 5 ? ['Zendril', 'Quoltix'] : ['Quoltix'])));
    expect(analyseBrand(runOf(near), 'Zendril', prompts).notes.join(' ')).toContain(note);
    expect(analyseBrand(runOf(listed), 'Unheard Of Ltd', prompts).notes.join(' ')).not.toContain(note);
  });

  test('prose of a language whose capitals tell nothing is said to be under-read', () => {
    const note = 'In this language, names in running text are often missed: the counts may be too low.';
    const prose = INDEXES.map((index) => answered(index, 'Die ING ist gut, und mit der App der DKB geht alles.'));
    expect(analyseBrand(runOf(prose), 'Zendril', prompts).notes).toContain(note);
    expect(analyseBrand(runOf(listed), 'Zendril', prompts).notes).not.toContain(note);
  });

  test('a name that is no word is not ambiguous', () => {
    expect(analyseBrand(runOf(listed), 'Zendril', prompts).ambiguity).toEqual({
      level: 'low',
      case_sensitive: false,
      rejected: 0,
    });
  });

  test('a rival that bears a part of the name may be the same company', () => {
    const note = 'Rival 1 of the list has a part of this name: it may be the same company under a shorter name.';
    const chosen = analyseVersus(runOf(listed), 'Quoltix Service Cloud', 'Quoltix', prompts);
    expect(chosen.brands.brand.notes).not.toContain(note);
    expect(analyseBrand(runOf(listed), 'Quoltix Service Cloud', prompts).notes).toContain(note);
    expect(analyseBrand(runOf(listed), 'Zendril', prompts).notes).not.toContain(note);
  });

  test('answers that advise against the brand are mentions, not recommendations, and are told', () => {
    const answers = listed.map((answer) =>
      answer.index < 3 ? { ...answer, text: 'I would avoid Zendril: its support is slow.' } : answer,
    );
    const report = analyseBrand(runOf(answers), 'Zendril', prompts);
    expect(report.mention_rate.value).toBe(0.4);
    expect(report.recommendation_rate.value).toBe(0.3);
    expect(report.notes).toContain('Answers that advise against it (they count as mentions): 3.');
  });
});

describe('sources', () => {
  test('the domains that answers cite are counted once per answer', () => {
    const answers = listed.map((answer) => ({
      ...answer,
      citations: answer.index < 4 ? ['https://www.reviews.example/a', 'https://reviews.example/b'] : [],
    }));
    expect(analyseBrand(runOf(answers), 'Zendril', prompts).sources).toEqual([
      { domain: 'reviews.example', answers: 4 },
    ]);
  });

  test('failed prompts cite nothing, and do not make them measured', () => {
    const answers = listed.map((answer): RunAnswer =>
      answer.index < 3 ? { index: answer.index, status: 'failed', reason: 'timeout' } : answer,
    );
    expect(analyseBrand(runOf(answers), 'Zendril', prompts).sources).toBeNull();
  });
});

describe('analyseVersus', () => {
  const versus = analyseVersus(runOf(listed), 'Zendril', 'Quoltix', prompts);

  test('the same 30 answers decide: 12 name only the competitor, none only the brand', () => {
    expect(versus).toMatchObject({
      verdict: 'competitor',
      p_value: Number((2 ** -12).toPrecision(4)),
      discordant: { brand_only: 0, competitor_only: 12, both: 12, neither: 6 },
    });
  });

  test('the other way round the verdict turns', () => {
    const turned = analyseVersus(runOf(listed), 'Quoltix', 'Zendril', prompts);
    expect(turned).toMatchObject({
      verdict: 'brand',
      p_value: versus.p_value,
      discordant: { brand_only: 12, competitor_only: 0, both: 12, neither: 6 },
    });
    expect(turned.brands.competitor.mention_rate).toEqual(versus.brands.brand.mention_rate);
  });

  test('each one has the figures that it has alone, and the other one among its rivals', () => {
    const { brand, competitor } = versus.brands;
    expect([brand.name, competitor.name]).toEqual(['Zendril', 'Quoltix']);
    expect(brand.rivals.map(({ name, mentioned }) => [name, mentioned])).toEqual([
      ['Quoltix', 24],
      ['Brimvale', 10],
    ]);
    expect(competitor.rivals.map(({ name, mentioned }) => [name, mentioned])).toEqual([
      ['Zendril', 12],
      ['Brimvale', 10],
    ]);
    const alone = analyseBrand(runOf(listed), 'Zendril', prompts);
    const figures = ({ mention_rate, share_of_voice, average_position, intents: rows }: BrandAnalysis) => ({
      mention_rate,
      share_of_voice,
      average_position,
      rows,
    });
    expect(figures(brand)).toEqual(figures(alone));
    expect(brand.weak_spots.map(({ topic }) => topic)).toEqual(alone.weak_spots.map(({ topic }) => topic));
  });

  test('a competitor that nobody names has a row among the rivals', () => {
    const { brands } = analyseVersus(runOf(listed), 'Zendril', 'Unheard Of Ltd', prompts);
    expect(brands.brand.rivals.at(-1)).toMatchObject({ name: 'Unheard Of Ltd', mentioned: 0, share_of_voice: 0 });
  });

  test('two brands that stand in the same answers are too close to call, and the note says what that means', () => {
    const answers = INDEXES.map((index) => answered(index, listOf(index % 2 ? ['Zendril', 'Quoltix'] : ['Brimvale'])));
    const equal = analyseVersus(runOf(answers), 'Zendril', 'Quoltix', prompts);
    expect(equal).toMatchObject({
      verdict: 'too_close_to_call',
      p_value: 1,
      discordant: { brand_only: 0, competitor_only: 0, both: 15, neither: 15 },
    });
    expect(equal.notes[0]).toContain('does not mean equal');
  });

  test('a competitor whose name contains the brand counts only for itself', () => {
    const answers = INDEXES.map((index) => answered(index, listOf(['Brimvale', 'Zendril Dental'])));
    const { discordant } = analyseVersus(runOf(answers), 'Zendril', 'Zendril Dental', prompts);
    expect(discordant).toEqual({ brand_only: 0, competitor_only: 30, both: 0, neither: 0 });
  });

  test('a verdict that missing answers could turn is said to hang on them', () => {
    // 6 to 0 is called (p = 1/64), 6 to 6 is not.
    const answers = INDEXES.map((index): RunAnswer =>
      index < 24
        ? answered(index, listOf(index < 6 ? ['Zendril'] : ['Brimvale']))
        : { index, status: 'failed', reason: 'timeout' },
    );
    const { verdict, notes } = analyseVersus(runOf(answers), 'Zendril', 'Unheard Of Ltd', prompts);
    expect(verdict).toBe('brand');
    expect(notes).toContain('With the 6 missing answers all against it, the verdict would be too close to call.');
    const safe = listed.map((answer): RunAnswer =>
      answer.index === 29 ? { index: 29, status: 'failed', reason: 'timeout' } : answer,
    );
    expect(analyseVersus(runOf(safe), 'Zendril', 'Quoltix', prompts).notes.join(' ')).not.toContain('all against it');
  });

  test('notes on the run stand at the top, notes on a brand in its part', () => {
    const answers = listed.map((answer): RunAnswer =>
      answer.index === 29 ? { index: 29, status: 'failed', reason: 'timeout' } : answer,
    );
    const { notes, brands } = analyseVersus(runOf(answers), 'Zendril', 'Unheard Of Ltd', prompts);
    expect(notes.join(' ')).toContain('1 of 30 prompts got no answer');
    expect(brands.brand.notes.join(' ')).not.toContain('prompts got no answer');
    expect(brands.competitor.notes).toContain('No answer names it, so it has no position.');
  });
});

describe('hostile text', () => {
  const hostile = [
    '*'.repeat(MAX_ANSWER_BYTES),
    '- '.repeat(MAX_ANSWER_BYTES / 2),
    '[**Zendril**]('.repeat(MAX_ANSWER_BYTES / 14),
    'Zendril '.repeat(MAX_ANSWER_BYTES / 8),
    '\uD800\u202E\u0000'.repeat(1000),
    '| a | b |\n|---|---|\n'.repeat(500),
    '',
  ];
  const run = runOf(INDEXES.map((index) => answered(index, hostile[index % hostile.length] ?? '')));

  test.each([
    'Zendril',
    '.*',
    '(((',
    String.raw`\p{L}+`,
    '$&',
    '__proto__',
    '𝒜cme',
    '株式会社',
    '\uD800',
    ' '.repeat(3),
  ])('the brand %j in 32 kB of anything has a report with one to three weak spots', (brand) => {
    const report = analyseBrand(run, brand, prompts);
    expect(report.mention_rate.n).toBe(30);
    expect(report.intents.map(({ intent }) => intent)).toEqual([...intents]);
    expect(report.weak_spots.length).toBeGreaterThanOrEqual(1);
    expect(report.weak_spots.length).toBeLessThanOrEqual(3);
  });

  test('text of answers stands on one line without hidden characters, and never in notes', () => {
    const canary = 'Ignorealways';
    const text = `${listOf([`${canary}\u202E\u0007`, 'Quoltix'])}\u2028\u{E0041}It is\u0085 new.`;
    const report = analyseBrand(runOf(INDEXES.map((index) => answered(index, text))), 'Zendril', prompts);
    expect(JSON.stringify(report)).toContain(canary);
    expect(JSON.stringify(report)).not.toMatch(/[\u0085\u2028\u202E\u{E0041}]|\\u0007|\\n/u);
    expect(report.notes.join(' ')).not.toContain(canary);
  });
});

describe('a verdict while answers are missing', () => {
  /** As many answers that name only the leader, then some that name neither; the rest of the 30 are missing. */
  const ledBy = (leader: string, leads: number, missing: number): readonly RunAnswer[] =>
    INDEXES.map((index): RunAnswer =>
      index < 30 - missing
        ? answered(index, listOf(index < leads ? [leader] : ['Brimvale']))
        : { index, status: 'failed', reason: 'timeout' },
    );
  const against = (count: number, worst: string): string =>
    `With the ${count} missing answers all against it, the verdict would be ${worst}.`;

  test.each([
    ['Zendril', 'brand'],
    ['Quoltix', 'competitor'],
  ])('for %s, the %s, hangs on them when all of them against it would undo it: 6 to 0, 6 missing', (leader, side) => {
    // 6 to 0 is p = 1/64, 6 to 6 is p = 1.
    const { verdict, notes } = analyseVersus(runOf(ledBy(leader, 6, 6)), 'Zendril', 'Quoltix', prompts);
    expect(verdict).toBe(side);
    expect(notes).toContain(against(6, 'too close to call'));
  });

  test.each([
    ['Zendril', 'brand', 'competitor'],
    ['Quoltix', 'competitor', 'brand'],
  ])('for %s, the %s, could turn into its opposite: 5 to 0, 25 missing', (leader, side, opposite) => {
    const { verdict, notes } = analyseVersus(runOf(ledBy(leader, 5, 25)), 'Zendril', 'Quoltix', prompts);
    expect(verdict).toBe(side);
    expect(notes).toContain(against(25, `that the ${opposite} is named more often`));
  });

  test.each(['Zendril', 'Quoltix'])(
    'for %s stands when all of them could not undo it: 11 to 0, 3 missing',
    (leader) => {
      const { notes } = analyseVersus(runOf(ledBy(leader, 11, 3)), 'Zendril', 'Quoltix', prompts);
      expect(notes.join(' ')).not.toContain('all against it');
    },
  );

  test('that calls nobody has nothing to lose: 1 to 0, 20 missing', () => {
    const { verdict, notes } = analyseVersus(runOf(ledBy('Quoltix', 1, 20)), 'Zendril', 'Quoltix', prompts);
    expect(verdict).toBe('too_close_to_call');
    expect(notes.join(' ')).not.toContain('all against it');
  });
});

test('the share of voice of another run with the same answers has the same value, and an interval of its own', () => {
  const shares = '01234567'
    .split('')
    .map((digit) => analyseBrand({ ...runOf(listed), runId: digit.repeat(32) }, 'Zendril', prompts).share_of_voice);
  expect(new Set(shares.map((share) => share?.value))).toEqual(new Set([0.2609]));
  expect(new Set(shares.map((share) => `${share?.low} to ${share?.high}`)).size).toBeGreaterThan(1);
});
