import { getJsonLd } from '../../structured-data/facts/json-ld.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { listPropertyTexts } from '../../structured-data/facts/schema-nodes.ts';

/** A date that a page states in a form machines read, and where. `ms`: start of its day in UTC. */
export type StatedDate = { text: string; ms: number; from: 'time' | 'json-ld' | 'meta' };

const META_DATES = [
  'article:published_time',
  'article:modified_time',
  'og:updated_time',
  'date',
  'last-modified',
  'dcterms.modified',
  'dcterms.created',
];
const NODE_DATES = ['datePublished', 'dateModified', 'dateCreated', 'uploadDate'];

/** Nodes that are asked for dates. */
const MAX_NODES = 500;

/** Structured dates of a page, in order of their places. Only the day counts, so that no time zone decides. */
export function listStatedDates(page: PageFacts): readonly StatedDate[] {
  const { graph } = getJsonLd(page);
  const texts = [
    ...page.times.map(({ datetime }) => ({ text: datetime, from: 'time' as const })),
    ...page.metas
      .filter(({ name, property }) => META_DATES.includes(name) || META_DATES.includes(property))
      .map(({ content }) => ({ text: content, from: 'meta' as const })),
    ...graph.nodes
      .slice(0, MAX_NODES)
      .flatMap((node) => NODE_DATES.flatMap((property) => listPropertyTexts(graph, node, property)))
      .map((text) => ({ text, from: 'json-ld' as const })),
  ];
  return texts.flatMap(({ text, from }) => {
    const ms = parseIsoDay(text);
    return ms === undefined ? [] : [{ text: text.trim().slice(0, 40), ms, from }];
  });
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
