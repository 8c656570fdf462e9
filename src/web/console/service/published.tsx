import type { PublishedReportLine, PublishedSitesPage } from '../../../console-api/service.ts';
import { EmptyState } from '../../design/empty-state.tsx';
import { OutLink, Time } from '../../design/parts.tsx';
import type { Html } from '../../design/shell.tsx';
import { formatCsv, formatCsvTime, LongId, WideTable } from '../tables.tsx';

export const PUBLISHED_PATH = '/console/published';
export const SITE_PATH = '/console/published/site';
export const TAKE_DOWN_PATH = '/console/published/take-down';

export type PublishedShown = PublishedSitesPage & { prefix: string };

const SCORES = ['aeo', 'geo', 'agent', 'mcp'] as const;
const TITLES = { aeo: 'AEO', geo: 'GEO', agent: 'Agent', mcp: 'MCP' } as const;
const SCORE_COLUMNS = SCORES.map((name) => TITLES[name]);

export const formatPublishedHref = (
  fields: { host?: string; cursor?: string },
  path: string = PUBLISHED_PATH,
): string => {
  const given = Object.entries(fields).filter(([, text]) => text !== '');
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
};

/** `/console/published`: sites with published reports, by host. */
export const renderPublishedSites = ({ sites, next, prefix }: PublishedShown): Html => (
  <>
    <p class="prose">
      Reports that their buyers made public: badge and history of the host show their scores. Choose a host to see its
      reports and to take one down.
    </p>
    <form method="get" action={PUBLISHED_PATH} class="fields wide">
      <div>
        <label for="host">Host, or its beginning</label>
        <input id="host" name="host" maxlength={260} value={prefix} autocomplete="off" spellcheck={false} />
      </div>
      <button class="small">Show</button>
    </form>
    {sites.length === 0 ? (
      <None isFiltered={prefix !== ''} next={next} />
    ) : (
      <WideTable
        caption="Sites with published reports"
        columns={['Host', 'Last change', ...SCORE_COLUMNS]}
        file={formatPublishedHref({ host: prefix }, `${PUBLISHED_PATH}.csv`)}
        isStacking
      >
        {sites.map(({ key, scores, changedAtMs }) => (
          <tr>
            <th scope="row" class="host">
              <a href={formatPublishedHref({ host: key }, SITE_PATH)}>{key}</a>
            </th>
            <td data-column="Last change" class="instant">
              <Time ms={changedAtMs} />
            </td>
            <Scores scores={scores} />
          </tr>
        ))}
      </WideTable>
    )}
    {next === undefined ? null : (
      <p>
        <a href={formatPublishedHref({ host: prefix, cursor: next })}>Further hosts</a>
      </p>
    )}
  </>
);

const None = ({ isFiltered, next }: { isFiltered: boolean; next: string | undefined }) =>
  next === undefined ? (
    <EmptyState title={isFiltered ? 'No published host begins so' : 'No report is published'} level={2}>
      A buyer publishes a report with the button on its page, or with <code>publish: true</code>.
    </EmptyState>
  ) : (
    <p>All reports of these hosts were taken back. Go on with further hosts.</p>
  );

const Scores = ({ scores }: { scores: Readonly<Record<string, string>> }) => (
  <>
    {SCORES.map((name) => (
      <td data-column={TITLES[name]}>{scores[name] ?? 'does not apply'}</td>
    ))}
  </>
);

export type SiteShown = { host: string; reports: readonly PublishedReportLine[]; apiUrl: string };

/** `/console/published/site?host=`: the published reports of a host, newest first. */
export const renderPublishedSite = ({ host, reports, apiUrl }: SiteShown): Html => (
  <>
    <p>
      <a href={PUBLISHED_PATH}>All hosts</a>
    </p>
    {reports.length === 0 ? (
      <EmptyState title="This host has no published report" level={2}>
        What was taken back or taken down is not listed.
      </EmptyState>
    ) : (
      <WideTable
        caption={`Published reports of ${host}, newest first`}
        columns={['Date', 'Report', ...SCORE_COLUMNS, 'Bought', 'Rubric', 'Action']}
        file={formatPublishedHref({ host }, `${SITE_PATH}.csv`)}
        isStacking
      >
        {reports.map(({ reportId, atMs, scores, capability, rubric }) => (
          <tr>
            <th scope="row" class="instant">
              <Time ms={atMs} />
            </th>
            <td data-column="Report">
              <OutLink href={`${apiUrl}/reports/${reportId}`}>
                <LongId id={reportId} />
              </OutLink>
            </td>
            <Scores scores={scores} />
            <td data-column="Bought">{capability}</td>
            <td data-column="Rubric">{rubric}</td>
            <td>
              <a href={`${TAKE_DOWN_PATH}?${new URLSearchParams({ host, report: reportId }).toString()}`}>Take down</a>
            </td>
          </tr>
        ))}
      </WideTable>
    )}
  </>
);

/** Sites as CSV (rule X8). */
export const formatSitesCsv = ({ sites }: Pick<PublishedSitesPage, 'sites'>): string =>
  formatCsv([
    ['host', 'last_change', ...SCORES],
    ...sites.map(({ key, changedAtMs, scores }) => [
      key,
      formatCsvTime(changedAtMs),
      ...SCORES.map((name) => scores[name] ?? ''),
    ]),
  ]);

/** Reports of a host as CSV (rule X8). */
export const formatSiteReportsCsv = (reports: readonly PublishedReportLine[]): string =>
  formatCsv([
    ['date', 'report', ...SCORES, 'bought', 'rubric'],
    ...reports.map(({ atMs, reportId, scores, capability, rubric }) => [
      formatCsvTime(atMs),
      reportId,
      ...SCORES.map((name) => scores[name] ?? ''),
      capability,
      rubric,
    ]),
  ]);
