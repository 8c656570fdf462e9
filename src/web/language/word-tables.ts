/** By check id: what holds where the check passes, and what to do where it does not. */
export type CheckTitles = Readonly<Record<string, readonly [title: string, failureTitle: string]>>;

/** A problem in three sentences. */
export type ProblemRowWords = readonly [title: string, means: string, next: string];

/** What a capability is called, and what it gives. */
export type CapabilityWords = readonly [title: string, summary: string];

type TitledCheck = { id: string; title: string; status?: string | undefined };

/**
 * The title of a check from a table, by how it was judged; its own where the table has none. It knows no table, so that
 * scripts of pages can use it with one that they fetched.
 */
export function selectTitle(titles: CheckTitles, { id, title, status }: TitledCheck): string {
  if (!Object.hasOwn(titles, id)) return title;
  const [holds, task] = titles[id] ?? [title, title];
  return status === 'fail' || status === 'partial' ? task : holds;
}
