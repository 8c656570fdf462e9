import { formatPlainLine } from '../../lib/safe-text.ts';
import { intents, intentLabels } from '../run/intents.ts';
import type { Prompt } from '../run/prompts.ts';
import {
  isOwnMentioned,
  filterByIntent,
  findRivalQuote,
  isOfOwnQuestions,
  type AnswerReading,
  buildTallies,
  type Tally,
} from './metrics.ts';
import { isOverlapping, computeWilson } from './statistics.ts';

/** Weak spots that are reported, and that the fix pack takes. */
export const MAX_REPORTED_WEAK_SPOTS = 3;
/** Longest topic that the fix pack takes, in UTF-16 units. */
const MAX_TOPIC_CHARS = 120;

/** A kind of question, or one of a buyer's own, in which a rival is named more often: what visibility_fix_pack takes as it is. */
export type IntentWeakSpot = { topic: string; who_wins?: string; evidence: string };

/**
 * The one to three kinds of question in which the brand is furthest behind its best rival: by the gap between their
 * mention rates, then by how often the rival is named, then in the order of the prompt set. `evidence` is a literal
 * quote of an answer that names the rival, then the counts of both: `"...": Beta 4/5, Acme 0/5`.
 *
 * When no rival is ahead anywhere, `gap` is false and the only entry is the kind in which the brand is named least,
 * without `who_wins`. Empty only when there are no readings. `isNoisy`: for one of the entries the Wilson intervals of the
 * two rates overlap, so that its gap may be chance; the best rival of each kind is picked after the fact, which flatters it.
 *
 * A buyer's own questions are of no kind: each is a topic of its own, in its words. Of the rivals that an
 * answer names, the one counts that most answers name.
 * @param brand its name, on one line. @param prompts those that were asked, for the words of a buyer's own.
 */
export function findWeakSpots(
  readings: readonly AnswerReading[],
  brand: string,
  prompts: readonly Prompt[] = [],
): WeakSpotsResult {
  const standings = isOfOwnQuestions(readings)
    ? rankByQuestion(readings, prompts)
    : intents.flatMap((intent) => rankRivals(intentLabels[intent], filterByIntent(readings, intent)));
  const behind = standings.filter(({ gap }) => gap > 0).toSorted(compareByGap);
  const listed = behind.slice(0, MAX_REPORTED_WEAK_SPOTS);
  if (listed.length > 0)
    return { gap: true, isNoisy: listed.some(isWithinNoise), spots: listed.map((one) => buildWeakSpot(one, brand)) };
  const weakest = standings.toSorted((one, other) => one.rate - other.rate).slice(0, 1);
  return { gap: false, isNoisy: false, spots: weakest.map((one) => buildWeakSpot(one, brand)) };
}

/** `gap`: a rival is ahead in some kind of question. */
export type WeakSpotsResult = { gap: boolean; isNoisy: boolean; spots: readonly IntentWeakSpot[] };

type QuestionGap = {
  topic: string;
  asked: readonly AnswerReading[];
  own: number;
  /** The brand's mention rate here. */
  rate: number;
  rival: { name: string; mentioned: number } | undefined;
  /** The rival's mention rate minus the brand's. */
  gap: number;
};

/** @param asked the answers to the questions of one topic. @param compareRivals which rival counts; without it the first. */
function rankRivals(
  topic: string,
  asked: readonly AnswerReading[],
  compareRivals: (one: Tally, other: Tally) => number = () => 0,
): readonly QuestionGap[] {
  if (asked.length === 0) return [];
  const own = asked.filter(isOwnMentioned).length;
  const rival = buildTallies(asked).toSorted(compareRivals)[0];
  // One division, so that equal gaps are equal numbers.
  const gap = ((rival?.mentioned ?? 0) - own) / asked.length;
  return [{ topic, asked, own, rate: own / asked.length, rival, gap }];
}

/** Questions at which a rival is ahead that many answers name come first: with one answer each, all gaps are alike. */
function rankByQuestion(readings: readonly AnswerReading[], prompts: readonly Prompt[]): readonly QuestionGap[] {
  const overall = new Map(buildTallies(readings).map(({ name, mentioned }) => [name, mentioned]));
  const weigh = (rival: { name: string } | undefined): number => (rival ? (overall.get(rival.name) ?? 0) : 0);
  const words = new Map(prompts.map(({ index, text }) => [index, formatPlainLine(text, MAX_TOPIC_CHARS)]));
  return [...Map.groupBy(readings, ({ index }) => index)]
    .flatMap(([index, asked]) =>
      rankRivals(
        words.get(index) ?? intentLabels.own,
        asked,
        (one, other) => other.mentioned - one.mentioned || weigh(other) - weigh(one),
      ),
    )
    .toSorted((one, other) => weigh(other.rival) - weigh(one.rival));
}

function isWithinNoise({ asked, own, rival }: QuestionGap): boolean {
  const [ownRate, rivalRate] = [computeWilson(own, asked.length), computeWilson(rival?.mentioned ?? 0, asked.length)];
  return ownRate !== undefined && rivalRate !== undefined && isOverlapping(ownRate, rivalRate);
}

/** Sorting is stable: what ties stays in the order of the prompt set. */
const compareByGap = (one: QuestionGap, other: QuestionGap): number =>
  other.gap - one.gap || (other.rival?.mentioned ?? 0) - (one.rival?.mentioned ?? 0);

function buildWeakSpot({ topic, asked, own, rival, gap }: QuestionGap, brand: string): IntentWeakSpot {
  const ownCount = `${brand} ${own}/${asked.length}`;
  if (!rival) return { topic, evidence: ownCount };
  const quote = findBestQuote(asked, rival.name);
  const counts = `${rival.name} ${rival.mentioned}/${asked.length}, ${ownCount}`;
  const evidence = quote === undefined ? counts : `"${quote}": ${counts}`;
  return gap > 0 ? { topic, who_wins: rival.name, evidence } : { topic, evidence };
}

/** What shows the gap best: an answer that recommends the rival and does not know the brand. */
function findBestQuote(asked: readonly AnswerReading[], rival: string): string | undefined {
  const absent = asked.filter((reading) => !isOwnMentioned(reading));
  return (
    findRivalQuote(absent, rival, ({ recommended }) => recommended) ??
    findRivalQuote(absent, rival, () => true) ??
    findRivalQuote(asked, rival, () => true)
  );
}
