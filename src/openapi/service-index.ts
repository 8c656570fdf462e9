import { catalog, usd } from '../capabilities/catalog.ts';
import { creditPacks, packPath, type SoldRow } from '../capabilities/credit-packs.ts';
import { bodySchema } from '../capabilities/json-schema.ts';
import { mcpUrls, service } from '../capabilities/service.ts';
import { NETWORK, USDC } from '../payment/terms/constants.ts';

/** Payments the official x402 clients make without being told otherwise, in micro-USDC. */
const CLIENT_DEFAULT_CAP_MICRO_USDC = 1_000_000;
const SPEND_HINT =
  'Official x402 clients refuse payments over 1 USD by default: raise spendControls.maxAmountPerPayment first.';

/**
 * The free catalogue: `capabilities` keyed by name, in the spelling that clients of services of this kind read.
 * @param hasEngine whether an answer engine is configured: without one nothing is measured.
 */
export function serviceIndex(baseUrl: string, payTo: string | undefined, hasEngine: boolean): Record<string, unknown> {
  return {
    name: service.title,
    description: service.description,
    payment: {
      protocol: 'x402',
      x402Version: 2,
      network: NETWORK,
      currency: 'USDC',
      payTo: payTo ?? null,
      asset: USDC,
      flows: ['signed-payload', 'direct-transfer'],
      header: 'PAYMENT-SIGNATURE',
      hint: SPEND_HINT,
    },
    capabilities: Object.fromEntries(
      catalog.map((row) => [row.name, indexRow(row, baseUrl, { isConfigured: payTo !== undefined, hasEngine })]),
    ),
    credits: Object.fromEntries(creditPacks.map((pack) => [pack.name, creditRow(pack, baseUrl, payTo !== undefined)])),
    docs: `${baseUrl}/llms.txt`,
    openapi: `${baseUrl}/openapi.json`,
    mcp: mcpUrls(baseUrl),
  };
}

type Standing = { isConfigured: boolean; hasEngine: boolean };

function indexRow(row: (typeof catalog)[number], baseUrl: string, standing: Standing): Record<string, unknown> {
  return {
    ...priced(row),
    endpoint: `${baseUrl}/api/agent/${row.name}`,
    body_schema: bodySchema(row),
    available: standing.isConfigured && (standing.hasEngine || !row.engineBacked),
    ...(row.priceMicroUsdc > CLIENT_DEFAULT_CAP_MICRO_USDC ? { hint: SPEND_HINT } : {}),
  };
}

/** A credit pack: no capability, so it stands beside them. */
const creditRow = (pack: (typeof creditPacks)[number], baseUrl: string, available: boolean) => ({
  ...priced(pack),
  endpoint: `${baseUrl}${packPath(pack)}`,
  available,
});

const priced = ({ summary, priceMicroUsdc }: Pick<SoldRow, 'summary' | 'priceMicroUsdc'>) => ({
  description: summary,
  price_usd: usd(priceMicroUsdc),
  price_usdc: priceMicroUsdc / 1_000_000,
  amount: String(priceMicroUsdc),
  asset: USDC,
  network: NETWORK,
  method: 'POST',
});
