import type { Child } from 'hono/jsx';
import type { CapabilityName } from '../../capabilities/capability-name.ts';
import { document, type Html } from '../design/shell.tsx';
import { OutLink, Time } from '../design/parts.tsx';
import { formsOf, FORM_NAMES, formPath } from './forms.ts';
import { PublishPanel, type PublishPanelProps } from './publish-panel.tsx';
import { forPage, type Stored, subjectOf } from './stored.ts';
import { REPORT_TITLES } from './titles.ts';
import { views } from './views.tsx';

/** A report as its page shows it. */
export type ReportView = Stored & {
  id: string;
  baseUrl: string;
  storedAtMs: number;
  /** Unix milliseconds from which on nobody can read it any more. */
  expiresAtMs: number;
  /** Whether its buyer made it public (only then may search engines show it), and what can be done about that. */
  publishing: Omit<PublishPanelProps, 'id' | 'baseUrl'>;
  /** Its own part of the page. */
  body: () => Child;
};

type Frame = Omit<ReportView, keyof Stored | 'body'>;

/** What can be published at all: badge and history show the four scores of a site. */
const WITH_FOUR_SCORES: ReadonlySet<CapabilityName> = new Set<CapabilityName>([
  'full_audit',
  'fix_pack',
  'full_report',
]);

/** The view of a stored result; undefined when this version of the service cannot show it: its JSON is there still. */
export function reportView(frame: Frame, stored: Stored): ReportView | undefined {
  const shown = forPage(stored);
  const body = views[shown.capability](shown.json);
  return body === undefined ? undefined : { ...frame, ...shown, body };
}

/** The page of a report: complete without scripts, and fit to be printed. */
export const reportPage = (view: ReportView): Html => {
  const { id, baseUrl, capability, body, publishing, warnings } = view;
  const { published } = publishing;
  const subject = subjectOf(view);
  return document({
    title: [subject, REPORT_TITLES[capability]].filter((part) => part !== undefined).join(': '),
    ownHeading: true,
    index: published,
    canonical: `${baseUrl}/reports/${id}`,
    ...(published && subject !== undefined
      ? { description: `${REPORT_TITLES[capability]} of ${subject}: every check with what was seen and its source.` }
      : {}),
    styles: ['/web/report.css'],
    scripts: ['/web/report.js', ...(WITH_FOUR_SCORES.has(capability) ? ['/web/publish.js'] : [])],
    links: formsOf(capability)
      .filter((form) => form !== 'html')
      .map((form) => ({
        rel: 'alternate',
        href: formPath(id, form),
        type: FORM_NAMES[form].type,
        title: FORM_NAMES[form].name,
      })),
    children: (
      <article class="report">
        <Heading view={view} subject={subject} />
        <Warnings warnings={warnings} />
        {body()}
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
        {REPORT_TITLES[capability]}
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
      <Forms id={id} capability={capability} />
      <p class="print-only small">
        {baseUrl}/reports/{id}
      </p>
    </header>
  );
};

const Forms = ({ id, capability }: Pick<ReportView, 'id' | 'capability'>) => (
  <nav class="forms" aria-label="Other forms of this report">
    <ul>
      {formsOf(capability)
        .filter((form) => form !== 'html')
        .map((form) => (
          <li>
            <a href={formPath(id, form)}>{FORM_NAMES[form].name}</a>
          </li>
        ))}
      <li>To keep it as a PDF, print this page: all details are open on paper.</li>
    </ul>
  </nav>
);

const Warnings = ({ warnings }: { warnings: readonly string[] }) =>
  warnings.length === 0 ? null : (
    <ul class="note warnings" aria-label="Warnings">
      {warnings.map((text) => (
        <li>{text}</li>
      ))}
    </ul>
  );
