import { computeSha256Hex } from '../../lib/digest.ts';
import { type AnyCheck, scoreNames } from './check.ts';

/** Hash over what decides a score: id, weight, scores and gate caps of every check, in the order of their ids. */
export function computeRubricSha256(checks: readonly AnyCheck[]): Promise<string> {
  const rows = checks
    .map(
      ({ id, weight, scores, gate }) =>
        [
          id,
          weight,
          scoreNames.filter((name) => scores.includes(name)),
          scoreNames.map((name) => gate?.caps[name] ?? null),
        ] as const,
    )
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return computeSha256Hex(JSON.stringify(rows));
}
