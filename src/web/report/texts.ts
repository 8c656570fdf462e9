import * as z from 'zod';
import { scoreNames } from '../../audit/core/check.ts';
import type { ResultName } from '../../capabilities/capability-name.ts';
import { panelResult } from '../../capabilities/panel-results.ts';
import { sellerResult } from '../../capabilities/sold-tools.ts';
import * as results from '../../capabilities/results.ts';
import { versusResult, visibilityFixResult, visibilityResult } from '../../capabilities/visibility-results.ts';
import { reportMarkdown } from '../../report/markdown.ts';
import type { Reportable } from '../../report/reportable.ts';
import { reportSarif } from '../../report/sarif.ts';
import type { ShownAnswers } from './answers/shown-answer.ts';
import { listReportForms } from './forms.ts';
import { formatPanelMarkdown } from './markdown/panel.ts';
import {
  formatVersusMarkdown,
  formatVisibilityFixesMarkdown,
  formatVisibilityMarkdown,
} from './markdown/visibility.ts';
import { findCompetitor, type StoredResult } from './stored.ts';

/** What a document has beside its result. */
type Beside = {
  /** The origin of the service, whose pages about checks are linked. */
  service?: string | undefined;
  /** The answers behind a measurement. */
  answers?: ShownAnswers | undefined;
};
type Writer = (stored: StoredResult, beside: Beside) => string | undefined;

/** Writes what has the shape of `schema`; undefined for what has not. */
const createWriter =
  <S extends z.ZodType>(schema: S, write: (result: z.infer<S>, answers?: ShownAnswers) => string): Writer =>
  ({ json }, { answers }) => {
    const read = schema.safeParse(json);
    return read.success ? write(read.data, answers) : undefined;
  };

/** Results about sites have one Markdown form for all. */
const createSiteWriter =
  (schema: z.ZodType): Writer =>
  (stored, { service }) => {
    const report = readReportable(schema, stored);
    return report && reportMarkdown({ ...report, ...(service === undefined ? {} : { service }) });
  };

/** A seller is no audited site: the report says what it is. */
const writeSeller: Writer = (stored) => {
  const report = readReportable(sellerResult, stored);
  return report && reportMarkdown({ ...report, heading: 'Seller report' });
};

const summary = z.object({ text: z.string() });

/** A stored result in the shape that the renderings take. */
function readReportable(schema: z.ZodType, { url = '', warnings, json }: StoredResult): Reportable | undefined {
  const read = schema.safeParse(json);
  if (!read.success) return undefined;
  const result = read.data as Partial<Reportable>; // Holds because these schemas describe what the renderings take.
  const { summary: said, ...rest } = result;
  const parsedSummary = summary.safeParse(said);
  const competitor = findCompetitor(json);
  return {
    ...rest,
    url,
    warnings,
    ...(parsedSummary.success ? { summary: parsedSummary.data } : {}),
    ...(competitor === undefined ? {} : { competitor }),
  };
}

const schemas = {
  check_health: results.checksResult,
  check_llms_txt: results.checksResult,
  check_schema: results.checksResult,
  check_agent_files: results.checksResult,
  check_mcp: results.checksResult,
  score_aeo: results.auditResult(['aeo']),
  score_geo: results.auditResult(['geo']),
  score_agent: results.auditResult(['agent']),
  score_mcp: results.auditResult(['mcp']),
  full_audit: results.auditResult(scoreNames),
  generate_llms_txt: results.filesResult,
  generate_mcp_json: results.filesResult,
  generate_skill: results.filesResult,
  fix_pack: results.fixPackResult,
  full_report: results.fullReportResult,
  compare: results.compareResult,
} as const;

const writers = {
  ...(Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, createSiteWriter(schema)])) as Record<
    keyof typeof schemas,
    Writer
  >),
  seller_check: writeSeller,
  visibility_check: createWriter(visibilityResult, formatVisibilityMarkdown),
  visibility_vs_competitor: createWriter(versusResult, formatVersusMarkdown),
  visibility_fix_pack: createWriter(visibilityFixResult, formatVisibilityFixesMarkdown),
  visibility_panel_2: createWriter(panelResult, formatPanelMarkdown),
  visibility_panel_4: createWriter(panelResult, formatPanelMarkdown),
} satisfies Record<ResultName, Writer>;

/** A stored result as Markdown; undefined when this version of the service cannot write it. */
export const formatStoredMarkdown = (stored: StoredResult, beside: Beside = {}): string | undefined =>
  writers[stored.capability](stored, beside);

/** A stored result as SARIF, whose rules lead to their pages on `service`; undefined where there is no such form of it. */
export function formatStoredSarif(stored: StoredResult, version: string, service?: string): string | undefined {
  if (!listReportForms(stored.capability).includes('sarif')) return undefined;
  const schema: z.ZodType | undefined = (schemas as Partial<Record<ResultName, z.ZodType>>)[stored.capability];
  const report = schema && readReportable(schema, stored);
  return report && reportSarif({ ...report, ...(service === undefined ? {} : { service }) }, version);
}
