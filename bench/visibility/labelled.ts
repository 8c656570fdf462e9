import { readFileSync } from 'node:fs';
import { compileName, readPresence } from '../../src/visibility/names/mentions.ts';
import { parseStructure } from '../../src/visibility/structure/structure.ts';
import {
  type LabelledLanguage,
  type LabelledSet,
  labelledLanguages,
  type ScoredField,
  scoredFields,
  scoreMentions,
} from '../../test/visibility/labelled/score.ts';
import { scoreSecondRivals, scoreLaterRivals } from '../../test/visibility/labelled/score-rivals-2.ts';
import { type KindPart, readKinds, scoreKinds } from '../../test/visibility/labelled/score-kinds.ts';
import { scoreWholeAnswers } from '../../test/visibility/labelled/score-whole-answers.ts';
import { type Half, scoreRivals } from '../../test/visibility/labelled/score-rivals.ts';
import { type Aim, atLeast } from '../aims.ts';
import { type Counts, type Quality, qualityOf, qualityText } from './quality.ts';

/** `cases`: hand-written traps. `answers`: whole answers, each with every brand labelled in its run as the brand that is measured. */
export type LabelledHalf = {
  cases: Readonly<Record<ScoredField, Quality>> & { count: number };
  answers: Readonly<Record<ScoredField, Quality>> & { count: number; pairs: number };
  rivals: Quality;
  /** Texts that are no real answers. */
  kinds: Quality & { count: number };
};
/** The second set or a later one, over all its languages or in one: mentions of its cases, rivals of its answers. */
export type SecondPart = Readonly<Record<ScoredField, Quality>> & {
  language: LabelledLanguage | 'all';
  rivals: Quality;
};
/** A set without halves. `answers`: mentions in whole answers, each with every brand of its run. */
type LaterSet = { parts: readonly SecondPart[]; kinds: Quality & { count: number }; answers: Quality };
export type Labelled = Readonly<Record<Half, LabelledHalf>> & {
  second: Readonly<Record<Half, readonly SecondPart[]>>;
  third: LaterSet;
  fourth: LaterSet;
};

type Row = {
  run: string;
  half: Half;
  text: string;
  brands: readonly ({ name: string } & Readonly<Record<'recommended' | 'negative', boolean>>)[];
};
type Verdicts = Readonly<Record<ScoredField, boolean>>;
type Pair = { found: Verdicts; labelled: Verdicts };

const FRESH_MENTION_SHARE = 0.97;
const FRESH_VERDICT_F1 = 0.93;
const FRESH_RIVAL_F1 = 0.85;
/** Least precision and recall of mentions and of texts that are no answers. */
const LEAST_SHARE = 0.95;
/** What the recipe of structure heads, truecasing and a dictionary pass reached where it was first measured. */
const RIVAL_F1 = 0.76;
const ABSENT: Verdicts = { mentioned: false, recommended: false, negative: false };

export const measureLabelled = (): Labelled => ({
  dev: measureHalf('dev'),
  frozen: measureHalf('frozen'),
  second: { dev: measureSecond('dev'), frozen: measureSecond('frozen') },
  third: measureLater('third'),
  fourth: measureLater('fourth'),
});

/** Only counts of frozen rows are printed: which of them are wrong stays unread, or they would be tuned on. */
export const labelledLines = (labelled: Labelled): string[] => [
  ...firstLines(labelled),
  ...(['dev', 'frozen'] as const).flatMap((half) =>
    labelled.second[half].flatMap((part) => partLines(`second set, ${half}`, part)),
  ),
  ...(['third', 'fourth'] as const).flatMap((set) => [
    ...labelled[set].parts.flatMap((part) => partLines(`${set} set`, part)),
    `labelled ${set} set, whole answers, mentioned: ${qualityText(labelled[set].answers)}`,
    `labelled ${set} set, ${labelled[set].kinds.count} texts, no real answers: ${qualityText(labelled[set].kinds)}`,
  ]),
];

const partLines = (set: string, part: SecondPart): string[] => [
  ...scoredFields.map((field) => `labelled ${set}, ${part.language}, ${field}: ${qualityText(part[field])}`),
  `labelled ${set}, ${part.language}, rivals: ${qualityText(part.rivals)}`,
];

const firstLines = (labelled: Labelled): string[] =>
  (['dev', 'frozen'] as const).flatMap((half) => {
    const { cases, answers, rivals, kinds } = labelled[half];
    return [
      ...scoredFields.map((field) => `labelled ${half}, ${cases.count} cases, ${field}: ${qualityText(cases[field])}`),
      ...scoredFields.map(
        (field) =>
          `labelled ${half}, ${answers.count} answers (${answers.pairs} pairs with a brand), ${field}: ${qualityText(answers[field])}`,
      ),
      `labelled ${half}, ${answers.count} answers, rivals: ${qualityText(rivals)}`,
      `labelled ${half}, ${kinds.count} texts, no real answers: ${qualityText(kinds)}`,
    ];
  });

/** A share that has no base was not reached. The second set and the third have none: they were tuned on. */
export function labelledAims({ frozen: { cases, answers, rivals }, fourth }: Labelled): Aim[] {
  const aimsOf = (what: string, { precision, recall }: Quality, least = LEAST_SHARE): Aim[] => [
    atLeast(`${what}, precision`, precision?.value ?? 0, least, ''),
    atLeast(`${what}, recall`, recall?.value ?? 0, least, ''),
  ];
  const fresh = fourth.parts.filter(({ language }) => language === 'all');
  return [
    ...aimsOf('mentions, frozen cases', cases.mentioned),
    ...aimsOf('mentions, frozen answers', answers.mentioned),
    atLeast('rivals, frozen answers, F1', rivals.f1 ?? 0, RIVAL_F1, ''),
    ...fresh.flatMap((part) => [
      ...aimsOf('mentions, fourth set, traps', part.mentioned, FRESH_MENTION_SHARE),
      atLeast('mentions, fourth set, recommended, F1', part.recommended.f1 ?? 0, FRESH_VERDICT_F1, ''),
      atLeast('mentions, fourth set, negative, F1', part.negative.f1 ?? 0, FRESH_VERDICT_F1, ''),
      atLeast('rivals, fourth set, frozen, F1', part.rivals.f1 ?? 0, FRESH_RIVAL_F1, ''),
    ]),
    ...aimsOf('mentions, fourth set, whole answers', fourth.answers, FRESH_MENTION_SHARE),
    ...aimsOf('no real answers, fourth set, frozen', fourth.kinds),
  ];
}

/** All languages together first, then each. */
const measureLanguages = (measure: (language: LabelledLanguage | undefined) => SecondPart): readonly SecondPart[] =>
  ([undefined, ...labelledLanguages] as const).map(measure);

const measureSecond = (half: Half): readonly SecondPart[] =>
  measureLanguages((language) => measurePart(half, 'second', language));

const measurePart = (half: Half, set: LabelledSet, language: LabelledLanguage | undefined): SecondPart => ({
  language: language ?? 'all',
  ...byField((field) => qualityOf(scoreMentions(half, field, { set, language }))),
  rivals: qualityOf(
    set === 'third' || set === 'fourth' ? scoreLaterRivals(set, language) : scoreSecondRivals(half, language),
  ),
});

const measureLater = (set: 'third' | 'fourth'): LaterSet => ({
  parts: measureLanguages((language) => measurePart('frozen', set, language)),
  kinds: measureKinds(set),
  answers: qualityOf(scoreWholeAnswers(set)),
});

const measureKinds = (part: KindPart): Quality & { count: number } => ({
  count: readKinds(part).length,
  ...qualityOf(scoreKinds(part)),
});

function measureHalf(half: Half): LabelledHalf {
  const scores = byField((field) => scoreMentions(half, field));
  const { tp, fp, fn, tn } = scores.mentioned;
  const rows = readAnswers().filter((row) => row.half === half);
  const runs = [...new Set(rows.map(({ run }) => run))];
  const pairs = runs.flatMap((run) => pairsOfRun(rows.filter((row) => row.run === run)));
  return {
    cases: { count: tp + fp + fn + tn, ...byField((field) => qualityOf(scores[field])) },
    answers: {
      count: rows.length,
      pairs: pairs.length,
      ...byField((field) => qualityOf(countsOf(pairs, field))),
    },
    rivals: qualityOf(scoreRivals(half)),
    kinds: measureKinds(half),
  };
}

const byField = <Value>(valueOf: (field: ScoredField) => Value): Record<ScoredField, Value> => ({
  mentioned: valueOf('mentioned'),
  recommended: valueOf('recommended'),
  negative: valueOf('negative'),
});

/** As `readRun` reads a run for one brand: no other name is known beforehand. */
function pairsOfRun(rows: readonly Row[]): readonly Pair[] {
  const structures = rows.map(({ text }) => parseStructure(text));
  const corpus = structures.map(({ blocks }) => blocks.map(({ text }) => text).join('\n'));
  const names = new Set(rows.flatMap(({ brands }) => brands.map(({ name }) => name)));
  return [...names].flatMap((name) => {
    const matcher = compileName(name, corpus);
    return structures.map((structure, at) => {
      const label = rows[at]?.brands.find((brand) => brand.name === name);
      return { found: readPresence(structure, matcher), labelled: label ? { mentioned: true, ...label } : ABSENT };
    });
  });
}

function countsOf(pairs: readonly Pair[], field: ScoredField): Counts {
  const count = (found: boolean, labelled: boolean): number =>
    pairs.filter((pair) => pair.found[field] === found && pair.labelled[field] === labelled).length;
  return { tp: count(true, true), fp: count(true, false), fn: count(false, true) };
}

const readAnswers = (): readonly Row[] =>
  readFileSync(new URL('../../test/visibility/labelled/answers.jsonl', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Row); // answers.test.ts proves the shape.
