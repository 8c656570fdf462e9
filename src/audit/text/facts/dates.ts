import { getJsonLd } from '../../structured-data/facts/json-ld.ts';
import { findWrittenDate, findWrittenMonth, parseShortDay } from '../../language/written-dates.ts';
import type { NamedText } from '../../page/facts/element-facts.ts';
import { findContentStart } from '../../page/facts/page.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { listPropertyTexts } from '../../structured-data/facts/schema-nodes.ts';

/** A date that a page states in a form machines read, and where. `ms`: start of its day in UTC. */
export type StatedDate = {
  text: string;
  ms: number;
  from: 'time' | 'json-ld' | 'meta' | 'microdata' | 'rdfa' | 'microformat';
};

/** Names of meta elements that hold a date of the content, whatever vocabulary they belong to. */
const META_DATE =
  /(?:^|[.:_-])(?:date|(?:iso)?datetime|pubdate|pub-date|pub_date|publishdate|publish-date|publish_date|published|published_time|publicationdate|publication_date|modified|modified_time|updated|updated_time|created|issued|revised|datepublished|datemodified|last-modified|lastmod|online_date)$/;
const NODE_DATES = ['datePublished', 'dateModified', 'dateCreated', 'uploadDate'];
/** Classes by which microformats (hAtom, h-entry) and the themes built on them mark a date. */
const MICROFORMAT = new Set(['published', 'updated', 'dt-published', 'dt-updated', 'entry-date']);

/** Nodes that are asked for dates. */
const MAX_NODES = 500;

/** Structured dates of a page, in order of their places. Only the day counts, so that no time zone decides. */
export function listStatedDates(page: PageFacts): readonly StatedDate[] {
  const { graph } = getJsonLd(page);
  const texts: readonly { text: string; from: StatedDate['from'] }[] = [
    ...page.times
      .filter(({ aside }) => !aside)
      .map(({ datetime, text }) => ({
        text: parseStated(datetime) === undefined && parseIsoDay(text) !== undefined ? text : datetime,
        from: 'time' as const,
      })),
    ...page.metas
      .filter(({ name, property }) => META_DATE.test(name) || META_DATE.test(property))
      .map(({ content }) => ({ text: content, from: 'meta' as const })),
    ...graph.nodes
      .slice(0, MAX_NODES)
      .filter(({ types }) => !types.includes('Comment') && !types.includes('UserComments'))
      .flatMap((node) => NODE_DATES.flatMap((property) => listPropertyTexts(graph, node, property)))
      .map((text) => ({ text, from: 'json-ld' as const })),
    ...page.named.flatMap((one) => (one.what === 'date' && !one.aside ? readNamedDate(one) : [])),
  ];
  return texts.flatMap(({ text, from }) => {
    const ms = parseStated(text);
    return ms === undefined || isPlaceholderDay(text, ms) ? [] : [{ text: text.trim().slice(0, 40), ms, from }];
  });
}

function readNamedDate({ by, text, machine, classes }: NamedText): { text: string; from: StatedDate['from'] }[] {
  const stated = parseStated(machine) === undefined ? text : machine;
  const short = parseStated(stated) === undefined ? parseShortDay(stated) : undefined;
  const day = short === undefined ? stated : new Date(short).toISOString().slice(0, 10);
  if (by === 'itemprop') return [{ text: day, from: 'microdata' }];
  if (by === 'property') return [{ text: day, from: 'rdfa' }];
  return classes.some((name) => MICROFORMAT.has(name)) ? [{ text: day, from: 'microformat' }] : [];
}

/** What programs write for no date: a day of the first year of the calendar, and the first of Unix time. */
export const isPlaceholderDay = (text: string, ms: number | undefined = parseIsoDay(text)): boolean =>
  ms === 0 || /^\s{0,9}0{3}\d-/.test(text);

/** A day as ISO 8601 has it, or as people write it. */
const parseStated = (text: string): number | undefined => parseIsoDay(text) ?? findWrittenDate(text)?.ms;

/** Lines around the beginning of the main content that may hold the date of the page; longer ones are prose. */
const NEAR_LINES = 60;
const NEAR_CHARS = 3000;
const MAX_LINE_CHARS = 120;
/** A text may begin with its date: `(3 March 2026) Lamps are ...` */
const OPENING_LINES = 5;
const OPENING_CHARS = 30;

/** A page says anywhere when it was changed, mostly in its last line. */
const CHANGED =
  /^(?:(?:this page was )?last (?:updated|modified|edited|reviewed)|zuletzt (?:geändert|aktualisiert|bearbeitet)|(?:letzte|dernière|última|ultima) \p{L}{3,20})(?!\p{L})/iu;
const MAX_CHANGED_CHARS = 80;

/** The first date that the page shows near its headline, in words only: a day, else a month; undefined when there is none. */
export function findShownDate(page: PageFacts): { text: string; ms: number } | undefined {
  const { text, contentText } = page;
  const start = findContentStart(page);
  const above = text
    .slice(Math.max(0, start - NEAR_CHARS), start)
    .split('\n')
    .slice(-NEAR_LINES);
  const below = text
    .slice(start, start + NEAR_CHARS)
    .split('\n')
    .slice(0, NEAR_LINES);
  const end = contentText
    .slice(-NEAR_CHARS / 3)
    .split('\n')
    .slice(-NEAR_LINES);
  const marked = page.named.filter(({ what, aside, hidden }) => what === 'date' && !aside && hidden === undefined);
  const opening = below.slice(0, OPENING_LINES).map((line) => line.slice(0, OPENING_CHARS));
  // `Press release of 3 March 2026 | Berlin: ...`
  const heads = [...above, ...below.slice(0, OPENING_LINES)].flatMap((line) => line.split(' | ', 2).slice(0, -1));
  const changed = text.split('\n').filter((line) => line.length <= MAX_CHANGED_CHARS && CHANGED.test(line));
  const lines = [...above, ...below, ...opening, ...heads, ...end, ...changed, ...marked.map((one) => one.text)].filter(
    (line) => line.length <= MAX_LINE_CHARS,
  );
  for (const find of [findWrittenDate, findWrittenMonth]) {
    for (const line of lines) {
      const found = find(line);
      if (found) return found;
    }
  }
  return undefined;
}

/** Start of the day of an ISO 8601 date or date-time, Unix milliseconds UTC; undefined when the text is none. */
export function parseIsoDay(text: string): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].{0,30})?$/.exec(text.trim());
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  const ms = Date.UTC(year, month - 1, day);
  return new Date(ms).getUTCMonth() === month - 1 && new Date(ms).getUTCDate() === day ? ms : undefined;
}

/** A date of the W3C profile: `ms` Unix milliseconds UTC of its beginning, fractions of a second dropped; `timed` when it names a time of day. */
export type W3cDate = { ms: number; timed: boolean };

const W3C = /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?)?)?$/;

/** Parses a W3C datetime as sitemaps use it: a year, a month, a day, or a time with its zone; undefined for anything else. */
export function parseW3cDate(text: string): W3cDate | undefined {
  const match = W3C.exec(text.trim());
  if (!match) return undefined;
  const [, year = '', month = '01', day = '01', hours, minutes = '00', seconds = '00', zone = 'Z'] = match;
  if (parseIsoDay(`${year}-${month}-${day}`) === undefined) return undefined;
  const ms = Date.parse(`${year}-${month}-${day}T${hours ?? '00'}:${minutes}:${seconds}${zone}`);
  return Number.isNaN(ms) ? undefined : { ms, timed: hours !== undefined };
}
