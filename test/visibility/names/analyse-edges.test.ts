import { describe, expect, test } from 'vitest';
import { analyseBrand, type BrandAnalysis } from '../../../src/visibility/metrics/analyse.ts';
import { buildPrompts } from '../../../src/visibility/run/prompts.ts';
import { RUN_ID } from '../metrics/readings.ts';

const prompts = buildPrompts('help desk software');

/** What a run of 30 answers says about Zendril, or another brand. */
const reportOn = (textAt: (index: number) => string, brand = 'Zendril'): BrandAnalysis =>
  analyseBrand(
    {
      runId: RUN_ID,
      promptSet: { id: 'v1', sha256: '0'.repeat(64) },
      engine: { kind: 'recorded', model: 'test-1' },
      niche: 'help desk software',
      startedAtMs: 0,
      endedAtMs: 1000,
      answers: prompts.map(({ index }) => ({
        index,
        status: 'answered',
        text: textAt(index),
        sha256: '0'.repeat(64),
        servedModel: 'test-1',
        finishReason: 'stop',
        citations: undefined,
      })),
    },
    brand,
    prompts,
  );

const listOf = (names: readonly string[]): string =>
  names.map((name, at) => `${at + 1}. **${name}** - answers customers by mail.`).join('\n');

/** A name that no other pair of numbers has, and that no list of words holds. */
const nameOf = (answer: number, place: number): string =>
  `Q${syllables[Math.floor(answer / 6)] ?? ''}${syllables[answer % 6] ?? ''}${syllables[6 + Math.floor(place / 5)] ?? ''}${syllables[place % 5] ?? ''}x`;
const syllables = ['uo', 'ari', 'ebo', 'imu', 'ovi', 'uxe', 'lta', 'rdo', 'nke', 'bru'];

describe('spellings of one rival', () => {
  test.each([
    ['accents', 'Nestlé', 'Nestle'],
    ['full width', 'Ｑｕｏｌｔｉｘ', 'Quoltix'],
  ])('that differ by %s are one, in 30 of 30 answers', (_, one, other) => {
    const { rivals, share_of_voice: share } = reportOn((index) => listOf(['Zendril', index < 15 ? one : other]));
    expect(rivals).toMatchObject([{ mentioned: 30, recommended: 30, share_of_voice: 0.5 }]);
    expect(share?.value).toBe(0.5);
  });
});

describe('names that stand in one answer each', () => {
  test('rank before the brand as others do: it is second everywhere', () => {
    const report = reportOn((index) => listOf([nameOf(index, 0), 'Zendril']));
    expect(report.rivals).toEqual([]);
    expect(report.average_position).toEqual({ value: 2, n: 30 });
  });

  test('all count in the share of voice, 600 as well: 30 of 630', () => {
    const report = reportOn((index) =>
      listOf(['Zendril', ...Array.from({ length: 20 }, (_, place) => nameOf(index, place))]),
    );
    expect(report.share_of_voice?.value).toBe(0.0476);
    expect(report.notes.join(' ')).toContain('600 more names were found; the share of voice counts them.');
  });
});

describe('a name that is an ordinary word', () => {
  const doubt = 'More uses were left out than counted';
  const word = 'Set a target for the team before you choose a tool.';

  test.each([
    [
      '50 uses against 12',
      'Buy it at Target. Go to Target. We like Target. People love Target. Try Target.',
      12,
      false,
    ],
    ['10 uses against 20', 'Buy it at Target.', 20, true],
  ])('is in doubt by its uses, not by its answers: %s', (_, named, refused, isInDoubt) => {
    const { ambiguity, notes } = reportOn((index) => {
      if (index < 10) return named;
      return index < 10 + refused ? word : 'Nothing here.';
    }, 'Target');
    expect(ambiguity.rejected).toBe(refused);
    expect(notes.some((note) => note.startsWith(doubt))).toBe(isInDoubt);
  });
});
