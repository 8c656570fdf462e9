import { describe, expect, test } from 'vitest';
import type { AnswerReading } from '../../../src/visibility/metrics/metrics.ts';
import { compareCompetitors } from '../../../src/visibility/panel/competitors.ts';
import { compareEngines } from '../../../src/visibility/panel/differences.ts';
import type { EngineReadings } from '../../../src/visibility/panel/engine-readings.ts';
import { listPooledRivals } from '../../../src/visibility/panel/pooled-rivals.ts';
import type { CollectedRun } from '../../../src/visibility/run/run.ts';
import { ABSENT, NAMED, other } from '../metrics/readings.ts';

const run: CollectedRun = {
  runId: '0'.repeat(32),
  promptSet: { id: 'v1', sha256: '' },
  engine: { kind: 'simulated', model: 'm' },
  niche: 'tea',
  startedAtMs: 0,
  endedAtMs: 0,
  answers: [],
};
/** Answers by index: `+` names it, `-` does not, a space is no answer. */
const readings = (said: string, others: readonly string[] = []): readonly AnswerReading[] =>
  Array.from(said, (one, index) => ({ one, index }))
    .filter(({ one }) => one !== ' ')
    .map(({ one, index }) => ({
      index,
      intent: 'discovery',
      own: one === '+' ? NAMED : ABSENT,
      others: others.map((name) => other(name)),
      further: [],
    }));
const side = (name: string, said: string, others?: readonly string[]) => ({
  name,
  caseSensitive: false,
  readings: readings(said, others),
  furtherNames: 0,
  isUnderRead: false,
});
const engine = (name: string, ...sides: EngineReadings['sides']): EngineReadings => ({ engine: name, run, sides });

describe('engines', () => {
  test('are compared on the prompts that both answered, each pair once, by one adjusted p', () => {
    const some = (said: string, name: string) => engine(name, side('Acme', said));
    const [pair, ...rest] = compareEngines([
      some('++++++++++++--------', 'a'),
      some('--------++++-------- ', 'b'),
      some('++++++++++++--------', 'c'),
    ]);
    expect(pair).toMatchObject({
      engines: ['a', 'b'],
      n: 20,
      difference: 0.4,
      first_only: 8,
      second_only: 0,
      verdict: 'first',
    });
    // Two of the three pairs differ by as much; the third not at all.
    expect(pair?.adjusted_p_value).toBeCloseTo(3 * (pair?.p_value ?? 0), 4);
    expect(rest.map(({ engines, verdict }) => [engines.join(), verdict])).toEqual([
      ['a,c', 'too_close_to_call'],
      ['b,c', 'second'],
    ]);
  });

  test('that answered no prompt in common cannot be told apart', () => {
    const [pair] = compareEngines([engine('a', side('Acme', '+++   ')), engine('b', side('Acme', '   ---'))]);
    expect(pair).toMatchObject({ n: 0, difference: 0, p_value: 1, verdict: 'too_close_to_call' });
  });
});

describe('competitors', () => {
  test('differ by the rates that are printed, also where an engine has fewer answers', () => {
    const full = '+'.repeat(15) + '-'.repeat(15);
    const few = ' '.repeat(6) + '+'.repeat(24);
    const [rival] = compareCompetitors(
      [
        engine('a', side('Acme', full), side('Rival', '-'.repeat(30))),
        engine('b', side('Acme', few), side('Rival', ' '.repeat(6) + '-'.repeat(24))),
      ],
      'seed',
    );
    // Acme: (15 of 30 and 24 of 24) / 2, Rival: 0.
    expect(rival).toMatchObject({
      name: 'Rival',
      mention_rate: { value: 0, n: 54 },
      difference: 0.75,
      verdict: 'brand',
    });
  });

  test('that are named as often as the brand are too close to call', () => {
    const same = '+-'.repeat(15);
    const rows = compareCompetitors([engine('a', side('Acme', same), side('Rival', same), side('Third', same))], 's');
    expect(rows.map(({ name, difference, p_value: p, verdict }) => [name, difference, p, verdict])).toEqual([
      ['Rival', 0, 1, 'too_close_to_call'],
      ['Third', 0, 1, 'too_close_to_call'],
    ]);
  });
});

test('rivals of several engines count once however they are spelled, the most named first', () => {
  const rows = listPooledRivals([
    engine('a', side('Acme', '----------', ['Zendesk', 'Café Müller'])),
    engine('b', side('Acme', '-----', ['zendesk', 'Cafe Mueller'])),
    engine('c', side('Acme', '-----', ['Freshdesk'])),
  ]);
  expect(rows.map(({ name, engines, mentioned }) => [name, engines, mentioned])).toEqual([
    ['Café Müller', 2, 15],
    ['Zendesk', 2, 15],
    ['Freshdesk', 1, 5],
  ]);
  expect(rows.map(({ mention_rate: { value } }) => value)).toEqual([0.6667, 0.6667, 0.3333]);
});
