/** What `npm run docs` makes of the truth part of `bench/results.json`: a table for the program, and a page of the docs. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { corpora, readManifest } from '../bench/truth/corpora.ts';
import type { Accuracy, LabelledCorpus, RobotsParity } from '../src/audit/core/accuracy-data.ts';
import { checks } from '../src/audit/core/catalogue.ts';
import { scoreNames } from '../src/audit/core/check.ts';
import { sum } from '../src/lib/numbers.ts';
import { buildAccuracyPage } from '../src/web/start/accuracy-text.ts';
import { formatPageMarkdown } from '../src/web/start/document.ts';

const RESULTS = new URL('../bench/results.json', import.meta.url);

const tally = z.object({ n: z.int(), right: z.int(), arguable: z.int(), wrong: z.int() });
const wrongShares = z.object({ wrong: z.number(), wrongCosting: z.number() });
/** A share of no facts is null. */
const recallOnly = z.object({ recall: z.number().min(0).max(1).nullable() });
const truthResults = z.object({
  date: z.iso.datetime(),
  pages: z.object({ judged: z.int() }),
  halves: z.array(
    z.object({
      part: z.string(),
      pages: z.int(),
      verdicts: z.int(),
      byCheck: z.array(tally.extend({ check: z.string(), low: z.number(), high: z.number() })),
      byScore: z.record(z.string(), wrongShares),
      kinds: z.object({ n: z.int(), right: z.int(), weighed: z.number() }),
    }),
  ),
  agreement: z.array(z.object({ question: z.string(), n: z.int(), same: z.int(), kappa: z.number() })),
  mainText: z.object({ pages: z.int(), precision: z.number(), recall: z.number(), f1: z.number() }).optional(),
  planted: z
    .array(z.object({ defects: z.int(), found: z.int(), good: z.int(), contradicted: z.int() }))
    .nonempty()
    .optional(),
  robots: z
    .object({
      files: z.object({ compared: z.int() }),
      decisions: z.int(),
      equal: z.int(),
      byReason: z.array(z.object({ reason: z.string(), decisions: z.int(), files: z.array(z.string()) })),
      unexplained: z.array(z.object({ decisions: z.int() })),
    })
    .optional(),
  peers: z
    .array(
      z.object({
        name: z.string(),
        version: z.string(),
        facts: z.int(),
        precision: z.number().min(0).max(1).nullable(),
        recall: z.number().min(0).max(1),
        same: z.object({ peer: recallOnly, ours: recallOnly }),
      }),
    )
    .nonempty()
    .optional(),
});

/** The truth part of a result of the bench. */
export type TruthFigures = z.infer<typeof truthResults>;

const DIGITS = 4;
const round = (share: number): number => Number(share.toFixed(DIGITS));

/** The truth part of the last run. @throws Error when the results have none, or one of another form. */
export const readTruthFigures = (): TruthFigures =>
  z.object({ truth: truthResults }).parse(JSON.parse(readFileSync(RESULTS, 'utf8'))).truth;

/** What the pages and reports say of a run: figures of the frozen half alone. */
export function buildAccuracy(truth: TruthFigures): Accuracy {
  const frozen = truth.halves.find(({ part }) => part === 'frozen');
  if (!frozen) throw new Error('The results have no frozen half');
  const { mainText, planted, robots, peers } = truth;
  return {
    date: truth.date.slice(0, 'YYYY-MM-DD'.length),
    pages: { judged: truth.pages.judged, labelled: frozen.pages, verdicts: frozen.verdicts },
    corpora: listCorpora(),
    scores: selectScores(frozen),
    kinds: frozen.kinds,
    agreement: truth.agreement.map((one) => ({ ...one, kappa: round(one.kappa) })),
    ...addAside(truth),
    ...(mainText && { mainText: roundShares(mainText) }),
    ...(planted && { planted: addPlanted(planted) }),
    ...(robots && { robots: countRobots(robots) }),
    ...(peers && { peers: peers.map(selectPeer) }),
    checks: Object.fromEntries(
      frozen.byCheck.map(({ check, n, right, arguable, wrong, low, high }) => [
        check,
        { n, right, arguable, wrong, low: round(low), high: round(high) },
      ]),
    ),
  };
}

/** The verdicts that were drawn after the code was frozen, once readers judged them. */
function addAside({ halves }: TruthFigures): Pick<Accuracy, 'aside'> {
  const aside = halves.find(({ part }) => part === 'aside');
  if (aside === undefined || aside.verdicts === 0) return {};
  const count = (name: 'right' | 'arguable' | 'wrong'): number => sum(aside.byCheck.map((one) => one[name]));
  return {
    aside: {
      pages: aside.pages,
      kindsRight: aside.kinds.right,
      verdicts: aside.verdicts,
      right: count('right'),
      arguable: count('arguable'),
      wrong: count('wrong'),
    },
  };
}

/** Counts are whole as they are. */
const selectPeer = ({ name, version, facts, precision, recall, same }: NonNullable<TruthFigures['peers']>[number]) =>
  roundShares({ name, version, facts, precision, recall, recallThere: same.peer.recall, oursThere: same.ours.recall });

const roundShares = <Row extends object>(row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'number' ? round(value) : value,
    ]),
  ) as Row;

function listCorpora(): readonly LabelledCorpus[] {
  const pages = readManifest();
  return Object.entries(corpora).map(([name, { repository, commit }]) => ({
    repository,
    commit,
    pages: pages.filter(({ corpus }) => corpus === name).length,
  }));
}

type Half = TruthFigures['halves'][number];

/** A score none of whose checks was labelled has no wrong verdicts, which says nothing. */
function selectScores({ byCheck, byScore }: Half): Accuracy['scores'] {
  const labelled = new Set(byCheck.map(({ check }) => check));
  const isLabelled = (name: (typeof scoreNames)[number]): boolean =>
    checks.some(({ id, scores }) => labelled.has(id) && scores.includes(name));
  return Object.fromEntries(
    scoreNames.filter(isLabelled).flatMap((name) => {
      const shares = byScore[name];
      return shares ? [[name, roundShares(shares)]] : [];
    }),
  );
}

const addPlanted = (sites: NonNullable<TruthFigures['planted']>): NonNullable<Accuracy['planted']> => ({
  sites: sites.length,
  defects: sum(sites.map(({ defects }) => defects)),
  found: sum(sites.map(({ found }) => found)),
  good: sum(sites.map(({ good }) => good)),
  contradicted: sum(sites.map(({ contradicted }) => contradicted)),
});

const countRobots = (robots: NonNullable<TruthFigures['robots']>): RobotsParity => ({
  files: robots.files.compared,
  decisions: robots.decisions,
  equal: robots.equal,
  unexplained: sum(robots.unexplained.map(({ decisions }) => decisions)),
  reasons: robots.byReason
    .filter(({ decisions }) => decisions > 0)
    .map(({ reason, decisions, files }) => ({ reason, decisions, files: files.length })),
});

/** The table as source text. */
export const formatAccuracyConstant = (accuracy: Accuracy): string =>
  `export const accuracy: Accuracy = ${formatLiteral(accuracy, '')};`;

/** A literal of TypeScript as the formatter leaves it: a row of figures on one line, all else broken. */
function formatLiteral(value: unknown, indent: string): string {
  if (typeof value === 'string') return formatString(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const members = Object.entries(value).map(([key, member]: [string, unknown]) => {
    const name = /^[a-z][a-z0-9]*$/i.test(key) ? key : formatString(key);
    return isList ? formatLiteral(member, inner) : `${name}: ${formatLiteral(member, inner)}`;
  });
  const [only] = members;
  if (only === undefined) return `${open}${close}`;
  if (isList && members.length === 1 && !only.includes('\n')) return `[${only}]`;
  const row = `{ ${members.join(', ')} }`;
  const isRow = !isList && !row.includes('\n') && row.length <= MAX_ROW_CHARS;
  return isRow ? row : `${open}\n${members.map((member) => `${inner}${member},\n`).join('')}${indent}${close}`;
}

/** Longest row on one line: with its name and indent it has to fit. */
const MAX_ROW_CHARS = 90;

const formatString = (text: string): string => {
  const quoted = JSON.stringify(text);
  return text.includes("'") ? quoted : `'${quoted.slice(1, -1).replaceAll('\\"', '"')}'`;
};

const NOTICE =
  '<!-- Made from bench/results.json by `npm run docs`. The page /accuracy of the service says the same. -->';

/** `docs/project/accuracy.md`. */
export const formatAccuracyDocument = (accuracy: Accuracy): string =>
  `${NOTICE}\n\n${formatPageMarkdown(buildAccuracyPage(accuracy), '')}`;
