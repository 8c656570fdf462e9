import type { PaidBy } from '../../payment/rails/rail-ids.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { TableHead } from '../design/parts.tsx';
import type { Html } from '../design/shell.tsx';
import { formatLongDay } from '../language/amounts.ts';
import type { PageLanguage } from '../language/language.ts';
import { accountWords } from './account-words.ts';
import { formatCapabilityTitle } from './capability-name.ts';
import { type AccountFrame, Amount, NotReadable, renderAccountFrame, When } from './frame.tsx';
import { reportsWords } from './reports-words.ts';

/** A report that was bought. */
export type BoughtReport = {
  reportId: string;
  capability: string;
  /** The host of the site that it is about, where it is about one. */
  site?: string | undefined;
  by: 'wallet' | 'credits';
  /** How the wallet paid. */
  method?: PaidBy | undefined;
  amountMicroUsd: number;
  atMs: number;
  /** Unix milliseconds; undefined: it cannot be read any more. */
  readableUntilMs: number | undefined;
};

export type ReportsPage = {
  frame: AccountFrame;
  /** Newest first. Undefined: the list could not be read. */
  reports: readonly BoughtReport[] | undefined;
  /** The address of the older part of the list. */
  older: string | undefined;
};

export const renderReportsPage = ({ frame, reports, older }: ReportsPage): Html => {
  const { language } = frame;
  const words = reportsWords[language];
  return renderAccountFrame({
    ...frame,
    title: words.title,
    children: (
      <>
        <p>{words.lead}</p>
        {reports === undefined ? <NotReadable language={language} /> : <List reports={reports} language={language} />}
        {older === undefined ? null : (
          <p>
            <a href={older}>{accountWords[language].next}</a>
          </p>
        )}
        <details>
          <summary>{words.missingTitle}</summary>
          <ul>
            {words.missing.map((text) => (
              <li>{text}</li>
            ))}
          </ul>
        </details>
      </>
    ),
  });
};

type ListProps = { reports: readonly BoughtReport[]; language: PageLanguage };

const List = ({ reports, language }: ListProps) => {
  const [words, shared] = [reportsWords[language], accountWords[language]];
  if (reports.length === 0)
    return (
      <EmptyState title={words.emptyTitle} level={2} action={{ href: '/audit', text: words.emptyAction }}>
        {words.emptyText}
      </EmptyState>
    );
  return (
    <table class="stacking">
      <TableHead
        columns={[words.title, words.site, shared.date, words.paid, { number: shared.amount }, words.readable]}
      />
      <tbody>
        {reports.map((report) => (
          <tr>
            <th scope="row">
              <ReportName report={report} language={language} />
            </th>
            <td data-column={words.site}>{report.site === undefined ? '–' : <bdi class="url">{report.site}</bdi>}</td>
            <td data-column={shared.date}>
              <When ms={report.atMs} />
            </td>
            <td data-column={words.paid}>
              {words.how[report.by]}
              {report.method === undefined ? '' : `, ${words.methods[report.method]}`}
            </td>
            <td class="number" data-column={shared.amount}>
              <Amount microUsd={report.amountMicroUsd} language={language} />
            </td>
            <td data-column={words.readable}>
              {report.readableUntilMs === undefined
                ? words.gone
                : words.until(formatLongDay(report.readableUntilMs, language))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const ReportName = ({ report, language }: { report: BoughtReport; language: PageLanguage }) => {
  const title = formatCapabilityTitle(report.capability, language);
  return report.readableUntilMs === undefined ? <>{title}</> : <a href={`/reports/${report.reportId}`}>{title}</a>;
};

/** The newest reports, for the overview. */
export const NewestReports = ({ reports, language }: { reports: ReportsPage['reports']; language: PageLanguage }) => {
  if (reports === undefined) return <NotReadable language={language} />;
  const words = reportsWords[language];
  if (reports.length === 0) return <p>{words.emptyTitle}.</p>;
  return (
    <ul class="plain">
      {reports.map((report) => (
        <li>
          <ReportName report={report} language={language} />
          {report.site === undefined ? null : (
            <>
              {' '}
              <bdi class="url">{report.site}</bdi>
            </>
          )}
          <span class="small">
            {' '}
            <When ms={report.atMs} />
          </span>
        </li>
      ))}
    </ul>
  );
};
