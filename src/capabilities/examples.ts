import type { CapabilityName } from './capability-name.ts';

const site = { url: 'https://example.com/' };
const brand = { brand: 'Example Desk', niche: 'help desk software for small teams' };

/** One body per capability that its schema accepts: shown in OpenAPI, in the bazaar extension and in the docs. */
export const exampleBodies: Readonly<Record<CapabilityName, Record<string, unknown>>> = {
  check_health: site,
  check_llms_txt: site,
  check_schema: site,
  check_agent_files: site,
  check_mcp: site,
  score_aeo: site,
  score_geo: site,
  score_agent: site,
  score_mcp: site,
  full_audit: site,
  generate_llms_txt: site,
  generate_mcp_json: site,
  fix_pack: site,
  generate_skill: site,
  compare: { ...site, competitor: 'https://example.org/' },
  full_report: site,
  visibility_check: brand,
  visibility_vs_competitor: { ...brand, competitor_brand: 'Sample Support' },
  visibility_fix_pack: { ...brand, weak_spots: [{ topic: 'pricing for small teams' }] },
};
