import { isRecord, toSightlineError } from './answer.ts';
import { SightlineError } from './errors.ts';
import type { SectionItems, SectionName, SectionPage } from './results.ts';
import type { Transport } from './transport.ts';

/** Pages of one section that are read at most: a page has up to 50 items. */
const MAX_PAGES = 1_000;

export type SectionFilter = {
  status?: string;
  score?: string;
  id?: string;
  signal?: AbortSignal;
};

/** What a result can do: the rest of it is read by piece, free. */
export type ReportReader = {
  /** The items of a section, page by page as they are asked for. */
  section: <S extends SectionName>(name: S, filter?: SectionFilter) => AsyncIterable<SectionItems[S]>;
  /** One fix with its files, by an id of `do_first`; undefined where the report has none of this id. */
  fix: (id: string, options?: { signal?: AbortSignal }) => Promise<SectionItems['fixes'] | undefined>;
};

/**
 * A result with what reads the rest of it. The functions are not enumerable: the result is still what came over the wire,
 * for JSON and for copies.
 */
export function createReport<T>(transport: Transport, wire: T): T & ReportReader {
  const id = getReportId(wire);
  const reader: ReportReader = {
    section: (name, filter = {}) => readSection(transport, id, name, filter),
    fix: async (fixId, { signal } = {}) => {
      for await (const one of readSection(transport, id, 'fixes', { id: fixId, ...(signal && { signal }) })) return one;
      return undefined;
    },
  };
  const hidden = Object.entries(reader).map(([name, value]) => [name, { value }]);
  return Object.defineProperties({ ...wire }, Object.fromEntries(hidden) as PropertyDescriptorMap) as T & ReportReader;
}

const readReportId = (wire: unknown): string | undefined => {
  const id = isRecord(wire) ? wire['report_id'] : undefined;
  return typeof id === 'string' && /^[0-9a-f]{32}$/.test(id) ? id : undefined;
};

export const hasReport = (wire: unknown): boolean => readReportId(wire) !== undefined;

/** @throws SightlineError for an answer without a report */
export function getReportId(wire: unknown): string {
  const id = readReportId(wire);
  if (id !== undefined) return id;
  throw new SightlineError({ code: 'answer_unreadable', detail: 'The answer names no report.' });
}

async function* readSection<S extends SectionName>(
  { send }: Transport,
  id: string,
  name: S,
  { signal, ...filter }: SectionFilter,
): AsyncGenerator<SectionItems[S]> {
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const query = formatQuery({ ...filter, cursor });
    const answer = await send({ path: `/reports/${id}/sections/${name}${query}`, signal });
    if (answer.status !== 200) throw toSightlineError(answer);
    const page = answer.body as SectionPage<S>;
    yield* page.items;
    cursor = page.next_cursor;
    if (cursor === undefined) return;
  }
}

/** `?a=b` of what is given. */
export function formatQuery(given: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, value);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
