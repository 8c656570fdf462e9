import { DAY_MS } from '../../../lib/time.ts';
import { parseIsoDay } from '../../text/facts/dates.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { type SchemaGraph, type SchemaNode, listPropertyTexts } from './schema-nodes.ts';

const PROPERTIES = ['dateCreated', 'datePublished', 'uploadDate', 'dateModified'] as const;

/** What is wrong with a date of structured data. */
export type DateFault = {
  what: 'no ISO 8601 date' | 'in the future' | 'modified before published';
  property: string;
  text: string;
  line: number;
};

/** Dates that structured data states of works, and their faults. */
export type SchemaDates = { dates: number; faults: readonly DateFault[] };

const MAX_NODES = 500;
/** The earliest time zone is this far ahead of UTC: a date may be of tomorrow there. */
const EARLIEST_ZONE_MS = 14 * 3600 * 1000;

const TIME = String.raw`[T]\d{2}(?::?\d{2}(?::?\d{2}(?:[.,]\d{1,9})?)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?`;
const EXTENDED = new RegExp(`^\\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\\d|3[01])(?:${TIME})?)?)?$`);
const BASIC = new RegExp(`^\\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])(?:${TIME})?$`);

/** Whether a text is an ISO 8601 date or date-time (a year, a month or a day is enough), and a day of the calendar. */
export function isIsoDate(text: string): boolean {
  if (BASIC.test(text)) return true;
  return EXTENDED.test(text) && (text.length < 10 || parseIsoDay(text) !== undefined);
}

/** @param clockMs of the audit: later dates are in the future. */
export function buildSchemaDates(graph: SchemaGraph, clockMs: number): SchemaDates {
  const nodes = graph.nodes.filter(({ props }) => PROPERTIES.some((name) => props.has(name))).slice(0, MAX_NODES);
  const stated = nodes.flatMap((node) =>
    PROPERTIES.flatMap((property) => listOwnTexts(node, property).map((text) => ({ property, text, line: node.line }))),
  );
  const broken = stated
    .filter(({ text }) => !isIsoDate(text))
    .map((date) => ({ ...date, what: 'no ISO 8601 date' as const }));
  const future = stated
    .filter(({ text }) => (parseIsoDay(text) ?? 0) > clockMs + EARLIEST_ZONE_MS)
    .map((date) => ({ ...date, what: 'in the future' as const }));
  return { dates: stated.length, faults: [...broken, ...future, ...nodes.flatMap(listOrderFaults)] };
}

const listOwnTexts = (node: SchemaNode, property: string): readonly string[] =>
  (node.props.get(property) ?? [])
    .filter((value) => typeof value === 'string')
    .map((value) => value.trim())
    .filter((text) => text !== '');

function listOrderFaults(node: SchemaNode): readonly DateFault[] {
  const [published] = listOwnTexts(node, 'datePublished').flatMap((text) => parseIsoDay(text) ?? []);
  const late = listOwnTexts(node, 'dateModified').find(
    (text) => (parseIsoDay(text) ?? Infinity) < (published ?? -Infinity),
  );
  return late === undefined
    ? []
    : [{ what: 'modified before published', property: 'dateModified', text: late, line: node.line }];
}

/**
 * Whether a visible `time` element of the content is within a day of one of the article's dates; undefined when there is
 * nothing to compare.
 */
export function isVisibleDateClose(page: PageFacts, graph: SchemaGraph, article: SchemaNode): boolean | undefined {
  const shown = page.times
    .filter(({ hidden, inContent }) => hidden === undefined && (inContent || page.contentText === ''))
    .flatMap(({ datetime }) => parseIsoDay(datetime) ?? []);
  const stated = ['datePublished', 'dateModified', 'dateCreated']
    .flatMap((name) => listPropertyTexts(graph, article, name))
    .flatMap((text) => parseIsoDay(text) ?? []);
  if (shown.length === 0 || stated.length === 0) return undefined;
  return stated.some((date) => shown.some((visible) => Math.abs(visible - date) <= DAY_MS));
}
