import type { OutcomeStatus } from '../../src/audit/core/check.ts';
import { type Judgement, matrixOf } from '../../test/audit/truth/matrix.ts';
import type { PeerVerdict } from './peers.ts';

/** One planted fact, what ours says of it, and what a peer does. */
export type SharedRow = { id: string; expected: OutcomeStatus; ours: Judgement['got']; peer: PeerVerdict };

/** Precision and recall of "defect" (fail or partial); null where there is nothing to divide by. */
export type Shares = { precision: number | null; recall: number | null };

/**
 * `rows` are the facts with something to judge that both judge, `defects` those among them that are planted defects.
 * `nothing`: facts with nothing to judge, or nothing that a tool could know, and which verdicts were given all the same.
 */
export type Shared = {
  rows: number;
  defects: number;
  ours: Shares;
  peer: Shares;
  nothing: {
    rows: number;
    ours: { fine: number; defect: number };
    peer: { fine: number; half: number; defect: number };
  };
};

const isDefect = (status: Judgement['got']): boolean => status === 'fail' || status === 'partial';
const isJudged = ({ expected }: SharedRow): boolean => expected === 'pass' || isDefect(expected);

/**
 * Both tools on the same facts. A peer's `half` counts in its favour: as a finding where a defect was planted, as no
 * complaint where none was.
 */
export function sharedFigures(rows: readonly SharedRow[]): Shared {
  const judged = rows.filter(isJudged);
  const nothing = rows.filter((row) => !isJudged(row));
  const peerSays = (verdict: PeerVerdict): number => nothing.filter(({ peer }) => peer === verdict).length;
  return {
    rows: judged.length,
    defects: judged.filter(({ expected }) => isDefect(expected)).length,
    ours: sharesOf(judged.map((row) => judgement(row, row.ours))),
    peer: sharesOf(judged.map((row) => judgement(row, inFavour(row)))),
    nothing: {
      rows: nothing.length,
      ours: {
        fine: nothing.filter(({ ours }) => ours === 'pass').length,
        defect: nothing.filter(({ ours }) => isDefect(ours)).length,
      },
      peer: { fine: peerSays('fine'), half: peerSays('half'), defect: peerSays('defect') },
    },
  };
}

const judgement = ({ id, expected }: SharedRow, got: Judgement['got']): Judgement => ({
  row: { id, status: expected },
  got,
});

function inFavour({ expected, peer }: SharedRow): OutcomeStatus {
  if (peer === 'half') return isDefect(expected) ? 'partial' : 'pass';
  return peer === 'fine' ? 'pass' : 'fail';
}

function sharesOf(judgements: readonly Judgement[]): Shares {
  const { precision, recall } = matrixOf(judgements);
  return { precision, recall };
}
