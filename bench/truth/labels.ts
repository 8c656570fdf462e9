import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { OutcomeStatus } from '../../src/audit/core/check.ts';

/** Two readers labelled each page without seeing each other; `c` read some of them a third time. */
export const passes = ['a', 'b', 'c'] as const;
export type Pass = (typeof passes)[number];

/** What a reader answered to one question of the guide, and what for. */
export type Label = { answer: string; reason: string };

/** Answers by page id, then by question id. */
export type Labels = ReadonlyMap<string, ReadonlyMap<string, Label>>;

/** All labels of one pass. @throws Error when a line is not of its form. */
export function readLabels(pass: Pass): Labels {
  const folder = new URL(`labels/${pass}/`, import.meta.url);
  const labels = new Map<string, Map<string, Label>>();
  if (!existsSync(folder)) return labels;
  for (const file of readdirSync(folder).toSorted()) {
    for (const line of readFileSync(new URL(file, folder), 'utf8').trimEnd().split('\n')) {
      const [page, question, answer, reason = ''] = line.split('\t');
      if (page === undefined || question === undefined || answer === undefined) throw new Error(`${file}: ${line}`);
      const own = labels.get(page) ?? new Map<string, Label>();
      own.set(question, { answer: answer.trim(), reason });
      labels.set(page, own);
    }
  }
  return labels;
}

const LETTERS: Readonly<Record<string, OutcomeStatus>> = {
  P: 'pass',
  H: 'partial',
  F: 'fail',
  N: 'not_applicable',
};

/** What an answer says of a verdict: `right` agree with it, `near` are within what two careful readers differ by. */
export type Meaning = { right: readonly OutcomeStatus[]; near: readonly OutcomeStatus[] };

/** The questions that are answered by a count, and how many are enough for a pass. */
const COUNTED: Readonly<Record<string, number>> = {
  'geo.evidence.statistics': 3,
  'geo.evidence.cited-sources': 3,
  'geo.evidence.quotations': 1,
};

/** The verdicts that an answer allows; undefined where the reader could not tell. */
export function readMeaning(question: string, answers: ReadonlyMap<string, Label>): Meaning | undefined {
  const answer = answers.get(question)?.answer ?? '?';
  const status = LETTERS[answer];
  if (status) return { right: [status], near: [] };
  const enough = COUNTED[question];
  if (enough !== undefined && /^\d+$/.test(answer)) return readCount(Number(answer), enough);
  const share = /^(\d+)\/(\d+)$/.exec(answer);
  return share ? readShare(Number(share[1]), Number(share[2])) : undefined;
}

/** None is a fail, enough a pass; between them the length of the text decides. */
function readCount(count: number, enough: number): Meaning {
  if (count === 0) return { right: ['fail'], near: [] };
  return count >= enough ? { right: ['pass'], near: [] } : { right: ['pass', 'partial'], near: [] };
}

const statusOfShare = (share: number): OutcomeStatus => (share >= 0.5 ? 'pass' : share >= 0.2 ? 'partial' : 'fail');

/** Readers differ by one in what they count; that much is near. */
function readShare(part: number, whole: number): Meaning {
  if (whole < 2) return { right: ['not_applicable'], near: [] };
  const right = statusOfShare(part / whole);
  const near = [part - 1, part + 1].map((one) => statusOfShare(one / whole));
  return { right: [right], near };
}
