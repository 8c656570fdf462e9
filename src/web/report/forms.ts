import { findCapability } from '../../capabilities/catalog.ts';
import { findPanel } from '../../capabilities/panels.ts';
import { findNamedTool } from '../../capabilities/sold-tools.ts';

export const reportForms = ['json', 'html', 'md', 'sarif', 'zip'] as const;
/** In which form a report is asked for: the end of its fixed address. */
export type ReportForm = (typeof reportForms)[number];

/** The name of each form for people, and its media type on the wire. */
export const FORM_NAMES = {
  json: { name: 'JSON', type: 'application/json' },
  html: { name: 'HTML', type: 'text/html' },
  md: { name: 'Markdown', type: 'text/markdown' },
  sarif: { name: 'SARIF', type: 'application/sarif+json' },
  zip: { name: 'ZIP', type: 'application/zip' },
} as const satisfies Record<ReportForm, { name: string; type: string }>;

/**
 * The forms that a report of a capability has. Code scanning takes checks of one site only, so no comparison and no
 * measurement is SARIF: an audit of one site says by which rubric it judged. Files that were made can be had as one ZIP.
 * What else was sold (packs of credits) is data for programs only.
 */
export function listReportForms(capability: string): readonly ReportForm[] {
  const row = findCapability(capability) ?? findPanel(capability) ?? findNamedTool(capability);
  if (row === undefined) return ['json'];
  const needed: Readonly<Partial<Record<ReportForm, string>>> = { sarif: 'rubric', zip: 'files' };
  return reportForms.filter((form) => needed[form] === undefined || needed[form] in row.result.shape);
}

export const formatReportPath = (id: string, form: ReportForm): string => `/reports/${id}.${form}`;
