import {
  hasValue,
  listNodesOfType,
  listPropertyNodes,
  listPropertyTexts,
  type SchemaGraph,
  type SchemaNode,
} from './schema-nodes.ts';
import { hasStreet } from '../../publisher/facts/about-pages.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';

/** One BreadcrumbList: how many steps it has and what they lack. */
export type Breadcrumb = { line: number; steps: readonly string[]; faults: readonly string[] };

const MAX_LISTS = 10;
const MAX_STEPS = 50;

/** The breadcrumb trails of a page, the one with the fewest faults first. */
export function listBreadcrumbs(graph: SchemaGraph): readonly Breadcrumb[] {
  return listNodesOfType(graph, 'BreadcrumbList')
    .slice(0, MAX_LISTS)
    .map((list) => buildBreadcrumb(graph, list))
    .toSorted((a, b) => a.faults.length - b.faults.length);
}

function buildBreadcrumb(graph: SchemaGraph, list: SchemaNode): Breadcrumb {
  const steps = listPropertyNodes(graph, list, 'itemListElement').slice(0, MAX_STEPS);
  const positions = steps
    .map((step) => Number(listPropertyTexts(graph, step, 'position')[0] ?? Number.NaN))
    .toSorted((a, b) => a - b);
  const names = steps.map((step) => getStepName(graph, step));
  // The last step is the page itself and may go without an address.
  const withoutItem = steps
    .slice(0, -1)
    .filter((step) => !hasValue(graph, step, 'item') && !hasValue(graph, step, 'url'));
  const faults = [
    ...(steps.length < 2 ? ['fewer than two steps'] : []),
    ...(positions.every((position, index) => position === index + 1) ? [] : ['positions are not 1 to n']),
    ...(names.includes('') ? ['a step without a name'] : []),
    ...(withoutItem.length > 0 ? ['a step without item'] : []),
  ];
  return { line: list.line, steps: names, faults };
}

function getStepName(graph: SchemaGraph, step: SchemaNode): string {
  const own = listPropertyTexts(graph, step, 'name')[0];
  return (
    own ?? listPropertyNodes(graph, step, 'item').flatMap((item) => listPropertyTexts(graph, item, 'name'))[0] ?? ''
  );
}

/** Segments of a path, a leading language (`/en/`, `/pt-br/`) and an index file not counted. */
export function computePathDepth(url: string): number {
  const segments = new URL(url).pathname.split('/').filter((segment) => segment !== '');
  const inside = /^[a-z]{2}(?:-[a-z]{2})?$/i.test(segments[0] ?? '') ? segments.slice(1) : segments;
  return inside.filter((segment) => !/^index\.\w{1,5}$/i.test(segment)).length;
}

/** What a place of business should state; opening hours have two spellings. */
const FIELDS: readonly { field: string; properties: readonly string[] }[] = [
  { field: 'name', properties: ['name'] },
  { field: 'address', properties: ['address'] },
  { field: 'telephone', properties: ['telephone'] },
  { field: 'openingHours', properties: ['openingHours', 'openingHoursSpecification'] },
  { field: 'geo', properties: ['geo'] },
];
export const LOCAL_FIELDS = FIELDS.length;

/** The best described LocalBusiness (any subtype) of a page and the fields it lacks; undefined when there is none. */
export function findBestLocalBusiness(
  graph: SchemaGraph,
): { line: number; types: readonly string[]; missing: readonly string[] } | undefined {
  const described = listNodesOfType(graph, 'LocalBusiness').map((node) => ({
    line: node.line,
    types: node.types,
    missing: FIELDS.filter(({ properties }) => !properties.some((name) => hasValue(graph, node, name))).map(
      ({ field }) => field,
    ),
  }));
  return described.toSorted((a, b) => a.missing.length - b.missing.length)[0];
}

/** Characters at the beginning and at the end of a page where a shop states its address and hours. */
const REACH_CHARS = 50_000;

const HOURS =
  /(?<!\p{L})(?:opening hours|business hours|store hours|we are open|öffnungszeiten|sprechzeiten|heures d['’]ouverture|horaires|horarios?(?: de (?:apertura|atención|funcionamento))?|orari(?: di apertura)?|openingstijden|часы работы|режим работы|ساعات العمل|أوقات الدوام)(?!\p{L})|营业时间|營業時間|営業時間|영업\s?시간|(?<!\p{L})(?:mon|mo|lun|lu|ma|пн)\.?\s?[-–]\s?(?:fri|fr|sat|sa|sun|so|ven|vie|vr|za|пт|сб|вс)\.?[\s:,]{1,3}\d{1,2}/iu;

/** Whether a page shows what a place that people go to shows: a telephone link, a street and opening hours. */
export function isPlacePage(page: PageFacts): boolean {
  const phone = page.anchors.some(({ rawHref, hidden }) => hidden === undefined && /^tel:/i.test(rawHref.trim()));
  if (!phone) return false;
  const text =
    page.text.length <= 2 * REACH_CHARS
      ? page.text
      : `${page.text.slice(0, REACH_CHARS)}\n${page.text.slice(-REACH_CHARS)}`;
  return HOURS.test(text) && hasStreet(text);
}
