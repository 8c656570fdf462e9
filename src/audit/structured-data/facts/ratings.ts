import { listNumberReadings } from '../../language/statistics.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';
import { isSubtype } from './schema-org.ts';
import {
  listNodesOfType,
  listPropertyNodes,
  listPropertyTexts,
  listTypes,
  type SchemaGraph,
  type SchemaNode,
} from './schema-nodes.ts';

/**
 * One AggregateRating; `hard` faults make the number false, empty or unseen, `soft` ones make it unfit to be shown.
 * `value` and `count` are as the structured data write them.
 */
export type RatingFacts = {
  value: string;
  count: string;
  line: number;
  hard: readonly string[];
  soft: readonly string[];
};

const MAX_RATINGS = 50;
const MAX_TEXT_CHARS = 500_000;

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
  const numbers = listShownNumbers(page);
  return rated
    .slice(0, MAX_RATINGS)
    .map(([rating, item]) => buildRatingFacts(graph, { rating, item }, { page, numbers }));
}

function buildRatingFacts(
  graph: SchemaGraph,
  { rating, item }: { rating: SchemaNode; item: SchemaNode | undefined },
  { page, numbers }: { page: PageFacts; numbers: readonly ShownNumber[] },
): RatingFacts {
  const number = (property: string): number | undefined => toNumber(listPropertyTexts(graph, rating, property)[0]);
  const value = number('ratingValue');
  const [best, worst] = [number('bestRating') ?? 5, number('worstRating') ?? 1];
  const count = Math.max(number('ratingCount') ?? 0, number('reviewCount') ?? 0);
  const states = {
    value: listPropertyTexts(graph, rating, 'ratingValue')[0] ?? '(none)',
    count: String(count),
  };
  const inRange = value !== undefined && value >= worst && value <= best;
  const unseen = inRange && count > 0 ? listUnseen(states, { value, best, count }, numbers) : { hard: [], soft: [] };
  return {
    ...states,
    line: rating.line,
    hard: [
      ...(inRange ? [] : ['the value is not between worstRating and bestRating']),
      ...(count > 0 ? [] : ['no ratingCount or reviewCount above 0']),
      ...(item ? [] : ['nothing is rated']),
      ...unseen.hard,
    ],
    soft: [
      ...unseen.soft,
      ...(item && isSelf(graph, item, page.url) ? ['the organisation rates itself on its own site'] : []),
    ],
  };
}

function toNumber(text: string | undefined): number | undefined {
  const value = text === undefined ? Number.NaN : Number(text.replace(',', '.').replace(/\s/g, ''));
  return Number.isFinite(value) ? value : undefined;
}

/** A number that a reader sees: its readings, its place, and whether it has a fraction or a scale. */
type ShownNumber = { values: readonly number[]; at: number; marked: boolean };

// Every repeat is bounded, and no number starts inside another.
const NUMBERS = [
  /(?<![\d.,])\d{1,9}(?:[.,'’]\d{1,9}){0,4}(?!\d)/gu,
  /(?<![\d.,])\d{1,3}(?:[ \u00A0\u202F]\d{3}){1,3}(?!\d)/gu,
];
/** `4/5`, `4 out of 5`, `4 von 5`, `4 ★`, `96 %`, `4 stars`: what makes a whole number a rating. */
const SCALE =
  /^\s?(?:\/|%|★|☆|⭐|(?:out of|of|von|sur|de|su|van|av|из|z)\s\d|(?:stars?|sterne?n?|étoiles?|estrellas?|stelle|sterren|estrelas|звезд\p{L}{0,2})(?!\p{L}))/iu;
const THOUSANDS = /^\s?(?:k|tsd\.?|mil|тыс\.?)(?!\p{L})/iu;
const SCALE_CHARS = 16;
const MAX_NUMBERS = 5000;

/** The numbers of the visible text, then of names and descriptions that assistive technology reads in its place. */
function listShownNumbers(page: PageFacts): readonly ShownNumber[] {
  const labels = [
    ...page.attributeTexts.filter(({ attribute }) => attribute !== 'title').map(({ text }) => text),
    ...page.images.map(({ alt }) => alt ?? ''),
  ];
  const text = [page.text, ...labels].join('\n').slice(0, MAX_TEXT_CHARS);
  return NUMBERS.flatMap((numbers) => [...text.matchAll(numbers)].slice(0, MAX_NUMBERS)).map(({ 0: number, index }) => {
    const after = text.slice(index + number.length, index + number.length + SCALE_CHARS);
    const factor = THOUSANDS.test(after) ? 1000 : 1;
    return {
      values: listNumberReadings(number).map((value) => value * factor),
      at: index,
      marked: /[.,]/.test(number) || SCALE.test(after),
    };
  });
}

/** How far from its count a whole number still is the rating: `5 (31 reviews)`. */
const NEAR_CHARS = 80;

/** What of a rating the page does not show. A value may be rounded, given in percent, or drawn as stars beside its count. */
function listUnseen(
  states: { value: string; count: string },
  { value, best, count }: { value: number; best: number; count: number },
  numbers: readonly ShownNumber[],
): Pick<RatingFacts, 'hard' | 'soft'> {
  const counts = numbers.filter(({ values }) => values.some((shown) => isSameCount(shown, count)));
  const forms = [value, Math.round(value * 10) / 10, Math.round(value * 100) / 100, Math.round((100 * value) / best)];
  const isShown = numbers.some(
    ({ values, at, marked }) =>
      values.some((shown) => forms.includes(shown)) &&
      (marked || counts.some((each) => each.at !== at && Math.abs(each.at - at) <= NEAR_CHARS)),
  );
  if (isShown && counts.length > 0) return { hard: [], soft: [] };
  if (isShown)
    return { hard: [], soft: [`the HTML shows the value ${states.value}, and not the count ${states.count}`] };
  if (counts.length > 0)
    return { hard: [], soft: [`the HTML shows the count ${states.count}, and not the value ${states.value}`] };
  return { hard: [`the HTML shows neither the value ${states.value} nor the count ${states.count}`], soft: [] };
}

/** `1.2k` is a short form of 1,240. */
const isSameCount = (shown: number, count: number): boolean =>
  shown === count || (shown >= 1000 && shown % 100 === 0 && Math.abs(shown - count) < 100);

/** An organisation without an address, or with one of this site, is the one that publishes the rating. */
function isSelf(graph: SchemaGraph, item: SchemaNode, pageUrl: string): boolean {
  const types = listTypes(graph, item);
  // A Product page may show its maker's rating; only the types that Google names are judged.
  if (!types.some((type) => isSubtype(type, 'Organization'))) return false;
  const urls = listPropertyTexts(graph, item, 'url').filter((url) => URL.canParse(url));
  return urls.length === 0 || urls.some((url) => isSameOwner(new URL(url), new URL(pageUrl)));
}
