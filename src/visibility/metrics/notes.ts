import type { CollectedRun } from '../run/run.ts';
import { hasName } from '../names/mentions.ts';
import { isOfOwnQuestions, isOwnMentioned, type AnswerReading, type RivalRow } from './metrics.ts';
import { type MeasuredSide, type ValidAnswer, selectValidAnswers } from './readings.ts';
import { computeWilson, findSmallestVisibleDifference, POWER } from './statistics.ts';
import { type Comparison, computeWorstVerdict } from './versus.ts';
import type { WeakSpotsResult } from './weak-spots.ts';

/** What a reader must know of the run as a whole. Notes are our words and numbers: no text of an answer or a caller. */
export function runNotes(run: CollectedRun): readonly string[] {
  const valid = selectValidAnswers(run);
  const asked = run.answers.length;
  const refused = run.answers.filter(({ status }) => status === 'refused').length;
  const failed = asked - valid.length - refused;
  const cut = valid.filter(isTruncated).length;
  return [
    ...(failed > 0
      ? [
          `${failed} of ${asked} prompts got no answer. Rates are over the ${valid.length} answers there are; the worst case shows how far the missing ones could move the mention rate.`,
        ]
      : []),
    ...(refused > 0
      ? [
          `${refused} of ${asked} ${refused === 1 ? 'prompt was' : 'prompts were'} refused: what came is no answer to the question. Rates are over the ${valid.length} real answers; the worst case counts the refused as missing.`,
        ]
      : []),
    ...(valid.length >= countWholeAnswers(asked)
      ? []
      : [`With fewer than ${countWholeAnswers(asked)} answers the measurement is degraded: its intervals are wide.`]),
    ...(cut > 0
      ? [`${formatAnswerCount(cut)} cut off at the length limit of the engine: names behind the cut are not counted.`]
      : []),
    ...(valid.some(({ citations }) => citations !== undefined)
      ? []
      : ['The engine gives no sources, so sources were not measured.']),
  ];
}

/** Answers from which on a measurement counts as whole: nine of ten. */
const countWholeAnswers = (asked: number): number => Math.ceil((9 * asked) / 10);

/** Two brands that are each in half of the answers, and know nothing of each other, disagree in half of them. */
const USUAL_DISCORDANCE = 0.5;

/**
 * What one brand's figures can show. Set v1 has no such note: its results stay as they were. A comparison has its own, for
 * the disagreement that is in it.
 */
export const buildReachNotes = (run: CollectedRun): readonly string[] =>
  run.promptSet.id === 'v1' ? [] : [describeReach(selectValidAnswers(run).length)];

/** What so many answers can show: the range of a rate in the middle, and the difference that is seen as a rule. */
export function describeReach(answers: number): string {
  const half = Math.floor(answers / 2);
  const range = computeWilson(half, answers);
  const smallest = findSmallestVisibleDifference(answers, USUAL_DISCORDANCE);
  const rate =
    range === undefined
      ? ''
      : ` A brand that ${half} of them name has a range of ${formatPoints(range.low)} % to ${formatPoints(range.high)} %.`;
  return smallest === undefined
    ? `With ${answers} answers no difference between two brands can be seen.${rate}`
    : `With ${answers} answers only differences of about ${formatPoints(smallest)} points between two brands can be seen.${rate}`;
}

const formatPoints = (share: number): number => Math.round(share * 100);

/**
 * What a reader must know of one brand's figures.
 * @param rivals the rows that are shown. @param chosen names that the caller asked about.
 */
export function buildBrandNotes(
  { name, caseSensitive, readings, furtherNames, isUnderRead }: MeasuredSide,
  { gap, isNoisy }: WeakSpotsResult,
  rivals: readonly RivalRow[],
  chosen: readonly string[],
): readonly string[] {
  const against = readings.filter(({ own }) => own.negative).length;
  const questions = isOfOwnQuestions(readings) ? 'own' : 'kinds';
  const others = new Set(readings.flatMap((reading) => reading.others.map((other) => other.name)));
  const more = others.size - rivals.filter(({ mentioned }) => mentioned > 0).length + furtherNames;
  return [
    ...(caseSensitive ? buildAmbiguityNotes(readings) : []),
    ...(readings.some(isOwnMentioned) ? [] : ['No answer names it, so it has no position.']),
    ...(others.size === 0 ? ['No other name was found in two or more answers.'] : []),
    ...(more > 0
      ? [
          more === 1
            ? '1 more name was found; the share of voice counts it.'
            : `${more} more names were found; the share of voice counts them.`,
        ]
      : []),
    ...(isUnderRead ? ['In this language, names in running text are often missed: the counts may be too low.'] : []),
    ...(against > 0 ? [`Answers that advise against it (they count as mentions): ${against}.`] : []),
    ...rivals.flatMap((rival, row) =>
      !chosen.includes(rival.name) && isPartOf(name, rival.name)
        ? [`Rival ${row + 1} of the list has a part of this name: it may be the same company under a shorter name.`]
        : [],
    ),
    ...(isNoisy ? [NOISE_WORDS[questions]] : []),
    ...(gap ? [] : [NO_GAP_WORDS[questions]]),
  ];
}

const NOISE_WORDS = {
  kinds:
    'Five answers per kind of question are few: the gaps in the weak spots may be chance. Repeat the measurement before you act.',
  own: 'One answer per question is little: a weak spot may be chance. Repeat the measurement before you act.',
} as const;

const NO_GAP_WORDS = {
  kinds: 'No rival is named more often in any kind of question. The weak spot is the kind in which it is named least.',
  own: 'No question has a rival in its answer and not this brand. The weak spot is the question at which it is named least.',
} as const;

function buildAmbiguityNotes(readings: readonly AnswerReading[]): readonly string[] {
  const rejected = readings.reduce((sum, { own }) => sum + own.rejected, 0);
  return [
    `The name is short or also an ordinary word. Uses not counted because of their capitals or as the ordinary word: ${rejected}.`,
    ...(rejected > readings.reduce((sum, { own }) => sum + own.places, 0)
      ? ['More uses were left out than counted: read the answers before you trust this rate.']
      : []),
  ];
}

const VERDICT_WORDS = {
  brand: 'that the brand is named more often',
  competitor: 'that the competitor is named more often',
  too_close_to_call: 'too close to call',
} as const;

/** What the verdict means, and what this run could not have seen. `missing`: prompts without an answer. */
export function buildVerdictNotes(comparison: Comparison, missing: number): readonly string[] {
  const { verdict, p_value, discordant, smallest_visible_difference: smallest } = comparison;
  const { brand_only: ahead, competitor_only: behind } = discordant;
  const counts = `${ahead} answers name only the brand, ${behind} only the competitor (p = ${p_value}).`;
  const worst = computeWorstVerdict(comparison, missing);
  return [
    verdict === 'too_close_to_call' ? `${counts} That is too close to call, which does not mean equal.` : counts,
    ...(worst === verdict
      ? []
      : [`With the ${missing} missing answers all against it, the verdict would be ${VERDICT_WORDS[worst]}.`]),
    ...(smallest === null
      ? ['So few answers cannot show a difference of any size.']
      : [
          `With this much disagreement, a true difference of ${Math.round(smallest * 100)} points would be called in ${POWER * 100} % of runs; smaller ones often go unseen.`,
        ]),
  ];
}

/** The first test is a cheap one: most rivals share nothing with the name. */
const isPartOf = (name: string, other: string): boolean =>
  name.toLowerCase().includes(other.toLowerCase()) && hasName(name, other);

/** The engine stopped before the answer was complete. */
export const isTruncated = ({ finishReason }: ValidAnswer): boolean => finishReason === 'length';

const formatAnswerCount = (count: number): string => (count === 1 ? '1 answer was' : `${count} answers were`);
