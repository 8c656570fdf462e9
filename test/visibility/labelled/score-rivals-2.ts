import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldText } from '../../../src/visibility/names/folded-text.ts';
import { findRivals } from '../../../src/visibility/rivals/rivals.ts';
import { parseStructure } from '../../../src/visibility/structure/structure.ts';
import type { LabelledLanguage } from './score.ts';
import type { Half, RivalScore, WrongPair } from './score-rivals.ts';

type LabelledName = { name: string; as: readonly string[]; passing?: boolean; maker?: string };
type SecondAnswer = {
  id: string;
  run: string;
  language: string;
  half: Half;
  text: string;
  names: readonly LabelledName[];
};

/** What was found in an answer: right, wrong, missed. */
type Verdict = { tp: number; wrong: readonly WrongPair[] };

/**
 * Finds the rivals of each run of the second set and compares them with the labels. A found name is right when it equals a
 * spelling of a brand of the run that the answer names, but for capitals, accents, spaces and marks. Names in passing and the
 * makers of named products are neither right nor wrong; a second name of one brand is wrong.
 */
export const scoreSecondRivals = (half: Half, language?: LabelledLanguage): RivalScore =>
  countVerdicts(judgeSet('answers-2.jsonl', half, language));

/**
 * The same for a later set, which has no halves. Rivals are brands, so a labelled product and its labelled maker
 * are one name here, which either of them finds.
 */
export const scoreLaterRivals = (set: LaterAnswers, language?: LabelledLanguage): RivalScore =>
  countVerdicts(judgeSet(laterFiles[set], 'frozen', language, joinMakers));

const laterFiles = { third: 'answers-3.jsonl', fourth: 'answers-4.jsonl', fifth: 'answers-5.jsonl' } as const;
export type LaterAnswers = keyof typeof laterFiles;

function countVerdicts(verdicts: readonly Verdict[]): RivalScore {
  const count = (kind: WrongPair['kind']): number =>
    verdicts.reduce((sum, { wrong }) => sum + wrong.filter((pair) => pair.kind === kind).length, 0);
  return { tp: verdicts.reduce((sum, { tp }) => sum + tp, 0), fp: count('fp'), fn: count('fn') };
}

/** The wrong pairs of a half of the second set, by answer: for whoever tunes on the dev half. */
export const secondWrongPairs = (half: Half, language?: LabelledLanguage): readonly WrongPair[] =>
  judgeSet('answers-2.jsonl', half, language).flatMap(({ wrong }) => wrong);

function judgeSet(
  file: string,
  half: Half,
  language: LabelledLanguage | undefined,
  joined = (names: readonly LabelledName[]): readonly LabelledName[] => names,
): readonly Verdict[] {
  const rows = readFileSync(join(import.meta.dirname, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as SecondAnswer)
    .filter((row) => row.half === half && (language === undefined || row.language === language))
    .map((row) => ({ ...row, names: joined(row.names) }));
  return [...new Set(rows.map(({ run }) => run))].flatMap((run) => judgeRun(rows.filter((row) => row.run === run)));
}

/** One name for each brand of an answer, in passing where all its products are. */
function joinMakers(names: readonly LabelledName[]): readonly LabelledName[] {
  const brands = new Map<string, { as: string[]; passing: boolean }>();
  for (const { name, as, maker, passing = false } of names) {
    const key = spellingKey(maker ?? name);
    const brand = brands.get(key) ?? { as: [], passing: true };
    brands.set(key, {
      as: [...brand.as, ...(maker === undefined ? [] : [maker]), name, ...as],
      passing: brand.passing && passing,
    });
  }
  return [...brands].map(([name, brand]) => ({ name, ...brand }));
}

function judgeRun(rows: readonly SecondAnswer[]): readonly Verdict[] {
  const found = findRivals(
    rows.map(({ text }) => parseStructure(text)),
    () => false,
  );
  const labelled = rows.flatMap(({ names }) => names);
  const makers = new Set(labelled.flatMap(({ maker }) => (maker === undefined ? [] : [spellingKey(maker)])));
  const spellings = new Map<string, Set<string>>();
  for (const { name, as } of labelled)
    spellings.set(name, new Set([...(spellings.get(name) ?? []), ...[name, ...as].map(spellingKey)]));
  return rows.map((row, position) => {
    const names = found.filter(({ mentionedIn }) => mentionedIn.includes(position)).map(({ name }) => name);
    return judgeAnswer(row, names, spellings, makers);
  });
}

function judgeAnswer(
  { id, names }: SecondAnswer,
  found: readonly string[],
  spellings: ReadonlyMap<string, ReadonlySet<string>>,
  makers: ReadonlySet<string>,
): Verdict {
  const missed = new Set(names.filter(({ passing }) => passing !== true).map(({ name }) => name));
  const wanted = new Set(missed);
  const wrong: WrongPair[] = [];
  let tp = 0;
  for (const one of found) {
    const key = spellingKey(one);
    const brand = names.find(({ name }) => spellings.get(name)?.has(key))?.name;
    if (brand !== undefined && missed.delete(brand)) tp += 1;
    else if (brand === undefined ? !makers.has(key) : wanted.has(brand))
      wrong.push({ kind: 'fp', answer: id, name: one });
  }
  return { tp, wrong: [...wrong, ...[...missed].map((name) => ({ kind: 'fn' as const, answer: id, name }))] };
}

const spellingKey = (name: string): string => foldText(name).lower.replaceAll(/[^\p{L}\p{N}+#&]/gu, '');
