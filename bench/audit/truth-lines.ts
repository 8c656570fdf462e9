import { type Aim, atLeast } from '../aims.ts';
import type { Matrix } from '../../test/audit/truth/matrix.ts';
import type { Truth } from './truth.ts';
import type { Shares } from './truth-figures.ts';

const PRECISION = 0.98;
const RECALL = 0.98;
/** Facts printed that ours gets wrong; the rest is in the results. */
const MAX_WRONG = 20;

const statuses = ['pass', 'partial', 'fail', 'not_applicable', 'unknown'] as const;
const columns = [...statuses, 'missing'] as const;

export function truthLines({ sites, all, byScore, wrong, peers }: Truth): string[] {
  return [
    `truth: ${all.rows} planted facts on ${sites} sites, ours; expected (rows) by what it says (columns)`,
    ...confusionLines(all),
    `  ${sharesText(all)}, the very status ${percent(all.exact)}; ${Object.entries(byScore)
      .map(([name, matrix]) => `${name} ${sharesText(matrix)} of ${matrix.rows}`)
      .join('; ')}`,
    ...wrong.slice(0, MAX_WRONG).map((line) => `  ${line}`),
    ...(wrong.length > MAX_WRONG ? [`  and ${wrong.length - MAX_WRONG} more, in results.json`] : []),
    ...peers.flatMap(({ name, rows, defects, ours, peer, nothing, sites: asked, noResult }) => [
      `truth, ${rows} facts that ${name} judges too (${defects} defects): ours ${sharesText(ours)}; ${name} ${sharesText(peer)}`,
      `  of ${nothing.rows} more with nothing to judge, ours calls ${nothing.ours.fine} fine and ${nothing.ours.defect} a defect,` +
        ` ${name} ${nothing.peer.fine} fine, ${nothing.peer.half} half and ${nothing.peer.defect} a defect;` +
        ` no result of ${name}: ${noResult.length} of ${asked} sites${noResult.length === 0 ? '' : ` (${noResult.join(', ')})`}`,
    ]),
  ];
}

/** A share of theirs without a base is no aim: nothing was planted, or they reported nothing. Without a report ours is not imprecise. */
export function truthAims({ all, peers }: Truth): Aim[] {
  return [
    atLeast('truth, precision', all.precision ?? 0, PRECISION, ''),
    atLeast('truth, recall', all.recall ?? 0, RECALL, ''),
    ...peers.flatMap(({ name, ours, peer }) =>
      (['precision', 'recall'] as const).flatMap((share) => {
        const theirs = peer[share];
        return theirs === null
          ? []
          : [atLeast(`truth, ${share} on the facts that ${name} judges too`, ours[share] ?? 1, theirs, '')];
      }),
    ),
  ];
}

function confusionLines({ confusion }: Matrix): string[] {
  const cell = (text: string): string => text.padStart(15);
  const row = (name: string, cells: readonly string[]): string => `  ${name.padEnd(15)}${cells.map(cell).join('')}`;
  return [
    row('', columns),
    ...statuses.map((expected) =>
      row(
        expected,
        columns.map((got) => String(confusion[expected][got])),
      ),
    ),
  ];
}

const sharesText = ({ precision, recall }: Shares): string => `precision ${shown(precision)} recall ${shown(recall)}`;
const shown = (share: number | null): string => (share === null ? 'none' : share.toFixed(3));
const percent = (share: number | null): string => (share === null ? 'none' : `${(share * 100).toFixed(1)} %`);
