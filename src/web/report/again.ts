import * as z from 'zod';
import type { CapabilityName } from '../../capabilities/capability-name.ts';
import { parseWebAddress } from '../design/parts.tsx';
import type { pageWords } from './page-words.ts';
import { findCompetitor, type StoredResult } from './stored.ts';

type AgainKind = keyof (typeof pageWords)['en']['again'];

/** Where each capability is bought by hand, and what buying it again is called. */
const PLACES: Readonly<Record<CapabilityName, { path: string; kind: AgainKind }>> = {
  check_health: { path: '/check/health', kind: 'check' },
  check_llms_txt: { path: '/check/llms-txt', kind: 'check' },
  check_schema: { path: '/check/schema', kind: 'check' },
  check_agent_files: { path: '/check/agent-files', kind: 'check' },
  check_mcp: { path: '/check/mcp', kind: 'check' },
  score_aeo: { path: '/score/aeo', kind: 'audit' },
  score_geo: { path: '/score/geo', kind: 'audit' },
  score_agent: { path: '/score/agent', kind: 'audit' },
  score_mcp: { path: '/score/mcp', kind: 'audit' },
  full_audit: { path: '/audit', kind: 'audit' },
  generate_llms_txt: { path: '/generate/llms-txt', kind: 'generate' },
  generate_mcp_json: { path: '/generate/mcp-json', kind: 'generate' },
  generate_skill: { path: '/generate/skill', kind: 'generate' },
  fix_pack: { path: '/fix', kind: 'fix' },
  compare: { path: '/compare', kind: 'compare' },
  full_report: { path: '/report', kind: 'audit' },
  visibility_check: { path: '/visibility', kind: 'measure' },
  visibility_vs_competitor: { path: '/visibility/compare', kind: 'measure' },
  visibility_fix_pack: { path: '/visibility/fix', kind: 'fix' },
};

const asked = z.object({
  brand: z.string().optional(),
  niche: z.string().optional(),
  competitor_brand: z.string().optional(),
});

export type Again = { kind: AgainKind; href: string };

/** The form that the report came from, filled in with what it was about. */
export function getAgain({ capability, url, json }: Pick<StoredResult, 'capability' | 'url' | 'json'>): Again {
  const { path, kind } = PLACES[capability];
  const fields: Record<string, string | undefined> = {};
  const competitor = findCompetitor(json);
  if (url !== undefined) fields['url'] = parseWebAddress(url);
  if (competitor !== undefined) fields['competitor'] = parseWebAddress(competitor);
  const read = asked.safeParse(json);
  if (url === undefined && read.success) Object.assign(fields, read.data);
  return { kind, href: formatQuery(path, fields) };
}

function formatQuery(path: string, fields: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, value);
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

const weak = z.object({
  brand: z.string(),
  niche: z.string(),
  weak_spots: z.array(z.object({ topic: z.string(), who_wins: z.string().optional(), evidence: z.string() })),
});

/** Longest text of one field in the address: pages cut what is longer, and addresses have an end. */
const MAX_FIELD_CHARS = 300;

/** The page of texts against weak spots, filled in with those of a measurement; undefined for any other result. */
export function formatWeakSpotsPath(json: unknown): string | undefined {
  const read = weak.safeParse(json);
  if (!read.success) return undefined;
  const { brand, niche, weak_spots: spots } = read.data;
  const fields: Record<string, string | undefined> = { brand, niche };
  for (const [place, spot] of spots.entries())
    for (const [name, value] of Object.entries(spot))
      fields[`weak_spots.${place}.${name}`] = value?.slice(0, MAX_FIELD_CHARS);
  return formatQuery(PLACES.visibility_fix_pack.path, fields);
}
