import { catalog, formatUsd } from '../../capabilities/catalog.ts';
import type { CapabilityName } from '../../capabilities/capability-name.ts';
import { exampleBodies } from '../../capabilities/bodies.ts';
import { type AnyCapability, buildBodySchema } from '../../capabilities/capability.ts';
import { formatCapabilityPath } from '../capability/address.ts';
import { describeRow } from '../capability/rows.ts';
import type { PageLanguage } from '../language/language.ts';
import type { CapabilityOffer, OfferGroup } from './document.ts';
import { offerWords } from './offers-words.ts';

/** How the catalogue is laid out for people. A row that is in none of these groups is in the last one. */
const GROUPS: readonly {
  id: 'quick-checks' | 'scores' | 'fixes' | 'reports' | 'visibility';
  names: readonly CapabilityName[];
}[] = [
  { id: 'quick-checks', names: ['check_health', 'check_llms_txt', 'check_schema', 'check_agent_files', 'check_mcp'] },
  { id: 'scores', names: ['score_aeo', 'score_geo', 'score_agent', 'score_mcp', 'full_audit'] },
  { id: 'fixes', names: ['generate_llms_txt', 'generate_mcp_json', 'fix_pack', 'generate_skill'] },
  { id: 'reports', names: ['compare', 'full_report'] },
  { id: 'visibility', names: ['visibility_check', 'visibility_vs_competitor', 'visibility_fix_pack'] },
];

/** The rows of the catalogue in their groups; groups without a row are left out. */
export function buildOfferGroups(
  baseUrl: string,
  language: PageLanguage,
  rows: readonly AnyCapability[] = catalog,
): readonly OfferGroup[] {
  const placed: ReadonlySet<string> = new Set(GROUPS.flatMap(({ names }) => names));
  const others = rows.flatMap(({ name }) => (placed.has(name) ? [] : [name]));
  return [...GROUPS, { id: 'other' as const, names: others }].flatMap(({ id, names }) => {
    const own = names.flatMap((name) => rows.filter((row) => row.name === name));
    const offers = own.map((row) => buildOffer(row, baseUrl, language));
    return offers.length === 0 ? [] : [{ id, ...offerWords[language].groups[id], offers }];
  });
}

function buildOffer(row: AnyCapability, baseUrl: string, language: PageLanguage): CapabilityOffer {
  const required = buildBodySchema(row)['required'];
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const { heading, lead } = row.name === 'full_audit' ? offerWords[language].fullAudit : describeRow(row, language);
  return {
    name: row.name,
    title: heading,
    href: formatCapabilityPath(row.name),
    gives: lead,
    summary: row.summary,
    priceMicroUsdc: row.priceMicroUsdc,
    price: formatCents(row.priceMicroUsdc),
    atMostS: row.worstCaseS,
    fields: Object.keys(row.body.shape).map((name) => ({ name, required: names.includes(name) })),
    curl: formatUnpaidCall(row.name, baseUrl),
  };
}

/** A call without payment, which answers 402 with the terms. */
export const formatUnpaidCall = (name: CapabilityName, baseUrl: string): string =>
  `curl -i ${baseUrl}/api/agent/${name} \\\n  -H 'content-type: application/json' \\\n  -d '${JSON.stringify(exampleBodies[name])}'`;

/** Prices are whole cents: `0.06`. */
const formatCents = (microUsdc: number): string => formatUsd(microUsdc).replace(/0{4}$/, '');

/** The lowest and the highest price of the catalogue, in micro-USDC. */
export function computePriceRange(): { from: number; to: number } {
  const prices = catalog.map(({ priceMicroUsdc }) => priceMicroUsdc);
  return { from: Math.min(...prices), to: Math.max(...prices) };
}
