import { plainLine } from '../../lib/plain-line.ts';
import type { CollectedRun, KeptAnswer, Prompt } from '../../models/answer/port.ts';
import {
  ABSENT,
  compileName,
  containsName,
  type NameMatcher,
  type Presence,
  presenceOf,
  sameName,
} from '../names/mentions.ts';
import type { OtherMention, Reading } from './metrics.ts';
import { MAX_NAME_CHARS } from '../names/forms.ts';
import { type FoundRival, type FoundNames, findNames } from '../rivals/rivals.ts';
import { MAX_QUOTE_CHARS } from '../names/sentences.ts';
import { type AnswerStructure, structureOf } from '../structure/structure.ts';

/** What the valid answers say about one of the names that are measured, in the order of the prompts. */
export type Side = {
  name: string;
  caseSensitive: boolean;
  readings: readonly Reading[];
  /** Names found that have no row, and whether the language hides others: see `FoundNames` in rivals.ts. */
  furtherNames: number;
  isUnderRead: boolean;
};

export type ValidAnswer = Extract<KeptAnswer, { status: 'answered' }>;

/** The answers that a measurement counts. */
export const validAnswers = (run: CollectedRun): readonly ValidAnswer[] =>
  run.answers.filter((answer) => answer.status === 'answered');

/**
 * Reads the valid answers of a run once, for all `names`: one side each, in which the other names are among the others.
 * A found name that names one of them ("Acme Mail" for Acme) is no rival but the brand's own.
 * @throws RangeError when an answer belongs to none of the prompts.
 */
export function readRun(run: CollectedRun, names: readonly string[], prompts: readonly Prompt[]): readonly Side[] {
  const answers = validAnswers(run);
  const structures = answers.map(({ text }) => structureOf(text));
  const corpus = structures.map(textOf);
  const measured = names.map((name) => measure(name, names, structures, corpus));
  const isMeasured = (found: string): boolean => measured.some(({ matcher }) => isOwnName(found, matcher));
  const found = findNames(structures, isMeasured, names);
  const rivals = rivalsByAnswer(structures, corpus, found, names);
  const promptOf = new Map(prompts.map((prompt) => [prompt.index, prompt]));
  return measured.map((side) => ({
    name: side.name,
    caseSensitive: side.matcher.caseSensitive,
    furtherNames: found.further.names,
    isUnderRead: found.isUnderRead,
    readings: answers.map(({ index }, position) => ({
      index,
      intent: intentOf(promptOf.get(index), index),
      own: side.presences[position] ?? ABSENT,
      others: [
        ...measured.filter((other) => other !== side).flatMap((other) => asOther(other, position)),
        ...(rivals[position] ?? []),
      ],
      further: found.further.perAnswer[position] ?? [],
    })),
  }));
}

type Measured = { name: string; matcher: NameMatcher; presences: readonly Presence[] };

function measure(
  name: string,
  names: readonly string[],
  structures: readonly AnswerStructure[],
  corpus: readonly string[],
): Measured {
  const longer = names.filter((other) => other !== name && containsName(other, name));
  const matcher = compileName(name, corpus, longer);
  const presences = structures.map((structure) => presenceOf(structure, matcher));
  return { name: plainLine(name, MAX_NAME_CHARS), matcher, presences };
}

const textOf = ({ blocks }: AnswerStructure): string => blocks.map(({ text }) => text).join('\n');

function intentOf(prompt: Prompt | undefined, index: number): Prompt['intent'] {
  if (!prompt) throw new RangeError(`there is no prompt ${index}`);
  return prompt.intent;
}

function asOther({ name, presences }: Measured, position: number): readonly OtherMention[] {
  const presence = presences[position];
  if (!presence?.mentioned || presence.block === undefined) return [];
  const quote = plainLine(presence.quote ?? '', MAX_QUOTE_CHARS);
  return [{ name, recommended: presence.recommended, block: presence.block, quote }];
}

/** What would count as a mention of the brand, were it an answer, is not counted again as a rival. */
function isOwnName(found: string, matcher: NameMatcher): boolean {
  const block = { kind: 'item', depth: 0, text: found, head: found, bold: [], parent: undefined } as const;
  return sameName(found, matcher.name) || presenceOf({ blocks: [block] }, matcher).mentioned;
}

/** For each answer the rivals it names. Names that look alike once they are cleaned count once. */
function rivalsByAnswer(
  structures: readonly AnswerStructure[],
  corpus: readonly string[],
  { rivals }: FoundNames,
  names: readonly string[],
): readonly (readonly OtherMention[])[] {
  const byAnswer = structures.map(() => new Map<string, OtherMention>());
  const all = [...names, ...rivals.map(({ name }) => name)];
  for (const rival of rivals) {
    const name = plainLine(rival.name, MAX_NAME_CHARS);
    const recommended = recommendedIn(rival, structures, corpus, all);
    for (const [at, position] of rival.mentionedIn.entries()) {
      const known = byAnswer[position];
      if (name === '' || !known || known.has(name)) continue;
      const quote = plainLine(rival.quotes[at] ?? '', MAX_QUOTE_CHARS);
      known.set(name, { name, recommended: recommended.has(position), block: rival.firstBlocks[at] ?? 0, quote });
    }
  }
  return byAnswer.map((known) => [...known.values()]);
}

/**
 * The answers that recommend a rival, by the rule that holds for the brand. The places at which it was found are known to
 * be names, so that one the matcher takes for an ordinary word is judged by its place.
 */
function recommendedIn(
  { name, isOrdinary, mentionedIn, recommendedIn: headed }: FoundRival,
  structures: readonly AnswerStructure[],
  corpus: readonly string[],
  all: readonly string[],
): ReadonlySet<number> {
  const lower = name.toLowerCase();
  const longer = all.filter((other) => other.length > name.length && other.toLowerCase().includes(lower));
  // Without small letters anywhere there is nothing to read the answers for, which costs as much as all the rest.
  const matcher = compileName(name, isOrdinary ? corpus : [], longer);
  const isRecommended = (position: number): boolean => {
    const presence = presenceOf(structures[position] ?? { blocks: [] }, matcher);
    return presence.mentioned ? presence.recommended : headed.includes(position);
  };
  return new Set(mentionedIn.filter(isRecommended));
}
