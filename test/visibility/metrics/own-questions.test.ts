import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createRandomFromSeed } from '../../../src/lib/seeded-random.ts';
import { analyseBrand, analyseVersus } from '../../../src/visibility/metrics/analyse.ts';
import { describeReach } from '../../../src/visibility/metrics/notes.ts';
import { bootstrapRatio, computeWilson } from '../../../src/visibility/metrics/statistics.ts';
import { type Prompt, buildPrompts } from '../../../src/visibility/run/prompts.ts';
import type { CollectedRun, RunAnswer } from '../../../src/visibility/run/run.ts';
import { RUN_ID } from './readings.ts';

const questions = ['mail', 'chat', 'phone', 'price', 'privacy', 'support'];
const promptsOf = (count: number): readonly Prompt[] =>
  Array.from({ length: count }, (_, index) => ({
    index,
    id: `own-${index + 1}`,
    intent: 'own',
    text: `Which help desk is good for ${questions[index % 6]}, case ${index}?`,
  }));

const listOf = (names: readonly string[]): string =>
  ['Here is what people use:', '', ...names.map((name, at) => `${at + 1}. **${name}** - answers by mail.`)].join('\n');

const answer = (index: number, names: readonly string[]): RunAnswer => ({
  index,
  status: 'answered',
  text: listOf(names),
  sha256: '0'.repeat(64),
  servedModel: 'test-1',
  finishReason: 'stop',
  citations: ['https://reviews.example/'],
});
const refuse = (index: number): RunAnswer => ({
  index,
  status: 'refused',
  refusal: index % 2 === 0 ? 'refusal' : 'off_topic',
  text: 'I cannot help with that.',
  sha256: '0'.repeat(64),
  servedModel: 'test-1',
  finishReason: 'stop',
});
const runOf = (answers: readonly RunAnswer[], id = 'own'): CollectedRun => ({
  runId: RUN_ID,
  promptSet: { id, sha256: '0'.repeat(64) },
  engine: { kind: 'recorded', model: 'test-1' },
  niche: 'help desk software',
  startedAtMs: 0,
  endedAtMs: 1000,
  answers,
});

/** Quoltix is in five of six answers, Brimvale in two, Zendril in two. */
const six = [
  ['Quoltix', 'Zendril'],
  ['Quoltix'],
  ['Quoltix', 'Brimvale'],
  ['Brimvale'],
  ['Quoltix', 'Zendril'],
  ['Quoltix'],
];
const sixRun = runOf(six.map((names, index) => answer(index, names)));

describe('six questions of a buyer', () => {
  const report = analyseBrand(sixRun, 'Zendril', promptsOf(6));

  test('have rates over six, and one row of kinds', () => {
    expect(report.mention_rate).toMatchObject({ value: 0.3333, n: 6 });
    expect(report.intents).toMatchObject([{ intent: 'own', label: 'Your own questions', valid: 6 }]);
    expect(report.share_of_voice).toMatchObject({ value: 0.2222, n: 6 });
  });

  test('a weak spot is a question in its words; that with the rival named most often comes first', () => {
    expect(report.weak_spots.map(({ topic, who_wins }) => [topic, who_wins])).toEqual([
      ['Which help desk is good for chat, case 1?', 'Quoltix'],
      ['Which help desk is good for phone, case 2?', 'Quoltix'],
      ['Which help desk is good for support, case 5?', 'Quoltix'],
    ]);
    expect(report.weak_spots[0]?.evidence).toMatch(/Quoltix 1\/1, Zendril 0\/1$/u);
  });

  test('notes say what six can show, and that one answer per question is little', () => {
    expect(report.notes).toContain(
      'With 6 answers only differences of about 86 points between two brands can be seen. A brand that 3 of them name has a range of 19 % to 81 %.',
    );
    expect(report.notes.join(' ')).toContain('One answer per question is little');
    expect(report.notes.join(' ')).not.toContain('degraded');
    expect(report.notes.join(' ')).not.toContain('kind of question');
  });

  test('a brand that every answer names has the first question as its only entry', () => {
    const all = analyseBrand(
      runOf(six.map((names, index) => answer(index, ['Zendril', ...names]))),
      'Zendril',
      promptsOf(6),
    );
    expect(all.weak_spots).toHaveLength(1);
    expect(all.weak_spots[0]).not.toHaveProperty('who_wins');
    expect(all.notes.join(' ')).toContain('No question has a rival in its answer and not this brand.');
  });

  test('two brands are compared on them', () => {
    const versus = analyseVersus(sixRun, 'Zendril', 'Quoltix', promptsOf(6));
    expect(versus).toMatchObject({ verdict: 'too_close_to_call', discordant: { brand_only: 0, competitor_only: 3 } });
    expect(versus.smallest_visible_difference).toBeGreaterThan(0.8);
    expect(versus.notes.filter((note) => /difference/u.test(note))).toHaveLength(1);
  });

  test('a question that is too long for a topic is cut after a word', () => {
    const long = promptsOf(6).map((prompt) => ({ ...prompt, text: `${prompt.text} ${'and more '.repeat(25)}` }));
    for (const { topic } of analyseBrand(sixRun, 'Zendril', long).weak_spots)
      expect(topic.length).toBeLessThanOrEqual(120);
  });
});

test('a hundred questions are read too', () => {
  const run = runOf(Array.from({ length: 100 }, (_, index) => answer(index, index % 4 ? ['Quoltix'] : ['Zendril'])));
  const report = analyseBrand(run, 'Zendril', promptsOf(100));
  expect(report.mention_rate).toMatchObject({ value: 0.25, n: 100 });
  expect(report.notes.join(' ')).toContain('With 100 answers only differences of about 20 points');
});

test('the first set says nothing of what 30 can show: its results are what they were', () => {
  const answers = Array.from({ length: 30 }, (_, index) => answer(index, ['Zendril', 'Quoltix']));
  const notes = analyseBrand(runOf(answers, 'v1'), 'Zendril', buildPrompts('help desk software')).notes.join(' ');
  expect(notes).not.toContain('can be seen');
  const v2 = analyseBrand(runOf(answers, 'v2-en-product'), 'Zendril', buildPrompts('help desk software'));
  expect(v2.notes.join(' ')).toContain('With 30 answers only differences of about 34 points');
  expect(v2.intents).toHaveLength(6);
});

describe('refused prompts', () => {
  const answers = six.map((names, index) => (index < 2 ? refuse(index) : answer(index, names)));
  const report = analyseBrand(
    runOf([...answers, { index: 6, status: 'failed', reason: 'timeout' }]),
    'Zendril',
    promptsOf(7),
  );

  test('are counted by their kind, and are neither answers nor failures', () => {
    expect(report.refused).toEqual({ total: 2, by_kind: { refusal: 1, off_topic: 1 } });
    expect(report.failures).toEqual({ total: 1, by_reason: { timeout: 1 } });
    expect(report.mention_rate.n).toBe(4);
  });

  test('widen the worst case as failures do', () => {
    expect(report.mention_rate.worst_case).toEqual({ low: 0.1429, high: 0.5714 });
  });

  test('are said in a note of their own', () => {
    expect(report.notes.join(' ')).toContain('2 of 7 prompts were refused');
    expect(report.notes.join(' ')).toContain('1 of 7 prompts got no answer');
    expect(report.notes.join(' ')).toContain('With fewer than 7 answers the measurement is degraded');
  });

  test('turn a verdict that rests on the others', () => {
    const both = Array.from({ length: 12 }, (_, index) => (index < 6 ? answer(index, ['Quoltix']) : refuse(index)));
    const versus = analyseVersus(runOf(both), 'Zendril', 'Quoltix', promptsOf(12));
    expect(versus.verdict).toBe('competitor');
    expect(versus.notes.join(' ')).toContain('With the 6 missing answers all against it');
  });

  test('a run without any has no such member', () => {
    expect(analyseBrand(sixRun, 'Zendril', promptsOf(6))).not.toHaveProperty('refused');
  });
});

describe('what so many answers can show', () => {
  test('more answers show smaller differences and narrower ranges', () => {
    const points = [6, 8, 10, 20, 30, 60, 100].map((count) =>
      Number(/about (\d+) points/u.exec(describeReach(count))?.[1]),
    );
    expect(points).toEqual([86, 70, 58, 41, 34, 25, 20]);
  });

  test('four show none', () => {
    expect(describeReach(4)).toContain('no difference between two brands can be seen');
  });
});

test('the table in the reference is what the functions compute', () => {
  const page = readFileSync(new URL('../../../docs/reference/visibility-metrics.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (\d+) \| (\d+ % to \d+ %) \| (\d+) points \|$/gmu)];
  expect(rows.length).toBeGreaterThan(4);
  for (const [, answers = '', range = '', points = ''] of rows) {
    expect(describeReach(Number(answers))).toContain(`has a range of ${range}.`);
    expect(describeReach(Number(answers))).toContain(`about ${points} points`);
  }
});

describe('ranges of few answers', () => {
  test.each([6, 8, 10, 15, 30, 100])('of %d answers cover the true rate 95 times in 100 on average', (n) => {
    const rates = Array.from({ length: 199 }, (_, at) => (at + 1) / 200);
    const covered = rates.map((rate) => computeCoverage(n, rate));
    const mean = covered.reduce((sum, one) => sum + one, 0) / covered.length;
    expect(mean).toBeGreaterThan(0.94);
    expect(mean).toBeLessThan(0.97);
    expect(Math.min(...covered.slice(9, -9))).toBeGreaterThan(0.83);
  });

  test.each([6, 8, 10, 15])('of %d answers cover the share of voice at least nine times in ten', (n) => {
    const random = createRandomFromSeed(`coverage ${n}`);
    const others = [0.7, 0.5, 0.4, 0.3, 0.2];
    for (const own of [0.1, 0.3, 0.5]) {
      const truth = own / (own + others.reduce((sum, one) => sum + one, 0));
      let shares = 0;
      for (let run = 0; run < RUNS; run += 1) {
        const pairs = Array.from({ length: n }, (): readonly [number, number] => {
          const named = Number(random() < own);
          return [named, named + others.filter((chance) => random() < chance).length];
        });
        const voice = bootstrapRatio(pairs, `${n} ${run}`, 200);
        shares += Number(voice === undefined || (voice.low <= truth && truth <= voice.high));
      }
      expect(shares / RUNS).toBeGreaterThan(0.9);
    }
  });
});

const RUNS = 300;

/** The probability that Wilson's interval of n answers holds the true rate: the exact sum over all counts. */
function computeCoverage(n: number, rate: number): number {
  let probability = (1 - rate) ** n;
  let covered = 0;
  for (let count = 0; count <= n; count += 1) {
    const interval = computeWilson(count, n);
    if (interval && interval.low <= rate && rate <= interval.high) covered += probability;
    probability *= ((n - count) / (count + 1)) * (rate / (1 - rate));
  }
  return covered;
}
