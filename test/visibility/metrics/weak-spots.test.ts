import { describe, expect, test } from 'vitest';
import { type Intent, intents, intentLabels } from '../../../src/visibility/run/intents.ts';
import { findWeakSpots } from '../../../src/visibility/metrics/weak-spots.ts';
import { ABSENT, NAMED, other, readings } from './readings.ts';

type Row = Parameters<typeof readings>[0][number];

/** Five answers to a kind of question: the first `own` name the brand, the last `rival` name Beta. */
const five = (intent: Intent, own: number, rival: number): readonly Row[] =>
  Array.from({ length: 5 }, (_, at) => ({
    intent,
    own: at < own ? NAMED : ABSENT,
    others: at >= 5 - rival ? [other('Beta')] : [],
  }));

const topics = (rows: readonly Row[]): readonly string[] =>
  findWeakSpots(readings(rows), 'Acme').spots.map(({ topic }) => topic);

describe('where a rival is ahead', () => {
  test('an entry has our label, the rival, a literal quote and the counts of both', () => {
    expect(findWeakSpots(readings(five('price', 0, 4)), 'Acme')).toEqual({
      gap: true,
      isNoisy: true,
      spots: [{ topic: 'Price and value', who_wins: 'Beta', evidence: '"Beta is mentioned.": Beta 4/5, Acme 0/5' }],
    });
  });

  test.each([
    [0, 5, false],
    [0, 4, true],
    [1, 5, true],
  ])('%d against %d of five: the gap may be chance is %j', (own, rival, isNoisy) => {
    // Wilson: 0/5 ends at .434, 5/5 begins at .566, 4/5 at .376, 1/5 ends at .624.
    expect(findWeakSpots(readings(five('price', own, rival)), 'Acme')).toMatchObject({ gap: true, isNoisy });
  });

  test('the largest gap comes first', () => {
    const rows = [...five('discovery', 2, 3), ...five('price', 0, 4), ...five('trust', 1, 3)];
    expect(topics(rows)).toEqual([intentLabels.price, intentLabels.trust, intentLabels.discovery]);
  });

  test('of equal gaps the one with more mentions of the rival comes first', () => {
    expect(topics([...five('discovery', 0, 2), ...five('price', 2, 4)])).toEqual([
      intentLabels.price,
      intentLabels.discovery,
    ]);
  });

  test('what still ties stays in the order of the prompts', () => {
    expect(topics([...five('trust', 0, 3), ...five('comparison', 0, 3), ...five('problem', 0, 3)])).toEqual([
      intentLabels.problem,
      intentLabels.comparison,
      intentLabels.trust,
    ]);
  });

  test('gaps are of rates: 2 of 2 weighs more than 3 of 5', () => {
    const two: readonly Row[] = [
      { intent: 'trust', own: ABSENT, others: [other('Beta')] },
      { intent: 'trust', own: ABSENT, others: [other('Beta')] },
    ];
    expect(topics([...five('price', 0, 3), ...two])).toEqual([intentLabels.trust, intentLabels.price]);
  });

  test('there are at most three, and kinds without a gap are not among them', () => {
    expect(topics(intents.flatMap((intent) => five(intent, 0, 3)))).toHaveLength(3);
    expect(topics([...five('price', 1, 3), ...five('trust', 3, 3), ...five('problem', 4, 1)])).toEqual([
      intentLabels.price,
    ]);
  });

  test('the rival is the one named most often there, not over all', () => {
    const rows = [
      ...five('price', 5, 5),
      { intent: 'trust', own: ABSENT, others: [other('Gamma')] },
    ] as const satisfies readonly Row[];
    expect(findWeakSpots(readings(rows), 'Acme').spots).toMatchObject([
      { topic: intentLabels.trust, who_wins: 'Gamma' },
    ]);
  });
});

describe('the quote', () => {
  const quoted = (rows: readonly Omit<Row, 'intent'>[]): string | undefined =>
    findWeakSpots(readings(rows.map((row) => ({ ...row, intent: 'price' }))), 'Acme').spots[0]?.evidence;

  test('is of an answer that recommends the rival and does not name the brand, when there is one', () => {
    expect(
      quoted([
        { own: NAMED, others: [other('Beta', { recommended: true, quote: 'Acme or Beta.' })] },
        { own: ABSENT, others: [other('Beta', { quote: 'Beta exists.' })] },
        { own: ABSENT, others: [other('Beta', { recommended: true, quote: 'Take Beta.' })] },
      ]),
    ).toBe('"Take Beta.": Beta 3/3, Acme 1/3');
  });

  test('is else of any answer without the brand, and else of any', () => {
    expect(
      quoted([
        { own: NAMED, others: [other('Beta', { recommended: true, quote: 'Acme or Beta.' })] },
        { own: ABSENT, others: [other('Beta', { quote: 'Beta exists.' })] },
      ]),
    ).toBe('"Beta exists.": Beta 2/2, Acme 1/2');
    expect(
      quoted([
        { own: NAMED, others: [other('Beta', { quote: 'Both.' })] },
        { own: ABSENT, others: [other('Beta', { quote: '' })] },
      ]),
    ).toBe('"Both.": Beta 2/2, Acme 1/2');
  });

  test('is the first that says something, rather than a bare name of a list', () => {
    expect(
      quoted([
        { own: ABSENT, others: [other('Beta', { quote: 'Beta' })] },
        { own: ABSENT, others: [other('Beta', { quote: 'Beta has the lowest prices.' })] },
        { own: ABSENT, others: [other('Beta', { quote: 'Beta has good support.' })] },
      ]),
    ).toBe('"Beta has the lowest prices.": Beta 3/3, Acme 0/3');
    expect(quoted([{ own: ABSENT, others: [other('Beta', { quote: 'Beta' })] }])).toBe('"Beta": Beta 1/1, Acme 0/1');
  });

  test('is never made up: without one the counts stand alone', () => {
    expect(quoted([{ own: ABSENT, others: [other('Beta', { quote: '' })] }])).toBe('Beta 1/1, Acme 0/1');
  });

  test('the longest names and quote fit what the fix pack takes: 2,000 characters', () => {
    const name = 'N'.repeat(120);
    const quote = 'q'.repeat(240);
    const { spots } = findWeakSpots(readings([{ own: ABSENT, others: [other(name, { quote })] }]), name);
    expect(spots[0]?.evidence.length).toBeLessThanOrEqual(2000);
  });
});

describe('where no rival is ahead', () => {
  test('the kind in which the brand is named least is the only entry, and nobody wins it', () => {
    const rows = [...five('price', 4, 1), ...five('trust', 2, 2), ...five('problem', 5, 5)];
    expect(findWeakSpots(readings(rows), 'Acme')).toEqual({
      gap: false,
      isNoisy: false,
      spots: [{ topic: intentLabels.trust, evidence: '"Beta is mentioned.": Beta 2/5, Acme 2/5' }],
    });
  });

  test('without any rival the evidence is the count of the brand', () => {
    expect(findWeakSpots(readings(five('price', 0, 0)), 'Acme')).toEqual({
      gap: false,
      isNoisy: false,
      spots: [{ topic: intentLabels.price, evidence: 'Acme 0/5' }],
    });
  });

  test('what ties is the first kind in the order of the prompts', () => {
    expect(topics(intents.toReversed().flatMap((intent) => five(intent, 5, 0)))).toEqual([intentLabels.discovery]);
  });

  test('kinds of question without an answer are not weak: nothing is known of them', () => {
    expect(topics(five('trust', 5, 0))).toEqual([intentLabels.trust]);
  });

  test('without answers there is no entry', () => {
    expect(findWeakSpots([], 'Acme')).toEqual({ gap: false, isNoisy: false, spots: [] });
  });
});
