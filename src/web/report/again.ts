import * as z from 'zod';
import type { ResultName } from '../../capabilities/capability-name.ts';
import { formatCapabilityLink } from '../capability/address.ts';
import { parseWebAddress } from '../design/parts.tsx';
import type { reportWords } from './page-words.ts';
import { findCompetitor, type StoredResult } from './stored.ts';

type AgainKind = keyof (typeof reportWords)['en']['again'];

/** What running a capability again is called. */
const KINDS: Readonly<Record<ResultName, AgainKind>> = {
  check_health: 'check',
  check_llms_txt: 'check',
  check_schema: 'check',
  check_agent_files: 'check',
  check_mcp: 'check',
  score_aeo: 'audit',
  score_geo: 'audit',
  score_agent: 'audit',
  score_mcp: 'audit',
  full_audit: 'audit',
  generate_llms_txt: 'generate',
  generate_mcp_json: 'generate',
  generate_skill: 'generate',
  fix_pack: 'fix',
  compare: 'compare',
  full_report: 'audit',
  visibility_check: 'measure',
  visibility_vs_competitor: 'measure',
  visibility_fix_pack: 'fix',
  visibility_panel_2: 'measure',
  visibility_panel_4: 'measure',
  seller_check: 'check',
};

const asked = z.object({
  brand: z.string().optional(),
  niche: z.string().optional(),
  competitor_brand: z.string().optional(),
});

/** The kind of site where the buyer named it: another one would be judged by other checks. */
const given = z.object({ profile: z.object({ name: z.string(), given: z.literal(true) }) });

/** Of texts against weak spots: what each is about. */
const topics = z.object({ fixes: z.array(z.object({ topic: z.string() })) });

export type Again = { kind: AgainKind; href: string };

/** The form that the report came from, filled in with what it was about. */
export function getAgain({ capability, url, json }: Pick<StoredResult, 'capability' | 'url' | 'json'>): Again {
  const fields: Record<string, string | undefined> = {};
  const competitor = findCompetitor(json);
  if (url !== undefined) fields['url'] = parseWebAddress(url);
  if (competitor !== undefined) fields['competitor'] = parseWebAddress(competitor);
  const read = asked.safeParse(json);
  if (url === undefined && read.success) Object.assign(fields, read.data);
  const kind = given.safeParse(json);
  if (kind.success) fields['profile'] = kind.data.profile.name;
  const spots = capability === 'visibility_fix_pack' ? topics.safeParse(json).data : undefined;
  const weakSpots = spots === undefined ? {} : { weak_spots: spots.fixes.map(({ topic }) => ({ topic })) };
  return { kind: KINDS[capability], href: formatCapabilityLink(capability, { ...fields, ...weakSpots }) };
}

/** What a monitor can repeat, and the kind of its form. */
const WATCHED: Readonly<Partial<Record<ResultName, string>>> = {
  full_audit: 'site',
  visibility_check: 'visibility_check',
  visibility_panel_2: 'visibility_panel_2',
  visibility_panel_4: 'visibility_panel_4',
};

/** The form of a new monitor, filled in with what the report is about; undefined for what no monitor repeats. */
export function getWatchPath({
  capability,
  url,
  json,
}: Pick<StoredResult, 'capability' | 'url' | 'json'>): string | undefined {
  const kind = WATCHED[capability];
  const site = url === undefined ? undefined : parseWebAddress(url);
  const { brand = '', niche = '' } = asked.safeParse(json).data ?? {};
  if (kind === undefined || (kind === 'site' && site === undefined)) return undefined;
  const fields = kind === 'site' ? { url: site ?? '' } : { brand, niche };
  return `/account/monitors/new?${new URLSearchParams({ kind, ...fields }).toString()}`;
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
  const spots = read.data.weak_spots.map((spot) => ({ ...spot, evidence: spot.evidence.slice(0, MAX_FIELD_CHARS) }));
  return formatCapabilityLink('visibility_fix_pack' satisfies ResultName, { ...read.data, weak_spots: spots });
}
