export const capabilityNames = [
  'check_health',
  'check_llms_txt',
  'check_schema',
  'check_agent_files',
  'check_mcp',
  'score_aeo',
  'score_geo',
  'score_agent',
  'score_mcp',
  'full_audit',
  'generate_llms_txt',
  'generate_mcp_json',
  'fix_pack',
  'generate_skill',
  'compare',
  'full_report',
  'visibility_check',
  'visibility_vs_competitor',
  'visibility_fix_pack',
] as const;

export type CapabilityName = (typeof capabilityNames)[number];

/** Panels of several engines, which are sold beside the catalogue. */
export const panelNames = ['visibility_panel_2', 'visibility_panel_4'] as const;
export type PanelName = (typeof panelNames)[number];

/** Tools, which are sold beside the catalogue. */
export const toolNames = ['seller_check'] as const;
export type ToolName = (typeof toolNames)[number];

/** What a result can be of. Credit packs have results that are no reports. */
export const resultNames = [...capabilityNames, ...panelNames, ...toolNames] as const;
export type ResultName = (typeof resultNames)[number];

/** Why a body is refused although its fields are well-formed: a stable code, and the fields it is about. */
export type BodyRefusal = {
  code: 'niche_names_brand' | 'not_publishable' | 'invalid_body';
  errors: readonly { pointer: string; message: string }[];
};
