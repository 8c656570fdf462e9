import { computeSha256Hex } from '../../lib/digest.ts';

/** Unpredictable bytes as hex. */
export type RandomHex = (bytes: number) => string;

/** Digits of an id after that of its shard. */
const OWN_DIGITS = 23;
const MANUAL_BYTES = 8;
const ALERT_BYTES = 12;

/** The shard of an account's monitors: the first digit of its hash. */
export const computeShardOfAccount = async (account: string): Promise<number> =>
  Number.parseInt((await computeSha256Hex(account)).slice(0, 1), 16);

export const makeMonitorId = (shard: number, random: RandomHex): string =>
  `mon_${shard.toString(16)}${random(Math.ceil(OWN_DIGITS / 2)).slice(0, OWN_DIGITS)}`;

/** The run of a due time. The pass over many monitors makes the same text in SQL. */
export const formatDueRunId = (monitorId: string, dueMs: number): string => `run_${monitorId.slice(4)}-${dueMs}`;

export const makeManualRunId = (monitorId: string, random: RandomHex): string =>
  `run_${monitorId.slice(4)}-m${random(MANUAL_BYTES)}`;

/** The monitor of a run, by its id; undefined for a text that is none. */
export function readMonitorOfRun(runId: string): string | undefined {
  const [, digits] = /^run_([0-9a-f]{24})-m?[0-9a-f]{1,20}$/.exec(runId) ?? [];
  return digits === undefined ? undefined : `mon_${digits}`;
}

export const makeAlertId = (random: RandomHex): string => `alr_${random(ALERT_BYTES)}`;
