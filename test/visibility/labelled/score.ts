import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileName, type Presence, readPresence } from '../../../src/visibility/names/mentions.ts';
import { parseStructure } from '../../../src/visibility/structure/structure.ts';

export const scoredFields = ['mentioned', 'recommended', 'negative'] as const;
export type ScoredField = (typeof scoredFields)[number];

/** Cases of one half, by what the code says and what the label says. */
export type MentionScore = { tp: number; fp: number; fn: number; tn: number };

type Half = 'dev' | 'frozen';
type MentionCase = { half: Half; brand: string; others?: readonly string[]; text: string } & Record<
  ScoredField,
  boolean
>;

/** Runs the mention matcher over the labelled cases of a half. The corpus of a case is its own text. */
export function scoreMentions(half: Half, field: ScoredField): MentionScore {
  const score: MentionScore = { tp: 0, fp: 0, fn: 0, tn: 0 };
  for (const one of casesOf(half)) score[outcomeOf(readCase(one)[field], one[field])] += 1;
  return score;
}

function casesOf(half: Half): readonly MentionCase[] {
  const text = readFileSync(join(import.meta.dirname, 'mention-cases.json'), 'utf8');
  return (JSON.parse(text) as readonly MentionCase[]).filter((one) => one.half === half);
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
