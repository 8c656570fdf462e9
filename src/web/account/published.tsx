import { formatHistoryPath } from '../badge/badge.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import type { Html } from '../design/shell.tsx';
import { formatLongDay } from '../language/amounts.ts';
import type { PageLanguage } from '../language/language.ts';
import { type AccountFrame, NotReadable, OneButton, renderAccountFrame } from './frame.tsx';
import { reportsWords } from './reports-words.ts';

/** A report of the account that is public. `host` is the key of its site. */
export type PublishedReport = { reportId: string; host: string; atMs: number };

export type PublishedPage = {
  frame: AccountFrame;
  /** Undefined: it could not be read. */
  published: readonly PublishedReport[] | undefined;
  /** Reports that were looked at, where there may be more. */
  looked: number | undefined;
};

export const renderPublishedPage = ({ frame, published, looked }: PublishedPage): Html => {
  const { language, csrf } = frame;
  const words = reportsWords[language].published;
  return renderAccountFrame({
    ...frame,
    title: words.title,
    children: (
      <>
        {published === undefined ? <NotReadable language={language} /> : null}
        {published?.length === 0 ? (
          <EmptyState title={words.emptyTitle} level={2} action={{ href: '/account/reports', text: words.emptyAction }}>
            {words.emptyText}
          </EmptyState>
        ) : null}
        {published !== undefined && published.length > 0 ? (
          <>
            <p>{words.lead}</p>
            <ul class="rows">
              {published.map((one) => (
                <Row report={one} csrf={csrf} language={language} />
              ))}
            </ul>
          </>
        ) : null}
        {looked === undefined ? null : <p class="small">{words.looked(looked)}</p>}
      </>
    ),
  });
};

type RowProps = { report: PublishedReport; csrf: string; language: PageLanguage };

const Row = ({ report: { reportId, host, atMs }, csrf, language }: RowProps) => {
  const words = reportsWords[language].published;
  const day = formatLongDay(atMs, language);
  return (
    <li>
      <div>
        <bdi class="host">{host}</bdi>
        <p class="small">
          {day} · <a href={`/reports/${reportId}`}>{words.report}</a> ·{' '}
          <a href={formatHistoryPath(host)}>{words.history(host)}</a>
        </p>
      </div>
      <OneButton
        action="/account/unpublish"
        fields={{ csrf, report_id: reportId }}
        label={words.unpublish}
        name={words.unpublishOf(host, day)}
      />
    </li>
  );
};

/** How many there are, for the overview. */
export const PublishedCount = ({
  published,
  language,
}: {
  published: PublishedPage['published'];
  language: PageLanguage;
}) => {
  if (published === undefined) return <NotReadable language={language} />;
  const words = reportsWords[language].published;
  return <p>{published.length === 0 ? `${words.emptyTitle}.` : words.count(published.length)}</p>;
};
