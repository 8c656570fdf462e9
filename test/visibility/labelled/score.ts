import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileName, type Presence, readPresence } from '../../../src/visibility/names/mentions.ts';
import { parseStructure } from '../../../src/visibility/structure/structure.ts';

export const scoredFields = ['mentioned', 'recommended', 'negative'] as const;
export type ScoredField = (typeof scoredFields)[number];

/** Cases of one half, by what the code says and what the label says. */
export type MentionScore = { tp: number; fp: number; fn: number; tn: number };

type Half = 'dev' | 'frozen';

/**
 * `first`: the traps of English and some German, French, Spanish. The others: eight languages, in the styles of answers. `third`
 * and `fourth` were scored before anything was tuned on them.
 */
export const labelledSets = ['first', 'second', 'third', 'fourth'] as const;
export type LabelledSet = (typeof labelledSets)[number];

/** Languages of the second set and those after it. */
export const labelledLanguages = ['de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pt'] as const;
export type LabelledLanguage = (typeof labelledLanguages)[number];

/** Which cases are scored: of a set, and of one language of the second and those after it. */
export type LabelledPart = { set: LabelledSet; language?: LabelledLanguage | undefined };

const FIRST: LabelledPart = { set: 'first' };
const files: Readonly<Record<LabelledSet, string>> = {
  first: 'mention-cases.json',
  second: 'mention-cases-2.json',
  third: 'mention-cases-3.json',
  fourth: 'mention-cases-4.json',
};

type MentionCase = { half: Half; language?: string; brand: string; others?: readonly string[]; text: string } & Record<
  ScoredField,
  boolean
>;

/** Runs the mention matcher over the labelled cases of a half. The corpus of a case is its own text. */
export function scoreMentions(half: Half, field: ScoredField, part: LabelledPart = FIRST): MentionScore {
  const score: MentionScore = { tp: 0, fp: 0, fn: 0, tn: 0 };
  for (const one of casesOf(half, part)) score[outcomeOf(readCase(one)[field], one[field])] += 1;
  return score;
}

function casesOf(half: Half, { set, language }: LabelledPart): readonly MentionCase[] {
  const text = readFileSync(join(import.meta.dirname, files[set]), 'utf8');
  return (JSON.parse(text) as readonly MentionCase[]).filter(
    (one) => one.half === half && (language === undefined || one.language === language),
  );
}

function readCase({ brand, others, text }: MentionCase): Presence {
  const answer = parseStructure(text);
  const corpus = [answer.blocks.map((block) => block.text).join('\n')];
  return readPresence(answer, compileName(brand, corpus, others));
}

function outcomeOf(found: boolean, labelled: boolean): keyof MentionScore {
  if (found) return labelled ? 'tp' : 'fp';
  return labelled ? 'fn' : 'tn';
}
