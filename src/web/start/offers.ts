import { catalog, formatUsd } from '../../capabilities/catalog.ts';
import {
  type CapabilityName,
  type PanelName,
  panelNames,
  type ResultName,
} from '../../capabilities/capability-name.ts';
import type { SoldRow } from '../../capabilities/credit-packs.ts';
import { exampleBodies } from '../../capabilities/bodies.ts';
import { examplePanelBody } from '../../capabilities/panel-bodies.ts';
import { formatPanelPath } from '../../capabilities/panels.ts';
import { exampleSellerBody, findNamedTool, formatToolPath } from '../../capabilities/sold-tools.ts';
import { buildBodySchema } from '../../capabilities/capability.ts';
import { formatCapabilityPath } from '../capability/address.ts';
import { describeRow } from '../capability/rows.ts';
import type { PageLanguage } from '../language/language.ts';
import type { CapabilityOffer, OfferGroup } from './document.ts';
import { offerWords } from './offers-words.ts';

/** How the catalogue is laid out for people. A row that is in none of these groups is in the last one. */
const GROUPS: readonly {
  id: 'quick-checks' | 'scores' | 'fixes' | 'reports' | 'visibility';
  names: readonly ResultName[];
}[] = [
  {
    id: 'quick-checks',
    names: ['check_health', 'check_llms_txt', 'check_schema', 'check_agent_files', 'check_mcp', 'seller_check'],
  },
  { id: 'scores', names: ['score_aeo', 'score_geo', 'score_agent', 'score_mcp', 'full_audit'] },
  { id: 'fixes', names: ['generate_llms_txt', 'generate_mcp_json', 'fix_pack', 'generate_skill'] },
  { id: 'reports', names: ['compare', 'full_report'] },
  {
    id: 'visibility',
    names: [
      'visibility_check',
      'visibility_vs_competitor',
      'visibility_panel_2',
      'visibility_panel_4',
      'visibility_fix_pack',
    ],
  },
];

/** The rows of the catalogue in their groups; groups without a row are left out. */
export function buildOfferGroups(
  baseUrl: string,
  language: PageLanguage,
  rows: readonly SoldRow[] = catalog,
): readonly OfferGroup[] {
  const placed: ReadonlySet<string> = new Set(GROUPS.flatMap(({ names }) => names));
  const others = rows.flatMap(({ name }) => (placed.has(name) ? [] : [name]));
  return [...GROUPS, { id: 'other' as const, names: others }].flatMap(({ id, names }) => {
    const own = names.flatMap((name) => rows.filter((row) => row.name === name));
    const offers = own.map((row) => buildOffer(row, baseUrl, language));
    return offers.length === 0 ? [] : [{ id, ...offerWords[language].groups[id], offers }];
  });
}

function buildOffer(row: SoldRow, baseUrl: string, language: PageLanguage): CapabilityOffer {
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
    curl: formatUnpaidRowCall(row.name, baseUrl),
  };
}

/** A call without payment, which answers 402 with the terms. */
export const formatUnpaidCall = (name: CapabilityName, baseUrl: string): string =>
  formatCall(`${baseUrl}/api/agent/${name}`, exampleBodies[name]);

const isPanelName = (name: string): name is PanelName => panelNames.some((panel) => panel === name);

const formatUnpaidRowCall = (name: SoldRow['name'], baseUrl: string): string => {
  const tool = findNamedTool(name);
  if (tool !== undefined) return formatCall(`${baseUrl}${formatToolPath(tool)}`, exampleSellerBody);
  const panel = isPanelName(name);
  const body = panel ? examplePanelBody : exampleBodies[name as CapabilityName];
  return formatCall(`${baseUrl}${panel ? formatPanelPath({ name }) : `/api/agent/${name}`}`, body);
};

const formatCall = (address: string, body: object): string =>
  `curl -i ${address} \\\n  -H 'content-type: application/json' \\\n  -d '${JSON.stringify(body)}'`;

/** Prices are whole cents: `0.06`. */
const formatCents = (microUsdc: number): string => formatUsd(microUsdc).replace(/0{4}$/, '');

/** The lowest and the highest price of rows, in micro-USDC. */
export function computePriceRange(rows: readonly SoldRow[] = catalog): { from: number; to: number } {
  const prices = rows.map(({ priceMicroUsdc }) => priceMicroUsdc);
  return { from: Math.min(...prices), to: Math.max(...prices) };
}
