import type { ResultName } from './capability-name.ts';

/** What a report of each capability is called by people: over the report, in its title, and as a tool. */
export const capabilityTitles: Readonly<Record<ResultName, string>> = {
  check_health: 'Site health',
  check_llms_txt: 'llms.txt check',
  check_schema: 'Structured data check',
  check_agent_files: 'Agent files check',
  check_mcp: 'MCP discoverability',
  score_aeo: 'AEO score',
  score_geo: 'GEO score',
  score_agent: 'Agent readiness score',
  score_mcp: 'MCP readiness score',
  full_audit: 'Full audit',
  generate_llms_txt: 'Generated llms.txt',
  generate_mcp_json: 'Generated mcp.json and agent.json',
  fix_pack: 'Fix pack',
  generate_skill: 'Generated skill',
  compare: 'Comparison',
  full_report: 'Full report',
  visibility_check: 'Visibility in AI answers',
  visibility_vs_competitor: 'Visibility of two brands',
  visibility_fix_pack: 'Visibility fix pack',
  visibility_panel_2: 'Visibility in two AI engines',
  visibility_panel_4: 'Visibility in four AI engines',
  seller_check: 'Seller check',
};
