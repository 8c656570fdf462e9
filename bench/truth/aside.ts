import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/** Questions whose answers rest on another one, which the reader answers beside them. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  'geo.evidence.quotations': ['quotations-unnamed'],
  'geo.evidence.number-source-adjacent': ['geo.evidence.statistics'],
  'geo.entity.author': ['author-name'],
  'geo.entity.name-consistent': ['brand-name'],
};

const DRAWN = new URL('aside.tsv', import.meta.url);

/** Verdicts of one page: its id, and the checks whose verdicts were drawn. */
export type DrawnPage = { id: string; checks: readonly string[] };

/** What a page of those that were set aside has to offer: each labelled check, and whether its verdict costs points. */
export type Offered = { id: string; verdicts: readonly { check: string; costs: boolean }[] };

/**
 * Draws pages, and of each some verdicts, by the SHA-256 of the seed with their names: first those that cost points, since
 * most verdicts cost none and are easily right.
 * @param costing how many of a page's verdicts may be drawn for costing points.
 */
export function drawVerdicts(
  offered: readonly Offered[],
  { seed, pages, each, costing }: { seed: string; pages: number; each: number; costing: number },
): readonly DrawnPage[] {
  const rank = (name: string): string => createHash('sha256').update(`${seed} ${name}`).digest('hex');
  const byRank = (a: string, b: string): number => (rank(a) < rank(b) ? -1 : 1);
  return offered
    .toSorted((a, b) => byRank(a.id, b.id))
    .slice(0, pages)
    .map(({ id, verdicts }) => {
      const ordered = verdicts.toSorted((a, b) => byRank(`${id} ${a.check}`, `${id} ${b.check}`));
      const first = ordered.filter(({ costs }) => costs).slice(0, costing);
      const rest = ordered.filter((one) => !first.includes(one) && !one.costs);
      return { id, checks: [...first, ...rest].slice(0, each).map(({ check }) => check) };
    });
}

/** The questions that a reader of the page is asked: those of its checks, and what these rest on. */
export const listQuestions = ({ checks }: DrawnPage): readonly string[] => [
  ...new Set(checks.flatMap((check) => [...(BESIDE[check] ?? []), check])),
];

/** The verdicts that were drawn, by page; none before they are. */
export function readDrawn(): ReadonlyMap<string, ReadonlySet<string>> {
  const drawn = new Map<string, Set<string>>();
  if (!existsSync(DRAWN)) return drawn;
  const [, ...lines] = readFileSync(DRAWN, 'utf8').trimEnd().split('\n');
  for (const line of lines) {
    const [page = '', check = ''] = line.split('\t');
    drawn.set(page, (drawn.get(page) ?? new Set<string>()).add(check));
  }
  return drawn;
}
