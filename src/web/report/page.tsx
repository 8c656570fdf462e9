import type { Child } from 'hono/jsx';
import * as z from 'zod';
import { scoreNames } from '../../audit/core/check.ts';
import type { CapabilityName } from '../../capabilities/capability-name.ts';
import * as results from '../../capabilities/results.ts';
import { versusResult, visibilityFixResult, visibilityResult } from '../../capabilities/visibility-results.ts';
import { capabilityTitles } from '../../capabilities/titles-data.ts';
import { demonstrationWarnings } from '../../models/port.ts';
import { OutLink, Time } from '../design/parts.tsx';
import { renderDocument, type Html } from '../design/shell.tsx';
import { getFixAnchor } from './audit/words.ts';
import { FORM_NAMES, formatReportPath, listReportForms } from './forms.ts';
import { ReportSection } from './parts/layout.tsx';
import type { ReportFix } from './parts/words.ts';
import { PublishPanel, type PublishPanelProps } from './publish-panel.tsx';
import { escapeForPage, type StoredResult, getSubject } from './stored.ts';
import { AuditView, ChecksView } from './views/audit.tsx';
import { CompareView } from './views/compare.tsx';
import { FilesView } from './views/files.tsx';
import { getFilePlace } from './views/places.ts';
import { FixesView, ServerFilesView } from './views/fixes.tsx';
import { VersusView } from './views/versus.tsx';
import { VisibilityFixesView } from './views/visibility-fixes.tsx';
import { VisibilityView } from './views/visibility.tsx';

/** Where other forms of what is shown are; nowhere for a report that is a file itself. */
type ShownAt = { zip?: string | undefined };
/** Shows a result of one capability; undefined when the JSON is no such result. */
type Opener = (json: unknown) => ((at?: ShownAt) => Child) | undefined;

/** A view beside the shape of what it shows: the stored JSON is parsed by it, once. */
const defineView =
  <S extends z.ZodType>(schema: S, show: (result: z.infer<S>, at: ShownAt) => Child): Opener =>
  (json) => {
    const read = schema.safeParse(json);
    return read.success ? (at = {}) => show(read.data, at) : undefined;
  };

const checks = defineView(results.checksResult, (result) => <ChecksView result={result} />);
/** Opens a result with these scores. */
export const createScoresOpener = (names: Parameters<typeof results.auditResult>[0]): Opener =>
  defineView(results.auditResult(names), (result) => <AuditView result={result} />);
/** The files of a generator, with what is to be done with them. */
const createFilesOpener = (capability: CapabilityName): Opener =>
  defineView(results.filesResult, ({ files }, { zip }) => (
    <FilesView files={files} place={getFilePlace(capability)} zip={zip} />
  ));

/** The address of a fix in the page, for those that are in it. */
const fixHrefs = (fixes: readonly ReportFix[]) => {
  const ids = new Set(fixes.map(({ id }) => id));
  return (fixId: string): string | undefined => {
    const anchor = getFixAnchor(fixId);
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
  score_aeo: createScoresOpener(['aeo']),
  score_geo: createScoresOpener(['geo']),
  score_agent: createScoresOpener(['agent']),
  score_mcp: createScoresOpener(['mcp']),
  full_audit: createScoresOpener(scoreNames),
  generate_llms_txt: createFilesOpener('generate_llms_txt'),
  generate_mcp_json: createFilesOpener('generate_mcp_json'),
  generate_skill: createFilesOpener('generate_skill'),
  fix_pack: defineView(results.fixPackResult, (result) => (
    <AuditView result={result} fixHrefOf={fixHrefs(result.fixes)}>
      <FixesView fixes={result.fixes} promised={result.promised} />
      <ServerFilesView files={result.server_files} />
    </AuditView>
  )),
  full_report: defineView(results.fullReportResult, (result, { zip }) => (
    <AuditView result={result} fixHrefOf={fixHrefs(result.fixes)}>
      <FixesView fixes={result.fixes} promised={result.promised} />
      <ServerFilesView files={result.server_files} />
      <FilesView files={result.files} zip={zip} />
    </AuditView>
  )),
  compare: defineView(results.compareResult, (result) => <CompareView result={result} />),
  visibility_check: defineView(visibilityResult, (result) => <VisibilityView result={result} />),
  visibility_vs_competitor: defineView(versusResult, (result) => <VersusView result={result} />),
  visibility_fix_pack: defineView(visibilityFixResult, (result) => <VisibilityFixesView result={result} />),
} as const satisfies Record<CapabilityName, Opener>;

/** A report as its page shows it. */
export type ReportView = StoredResult & {
  id: string;
  baseUrl: string;
  storedAtMs: number;
  /** Unix milliseconds from which on no one can read it any more. */
  expiresAtMs: number;
  /** Whether its buyer made it public (only then may search engines show it), and what can be done about that. */
  publishing: Omit<PublishPanelProps, 'id' | 'baseUrl'>;
  /** Its own part of the page. */
  body: () => Child;
  /** Printed whole, every detail open, and not in short. */
  whole?: boolean | undefined;
  /** Whether the service can make a PDF of it. */
  pdf?: boolean | undefined;
};

type Frame = Omit<ReportView, keyof StoredResult | 'body'>;

/** What can be published at all: badge and history show the four scores of a site. */
const WITH_FOUR_SCORES: ReadonlySet<CapabilityName> = new Set<CapabilityName>([
  'full_audit',
  'fix_pack',
  'full_report',
]);

/** The view of a stored result; undefined when this version of the service cannot show it: its JSON is there still. */
export function reportView(frame: Frame, stored: StoredResult): ReportView | undefined {
  const shown = escapeForPage(stored);
  const body = views[shown.capability](shown.json);
  const zip = formatReportPath(frame.id, 'zip');
  return body === undefined ? undefined : { ...frame, ...shown, body: () => body({ zip }) };
}

/** The page of a report: complete without scripts, and fit to be printed. */
export const reportPage = (view: ReportView): Html => {
  const { id, baseUrl, capability, url, body, publishing, warnings } = view;
  const { published } = publishing;
  const subject = getSubject(view);
  return renderDocument({
    title: [subject, capabilityTitles[capability]].filter((part) => part !== undefined).join(': '),
    ownHeading: true,
    index: published,
    canonical: `${baseUrl}/reports/${id}`,
    ...(published && subject !== undefined
      ? { description: `${capabilityTitles[capability]} of ${subject}: every check with what was seen and its source.` }
      : {}),
    styles: ['/web/report.css'],
    scripts: ['/web/report.js', ...(WITH_FOUR_SCORES.has(capability) ? ['/web/publish.js'] : [])],
    links: listReportForms(capability)
      .filter((form) => form !== 'html')
      .map((form) => ({
        rel: 'alternate',
        href: formatReportPath(id, form),
        type: FORM_NAMES[form].type,
        title: FORM_NAMES[form].name,
      })),
    children: (
      <article class={view.whole === true ? 'report whole' : 'report'}>
        <Heading view={view} subject={subject} />
        <Warnings warnings={warnings} />
        {body()}
        {url === undefined ? null : <Replay id={id} baseUrl={baseUrl} />}
        {WITH_FOUR_SCORES.has(capability) ? <PublishPanel id={id} baseUrl={baseUrl} {...publishing} /> : null}
      </article>
    ),
  });
};

const Heading = ({ view, subject }: { view: ReportView; subject: string | undefined }) => {
  const { id, baseUrl, capability, url, storedAtMs, expiresAtMs } = view;
  return (
    <header class="about">
      <h1>
        {capabilityTitles[capability]}
        {subject === undefined ? null : (
          <>
            : <span class="subject">{subject}</span>
          </>
        )}
      </h1>
      {url === undefined ? null : (
        <p>
          <OutLink href={url} />
        </p>
      )}
      <p class="small">
        Made <Time ms={storedAtMs} />. Can be read until <Time ms={expiresAtMs} />.
      </p>
      <Forms id={id} capability={capability} pdf={view.pdf} />
      <p class="print-only small">
        {baseUrl}/reports/{id}
        {view.whole === true ? null : `. In short: the whole report, printed, is at ${baseUrl}${formatWholePath(id)}`}
      </p>
    </header>
  );
};

const Forms = ({ id, capability, pdf = false }: Pick<ReportView, 'id' | 'capability' | 'pdf'>) => (
  <nav class="forms" aria-label="Other forms of this report">
    <ul>
      {listReportForms(capability)
        .filter((form) => form !== 'html')
        .map((form) => (
          <li>
            <a href={formatReportPath(id, form)}>{FORM_NAMES[form].name}</a>
          </li>
        ))}
      {pdf ? (
        <li>
          <a href={`/reports/${id}.pdf`}>PDF</a>
        </li>
      ) : null}
      <li>
        Printed, it has at most four pages; <a href={formatWholePath(id)}>print every detail</a>.
      </li>
    </ul>
  </nav>
);

/** The page as it is printed with every detail open. */
const formatWholePath = (id: string): string => `/reports/${id}.html?print=full`;

/** Where everything is that the report was made from. */
const Replay = ({ id, baseUrl }: Pick<ReportView, 'id' | 'baseUrl'>) => (
  <ReportSection title="Check it yourself" id="replay">
    <p>
      <a href={`/reports/${id}/snapshot`}>The snapshot</a> holds every answer that the site gave. Download it from{' '}
      <code>
        {baseUrl}/reports/{id}/snapshot
      </code>{' '}
      and run <code>sightline replay FILE</code>: the same verdicts and scores, without a request.
    </p>
  </ReportSection>
);

/** Of an engine that is no AI model the report itself says more: see `Cautions`. */
const SAID_IN_FULL: ReadonlySet<string> = new Set(Object.values(demonstrationWarnings));

const Warnings = ({ warnings }: { warnings: readonly string[] }) => {
  const shown = warnings.filter((text) => !SAID_IN_FULL.has(text));
  return shown.length === 0 ? null : (
    <ul class="note warnings" aria-label="Warnings">
      {shown.map((text) => (
        <li>{text}</li>
      ))}
    </ul>
  );
};
