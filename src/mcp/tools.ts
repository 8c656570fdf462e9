import type { Tool } from '@modelcontextprotocol/server';
import { type AnyCapability, buildBodySchema } from '../capabilities/capability.ts';
import { catalog } from '../capabilities/catalog.ts';
import { capabilityTitles } from '../capabilities/titles-data.ts';
import type { JsonObject } from '../lib/json.ts';
import { BASE, type PaymentNetwork, type SaleNetwork } from '../payment/terms/networks-data.ts';
import { buildRequirements, type PricedOffer } from '../payment/terms/terms.ts';
import { REPORT_CARD_URI } from './card/card.ts';
import { buildFreeTools } from './free-tools.ts';
import { buildSoldSchema } from './output-schemas.ts';
import type { ToolDoor } from './tool-host.ts';

/** A network beside the first one, who is paid there, and which rows are sold there. */
export type FurtherNetwork = Pick<PricedOffer, 'payTo' | 'feePayer'> & {
  network: SaleNetwork;
  sells: (row: AnyCapability) => boolean;
};

/** What the table depends on beside the catalogue: the payee, or undefined where nothing can be sold, and the door. */
export type ToolTableSettings = {
  payTo: string | undefined;
  network?: PaymentNetwork;
  others?: readonly FurtherNetwork[];
  door: ToolDoor;
};

/**
 * The tools of the service: the free ones and one tool for each capability of the catalogue, each with its price in
 * words and as x402 terms in `_meta`. Make it once per settings and door.
 */
export const buildToolTable = (
  settings: ToolTableSettings,
  rows: readonly AnyCapability[] = catalog,
): readonly Tool[] => {
  const { index, others } = buildFreeTools(settings.door);
  return [index, ...rows.map((row) => buildTool(row, settings)), ...others];
};

function buildTool(row: AnyCapability, { payTo, network, others, door }: ToolTableSettings): Tool {
  const readsWorld = row.engineBacked || 'url' in row.body.shape;
  const terms = payTo === undefined ? {} : { x402: buildShortTerms(row, network, others) };
  return {
    name: row.name,
    title: capabilityTitles[row.name],
    description: `${row.summary}. ${describePrice(row.priceMicroUsdc)}`,
    inputSchema: buildInputSchema(row, door === 'account' ? UNLISTED_OF_ACCOUNTS : UNLISTED),
    outputSchema: buildSoldSchema(row),
    annotations: {
      readOnlyHint: false, // A call costs.
      destructiveHint: false,
      // At /mcp the same call is the same payment, which buys once. Credits are debited by each call, and a wallet signs for each.
      idempotentHint: door === 'open',
      openWorldHint: readsWorld,
    },
    _meta: { ui: { resourceUri: REPORT_CARD_URI }, ...terms },
  };
}

/** `0.15`: at least two decimals, and no more than the price has. */
export const formatShortUsd = (microUsdc: number): string => (microUsdc / 1_000_000).toFixed(6).replace(/0{1,4}$/, '');

const describePrice = (microUsdc: number): string => `Costs ${formatShortUsd(microUsdc)} USDC.`;

/**
 * What differs from tool to tool; `buildSharedTerms` has the rest. A quote comes only with an unpaid call. `networks` are
 * those that it is sold on, where they are not all.
 */
function buildShortTerms(
  row: AnyCapability,
  first: PaymentNetwork = BASE,
  others: readonly FurtherNetwork[] = [],
): Record<string, unknown> {
  const sold = others.filter(({ sells }) => sells(row)).map(({ network }) => network.id);
  const networks = sold.length === others.length ? {} : { networks: [first.id, ...sold] };
  return { amount: String(row.priceMicroUsdc), ...networks };
}

/**
 * The terms that all tools share, for clients that sign before they ask: once in `_meta` of the list. Those of the first
 * network; `accepts` lists all where there are more, as in a 402.
 */
export function buildSharedTerms(
  payTo: string,
  network: PaymentNetwork = BASE,
  others: readonly FurtherNetwork[] = [],
): Record<string, unknown> {
  const [first, ...more] = [{ payTo, network }, ...others].map(buildTermsOn);
  return { x402Version: 2, ...first, ...(more.length === 0 ? {} : { accepts: [first, ...more] }) };
}

function buildTermsOn({ payTo, network, feePayer }: Omit<FurtherNetwork, 'sells'>): object {
  const offer = { name: '', description: '', url: '', payTo, network, amountMicroUsdc: 0 };
  const { amount: _ofEachTool, ...terms } = buildRequirements({ ...offer, ...(feePayer && { feePayer }) }, 0);
  return terms;
}

/** Said shorter than in the OpenAPI document: every model reads all tools. */
const SHORT: Readonly<Record<string, string>> = {
  profile: 'Detected when absent',
  kind: 'Of the market',
  local: 'Niche names a place',
  engines: 'By name, from index',
  language: 'Of the questions',
  prompts: 'Own questions, 6 to 100',
  url: 'URL or host',
};

/** Understood when they are sent. `publish_report` is how a report is published; `kind` and `local` choose the set. */
const UNLISTED: ReadonlySet<string> = new Set(['publish', 'prompt_set', 'max_pages']);
/** Accounts have more tools: what is detected when absent is left to the catalogue there. */
const UNLISTED_OF_ACCOUNTS: ReadonlySet<string> = new Set([...UNLISTED, 'profile']);
const LEFT_OUT: ReadonlySet<string> = new Set([
  'additionalProperties',
  'examples',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
]);

/** The body as a model needs it: the OpenAPI document has examples, lengths and formats. */
function buildInputSchema(row: AnyCapability, unlisted: ReadonlySet<string>): Tool['inputSchema'] {
  const { properties, ...schema } = buildBodySchema(row);
  const listed = Object.entries(Object(properties)).filter(([name]) => !unlisted.has(name));
  return {
    ...shorten(schema),
    type: 'object',
    properties: Object.fromEntries(
      listed.map(([name, member]) => {
        const { description, ...rest } = shorten(member);
        const short = SHORT[name] ?? description;
        return [name, short === undefined ? rest : { ...rest, description: short }];
      }),
    ),
  };
}

const shorten = (schema: unknown): JsonObject =>
  JSON.parse(JSON.stringify(schema, (key, value: unknown) => (LEFT_OUT.has(key) ? undefined : value))) as JsonObject;
