import type { PageFacts } from '../../page/facts/page-facts.ts';
import { isSameOwner } from '../../publisher/facts/same-owner.ts';
import {
  listPropertyNodes,
  listNodesOfType,
  type SchemaGraph,
  type SchemaNode,
  listPropertyTexts,
  listTypes,
} from './schema-nodes.ts';
import { isSubtype } from './schema-org.ts';

/** One AggregateRating; `hard` faults make the number false or empty, `soft` ones make it unfit to be shown. */
export type RatingFacts = { text: string; line: number; hard: readonly string[]; soft: readonly string[] };

const MAX_RATINGS = 50;
const MAX_TEXT_CHARS = 1_000_000;

/** The aggregate ratings of a page and what is wrong with each. */
export function listRatings(graph: SchemaGraph, page: PageFacts): readonly RatingFacts[] {
  const items = new Map<SchemaNode, SchemaNode>();
  for (const item of graph.nodes.filter(({ props }) => props.has('aggregateRating')))
    for (const rating of listPropertyNodes(graph, item, 'aggregateRating')) items.set(rating, item);
  const ids = new Set([...items.keys()].map(({ id }) => id));
  const loose = listNodesOfType(graph, 'AggregateRating').filter(
    (rating) => !items.has(rating) && (rating.id === '' || !ids.has(rating.id)),
  );
  const rated = [
    ...items,
    ...loose.map((rating) => [rating, listPropertyNodes(graph, rating, 'itemReviewed')[0]] as const),
  ];
  if (rated.length === 0) return [];
  const text = normaliseLetters([page.text.slice(0, MAX_TEXT_CHARS), ...page.titles.slice(0, 1)].join(' '));
  return rated.slice(0, MAX_RATINGS).map(([rating, item]) => buildRatingFacts(graph, { rating, item }, { page, text }));
}

function buildRatingFacts(
  graph: SchemaGraph,
  { rating, item }: { rating: SchemaNode; item: SchemaNode | undefined },
  { page, text }: { page: PageFacts; text: string },
): RatingFacts {
  const number = (property: string): number | undefined => toNumber(listPropertyTexts(graph, rating, property)[0]);
  const value = number('ratingValue');
  const [best, worst] = [number('bestRating') ?? 5, number('worstRating') ?? 1];
  const count = Math.max(number('ratingCount') ?? 0, number('reviewCount') ?? 0);
  const name = item ? normaliseLetters(listPropertyTexts(graph, item, 'name')[0] ?? '') : '';
  return {
    text: `ratingValue ${listPropertyTexts(graph, rating, 'ratingValue')[0] ?? '(none)'}, count ${count}`,
    line: rating.line,
    hard: [
      ...(value === undefined || value < worst || value > best
        ? ['the value is not between worstRating and bestRating']
        : []),
      ...(count > 0 ? [] : ['no ratingCount or reviewCount above 0']),
      ...(item ? [] : ['nothing is rated']),
    ],
    soft: [
      ...(item && (name === '' || !text.includes(name)) ? ['the page does not show what is rated'] : []),
      ...(item && isSelf(graph, item, page.url) ? ['the organisation rates itself on its own site'] : []),
    ],
  };
}

const normaliseLetters = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

function toNumber(text: string | undefined): number | undefined {
  const value = text === undefined ? Number.NaN : Number(text.replace(',', '.').replace(/\s/g, ''));
  return Number.isFinite(value) ? value : undefined;
}

/** An organisation without an address, or with one of this site, is the one that publishes the rating. */
function isSelf(graph: SchemaGraph, item: SchemaNode, pageUrl: string): boolean {
  const types = listTypes(graph, item);
  // A Product page may show its maker's rating; only the types that Google names are judged.
  if (!types.some((type) => isSubtype(type, 'Organization'))) return false;
  const urls = listPropertyTexts(graph, item, 'url').filter((url) => URL.canParse(url));
  return urls.length === 0 || urls.some((url) => isSameOwner(new URL(url), new URL(pageUrl)));
}
