import { decodeCursor, encodeCursor } from '../lib/cursor.ts';
import { countUtf8Bytes } from '../lib/utf8.ts';
import { formatReportUrl, formatSectionUrl, type ReportPlace } from './links.ts';
import {
  countResultSections,
  listSectionItems,
  SECTION_FILTERS,
  type SectionFilter,
  type SectionItem,
  type SectionName,
  sectionFilter,
  sectionNames,
  type SectionSource,
} from './sections.ts';

/** Items of one page at most, and their bytes as JSON; an item that is larger is a page of its own. */
export const MAX_SECTION_ITEMS = 50;
export const MAX_SECTION_BYTES = 40 * 1024;
/** What a page has around its items, in bytes. */
const FRAME_BYTES = 2 * 1024;

/** Which part of a section is asked for, as it came. */
export type SectionQuery = Partial<Record<keyof SectionFilter | 'cursor', string | undefined>>;

/** One page of a section. */
export type SectionPage = {
  report_id?: string;
  report_url?: string;
  capability: string;
  section: SectionName;
  /** Items that the filters choose, on all pages. */
  total: number;
  items: readonly Record<string, unknown>[];
  next_cursor?: string;
  links?: { self: string; next?: string; markdown: string };
};

export type SectionOutcome =
  | { ok: true; page: SectionPage }
  | { ok: false; reason: 'unknown_section' | 'invalid_filter' | 'invalid_cursor'; detail: string };

const isSectionName = (name: string): name is SectionName => (sectionNames as readonly string[]).includes(name);

/** The name of a section that this result has; undefined for every other text. */
export function findSection({ result }: SectionSource, name: string): SectionName | undefined {
  return isSectionName(name) && countResultSections(result).some((one) => one.name === name) ? name : undefined;
}

/**
 * One page of a section.
 * @param place where the report can be read; undefined for a result that is stored nowhere
 */
export async function readSectionPage(
  source: SectionSource,
  name: string,
  { cursor, ...asked }: SectionQuery,
  place: ReportPlace | undefined,
): Promise<SectionOutcome> {
  const section = findSection(source, name);
  if (section === undefined) return refuseSection(source);
  const filter = sectionFilter.safeParse(asked);
  const refused = filter.success
    ? Object.keys(filter.data).find((key) => !(SECTION_FILTERS[section] as readonly string[]).includes(key))
    : String(filter.error.issues[0]?.path[0] ?? '');
  if (refused !== undefined || !filter.success) return refuseFilter(section, refused ?? '');
  const scope = [place?.reportId ?? '', section, JSON.stringify(filter.data)].join('\n');
  const from = cursor === undefined ? 0 : await decodeCursor(cursor, scope);
  const chosen = listSectionItems(source, section).filter((one) => isChosen(one, filter.data));
  if (from === undefined || from > chosen.length) return { ok: false, reason: 'invalid_cursor', detail: BAD_CURSOR };
  const items = takePage(chosen, from);
  const end = from + items.length;
  const next = end < chosen.length ? await encodeCursor(scope, end) : undefined;
  return {
    ok: true,
    page: {
      ...(place === undefined ? {} : { report_id: place.reportId, report_url: formatReportUrl(place) }),
      capability: source.result.capability,
      section,
      total: chosen.length,
      items,
      ...(next === undefined ? {} : { next_cursor: next }),
      ...(place === undefined ? {} : { links: buildPageLinks(place, section, { ...filter.data, cursor }, next) }),
    },
  };
}

function isChosen({ id, status, scores }: SectionItem, filter: SectionFilter): boolean {
  if (filter.id !== undefined && id !== filter.id) return false;
  if (filter.status !== undefined && status !== filter.status) return false;
  return filter.score === undefined || scores?.includes(filter.score) === true;
}

/** As many items as fit into a page, one at least. */
function takePage(items: readonly SectionItem[], from: number): Record<string, unknown>[] {
  const page: Record<string, unknown>[] = [];
  let bytes = FRAME_BYTES;
  for (const { item } of items.slice(from, from + MAX_SECTION_ITEMS)) {
    bytes += countUtf8Bytes(JSON.stringify(item)) + 1;
    if (page.length > 0 && bytes > MAX_SECTION_BYTES) break;
    page.push(item);
  }
  return page;
}

function buildPageLinks(
  place: ReportPlace,
  section: SectionName,
  query: SectionQuery,
  next: string | undefined,
): NonNullable<SectionPage['links']> {
  const url = formatSectionUrl(place, section);
  return {
    self: `${url}${formatQuery(query)}`,
    ...(next === undefined ? {} : { next: `${url}${formatQuery({ ...query, cursor: next })}` }),
    markdown: `${url}.md${formatQuery(query)}`,
  };
}

function formatQuery(query: SectionQuery): string {
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

const BAD_CURSOR = 'The cursor is not one of this section with these filters: begin without it';

function refuseSection({ result }: SectionSource): SectionOutcome {
  const has = countResultSections(result).map(({ name }) => name);
  const detail = has.length === 0 ? 'This report has no sections' : `This report has the sections ${has.join(', ')}`;
  return { ok: false, reason: 'unknown_section', detail };
}

function refuseFilter(section: SectionName, name: string): SectionOutcome {
  const known = SECTION_FILTERS[section];
  const detail = (known as readonly string[]).includes(name)
    ? `The value of ${name} is not one of those of the section ${section}`
    : `The section ${section} is filtered by ${known.length === 0 ? 'nothing' : known.join(', ')}`;
  return { ok: false, reason: 'invalid_filter', detail };
}
