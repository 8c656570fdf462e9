import type { StoredRow } from '../../../core/engine/stored-row.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';
import { isOfNetwork, isRemoved, linesIn } from './lines.ts';
import { textIn } from '../texts.ts';

/** Whether an experiment runs in a group. */
const isRunning = ({ body }: Pick<StoredRow, 'body'>): boolean =>
  textIn(body, 'mediationAbExperimentState') === 'RUNNING';

/** @throws Refusal 400 FAILED_PRECONDITION while an experiment runs in the group: its lines stay as they are until it ends */
export function requireNoExperiment(group: Pick<StoredRow, 'body'>): void {
  if (!isRunning(group)) return;
  throw refuse.failedPrecondition('An A/B experiment is running in this mediation group: stop it first');
}

/**
 * The lines of a group when an experiment begins: those that it has are the control, variant A, but for removed ones; those
 * of the treatment, variant B, stand beside them.
 */
export function runningLines(
  group: JsonObject,
  treatment: readonly JsonObject[],
): { lines: JsonObject; control: readonly JsonObject[] } {
  const before = [...linesIn(group)].map(([id, line]): [string, JsonObject] => [
    id,
    isRemoved(line) ? line : { ...line, experimentVariant: 'VARIANT_A' },
  ]);
  const added = treatment.map((line): [string, JsonObject] => [textIn(line, 'id'), line]);
  return {
    lines: Object.fromEntries([...before, ...added]),
    control: before.map(([, line]) => line).filter((line) => !isRemoved(line)),
  };
}

/**
 * The lines of a group when an experiment ends: those of the winner are the group's own, and the others go; removed ones
 * stay. The control's line of the AdMob Network, which every group has, stays too where the winner has none.
 */
export function decidedLines(group: JsonObject, winner: 'VARIANT_A' | 'VARIANT_B'): JsonObject {
  const lines = [...linesIn(group)];
  const isOfWinner = (line: JsonObject): boolean => line['experimentVariant'] === winner;
  const hasNetwork = lines.some(([, line]) => isOfWinner(line) && isOfNetwork(line));
  const isOfControl = (line: JsonObject): boolean => line['experimentVariant'] === 'VARIANT_A';
  const stays = (line: JsonObject): boolean =>
    isRemoved(line) || isOfWinner(line) || (!hasNetwork && isOfNetwork(line) && isOfControl(line));
  const kept = lines.filter(([, line]) => stays(line));
  return Object.fromEntries(kept.map(([id, line]) => [id, { ...line, experimentVariant: 'ORIGINAL' }]));
}
