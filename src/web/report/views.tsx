import type { Child } from 'hono/jsx';
import * as z from 'zod';
import { scoreNames } from '../../audit/core/check.ts';
import type { CapabilityName } from '../../capabilities/capability-name.ts';
import * as results from '../../capabilities/results.ts';
import { versusResult, visibilityFixResult, visibilityResult } from '../../capabilities/visibility-results.ts';
import { fixAnchorOf } from './audit/words.ts';
import type { Fix } from './parts/shapes.ts';
import { AuditView, ChecksView } from './views/audit.tsx';
import { CompareView } from './views/compare.tsx';
import { FilesView } from './views/files.tsx';
import { FixesView } from './views/fixes.tsx';
import { VersusView } from './views/versus.tsx';
import { VisibilityFixesView } from './views/visibility-fixes.tsx';
import { VisibilityView } from './views/visibility.tsx';

/** Shows a result of one capability; undefined when the JSON is no such result. */
type Opener = (json: unknown) => (() => Child) | undefined;

/** A view beside the shape of what it shows: the stored JSON is parsed by it, once. */
const view =
  <S extends z.ZodType>(schema: S, show: (result: z.infer<S>) => Child): Opener =>
  (json) => {
    const read = schema.safeParse(json);
    return read.success ? () => show(read.data) : undefined;
  };

const checks = view(results.checksResult, (result) => <ChecksView result={result} />);
const scores = (names: Parameters<typeof results.auditResult>[0]): Opener =>
  view(results.auditResult(names), (result) => <AuditView result={result} />);
const files = view(results.filesResult, ({ files: made }) => <FilesView files={made} />);

/** The address of a fix in the page, for those that are in it. */
const fixHrefs = (fixes: readonly Fix[]) => {
  const ids = new Set(fixes.map(({ id }) => id));
  return (fixId: string): string | undefined => {
    const anchor = fixAnchorOf(fixId);
    return anchor !== undefined && ids.has(fixId) ? `#${anchor}` : undefined;
  };
};

/** How the result of each capability is shown to people. */
export const views = {
  check_health: checks,
  check_llms_txt: checks,
  check_schema: checks,
  check_agent_files: checks,
  check_mcp: checks,
  score_aeo: scores(['aeo']),
  score_geo: scores(['geo']),
  score_agent: scores(['agent']),
  score_mcp: scores(['mcp']),
  full_audit: scores(scoreNames),
  generate_llms_txt: files,
  generate_mcp_json: files,
  generate_skill: files,
  fix_pack: view(results.fixPackResult, (result) => (
    <AuditView result={result} fixHrefOf={fixHrefs(result.fixes)}>
      <FixesView fixes={result.fixes} />
    </AuditView>
  )),
  full_report: view(results.fullReportResult, (result) => (
    <AuditView result={result} fixHrefOf={fixHrefs(result.fixes)}>
      <FixesView fixes={result.fixes} />
      <FilesView files={result.files} />
    </AuditView>
  )),
  compare: view(results.compareResult, (result) => <CompareView result={result} />),
  visibility_check: view(visibilityResult, (result) => <VisibilityView result={result} />),
  visibility_vs_competitor: view(versusResult, (result) => <VersusView result={result} />),
  visibility_fix_pack: view(visibilityFixResult, (result) => <VisibilityFixesView result={result} />),
} as const satisfies Record<CapabilityName, Opener>;
