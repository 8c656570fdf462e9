import { formatPlainLine } from '../../lib/safe-text.ts';
import type { CollectedRun, RunAnswer } from '../run/run.ts';
import type { Prompt } from '../run/prompts.ts';
import {
  ABSENT,
  compileName,
  hasName,
  type NameMatcher,
  type Presence,
  readPresence,
  readRecommendation,
  isSameName,
} from '../names/mentions.ts';
import type { OtherMention, AnswerReading } from './metrics.ts';
import { MAX_SEARCHED_NAME_CHARS } from '../names/forms.ts';
import { type DiscoveredRival, type DiscoveredNames, findNames } from '../rivals/rivals.ts';
import { MAX_SENTENCE_QUOTE_CHARS } from '../names/sentences.ts';
import { type AnswerStructure, parseStructure } from '../structure/structure.ts';

/** What the valid answers say about one of the names that are measured, in the order of the prompts. */
export type MeasuredSide = {
  name: string;
  caseSensitive: boolean;
  readings: readonly AnswerReading[];
  /** Names found that have no row, and whether the language hides others: see `DiscoveredNames` in rivals.ts. */
  furtherNames: number;
  isUnderRead: boolean;
};

export type ValidAnswer = Extract<RunAnswer, { status: 'answered' }>;

/** The answers that a measurement counts. */
export const selectValidAnswers = (run: CollectedRun): readonly ValidAnswer[] =>
  run.answers.filter((answer) => answer.status === 'answered');

/**
 * Reads the valid answers of a run once, for all `names`: one side each, in which the other names are among the others.
 * A found name that names one of them ("Acme Mail" for Acme) is no rival but the brand's own.
 * @throws RangeError when an answer belongs to none of the prompts.
 */
export function readRun(
  run: CollectedRun,
  names: readonly string[],
  prompts: readonly Prompt[],
): readonly MeasuredSide[] {
  const answers = selectValidAnswers(run);
  const structures = answers.map(({ text }) => parseStructure(text));
  const corpus = structures.map(joinBlockTexts);
  const measured = names.map((name) => measure(name, names, structures, corpus));
  const isMeasured = (found: string): boolean => measured.some(({ matcher }) => isOwnName(found, matcher));
  const found = findNames(structures, isMeasured, names);
  const rivals = groupRivalsByAnswer(structures, corpus, found, names);
  const promptOf = new Map(prompts.map((prompt) => [prompt.index, prompt]));
  return measured.map((side) => ({
    name: side.name,
    caseSensitive: side.matcher.caseSensitive,
    furtherNames: found.further.names,
    isUnderRead: found.isUnderRead,
    readings: answers.map(({ index }, position) => ({
      index,
      intent: getIntent(promptOf.get(index), index),
      own: side.presences[position] ?? ABSENT,
      others: [
        ...measured.filter((other) => other !== side).flatMap((other) => asOther(other, position)),
        ...(rivals[position] ?? []),
      ],
      further: found.further.perAnswer[position] ?? [],
    })),
  }));
}

type MeasuredName = { name: string; matcher: NameMatcher; presences: readonly Presence[] };

function measure(
  name: string,
  names: readonly string[],
  structures: readonly AnswerStructure[],
  corpus: readonly string[],
): MeasuredName {
  const longer = names.filter((other) => other !== name && hasName(other, name));
  const matcher = compileName(name, corpus, longer);
  const presences = structures.map((structure) => readPresence(structure, matcher));
  return { name: formatPlainLine(name, MAX_SEARCHED_NAME_CHARS), matcher, presences };
}

const joinBlockTexts = ({ blocks }: AnswerStructure): string => blocks.map(({ text }) => text).join('\n');

function getIntent(prompt: Prompt | undefined, index: number): Prompt['intent'] {
  if (!prompt) throw new RangeError(`there is no prompt ${index}`);
  return prompt.intent;
}

function asOther({ name, presences }: MeasuredName, position: number): readonly OtherMention[] {
  const presence = presences[position];
  if (!presence?.mentioned || presence.block === undefined) return [];
  const quote = formatPlainLine(presence.quote ?? '', MAX_SENTENCE_QUOTE_CHARS);
  return [{ name, recommended: presence.recommended, block: presence.block, quote }];
}

/** What would count as a mention of the brand, were it an answer, is not counted again as a rival. */
function isOwnName(found: string, matcher: NameMatcher): boolean {
  const block = { kind: 'item', depth: 0, text: found, head: found, bold: [], parent: undefined } as const;
  return isSameName(found, matcher.name) || readPresence({ blocks: [block] }, matcher).mentioned;
}

/** For each answer the rivals it names. Names that look alike once they are cleaned count once. */
function groupRivalsByAnswer(
  structures: readonly AnswerStructure[],
  corpus: readonly string[],
  { rivals }: DiscoveredNames,
  names: readonly string[],
): readonly (readonly OtherMention[])[] {
  const byAnswer = structures.map(() => new Map<string, OtherMention>());
  const all = [...names, ...rivals.map(({ name }) => name)].map((name) => ({ name, lower: name.toLowerCase() }));
  for (const rival of rivals) {
    const name = formatPlainLine(rival.name, MAX_SEARCHED_NAME_CHARS);
    const recommended = findRivalRecommendations(rival, structures, corpus, all);
    for (const [at, position] of rival.mentionedIn.entries()) {
      const known = byAnswer[position];
      if (name === '' || !known || known.has(name)) continue;
      const quote = formatPlainLine(rival.quotes[at] ?? '', MAX_SENTENCE_QUOTE_CHARS);
      known.set(name, { name, recommended: recommended.has(position), block: rival.firstBlocks[at] ?? 0, quote });
    }
  }
  return byAnswer.map((known) => [...known.values()]);
}

const NO_TEXTS: readonly string[] = [];

/**
 * The answers that recommend a rival, by the rule that holds for the brand. The places at which it was found are known to
 * be names, so that one the matcher takes for an ordinary word is judged by its place.
 */
function findRivalRecommendations(
  { name, isOrdinary, mentionedIn, recommendedIn: headed }: DiscoveredRival,
  structures: readonly AnswerStructure[],
  corpus: readonly string[],
  all: readonly { name: string; lower: string }[],
): ReadonlySet<number> {
  const own = name.toLowerCase();
  const longer = all
    .filter((other) => other.name.length > name.length && other.lower.includes(own))
    .map((other) => other.name);
  // Without small letters anywhere there is nothing to read the answers for, which costs as much as all the rest.
  const matcher = compileName(name, isOrdinary ? corpus : NO_TEXTS, longer);
  const isRecommended = (position: number): boolean => {
    const presence = readRecommendation(structures[position] ?? { blocks: [] }, matcher);
    return presence.mentioned ? presence.recommended : headed.includes(position);
  };
  return new Set(mentionedIn.filter(isRecommended));
}
