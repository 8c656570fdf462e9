import { type CapabilityName, capabilityNames } from '../../capabilities/capability-name.ts';

export const reportForms = ['json', 'html', 'md', 'sarif'] as const;
/** In which form a report is asked for: the end of its fixed address. */
export type ReportForm = (typeof reportForms)[number];

/** The name of each form for people, and its media type on the wire. */
export const FORM_NAMES = {
  json: { name: 'JSON', type: 'application/json' },
  html: { name: 'HTML', type: 'text/html' },
  md: { name: 'Markdown', type: 'text/markdown' },
  sarif: { name: 'SARIF', type: 'application/sarif+json' },
} as const satisfies Record<ReportForm, { name: string; type: string }>;

/** Results that are about the checks of one site: code scanning takes nothing else. */
const WITH_SARIF: ReadonlySet<CapabilityName> = new Set<CapabilityName>([
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
  'fix_pack',
  'full_report',
]);

/** The forms that a report of a capability has. What else was sold (packs of credits) is data for programs only. */
export function listReportForms(capability: string): readonly ReportForm[] {
  const known = capabilityNames.find((name) => name === capability);
  if (known === undefined) return ['json'];
  return reportForms.filter((form) => form !== 'sarif' || WITH_SARIF.has(known));
}

export const formatReportPath = (id: string, form: ReportForm): string => `/reports/${id}.${form}`;
