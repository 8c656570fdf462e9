import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldText } from '../../../src/visibility/names/folded-text.ts';
import { compileName, readPresence } from '../../../src/visibility/names/mentions.ts';
import { parseStructure } from '../../../src/visibility/structure/structure.ts';
import type { LabelledLanguage } from './score.ts';

/** The sets whose answers are in eight languages. */
export const wholeSets = { second: 'answers-2.jsonl', third: 'answers-3.jsonl', fourth: 'answers-4.jsonl' } as const;
export type WholeSet = keyof typeof wholeSets;

/** Pairs of an answer and a brand of its run, by what the code says and what the label says. */
export type PairScore = { tp: number; fp: number; fn: number; tn: number };

type LabelledName = { name: string; as: readonly string[]; maker?: string };
type WholeAnswer = { run: string; language: string; text: string; names: readonly LabelledName[] };

/**
 * Looks for every brand that is labelled anywhere in a run of six answers in each of the six, by the longest form of its name that
 * they have, with no other name known beforehand. A labelled product mentions its maker where it is written with the maker's name;
 * where it is not, the pair of that answer and that maker counts neither way.
 */
export function scoreWholeAnswers(set: WholeSet, language?: LabelledLanguage): PairScore {
  const rows = readFileSync(join(import.meta.dirname, wholeSets[set]), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as WholeAnswer)
    .filter((row) => language === undefined || row.language === language);
  const score: PairScore = { tp: 0, fp: 0, fn: 0, tn: 0 };
  for (const run of new Set(rows.map((row) => row.run)))
    for (const outcome of judgeRun(rows.filter((row) => row.run === run))) score[outcome] += 1;
  return score;
}

function judgeRun(rows: readonly WholeAnswer[]): readonly (keyof PairScore)[] {
  const structures = rows.map(({ text }) => parseStructure(text));
  const corpus = structures.map(({ blocks }) => blocks.map(({ text }) => text).join('\n'));
  const brands = new Set(rows.flatMap(({ names }) => names.map(brandOf)));
  return [...brands].flatMap((brand) => {
    const matcher = compileName(brand, corpus);
    return rows.flatMap(({ names }, at) => {
      const structure = structures[at];
      const labels = names.filter((one) => brandOf(one) === brand || one.name === brand);
      const isLabelled = labels.some((one) => isWrittenWith(one, brand));
      if (structure === undefined || isLabelled !== labels.length > 0) return [];
      const isFound = readPresence(structure, matcher).mentioned;
      return [outcomeOf(isFound, isLabelled)];
    });
  });
}

function outcomeOf(isFound: boolean, isLabelled: boolean): keyof PairScore {
  if (isFound) return isLabelled ? 'tp' : 'fp';
  return isLabelled ? 'fn' : 'tn';
}

/** A brand is written as itself; a product with its maker's name or without. */
const isWrittenWith = ({ name, as, maker }: LabelledName, brand: string): boolean =>
  maker === undefined ||
  name === brand ||
  as.some((spelling) => foldText(spelling).lower.includes(foldText(brand).lower));

const brandOf = ({ name, maker }: LabelledName): string => maker ?? name;
