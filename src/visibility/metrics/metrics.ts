import { sum } from '../../lib/numbers.ts';
import { intentLabels, type PromptIntent, promptIntents } from '../run/intents.ts';
import { bootstrapRatio, type RateInterval, roundDecimals, roundRate, computeWilson } from './statistics.ts';

/** Rows of a table of rivals, and of a leaderboard. */
export const MAX_RIVAL_ROWS = 20;
export const MAX_LEADERS = 10;

/** How an answer names the brand that is measured: see `Presence` in mentions.ts. */
export type OwnMention = {
  mentioned: boolean;
  recommended: boolean;
  negative: boolean;
  block: number | undefined;
  places: number;
  rejected: number;
  /** The sentence that names it first. */
  quote?: string | undefined;
};

/** How an answer names someone else: `block` is the first that does, `quote` a literal sentence of it. */
export type OtherMention = { name: string; recommended: boolean; block: number; quote: string };

/**
 * A valid answer reduced to who is named in it. `others` holds each name at most once; `further` has the first
 * block of each more name that has no row in a table: see `DiscoveredNames` in rivals.ts.
 */
export type AnswerReading = {
  index: number;
  intent: PromptIntent;
  own: OwnMention;
  others: readonly OtherMention[];
  further: readonly number[];
};

export type RivalRow = {
  name: string;
  mentioned: number;
  mention_rate: RateInterval;
  recommended: number;
  share_of_voice: number;
};
export type LeaderboardRow = { name: string; answers: number; of: number; quote: string };
export type IntentRow = {
  intent: PromptIntent;
  label: string;
  valid: number;
  mention_rate: RateInterval | null;
  recommended: number;
  top_rival: { name: string; mentioned: number } | null;
};

/** How often someone else is named: in how many of the answers, and recommended in how many. */
export type Tally = { name: string; mentioned: number; recommended: number };

/** Answers that name the brand / answers, with Wilson's interval; null without answers. */
export const computeMentionRate = (readings: readonly AnswerReading[]): RateInterval | null =>
  shareWhere(readings, isOwnMentioned);

/** Answers that recommend the brand / answers, with Wilson's interval; null without answers. */
export const computeRecommendationRate = (readings: readonly AnswerReading[]): RateInterval | null =>
  shareWhere(readings, ({ own }) => own.recommended);

/**
 * Answers that name the brand / the same summed over the brand and all others, each at most once per answer and also
 * those without a row; with a bootstrap interval over prompts, seeded by the run's id. Null when no one was named at
 * all.
 */
export function shareOfVoice(readings: readonly AnswerReading[], seed: string): RateInterval | null {
  const rate = bootstrapRatio(
    readings.map((reading) => [Number(reading.own.mentioned), countVoices(reading)]),
    seed,
  );
  return rate ? roundRate(rate) : null;
}

/**
 * The mean rank of the brand among all that are named, by who is named first: 1 is first, those of one block share the
 * better rank. Over the `n` answers that name it; null when there are none. Ranks change from run to run: a detail only.
 */
export function computeAveragePosition(readings: readonly AnswerReading[]): { value: number; n: number } | null {
  const ranks = readings.flatMap(({ own: { mentioned, block }, others, further }) =>
    mentioned && block !== undefined
      ? [1 + [...others.map((other) => other.block), ...further].filter((one) => one < block).length]
      : [],
  );
  if (ranks.length === 0) return null;
  return { value: roundDecimals(sum(ranks) / ranks.length), n: ranks.length };
}

/**
 * Who else is named, most often first; `share_of_voice` has the same denominator as the brand's. At most 20 rows; the
 * names of `pinned` are among them even when others, or no answers, name them.
 */
export function buildRivalRows(
  readings: readonly AnswerReading[],
  pinned: readonly string[] = [],
): readonly RivalRow[] {
  const voices = sum(readings.map(countVoices));
  return selectListed(buildTallies(readings), pinned).flatMap(({ name, mentioned, recommended }) => {
    const rate = computeWilson(mentioned, readings.length);
    if (!rate) return [];
    const voice = voices === 0 ? 0 : roundDecimals(mentioned / voices);
    return [{ name, mentioned, mention_rate: roundRate(rate), recommended, share_of_voice: voice }];
  });
}

/**
 * Whom the answers recommend that do not name the brand, most often first: in `answers` of those `of` answers. `quote`
 * is a literal sentence of the first of them. At most 10.
 */
export function buildRecommendedInstead(readings: readonly AnswerReading[]): readonly LeaderboardRow[] {
  const absent = readings.filter((reading) => !isOwnMentioned(reading));
  return buildTallies(absent)
    .filter(({ recommended }) => recommended > 0)
    .toSorted((one, other) => other.recommended - one.recommended)
    .slice(0, MAX_LEADERS)
    .map(({ name, recommended }) => ({
      name,
      answers: recommended,
      of: absent.length,
      quote:
        findRivalQuote(absent, name, (other) => other.recommended) ?? findRivalQuote(absent, name, () => true) ?? '',
    }));
}

/** Whether the questions are a buyer's own, which are of no kind of ours. */
export const isOfOwnQuestions = (readings: readonly AnswerReading[]): boolean =>
  readings.some(({ intent }) => intent === 'own');

/** One row per kind of question, in the order of the prompt set, also where no answer came. A buyer's own are one kind. */
export const buildIntentRows = (readings: readonly AnswerReading[]): readonly IntentRow[] =>
  promptIntents
    .filter((intent) => (intent === 'own') === isOfOwnQuestions(readings))
    .map((intent) => {
      const asked = filterByIntent(readings, intent);
      const top = buildTallies(asked)[0];
      return {
        intent,
        label: intentLabels[intent],
        valid: asked.length,
        mention_rate: computeMentionRate(asked),
        recommended: asked.filter(({ own }) => own.recommended).length,
        top_rival: top ? { name: top.name, mentioned: top.mentioned } : null,
      };
    });

/** How many different names an answer holds. */
const countVoices = ({ own, others, further }: AnswerReading): number =>
  Number(own.mentioned) + others.length + further.length;

export const isOwnMentioned = ({ own }: AnswerReading): boolean => own.mentioned;

export const filterByIntent = (readings: readonly AnswerReading[], intent: PromptIntent): readonly AnswerReading[] =>
  readings.filter((reading) => reading.intent === intent);

/** Everybody else who is named: by mentions, then recommendations, then name (in the order of UTF-16 units). */
export function buildTallies(readings: readonly AnswerReading[]): readonly Tally[] {
  const byName = new Map<string, Tally>();
  for (const { name, recommended } of readings.flatMap(({ others }) => others)) {
    const tally = byName.get(name) ?? { name, mentioned: 0, recommended: 0 };
    tally.mentioned += 1;
    tally.recommended += Number(recommended);
    byName.set(name, tally);
  }
  return [...byName.values()].toSorted(
    (one, other) =>
      other.mentioned - one.mentioned || other.recommended - one.recommended || (one.name < other.name ? -1 : 1),
  );
}

/**
 * A quote that names `name` in a mention of the wanted kind: the first that says something about it, or else the first,
 * which may be the bare name of a list.
 */
export function findRivalQuote(
  readings: readonly AnswerReading[],
  name: string,
  wanted: (mention: OtherMention) => boolean,
): string | undefined {
  const quotes = readings
    .flatMap(({ others }) => others)
    .filter((other) => other.name === name && other.quote !== '' && wanted(other))
    .map(({ quote }) => quote);
  return quotes.find((quote) => quote.length >= name.length + MIN_SAID_CHARS) ?? quotes[0];
}

/** Characters beside the name that a few words of a sentence have at least. */
const MIN_SAID_CHARS = 12;

/** The first tallies, with room kept for pinned names that are not among them. */
function selectListed(all: readonly Tally[], pinned: readonly string[]): readonly Tally[] {
  const first = all.slice(0, MAX_RIVAL_ROWS).map(({ name }) => name);
  const missing = pinned.filter((name) => !first.includes(name));
  const added = missing.map(
    (name) => all.find((tally) => tally.name === name) ?? { name, mentioned: 0, recommended: 0 },
  );
  return [...all.slice(0, MAX_RIVAL_ROWS - added.length), ...added];
}

function shareWhere(
  readings: readonly AnswerReading[],
  wanted: (reading: AnswerReading) => boolean,
): RateInterval | null {
  const rate = computeWilson(readings.filter(wanted).length, readings.length);
  return rate ? roundRate(rate) : null;
}
