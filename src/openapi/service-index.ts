import { sectionNames } from '../results/sections.ts';
import { resultViews } from '../results/view.ts';
import { catalog, formatUsd } from '../capabilities/catalog.ts';
import { creditPacks, packPath, type SoldRow } from '../capabilities/credit-packs.ts';
import { buildBodySchema } from '../capabilities/capability.ts';
import { formatPanelPath, type Panel, panels } from '../capabilities/panels.ts';
import { formatToolPath, type SoldTool, soldTools } from '../capabilities/sold-tools.ts';
import { listMcpUrls, service } from '../capabilities/service.ts';
import { BASE, type PaymentNetwork } from '../payment/terms/networks-data.ts';
import type { PaidAt } from './payment-documents.ts';
import { formatSpendControl, isOverClientCap, SPEND_CONTROL } from '../payment/terms/spend-control.ts';

const SPEND_HINT = `Official x402 clients refuse payments over 1 USD by default: raise ${SPEND_CONTROL} first.`;

/** The hint for a price that official clients refuse, with the call that lets them pay it. */
const describeSpendControl = (priceMicroUsdc: number): { hint?: string } =>
  isOverClientCap(priceMicroUsdc)
    ? { hint: `${SPEND_HINT} In code: client.${formatSpendControl(priceMicroUsdc)}` }
    : {};

type IndexFacts = {
  /** Whether an answer engine is configured: without one nothing is measured. */
  hasEngine: boolean;
  /** Those that are configured: the names that a body may choose from. */
  engines?: readonly ListedEngine[];
  /** Whether the operator closed sales. */
  isClosed?: boolean;
  network?: PaymentNetwork;
  /** All networks that it is paid on, the first one first. */
  paidAt?: readonly PaidAt[];
};

/**
 * The free catalogue: `capabilities` keyed by name, in the spelling that clients of services of this kind read.
 */
export function buildServiceIndex(
  baseUrl: string,
  payTo: string | undefined,
  { hasEngine, engines = [], isClosed = false, network = BASE, paidAt = [] }: IndexFacts,
): Record<string, unknown> {
  const isConfigured = payTo !== undefined && !isClosed;
  return {
    name: service.title,
    description: service.description,
    payment: {
      protocol: 'x402',
      x402Version: 2,
      network: network.id,
      currency: 'USDC',
      payTo: payTo ?? null,
      asset: network.usdc,
      flows: ['signed-payload', 'direct-transfer'],
      header: 'PAYMENT-SIGNATURE',
      hint: SPEND_HINT,
      ...describeFurther(paidAt),
    },
    capabilities: Object.fromEntries(
      catalog.map((row) => [row.name, buildIndexEntry(row, baseUrl, { isConfigured, hasEngine, network })]),
    ),
    panels: Object.fromEntries(
      panels.map((row) => [row.name, buildPanelEntry(row, baseUrl, { isConfigured, engines, network })]),
    ),
    tools: Object.fromEntries(
      soldTools.map((row) => [row.name, buildToolEntry(row, baseUrl, { isAvailable: isConfigured, network })]),
    ),
    credits: Object.fromEntries(
      creditPacks.map((pack) => [pack.name, buildCreditEntry(pack, baseUrl, { isAvailable: isConfigured, network })]),
    ),
    engines: engines.map(describeEngine),
    results: describeResults(baseUrl),
    docs: `${baseUrl}/llms.txt`,
    openapi: `${baseUrl}/openapi.json`,
    mcp: listMcpUrls(baseUrl),
  };
}

/** Where it is paid, if it is paid on several networks. */
const describeFurther = (paidAt: readonly PaidAt[]) =>
  paidAt.length < 2
    ? {}
    : { networks: paidAt.map(({ network, payTo }) => ({ network: network.id, payTo, asset: network.usdc })) };

/** An engine by what a buyer chooses it for. */
export type ListedEngine = { name: string; kind: string; model: string; webSearch: boolean; country?: string };

const describeEngine = ({ name, kind, model, webSearch, country }: ListedEngine) => ({
  name,
  kind,
  model,
  web_search: webSearch,
  country: country ?? null,
});

/** How a bought result is read: the size is chosen by the request, and is no part of what is paid for. */
const describeResults = (baseUrl: string) => ({
  views: resultViews,
  default_view: 'full',
  choose_by: ['?view=', 'Prefer: return=minimal'],
  select_by: '?fields=',
  sections: sectionNames,
  section: `${baseUrl}/reports/{report_id}/sections/{section}`,
});

type Availability = { isConfigured: boolean; hasEngine: boolean; network: PaymentNetwork };

function buildIndexEntry(
  row: (typeof catalog)[number],
  baseUrl: string,
  standing: Availability,
): Record<string, unknown> {
  return {
    ...describePriced(row, standing.network),
    endpoint: `${baseUrl}/api/agent/${row.name}`,
    body_schema: buildBodySchema(row),
    available: standing.isConfigured && (standing.hasEngine || !row.engineBacked),
    ...describeSpendControl(row.priceMicroUsdc),
  };
}

/** A panel: no capability either. It is sold where as many engines are configured as it asks. */
const buildPanelEntry = (
  row: Panel,
  baseUrl: string,
  {
    isConfigured,
    engines,
    network,
  }: { isConfigured: boolean; engines: readonly ListedEngine[]; network: PaymentNetwork },
) => ({
  ...describePriced(row, network),
  endpoint: `${baseUrl}${formatPanelPath(row)}`,
  body_schema: buildBodySchema(row),
  available: isConfigured && engines.length >= row.engineCount,
  ...describeSpendControl(row.priceMicroUsdc),
});

/** A tool: no capability either. */
const buildToolEntry = (
  row: SoldTool,
  baseUrl: string,
  { isAvailable: available, network }: { isAvailable: boolean; network: PaymentNetwork },
) => ({
  ...describePriced(row, network),
  endpoint: `${baseUrl}${formatToolPath(row)}`,
  body_schema: buildBodySchema(row),
  available,
  ...describeSpendControl(row.priceMicroUsdc),
});

/** A credit pack: no capability, so it is a row of its own. */
const buildCreditEntry = (
  pack: (typeof creditPacks)[number],
  baseUrl: string,
  { isAvailable: available, network }: { isAvailable: boolean; network: PaymentNetwork },
) => ({
  ...describePriced(pack, network),
  endpoint: `${baseUrl}${packPath(pack)}`,
  available,
  ...describeSpendControl(pack.priceMicroUsdc),
});

const describePriced = (
  { summary, priceMicroUsdc }: Pick<SoldRow, 'summary' | 'priceMicroUsdc'>,
  { id, usdc }: PaymentNetwork,
) => ({
  description: summary,
  price_usd: formatUsd(priceMicroUsdc),
  price_usdc: priceMicroUsdc / 1_000_000,
  amount: String(priceMicroUsdc),
  asset: usdc,
  network: id,
  method: 'POST',
});
