import { catalog, formatUsd } from '../../capabilities/catalog.ts';
import type { CapabilityName } from '../../capabilities/capability-name.ts';
import { exampleBodies } from '../../capabilities/bodies.ts';
import { buildBodySchema } from '../../capabilities/capability.ts';
import type { CapabilityOffer } from './document.ts';

type Group = {
  id: string;
  heading: string;
  lead: string;
  /** A page on which a person can buy what the group sells. */
  page?: { href: string; text: string };
  names: readonly CapabilityName[];
};

/** How the catalogue is laid out for people; a test proves that each capability is in one group. */
export const offerGroups: readonly Group[] = [
  {
    id: 'quick-checks',
    heading: 'Quick checks',
    lead: 'A quick check answers one question about a site, from the same engine as the full audit: every check carries its evidence, its source and the way to reproduce it.',
    names: ['check_health', 'check_llms_txt', 'check_schema', 'check_agent_files', 'check_mcp'],
  },
  {
    id: 'scores',
    heading: 'Scores and the full audit',
    lead: 'A score is a number from 0 to 100 with every check behind it. The full audit has all four and costs less than three of them.',
    names: ['score_aeo', 'score_geo', 'score_agent', 'score_mcp', 'full_audit'],
  },
  {
    id: 'fixes',
    heading: 'Fixes and files to deploy',
    lead: 'A fix is text to copy: the changed page, the missing file, the line of the server configuration. Nothing is invented: where a fact of yours is needed, the fix says which.',
    names: ['generate_llms_txt', 'generate_mcp_json', 'fix_pack', 'generate_skill'],
  },
  {
    id: 'reports',
    heading: 'Comparison and the whole report',
    lead: 'A comparison reads two sites in the same way and says who is ahead, where, and what to copy first. The whole report is audit, fixes and files in one purchase.',
    names: ['compare', 'full_report'],
  },
  {
    id: 'visibility',
    heading: 'Brands in AI answers',
    lead: 'A visibility measurement asks an answer engine 30 neutral prompts about a niche and counts which brands it names and recommends, with the interval of each rate. It can be bought where the operator has connected an engine.',
    page: { href: '/visibility', text: 'Measure a brand in the browser' },
    names: ['visibility_check', 'visibility_vs_competitor', 'visibility_fix_pack'],
  },
];

/** The cards of a group, from the table that prices are taken from. */
export const buildOffers = (group: Group, baseUrl: string): readonly CapabilityOffer[] =>
  group.names.flatMap((name) => catalog.filter((row) => row.name === name)).map((row) => buildOffer(row, baseUrl));

function buildOffer(row: (typeof catalog)[number], baseUrl: string): CapabilityOffer {
  const required = buildBodySchema(row)['required'];
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  return {
    name: row.name,
    summary: row.summary,
    price: formatCents(row.priceMicroUsdc),
    fields: Object.keys(row.body.shape).map((name) => ({ name, required: names.includes(name) })),
    curl: formatUnpaidCall(row.name, baseUrl),
  };
}

/** A call without payment, which answers 402 with the terms. */
export const formatUnpaidCall = (name: CapabilityName, baseUrl: string): string =>
  `curl -i ${baseUrl}/api/agent/${name} \\\n  -H 'content-type: application/json' \\\n  -d '${JSON.stringify(exampleBodies[name])}'`;

/** Prices are whole cents. */
const formatCents = (microUsdc: number): string => formatUsd(microUsdc).replace(/0{4}$/, '');

/** The lowest and the highest price of the catalogue. */
export function computePriceRange(): { from: string; to: string } {
  const prices = catalog.map(({ priceMicroUsdc }) => priceMicroUsdc);
  return { from: formatCents(Math.min(...prices)), to: formatCents(Math.max(...prices)) };
}
