import type { Child } from 'hono/jsx';
import * as z from 'zod';
import { scoreNames } from '../../audit/core/check.ts';
import type { ResultName } from '../../capabilities/capability-name.ts';
import { panelResult } from '../../capabilities/panel-results.ts';
import { sellerResult } from '../../capabilities/sold-tools.ts';
import * as results from '../../capabilities/results.ts';
import { versusResult, visibilityFixResult, visibilityResult } from '../../capabilities/visibility-results.ts';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../language/language.ts';
import type { AnswersAt } from './answers/answers.tsx';
import { getFixAnchor } from './audit/words.ts';
import type { ReportFix } from './parts/words.ts';
import { PanelView } from './panel/panel.tsx';
import { AuditView } from './views/audit.tsx';
import { CompareView } from './views/compare.tsx';
import { FilesView } from './views/files.tsx';
import { FixPackView } from './views/fix-pack.tsx';
import { FixesView, ServerFilesView } from './views/fixes.tsx';
import { FactsOfChecks } from './views/health.tsx';
import { getFilePlace } from './views/places.ts';
import { SellerView } from './views/seller.tsx';
import { VersusView } from './views/versus.tsx';
import { TemplateNote } from './views/template-note.tsx';
import { VisibilityFixesView } from './views/visibility-fixes.tsx';
import { VisibilityView } from './views/visibility.tsx';

/** Where and how a result is shown: a report that is a file itself is in English, and has nothing beside it. */
type ShownAt = {
  language?: PageLanguage | undefined;
  /** Where its files are one ZIP file. */
  zip?: string | undefined;
  /** The answers behind a measurement, and where they are a CSV file. */
  answers?: AnswersAt | undefined;
  /** Whether pages of the service are beside it, so that links to them lead somewhere. */
  atHome?: boolean | undefined;
};
/** Shows a result of one capability; undefined when the JSON is no such result. */
type Opener = (json: unknown) => ((at?: ShownAt) => Child) | undefined;

/** A view beside the shape of what it shows: the stored JSON is parsed by it, once. */
const defineView =
  <S extends z.ZodType>(
    schema: S,
    show: (result: z.infer<S>, at: ShownAt & { language: PageLanguage }) => Child,
  ): Opener =>
  (json) => {
    const read = schema.safeParse(json);
    return read.success
      ? (at = {}) => show(read.data, { ...at, language: at.language ?? DEFAULT_LANGUAGE })
      : undefined;
  };

const checks = defineView(results.checksResult, (result, { language }) => (
  <FactsOfChecks result={result} language={language} />
));
/** Opens a result with these scores. */
export const createScoresOpener = (names: Parameters<typeof results.auditResult>[0]): Opener =>
  defineView(results.auditResult(names), (result, { language }) => <AuditView result={result} language={language} />);
/** The files of a generator, with what is to be done with them. */
const createFilesOpener = (capability: ResultName): Opener =>
  defineView(results.filesResult, ({ files, filled }, { zip, language }) => (
    <>
      <TemplateNote filled={filled} language={language} />
      <FilesView files={files} place={getFilePlace(capability)} zip={zip} language={language} />
    </>
  ));

/** The address of a fix in the page, for those that are in it. */
const fixHrefs = (fixes: readonly ReportFix[]) => {
  const ids = new Set(fixes.map(({ id }) => id));
  return (fixId: string): string | undefined => {
    const anchor = getFixAnchor(fixId);
    return anchor !== undefined && ids.has(fixId) ? `#${anchor}` : undefined;
  };
};

const panel = defineView(panelResult, (result, at) => <PanelView result={result} {...at} />);

/** How the result of each capability is shown to people. */
export const views = {
  check_health: checks,
  check_llms_txt: checks,
  check_schema: checks,
  check_agent_files: checks,
  check_mcp: checks,
  score_aeo: createScoresOpener(['aeo']),
  score_geo: createScoresOpener(['geo']),
  score_agent: createScoresOpener(['agent']),
  score_mcp: createScoresOpener(['mcp']),
  full_audit: createScoresOpener(scoreNames),
  generate_llms_txt: createFilesOpener('generate_llms_txt'),
  generate_mcp_json: createFilesOpener('generate_mcp_json'),
  generate_skill: createFilesOpener('generate_skill'),
  fix_pack: defineView(results.fixPackResult, (result, { language }) => (
    <FixPackView result={result} language={language} />
  )),
  full_report: defineView(results.fullReportResult, (result, { zip, language }) => (
    <AuditView result={result} language={language} fixHrefOf={fixHrefs(result.fixes)}>
      <FixesView fixes={result.fixes} promised={result.promised} language={language} />
      <ServerFilesView files={result.server_files} language={language} />
      <FilesView files={result.files} zip={zip} language={language} />
    </AuditView>
  )),
  compare: defineView(results.compareResult, (result, { language }) => (
    <CompareView result={result} language={language} />
  )),
  visibility_check: defineView(visibilityResult, (result, at) => <VisibilityView result={result} {...at} />),
  visibility_vs_competitor: defineView(versusResult, (result, at) => <VersusView result={result} {...at} />),
  visibility_fix_pack: defineView(visibilityFixResult, (result, { language }) => (
    <VisibilityFixesView result={result} language={language} />
  )),
  visibility_panel_2: panel,
  visibility_panel_4: panel,
  seller_check: defineView(sellerResult, (result, { language }) => <SellerView result={result} language={language} />),
} as const satisfies Record<ResultName, Opener>;
