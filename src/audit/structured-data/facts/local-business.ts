import { hasStreet } from '../../publisher/facts/about-pages.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { hasValue, listNodesOfType, type SchemaGraph } from './schema-nodes.ts';

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
