import { exampleBodies } from '../../capabilities/bodies.ts';
import { examplePanelBody } from '../../capabilities/panel-bodies.ts';
import { exampleSellerBody } from '../../capabilities/sold-tools.ts';
import { buildBodySchema, isAboutSite } from '../../capabilities/capability.ts';
import type { ResultName } from '../../capabilities/capability-name.ts';
import { catalog } from '../../capabilities/catalog.ts';
import { capabilityTitles } from '../../capabilities/titles-data.ts';
import { isObject, type Json } from '../../lib/json.ts';
import { capitalise } from '../../lib/text.ts';
import { formatOrderFields } from '../buying/order-command.ts';
import type { Goods } from '../buying/panel.tsx';
import { getCapabilitySummary, getCapabilityTitle } from '../language/capability-words.ts';
import type { PageLanguage } from '../language/language.ts';
import type { PageRow } from './faults.ts';
import { listOrderFields } from './fields.ts';
import { orderWords } from './page-words.ts';
import { rowWords, type RowText } from './row-words.ts';

/** Other rows that a page leads to. */
const MAX_RELATED = 4;

const isNamed = (name: string): name is ResultName => Object.hasOwn(capabilityTitles, name);

/** Title and summary of a row, as catalogues and reports have them. */
function getTitle({ name, summary }: Pick<PageRow, 'name' | 'summary'>, language: PageLanguage) {
  if (!isNamed(name)) return { title: capitalise(name.replaceAll('_', ' ')), summary };
  return { title: getCapabilityTitle(name, language), summary: getCapabilitySummary(name, language, summary) };
}

/** What the page of a row says of it: its own words, or title and summary. */
export function describeRow(row: Pick<PageRow, 'name' | 'summary'>, language: PageLanguage): RowText {
  const words = rowWords[language];
  const own = Object.hasOwn(words, row.name) ? words[row.name] : undefined;
  if (own !== undefined) return own;
  const { title, summary } = getTitle(row, language);
  return { heading: title, lead: `${summary}.`, gets: [] };
}

/** A body that the row accepts, as far as one is known: the example of the documents, or those of its schema. */
export function findExampleBody(row: Pick<PageRow, 'name' | 'body'>): Readonly<Record<string, unknown>> {
  const known: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    ...exampleBodies,
    visibility_panel_2: examplePanelBody,
    visibility_panel_4: examplePanelBody,
    seller_check: exampleSellerBody,
  };
  if (Object.hasOwn(known, row.name)) return known[row.name] ?? {};
  const { properties } = buildBodySchema(row);
  const members = Object.entries(Object(properties) as Record<string, Json>);
  return Object.fromEntries(
    members.flatMap(([name, schema]) => {
      const [example] = isObject(schema) && Array.isArray(schema['examples']) ? schema['examples'] : [];
      return example === undefined ? [] : [[name, example]];
    }),
  );
}

const listRequired = (row: Pick<PageRow, 'body'>): ReadonlySet<string> =>
  new Set(
    listOrderFields(row)
      .filter(({ isRequired }) => isRequired)
      .map(({ name }) => name),
  );

const hasAll = (names: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean =>
  [...wanted].every((name) => names.has(name));

/** Rows about the same thing, the nearest in the catalogue first: what one of the two needs is all that the other needs, or more. */
export function listRelatedRows(row: Pick<PageRow, 'name' | 'body'>): readonly PageRow[] {
  const own = listRequired(row);
  const at = catalog.findIndex(({ name }) => name === row.name);
  const places = new Map<string, number>(catalog.map(({ name }, index) => [name, Math.abs(index - at)]));
  return catalog
    .filter((other) => {
      const needs = listRequired(other);
      return other.name !== row.name && (hasAll(own, needs) || hasAll(needs, own));
    })
    .toSorted((one, other) => (places.get(one.name) ?? 0) - (places.get(other.name) ?? 0))
    .slice(0, MAX_RELATED);
}

/** What can be seen of a row before it is paid: a preview of its site, or the questions of its measurement. */
export type FreeLook = 'audit' | 'questions' | undefined;

export function findFreeLook(row: Pick<PageRow, 'name' | 'body' | 'engineBacked'>): FreeLook {
  if (row.engineBacked) return 'niche' in row.body.shape ? 'questions' : undefined;
  // An audit of a site says nothing of what an endpoint sells.
  return isAboutSite(row) && row.name !== 'seller_check' ? 'audit' : undefined;
}

/** What the panel sells, with the fields of the order as words of a command. */
export function describeRowGoods(row: PageRow, body: Readonly<Record<string, unknown>>, language: PageLanguage): Goods {
  const { buy, promise, measurePromise } = orderWords[language];
  return {
    heading: buy(describeRow(row, language).heading),
    promise: row.engineBacked ? measurePromise : promise,
    fields: formatOrderFields(body),
  };
}
