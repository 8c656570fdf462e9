import { describe, expect, test } from 'vitest';
import { intents, intentLabels } from '../../../src/visibility/run/intents.ts';
import {
  computeAveragePosition,
  buildIntentRows,
  computeMentionRate,
  type OtherMention,
  type AnswerReading,
  computeRecommendationRate,
  buildRecommendedInstead,
  buildRivalRows,
  shareOfVoice,
} from '../../../src/visibility/metrics/metrics.ts';
import { formatPlainLine } from '../../../src/lib/safe-text.ts';
import { buildSourceRows } from '../../../src/visibility/metrics/analyse.ts';
import { compare } from '../../../src/visibility/metrics/versus.ts';
import { ABSENT, NAMED, other, RECOMMENDED, readings, RUN_ID } from './readings.ts';

const none: readonly AnswerReading[] = [];

describe('rates', () => {
  const four = readings([
    { intent: 'price', own: RECOMMENDED },
    { intent: 'price', own: NAMED },
    { intent: 'trust', own: ABSENT },
    { intent: 'trust', own: ABSENT },
  ]);

  test('the mention rate is the share of answers that name the brand, recommended or not', () => {
    expect(computeMentionRate(four)).toMatchObject({ value: 0.5, n: 4 });
  });

  test('the recommendation rate is the share of answers that recommend it', () => {
    expect(computeRecommendationRate(four)).toMatchObject({ value: 0.25, n: 4 });
  });

  test('15 of 30 answers are 33.15 to 66.85 per cent', () => {
    const half = readings(Array.from({ length: 30 }, (_, at) => ({ own: at < 15 ? NAMED : ABSENT })));
    expect(computeMentionRate(half)).toEqual({ value: 0.5, low: 0.3315, high: 0.6685, n: 30 });
  });

  test('no answers have no rate, which is not 0', () => {
    expect(computeMentionRate(none)).toBeNull();
    expect(computeRecommendationRate(none)).toBeNull();
  });
});

describe('shareOfVoice', () => {
  test('names without a row are voices too, for the brand and for its rivals', () => {
    const run = readings([
      { own: NAMED, others: [other('Beta')], further: [0, 3] },
      { own: ABSENT, further: [1] },
    ]);
    expect(shareOfVoice(run, RUN_ID)?.value).toBe(0.2);
    expect(buildRivalRows(run)).toMatchObject([{ name: 'Beta', share_of_voice: 0.2 }]);
  });

  test('the brand and each other name count once per answer: 2 of 2 + 4 mentions', () => {
    const three = readings([
      { own: NAMED, others: [other('Beta'), other('Gamma')] },
      { own: NAMED, others: [other('Beta')] },
      { own: ABSENT, others: [other('Gamma')] },
    ]);
    expect(shareOfVoice(three, RUN_ID)).toMatchObject({ value: 0.3333, n: 3 });
  });

  const mixed = readings(
    Array.from({ length: 30 }, (_, at) => ({
      own: at % 3 === 0 ? NAMED : ABSENT,
      others: ['Beta', 'Gamma', 'Delta'].slice(0, at % 4).map((name) => other(name)),
    })),
  );

  test('the interval lies around the value, and the same run always has the same', () => {
    const share = shareOfVoice(mixed, RUN_ID);
    expect(share?.low).toBeLessThan(share?.value ?? 0);
    expect(share?.high).toBeGreaterThan(share?.value ?? 1);
    expect(shareOfVoice(mixed, RUN_ID)).toEqual(share);
  });

  test('the interval is seeded by the id of the run: of eight runs with the same answers some have another', () => {
    const shares = '01234567'.split('').map((digit) => shareOfVoice(mixed, digit.repeat(32)));
    // 10 of 10 + 43 mentions.
    expect(new Set(shares.map((share) => share?.value))).toEqual(new Set([0.1887]));
    expect(new Set(shares.map((share) => `${share?.low} to ${share?.high}`)).size).toBeGreaterThan(1);
  });

  test('when nobody is named there is no share', () => {
    expect(shareOfVoice(readings([{ own: ABSENT }, { own: ABSENT }]), RUN_ID)).toBeNull();
  });

  test('a brand that nobody names among others has the share 0', () => {
    expect(shareOfVoice(readings([{ own: ABSENT, others: [other('Beta')] }]), RUN_ID)).toMatchObject({ value: 0 });
  });
});

describe('averagePosition', () => {
  test('it is the mean rank by first block over the answers that name the brand: (1 + 3) / 2', () => {
    const three = readings([
      { own: { ...NAMED, block: 0 }, others: [other('Beta', { block: 1 })] },
      { own: { ...NAMED, block: 7 }, others: [other('Beta', { block: 2 }), other('Gamma', { block: 6 })] },
      { own: ABSENT, others: [other('Beta')] },
    ]);
    expect(computeAveragePosition(three)).toEqual({ value: 2, n: 2 });
  });

  test('names that first stand in the same block share the better rank', () => {
    const one = readings([{ own: { ...NAMED, block: 4 }, others: [other('Beta', { block: 4 })] }]);
    expect(computeAveragePosition(one)).toEqual({ value: 1, n: 1 });
  });

  test('a brand that no answer names has none', () => {
    expect(computeAveragePosition(readings([{ own: ABSENT, others: [other('Beta')] }]))).toBeNull();
  });
});

describe('rivalRows', () => {
  const three = readings([
    { own: NAMED, others: [other('Beta'), other('Gamma', { recommended: true })] },
    { own: ABSENT, others: [other('Gamma'), other('Beta')] },
    { own: ABSENT, others: [other('Delta')] },
  ]);

  test('they stand by mentions, then recommendations, then name', () => {
    expect(buildRivalRows(three).map(({ name, mentioned, recommended }) => [name, mentioned, recommended])).toEqual([
      ['Gamma', 2, 1],
      ['Beta', 2, 0],
      ['Delta', 1, 0],
    ]);
  });

  test('the rate is over the answers, the share over all 1 + 5 mentions', () => {
    const [gamma, , delta] = buildRivalRows(three);
    expect(gamma).toMatchObject({ mention_rate: { value: 0.6667, n: 3 }, share_of_voice: 0.3333 });
    expect(delta).toMatchObject({ mention_rate: { value: 0.3333, n: 3 }, share_of_voice: 0.1667 });
  });

  const many = readings([{ own: ABSENT, others: Array.from({ length: 30 }, (_, at) => other(letters(at))) }]);

  test('there are at most 20', () => {
    expect(buildRivalRows(many).map(({ name }) => name)).toEqual(Array.from({ length: 20 }, (_, at) => letters(at)));
  });

  test('a pinned name has a row though others push it out, or nobody names it', () => {
    const pushedOut = buildRivalRows(many, [letters(29)]);
    expect(pushedOut).toHaveLength(20);
    expect(pushedOut.at(-1)).toMatchObject({ name: letters(29), mentioned: 1 });
    expect(buildRivalRows(three, ['Nobody']).at(-1)).toMatchObject({
      name: 'Nobody',
      mentioned: 0,
      mention_rate: { value: 0, low: 0, n: 3 },
      share_of_voice: 0,
    });
  });

  test('a pinned name that is there has one row', () => {
    expect(buildRivalRows(three, ['Beta']).map(({ name }) => name)).toEqual(['Gamma', 'Beta', 'Delta']);
  });

  test('where nobody is named a pinned name has the share 0, not a division by 0', () => {
    expect(buildRivalRows(readings([{ own: ABSENT }]), ['Beta'])).toMatchObject([{ mentioned: 0, share_of_voice: 0 }]);
  });

  test('names of objects are names: constructor and __proto__ are counted like others', () => {
    const odd = readings([{ own: ABSENT, others: [other('constructor'), other('__proto__')] }]);
    expect(buildRivalRows(odd).map(({ name, mentioned }) => [name, mentioned])).toEqual([
      ['__proto__', 1],
      ['constructor', 1],
    ]);
  });
});

/** AA, AB, AC ... BA, BB ... in the order of the alphabet. */
const letters = (at: number): string => String.fromCodePoint(65 + Math.floor(at / 26), 65 + (at % 26));

describe('recommendedInstead', () => {
  const five = readings([
    { own: RECOMMENDED, others: [other('Beta', { recommended: true, quote: 'with the brand' })] },
    { own: ABSENT, others: [other('Beta', { quote: 'Beta exists.' }), other('Gamma', { recommended: true })] },
    { own: ABSENT, others: [other('Beta', { recommended: true, quote: 'Take Beta.' })] },
    { own: ABSENT, others: [other('Gamma', { recommended: true, quote: 'Gamma is best.' }), other('Beta')] },
    { own: ABSENT, others: [other('Delta')] },
  ]);

  test('only recommendations in answers without the brand count', () => {
    expect(buildRecommendedInstead(five)).toEqual([
      { name: 'Gamma', answers: 2, of: 4, quote: 'Gamma is mentioned.' },
      { name: 'Beta', answers: 1, of: 4, quote: 'Take Beta.' },
    ]);
  });

  test('it is empty when every answer names the brand', () => {
    expect(buildRecommendedInstead(readings([{ own: NAMED, others: [other('Beta', { recommended: true })] }]))).toEqual(
      [],
    );
  });

  test('there are at most 10', () => {
    const others: readonly OtherMention[] = Array.from({ length: 25 }, (_, at) =>
      other(letters(at), { recommended: true }),
    );
    expect(buildRecommendedInstead(readings([{ own: ABSENT, others }]))).toHaveLength(10);
  });
});

describe('intentRows', () => {
  test('there are always six, in the order of the prompts, each with its label', () => {
    expect(buildIntentRows(none).map(({ intent, label }) => [intent, label])).toEqual(
      intents.map((intent) => [intent, intentLabels[intent]]),
    );
  });

  test('a kind of question without answers has no rate and no rival', () => {
    expect(buildIntentRows(none)[0]).toMatchObject({ valid: 0, mention_rate: null, recommended: 0, top_rival: null });
  });

  test('each counts its own answers only', () => {
    const rows = buildIntentRows(
      readings([
        { intent: 'price', own: RECOMMENDED, others: [other('Beta')] },
        { intent: 'price', own: ABSENT, others: [other('Beta'), other('Gamma')] },
        { intent: 'trust', own: NAMED, others: [other('Gamma')] },
      ]),
    );
    expect(rows.find(({ intent }) => intent === 'price')).toMatchObject({
      valid: 2,
      mention_rate: { value: 0.5, n: 2 },
      recommended: 1,
      top_rival: { name: 'Beta', mentioned: 2 },
    });
    expect(rows.find(({ intent }) => intent === 'trust')).toMatchObject({
      valid: 1,
      mention_rate: { value: 1, n: 1 },
      recommended: 0,
      top_rival: { name: 'Gamma', mentioned: 1 },
    });
  });

  test('labels are short, different and on one line', () => {
    const labels = Object.values(intentLabels);
    expect(new Set(labels).size).toBe(intents.length + 1);
    expect(labels.filter((label) => label.length > 60 || formatPlainLine(label, 60) !== label)).toEqual([]);
  });
});

describe('compare', () => {
  /** Readings of as many answers as there are letters: B names the brand, C the competitor, + both, - neither. */
  const sides = (answers: string) =>
    ['B+', 'C+'].map((naming) =>
      readings(answers.split('').map((letter) => ({ own: naming.includes(letter) ? NAMED : ABSENT }))),
    );
  const compared = (answers: string) => {
    const [brand = none, competitor = none] = sides(answers);
    return compare(brand, competitor);
  };
  const of = (brandOnly: number, competitorOnly: number): string =>
    `${'B'.repeat(brandOnly)}${'C'.repeat(competitorOnly)}${'+'.repeat(10)}`.padEnd(30, '-');

  test.each([
    [5, 0],
    [7, 1],
    [9, 2],
    [11, 3],
    [12, 4],
  ])('%d to %d is a verdict for the one that leads', (more, fewer) => {
    expect(compared(of(more, fewer)).verdict).toBe('brand');
    expect(compared(of(fewer, more)).verdict).toBe('competitor');
  });

  test.each([
    [0, 0],
    [4, 0],
    [6, 1],
    [8, 2],
    [10, 3],
    [8, 8],
  ])('%d to %d is too close to call', (more, fewer) => {
    expect(compared(of(more, fewer)).verdict).toBe('too_close_to_call');
    expect(compared(of(fewer, more)).verdict).toBe('too_close_to_call');
  });

  test('answers that name both or neither are counted, and decide nothing', () => {
    expect(compared(of(9, 2))).toMatchObject({
      p_value: 0.038_57,
      discordant: { brand_only: 9, competitor_only: 2, both: 10, neither: 9 },
    });
    expect(compared('BBBBBBBBBCC').p_value).toBe(compared(of(9, 2)).p_value);
  });

  test('a p value far below .0001 is still not 0', () => {
    expect(compared('B'.repeat(20)).p_value).toBe(Number((2 ** -20).toPrecision(4)));
  });

  test.each(['', 'BBCC'])('of the answers %j no difference can be seen', (answers) => {
    expect(compared(answers).smallest_visible_difference).toBeNull();
  });

  test('more disagreement hides larger differences', () => {
    const agreeing = compared(of(2, 1)).smallest_visible_difference;
    const disagreeing = compared(of(10, 10)).smallest_visible_difference;
    expect(agreeing).toBeGreaterThan(0);
    expect(disagreeing).toBeGreaterThan(agreeing ?? 1);
    expect(disagreeing).toBeLessThan(0.5);
  });
});

describe('sourceRows', () => {
  test('an engine without sources is not measured, one with empty lists measured nothing', () => {
    expect(buildSourceRows([undefined, undefined])).toBeNull();
    expect(buildSourceRows([])).toBeNull();
    expect(buildSourceRows([undefined, []])).toEqual([]);
  });

  test('a registered domain counts once per answer, most often first, then by name', () => {
    expect(
      buildSourceRows([
        ['https://www.example.co.uk/a', 'https://blog.example.co.uk/b', 'https://b.example/'],
        ['http://EXAMPLE.co.uk.:8080/?q#x', 'https://a.example/'],
      ]),
    ).toEqual([
      { domain: 'example.co.uk', answers: 2 },
      { domain: 'a.example', answers: 1 },
      { domain: 'b.example', answers: 1 },
    ]);
  });

  test.each([
    'not a url',
    '',
    'javascript:alert(1)',
    'ftp://example.com/',
    'data:text/plain,x',
    'https://',
    `https://${'a.'.repeat(200)}com/`,
  ])('%j is no source', (url) => {
    expect(buildSourceRows([[url]])).toEqual([]);
  });

  test('there are at most 10, of at most 30 per answer', () => {
    const urls = Array.from({ length: 40 }, (_, at) => `https://site-${String(at).padStart(2, '0')}.example/`);
    expect(buildSourceRows([urls])).toHaveLength(10);
    expect(buildSourceRows([urls.toReversed()])?.[0]).toEqual({ domain: 'site-10.example', answers: 1 });
  });
});
