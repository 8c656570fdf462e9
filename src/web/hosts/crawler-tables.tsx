import type { HostAccess } from '../../traffic/access/access-row.ts';
import type { CrawlerOfReport, CrawlerReport } from '../../traffic/edge/crawler-report.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { TableHead } from '../design/parts.tsx';
import { formatWholeNumber } from '../language/amounts.ts';
import type { PageLanguage } from '../language/language.ts';
import { AccessTables } from './access-tables.tsx';
import { HOSTS_PAGE_PATH } from './hosts-page.tsx';
import { hostsWords } from './hosts-words.ts';
import { DayChart } from './day-chart.tsx';

/** Agents whose pages are listed, and pages of each. */
const LISTED_AGENTS = 10;
const LISTED_OF_AGENT = 5;
const PERCENT = 100;

type Props = { report: CrawlerReport; language: PageLanguage };
/** `access` is there where anything was counted. */
type TablesProps = Props & { access: HostAccess | undefined };

/** A report of crawlers: tables, a chart and the same as files. */
export const CrawlerTables = ({ report, access, language }: TablesProps) => {
  const words = hostsWords[language];
  const { classes, received, from, to, host } = report;
  const number = (count: number): string => formatWholeNumber(count, language);
  if (classes.length === 0)
    return (
      <EmptyState title={words.nothingTitle} level={3}>
        {words.nothingText}
      </EmptyState>
    );
  const query = new URLSearchParams({ host, from, to }).toString();
  return (
    <>
      <p class="small">
        {words.range(from, to)}. {words.received(number(received.batches), number(received.not_counted))}{' '}
        {words.smallCells} {words.files} <a href={`${HOSTS_PAGE_PATH}.md?${query}`}>Markdown</a>,{' '}
        <a href={`${HOSTS_PAGE_PATH}.json?${query}`}>JSON</a>.
      </p>
      <h3>{words.byClass}</h3>
      <CountTable
        first={words.className}
        language={language}
        rows={classes.map((one) => ({ ...one, name: words.classes[one.class] }))}
      />
      <h3>{words.byAgent}</h3>
      <CountTable
        first={words.agent}
        language={language}
        rows={report.agents.map((one) => ({ ...one, name: formatAgent(one, language) }))}
      />
      {access === undefined ? null : <AccessTables access={access} language={language} />}
      <h3>{words.perDay}</h3>
      <DayChart report={report} language={language} />
      <AgentPages report={report} language={language} />
      <People report={report} language={language} />
    </>
  );
};

const formatAgent = ({ agent, owner, verification }: CrawlerOfReport, language: PageLanguage): string =>
  `${agent} (${owner}), ${hostsWords[language].verifications[verification]}`;

type CountRow = Omit<CrawlerReport['classes'][number], 'class'> & { name: string };
type CountTableProps = { first: string; rows: readonly CountRow[]; language: PageLanguage };

const CountTable = ({ first, rows, language }: CountTableProps) => {
  const words = hostsWords[language];
  const cell = (column: string, count: number) => (
    <td class="number" data-column={column}>
      {formatWholeNumber(count, language)}
    </td>
  );
  return (
    <div class="scroll" tabindex={0} role="region" aria-label={first}>
      <table class="stacking counts">
        <TableHead
          columns={[
            first,
            { number: words.requests },
            { number: words.pages },
            { number: words.errors },
            { number: words.refused },
            { number: words.robots },
            { number: words.llms },
            words.seen,
          ]}
        />
        <tbody>
          {rows.map((row) => (
            <tr>
              <th scope="row">{row.name}</th>
              {cell(words.requests, row.requests)}
              {cell(words.pages, row.pages)}
              <td class="number" data-column={words.errors}>
                {Math.round(row.error_share * PERCENT)} %
              </td>
              {cell(words.refused, row.refused)}
              {cell(words.robots, row.robots_txt)}
              {cell(words.llms, row.llms_txt + row.markdown)}
              <td data-column={words.seen}>
                <Day iso={row.first_seen} /> – <Day iso={row.last_seen} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** To the minute for programs, and as its day in a table of many columns. */
const Day = ({ iso }: { iso: string }) => <time datetime={iso}>{iso.slice(0, 10)}</time>;

/** Pages are of an agent, whatever is known of its address: they are listed once. */
const AgentPages = ({ report: { agents }, language }: Props) => {
  const words = hostsWords[language];
  const named = [...new Map(agents.map((one) => [one.agent, one])).values()]
    .filter(({ top_pages: pages }) => pages.length > 0)
    .slice(0, LISTED_AGENTS);
  if (named.length === 0) return null;
  return (
    <>
      <h3>{words.topPages}</h3>
      {named.map(({ agent, top_pages: pages, pages_beyond: beyond }) => (
        <details>
          <summary>{agent}</summary>
          <PathList pages={pages.slice(0, LISTED_OF_AGENT)} counted={words.requests} language={language} />
          {beyond === 0 ? null : <p class="small">{words.beyond(formatWholeNumber(beyond, language))}</p>}
        </details>
      ))}
    </>
  );
};

type PathListProps = { pages: readonly { path: string; requests: number }[]; counted: string; language: PageLanguage };

const PathList = ({ pages, counted, language }: PathListProps) => (
  <table class="paths">
    <TableHead columns={[hostsWords[language].path, { number: counted }]} />
    <tbody>
      {pages.map(({ path, requests }) => (
        <tr>
          <th scope="row">
            <code>{path}</code>
          </th>
          <td class="number">{formatWholeNumber(requests, language)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const People = ({ report: { referrals, unread_by_agents: unread }, language }: Props) => {
  const words = hostsWords[language];
  return (
    <>
      {referrals.length === 0 ? null : (
        <>
          <h3>{words.referrals}</h3>
          <table>
            <TableHead columns={[words.assistant, { number: words.visits }]} />
            <tbody>
              {referrals.map(({ assistant, requests }) => (
                <tr>
                  <th scope="row">{assistant}</th>
                  <td class="number">{formatWholeNumber(requests, language)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {unread.count === 0 ? null : (
        <>
          <h3>{words.unread}</h3>
          <p>{words.unreadLead(formatWholeNumber(unread.count, language))}</p>
          <PathList pages={unread.pages} counted={words.visits} language={language} />
        </>
      )}
    </>
  );
};
