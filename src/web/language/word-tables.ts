/** By check id: what holds where the check passes, and what to do where it does not. */
export type CheckTitles = Readonly<Record<string, readonly [title: string, failureTitle: string]>>;

/** A problem in three sentences. */
export type ProblemRowWords = readonly [title: string, means: string, next: string];

/** What a capability is called, and what it gives. */
export type CapabilityWords = readonly [title: string, summary: string];

type TitledCheck = { id: string; title: string; status?: string | undefined };

/** The title of a check from a table, by how it was judged; its own where the table has none. */
export function selectTitle(titles: CheckTitles, { id, title, status }: TitledCheck): string {
  if (!Object.hasOwn(titles, id)) return title;
  const [holds, task] = titles[id] ?? [title, title];
  return status === 'fail' || status === 'partial' ? task : holds;
}

/** Depth to which a result is searched for titles: ours are far flatter. */
const MAX_DEPTH = 20;

/**
 * A result or a part of it with the titles of a table: of each object that has a `title`, and a check's id as `id` or, where
 * it says what to do, as `check_id`. All else stays as it is.
 */
export const translateTitles = <Value>(value: Value, titles: CheckTitles): Value =>
  Object.keys(titles).length === 0 ? value : (translateMember(value, titles, MAX_DEPTH) as Value);

function translateMember(value: unknown, titles: CheckTitles, depth: number): unknown {
  if (depth === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => translateMember(one, titles, depth - 1));
  const members = Object.entries(value).map(([name, one]) => [name, translateMember(one, titles, depth - 1)] as const);
  const copy: Record<string, unknown> = Object.fromEntries(members);
  const { id, check_id: task, title, status } = copy;
  if (typeof title !== 'string') return copy;
  if (typeof task === 'string') return { ...copy, title: selectTitle(titles, { id: task, title, status: 'fail' }) };
  if (typeof id !== 'string') return copy;
  return {
    ...copy,
    title: selectTitle(titles, { id, title, status: typeof status === 'string' ? status : undefined }),
  };
}
