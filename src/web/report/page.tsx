import { demonstrationWarnings } from '../../models/port.ts';
import type { Child } from 'hono/jsx';
import * as z from 'zod';
import type { ResultName } from '../../capabilities/capability-name.ts';
import { parseReadInstead } from '../../audit/core/snapshot.ts';
import { ReadInstead } from '../audit/read-instead.tsx';
import { brand } from '../brand.ts';
import { CARD } from '../design/card.ts';
import { OutLink, Time } from '../design/parts.tsx';
import { renderDocument, type Html } from '../design/shell.tsx';
import { getCapabilityTitle } from '../language/capability-words.ts';
import { translateResult } from '../language/check-titles.ts';
import { DEFAULT_LANGUAGE, markEnglish, type PageLanguage } from '../language/language.ts';
import { getAgain, getWatchPath } from './again.ts';
import type { ShownAnswers } from './answers/shown-answer.ts';
import { ReportBar, ShareStatus } from './bar.tsx';
import { listMainFigures } from './figures.ts';
import { FORM_NAMES, formatReportPath, listReportForms, type ReportForm } from './forms.ts';
import { views } from './openers.tsx';
import { reportWords } from './page-words.ts';
import { ReportSection } from './parts/layout.tsx';
import { PublishPanel, type PublishPanelProps } from './publish-panel.tsx';
import { SinceForm } from './since-form.tsx';
import { VERIFY_PATH } from '../verify/page.tsx';
import { escapeForPage, type StoredResult, getSubject } from './stored.ts';

/** A report as its page shows it. */
export type ReportView = StoredResult & {
  id: string;
  language: PageLanguage;
  baseUrl: string;
  storedAtMs: number;
  /** Unix milliseconds from which on no one can read it any more; null: it is there as long as the monitor that made it. */
  expiresAtMs: number | null;
  /** Whether its buyer made it public (only then may search engines show it), and what can be done about that. */
  publishing: Omit<PublishPanelProps, 'id' | 'baseUrl'>;
  /** Its own part of the page. */
  body: () => Child;
  /** Printed whole, every detail open, and not in short. */
  whole?: boolean | undefined;
  /** Whether the service can make a PDF of it. */
  pdf?: boolean | undefined;
};

type Frame = Omit<ReportView, keyof StoredResult | 'body' | 'language'> & {
  language?: PageLanguage | undefined;
  /** The answers behind a measurement, where they are stored. */
  shownAnswers?: ShownAnswers | undefined;
};

/** What can be published at all: badge and history show the four scores of a site. */
const WITH_FOUR_SCORES: ReadonlySet<ResultName> = new Set<ResultName>(['full_audit', 'fix_pack', 'full_report']);

/** The view of a stored result; undefined when this version of the service cannot show it: its JSON is there still. */
export function reportView(frame: Frame, stored: StoredResult): ReportView | undefined {
  const { language = DEFAULT_LANGUAGE, shownAnswers, ...rest } = frame;
  const escaped = escapeForPage(stored);
  const shown = { ...escaped, json: translateResult(escaped.json, language) };
  const body = views[shown.capability](shown.json);
  const zip = formatReportPath(frame.id, 'zip');
  const answers = shownAnswers && { shown: shownAnswers, report: `/reports/${frame.id}` };
  return body === undefined
    ? undefined
    : { ...rest, language, ...shown, body: () => body({ zip, language, answers, atHome: true }) };
}

/** The page of a report: complete without scripts, and fit to be printed. */
export const reportPage = (view: ReportView): Html => {
  const { id, baseUrl, language, capability, url, body, publishing, warnings } = view;
  const { published } = publishing;
  const subject = getSubject(view, language);
  const title = [subject, getCapabilityTitle(capability, language)].filter((part) => part !== undefined).join(': ');
  return renderDocument({
    title,
    language,
    path: `/reports/${id}`,
    ownHeading: true,
    index: published,
    canonical: `${baseUrl}/reports/${id}`,
    ...(published && subject !== undefined
      ? { description: reportWords[language].described(getCapabilityTitle(capability, language), subject) }
      : {}),
    head: <ShareCard view={view} title={title} />,
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
        <Bar view={view} subject={subject} />
        <ShareStatus />
        <Warnings warnings={warnings} language={language} />
        {body()}
        <SinceForm {...publishing} language={language} id={id} capability={capability} watch={getWatchPath(view)} />
        {url === undefined ? null : <Replay id={id} baseUrl={baseUrl} language={language} />}
        <SignedBy json={view.json} language={language} />
        {WITH_FOUR_SCORES.has(capability) ? (
          <PublishPanel id={id} baseUrl={baseUrl} {...publishing} language={language} />
        ) : null}
      </article>
    ),
  });
};

/** What the link of a report looks like where it is shared: the scores of a public one, else nothing that is in it (rule X5). */
const ShareCard = ({ view, title }: { view: ReportView; title: string }) => {
  const { id, baseUrl, publishing } = view;
  const image = publishing.published ? formatCardPath(id) : CARD.path;
  return (
    <>
      <meta property="og:title" content={title} />
      <meta property="og:type" content="article" />
      <meta property="og:url" content={`${baseUrl}/reports/${id}`} />
      <meta property="og:site_name" content={brand.name} />
      <meta property="og:image" content={`${baseUrl}${image}`} />
      <meta property="og:image:width" content={String(CARD.width)} />
      <meta property="og:image:height" content={String(CARD.height)} />
      <meta property="og:image:alt" content={publishing.published ? title : brand.tagline} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
};

/** The picture of a report for those who share its link. */
export const formatCardPath = (id: string): string => `/reports/${id}/card.png`;

const Bar = ({ view, subject }: { view: ReportView; subject: string | undefined }) => {
  const { id, capability, json, language } = view;
  const zip = listReportForms(capability).includes('zip') ? formatReportPath(id, 'zip') : undefined;
  return (
    <ReportBar
      language={language}
      subject={subject ?? getCapabilityTitle(capability, language)}
      figures={listMainFigures(json, language)}
      again={getAgain(view)}
      zip={zip}
    />
  );
};

const Heading = ({ view, subject }: { view: ReportView; subject: string | undefined }) => {
  const { id, baseUrl, capability, url, storedAtMs, expiresAtMs, language } = view;
  const words = reportWords[language];
  return (
    <header class="about">
      <h1>
        {getCapabilityTitle(capability, language)}
        {subject === undefined ? null : (
          <>
            : <span class="subject">{subject}</span>
          </>
        )}
      </h1>
      {url === undefined ? null : (
        <p>
          <OutLink href={findReadAddress(view) ?? url} /> <ReadInstead warnings={view.warnings} language={language} />
        </p>
      )}
      <p class="small">
        {words.made} <Time ms={storedAtMs} />.{' '}
        {expiresAtMs === null ? (
          words.keptByMonitor
        ) : (
          <>
            {words.readableUntil} <Time ms={expiresAtMs} />.
          </>
        )}
      </p>
      <Forms id={id} capability={capability} pdf={view.pdf} language={language} />
      <p class="print-only small">
        {baseUrl}/reports/{id}
        {view.whole === true ? null : `. ${words.inShort(`${baseUrl}${formatWholePath(id)}`)}`}
      </p>
    </header>
  );
};

/** The files have a button of their own. */
const LISTED_ELSEWHERE: ReadonlySet<ReportForm> = new Set<ReportForm>(['html', 'zip']);

/** What people read comes before what programs do. */
const isForPrograms = (form: ReportForm): boolean => form === 'json' || form === 'sarif';

const Forms = ({
  id,
  capability,
  pdf = false,
  language,
}: Pick<ReportView, 'id' | 'capability' | 'pdf' | 'language'>) => (
  <nav class="forms" aria-label={reportWords[language].otherForms}>
    <ul>
      {pdf ? (
        <li>
          <a href={`/reports/${id}.pdf`}>PDF</a>
        </li>
      ) : null}
      {listReportForms(capability)
        .filter((form) => !LISTED_ELSEWHERE.has(form))
        .toSorted((a, b) => Number(isForPrograms(a)) - Number(isForPrograms(b)))
        .map((form) => (
          <li>
            <a href={formatReportPath(id, form)}>{FORM_NAMES[form].name}</a>
          </li>
        ))}
      <li>
        {reportWords[language].printed} <a href={formatWholePath(id)}>{reportWords[language].printWhole}</a>.
      </li>
    </ul>
  </nav>
);

/** The page as it is printed with every detail open. */
const formatWholePath = (id: string): string => `/reports/${id}.html?print=full`;

/** The address that was read in place of the one asked for. */
const findReadAddress = ({ warnings }: Pick<ReportView, 'warnings'>): string | undefined =>
  warnings.map(parseReadInstead).find((one) => one !== undefined)?.read;

/** Where everything is that the report was made from. */
const Replay = ({ id, baseUrl, language }: Pick<ReportView, 'id' | 'baseUrl' | 'language'>) => {
  const [link, holds, run, same] = reportWords[language].replay;
  return (
    <ReportSection title={reportWords[language].replayTitle} id="replay">
      <p>
        <a href={`/reports/${id}/snapshot`}>{link}</a> {holds}{' '}
        <code>
          {baseUrl}/reports/{id}/snapshot
        </code>{' '}
        {run} <code>sightline replay FILE</code>: {same}
      </p>
    </ReportSection>
  );
};

const signedShape = z.object({ statement: z.object({ claims: z.object({ issuer: z.string() }) }) });

/** Who signed the result, for those who will check it, or that no one did. */
const SignedBy = ({ json, language }: Pick<ReportView, 'json' | 'language'>) => {
  const { by, unsigned, verify } = reportWords[language].signed;
  const issuer = signedShape.safeParse(json).data?.statement.claims.issuer;
  return (
    <p class="small" data-signed={issuer === undefined ? 'no' : 'yes'}>
      {issuer === undefined ? (
        unsigned
      ) : (
        <>
          {by} {issuer}. <a href={VERIFY_PATH}>{verify}</a>
        </>
      )}
    </p>
  );
};

/** Of an engine that is no AI model the report itself says more: see `Cautions`. */
const SAID_IN_FULL: ReadonlySet<string> = new Set(Object.values(demonstrationWarnings));

const Warnings = ({ warnings, language }: { warnings: readonly string[]; language: PageLanguage }) => {
  const shown = warnings.filter((text) => !SAID_IN_FULL.has(text) && parseReadInstead(text) === undefined);
  return shown.length === 0 ? null : (
    <ul class="note warnings" aria-label={reportWords[language].warnings}>
      {shown.map((text) => (
        <li lang={markEnglish(language)}>{text}</li>
      ))}
    </ul>
  );
};
