import {
  FOUNDER_UNSPACED,
  FOUNDER_WORDS,
  PLACE_UNSPACED,
  PLACE_WORDS,
  SINCE_UNSPACED,
  SINCE_WORDS,
  STREET_FORMS,
} from './about-facts-data.ts';
import { jsonLdOf } from '../../structured-data/facts/json-ld.ts';
import { mainTextOf } from '../../text/facts/main-text.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { nodesOfType, textsAt } from '../../structured-data/facts/schema-nodes.ts';

/** What an About page says of an organisation: whether it names it, since when it exists, who began it, where it is. */
export type AboutFacts = { named: boolean; facts: readonly ('year' | 'founder' | 'place')[]; excerpt: string };

/** The part of an About page that is read: the facts stand at its beginning, or it does not state them. */
const MAX_CHARS = 30_000;

const YEAR = '(?:1[6-9]|20)\\d\\d';
const SINCE = new RegExp(
  `(?<!\\p{L})(?:${SINCE_WORDS})(?!\\p{L})[^.!?\\n]{0,40}?(?<!\\d)${YEAR}(?!\\d)|${SINCE_UNSPACED}`,
  'iu',
);
const FOUNDER = new RegExp(`(?<!\\p{L})(?:${FOUNDER_WORDS})(?!\\p{L})|${FOUNDER_UNSPACED}`, 'iu');
const PLACE = new RegExp(`(?<!\\p{L})(?:${PLACE_WORDS})\\s\\p{L}|${PLACE_UNSPACED}`, 'iu');
const STREETS = STREET_FORMS.map((source) => new RegExp(source, 'u'));

/** Whether a text holds a postal address, by the forms of streets and numbers. */
export const hasStreet = (text: string): boolean => STREETS.some((street) => street.test(text));

/** @param names of the organisation, any of which counts. */
export function aboutFacts(page: PageFacts, names: readonly string[]): AboutFacts {
  const main = mainTextOf(page).text;
  const text = (main === '' ? page.text : main).slice(0, MAX_CHARS);
  const lower = text.toLowerCase();
  const year = SINCE.exec(text);
  const founder = FOUNDER.exec(text);
  const place = PLACE.exec(text);
  const facts = [
    ...(year ? ['year' as const] : []),
    ...(founder ? ['founder' as const] : []),
    ...(place || hasStreet(text) || statesLocality(page, lower) ? ['place' as const] : []),
  ];
  const at = year?.index ?? founder?.index ?? place?.index ?? 0;
  return {
    named: names.some((name) => name !== '' && lower.includes(name.toLowerCase())),
    facts,
    excerpt: text.slice(Math.max(0, at - 60), at + 140),
  };
}

/** The town of an address in structured data that the text names too. */
function statesLocality(page: PageFacts, lower: string): boolean {
  const { graph } = jsonLdOf(page);
  const towns = nodesOfType(graph, 'PostalAddress').flatMap((node) => textsAt(graph, node, 'addressLocality'));
  return towns.slice(0, 20).some((town) => town.length > 2 && lower.includes(town.toLowerCase()));
}
