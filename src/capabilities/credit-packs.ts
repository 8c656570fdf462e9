import * as z from 'zod';
import type { AnyCapability, CapabilityTools, WorkOutcome } from './capability.ts';
import { formatUsd } from './catalog.ts';
import type { PanelName, ToolName } from './capability-name.ts';

type CreditPackName = 'credits_5' | 'credits_20' | 'credits_100';

/** What a payment can buy: a capability of the catalogue, or a panel, a tool or a credit pack, which are separate from it. */
export type SoldRow = Omit<AnyCapability, 'name'> & {
  name: AnyCapability['name'] | CreditPackName | PanelName | ToolName;
  /** Whether it is delivered although `missing` of its engines measured nothing; where it is not there, it is not. */
  isSoldWithout?: (input: Record<string, unknown>, missing: number) => boolean;
  /** A request without a body asks for `{}`. */
  bodyOptional?: true;
  /** A transfer buys it only with a proof by its payer: what is bought belongs to the paying address (rule P6). */
  forPayerOnly?: true;
};

type CreditPack = SoldRow & { name: CreditPackName; dollars: number };

const NOTE =
  'Credited to the account of the paying address once the payment is settled. Sign in with that address to spend it through MCP.';

const REMOVED_MEANWHILE = 'It was removed while this request ran';

/** Nothing is chosen: the path says how much. */
export const packBody = z.strictObject({});

/** The result of every pack. `balance` is what can be spent after it, in USD, for the first who presents the payment. */
export const packResult = z.strictObject({
  credited: z.string().meta({ description: 'What was bought, in USD with six decimals' }),
  note: z.string(),
  balance: z.string().nullable().optional().meta({
    description: 'What the account can spend now, in USD; null: not known now; absent in the answer to a repeat',
  }),
});

/** Storing a promise and a result takes moments; the time is that of two objects and a bucket having a bad day. */
const PACK_WORST_CASE_S = 10;

const pack = (name: CreditPackName, dollars: number): CreditPack => {
  const priceMicroUsdc = dollars * 1_000_000;
  return {
    name,
    dollars,
    priceMicroUsdc,
    summary: `${dollars} USD of prepaid credits for the account of the paying address, spent per call through MCP`,
    body: packBody,
    result: packResult,
    worstCaseS: PACK_WORST_CASE_S,
    engineBacked: false,
    bodyOptional: true,
    forPayerOnly: true,
    run: async (_input, tools) => promiseTopUp(tools, priceMicroUsdc),
  };
};

async function promiseTopUp({ topUp }: CapabilityTools, priceMicroUsdc: number): Promise<WorkOutcome> {
  if (!topUp) throw new Error('credits are sold for payments only');
  const refused = await topUp(priceMicroUsdc);
  if (refused !== undefined) return { ok: false, reason: refused, detail: REMOVED_MEANWHILE };
  return { ok: true, result: { credited: formatUsd(priceMicroUsdc), note: NOTE }, warnings: [] };
}

/** The credit packs, sold at `POST /api/credits/<dollars>`. They are no capabilities: the catalogue does not list them. */
export const creditPacks: readonly CreditPack[] = [
  pack('credits_5', 5),
  pack('credits_20', 20),
  pack('credits_100', 100),
];

/** The path of a pack, e.g. `/api/credits/5`. */
export const packPath = ({ dollars }: CreditPack): string => `/api/credits/${dollars}`;

/** The pack of a route segment (`5`, `20`, `100`); undefined for every other text. */
export const findCreditPack = (segment: string): CreditPack | undefined =>
  creditPacks.find(({ dollars }) => String(dollars) === segment);
