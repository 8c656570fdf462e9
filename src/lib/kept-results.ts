/** What is kept of free previews of one host, so that who asks again soon makes no request at it (rule F6). */
export const KEPT_LIMITS = {
  /** How long a result is handed out again, in milliseconds. */
  ageMs: 600_000,
  /** As many as previews may start within an hour. */
  results: 12,
  /** A longer result is not kept: a stored value has at most 2 MB, and a character may take two bytes. */
  chars: 500_000,
} as const;

/** The results of one host, the oldest first; `key` names what was asked. */
export type StoredResultList = readonly { key: string; atMs: number }[];

/** The list with one result more, and the keys of those that are to be deleted. */
export function addStoredResult(
  list: StoredResultList,
  key: string,
  nowMs: number,
): { list: StoredResultList; dropped: readonly string[] } {
  const others = list.filter((one) => one.key !== key);
  const kept = [...others.filter((one) => isFresh(one, nowMs)), { key, atMs: nowMs }].slice(-KEPT_LIMITS.results);
  const stays = new Set(kept.map((one) => one.key));
  return { list: kept, dropped: list.flatMap((one) => (stays.has(one.key) ? [] : [one.key])) };
}

/** When the result under `key` was made, Unix milliseconds; undefined when there is none that may be handed out. */
export const findCreatedAtMs = (list: StoredResultList, key: string, nowMs: number): number | undefined =>
  list.find((one) => one.key === key && isFresh(one, nowMs))?.atMs;

const isFresh = ({ atMs }: StoredResultList[number], nowMs: number): boolean => nowMs - atMs < KEPT_LIMITS.ageMs;
