import { type ScoreName, scoreNames } from '../../audit/core/check.ts';
import { type Changes, hasScore, type PublishedEntry } from '../../capabilities/published/history.ts';
import { BadgeImage, BadgeSnippets, formatHistoryPath } from '../badge/badge.tsx';
import { Gauge, OutLink, Time, TableHead } from '../design/parts.tsx';
import { ASSETS, renderDocument, type Html } from '../design/shell.tsx';
import { ChangeGroups } from './changes.tsx';

type HistoryEntryView = PublishedEntry & { isReadable: boolean };
export type HistoryChangesView = Changes & { from: PublishedEntry; to: PublishedEntry };

export type HistoryShown = {
  /** The site's key. */
  host: string;
  siteUrl: string;
  /** Origin of this deployment. */
  baseUrl: string;
  /** Newest first; at least one. */
  entries: readonly HistoryEntryView[];
  /** Absent where there is one report only. */
  changes: HistoryChangesView | undefined;
};

const SCORE_HEADS: Readonly<Record<ScoreName, string>> = {
  aeo: 'AI search (AEO)',
  geo: 'Citation (GEO)',
  agent: 'Agent',
  mcp: 'MCP',
};

type Props = { host: string; entries: readonly HistoryEntryView[]; changes: HistoryChangesView };

/** What became of the checks between two reports, the last two unless others are chosen. */
const ChangesSection = ({ host, entries, changes }: Props) => (
  <section aria-labelledby="changes">
    <h2 id="changes">What changed</h2>
    <form class="history-choice" method="get" action={`${formatHistoryPath(host)}#changes`}>
      <Choice name="from" label="From" entries={entries} chosen={changes.from.reportId} />
      <Choice name="to" label="To" entries={entries} chosen={changes.to.reportId} />
      <button type="submit" class="quiet">
        Compare
      </button>
    </form>
    <p>
      From <Time ms={changes.from.atMs} /> to <Time ms={changes.to.atMs} />
      {changes.sameRubric ? `: ${describePoints(changes.points)}` : ''}.
    </p>
    <ChangeGroups changes={changes} />
  </section>
);

const Choice = ({
  name,
  label,
  entries,
  chosen,
}: {
  name: string;
  label: string;
  entries: readonly HistoryEntryView[];
  chosen: string;
}) => (
  <p>
    <label for={`compare-${name}`}>{label}</label>
    <select id={`compare-${name}`} name={name}>
      {entries.map(({ reportId, atMs }) => (
        <option value={reportId} selected={reportId === chosen}>
          {formatMinute(atMs)}
        </option>
      ))}
    </select>
  </p>
);

const formatMinute = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const describePoints = (points: Changes['points']): string =>
  scoreNames
    .flatMap((name) => (points[name] === undefined ? [] : [`${SCORE_HEADS[name]} ${formatSigned(points[name])}`]))
    .join(', ');

const formatSigned = (value: number): string => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : '±0');

/** The public history of a site: what its buyers published, and what changed. Nothing on it is text of the site. */
export const renderHistoryPage = ({ host, siteUrl, baseUrl, entries, changes }: HistoryShown): Html =>
  renderDocument({
    title: `History of ${host}`,
    description: `AI search, citation, agent and MCP readiness scores of ${host} over time, and what changed.`,
    canonical: `${baseUrl}${formatHistoryPath(host)}`,
    index: true,
    links: [
      {
        rel: 'alternate',
        href: `${formatHistoryPath(host)}.json`,
        type: 'application/json',
        title: 'The same as JSON',
      },
    ],
    styles: [`${ASSETS}/report.css`],
    scripts: [`${ASSETS}/copy.js`, ...(entries.length > 1 ? [`${ASSETS}/history.js`] : [])],
    children: (
      <>
        <p class="lead">
          Published reports of <OutLink href={siteUrl} />, newest first. Each was published by who bought it.
        </p>
        <Newest entry={entries[0]} />
        <Scores host={host} entries={entries} />
        {changes === undefined ? (
          <section aria-labelledby="changes">
            <h2 id="changes">What changed</h2>
            <p>One report is published so far: the next one shows what changed.</p>
          </section>
        ) : (
          <ChangesSection host={host} entries={entries} changes={changes} />
        )}
        <BadgeSection host={host} baseUrl={baseUrl} newest={entries[0]} />
      </>
    ),
  });

type BadgeSectionProps = { host: string; baseUrl: string; newest: HistoryEntryView | undefined };

const BadgeSection = ({ host, baseUrl, newest }: BadgeSectionProps) =>
  newest === undefined ? null : (
    <section aria-labelledby="badge">
      <h2 id="badge">Badge</h2>
      <p>
        <BadgeImage host={host} scores={newest.scores} />
      </p>
      <p class="prose">
        It shows the newest published report, without scores that do not apply. Add <code>?score=aeo</code>,{' '}
        <code>geo</code>, <code>agent</code> or <code>mcp</code> for one score.
      </p>
      <BadgeSnippets host={host} baseUrl={baseUrl} scores={newest.scores} />
    </section>
  );

const Newest = ({ entry }: { entry: HistoryEntryView | undefined }) =>
  entry === undefined ? null : (
    <section aria-labelledby="newest">
      <h2 id="newest">Newest report</h2>
      <p>
        <Time ms={entry.atMs} />, judged as a site of the kind {entry.profile}.
      </p>
      <ul class="gauges">
        {scoreNames
          .filter((name) => hasScore(entry.scores[name]))
          .map((name) => (
            <li>
              <Gauge title={SCORE_HEADS[name]} score={entry.scores[name].score} grade={entry.scores[name].grade} />
            </li>
          ))}
      </ul>
    </section>
  );

const NotApplicable = () => (
  <>
    <span aria-hidden="true">–</span>
    <span class="visually-hidden">does not apply</span>
  </>
);

/** The table holds all numbers; the island draws those of `data-scores` into the space above it. */
const Scores = ({ host, entries }: { host: string; entries: readonly HistoryEntryView[] }) => (
  <section aria-labelledby="scores">
    <h2 id="scores">Scores over time</h2>
    {entries.length > 1 ? <div class="history-chart" data-history-chart aria-hidden="true"></div> : null}
    <div class="scroll" tabindex={0} role="region" aria-label="Table of scores">
      <table class="history" data-scores>
        <caption>Published scores of {host}, 0 to 100</caption>
        <TableHead columns={['Report', ...scoreNames.map((name) => ({ number: SCORE_HEADS[name] })), 'Rubric']} />
        <tbody>
          {entries.map((entry) => (
            <tr data-rubric={entry.rubric}>
              <th scope="row">
                {entry.isReadable ? (
                  <a href={`/reports/${entry.reportId}`}>
                    <Time ms={entry.atMs} />
                  </a>
                ) : (
                  <Time ms={entry.atMs} />
                )}
              </th>
              {scoreNames.map((name) => (
                <td class="number">{hasScore(entry.scores[name]) ? entry.scores[name].score : <NotApplicable />}</td>
              ))}
              <td>{entry.rubric}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    <p class="small">
      Reports can be read for 30 days; their scores stay.
      {new Set(entries.map(({ rubric }) => rubric)).size > 1
        ? ' Scores by different rubrics do not compare; lines of the chart end where the rubric changed.'
        : ''}
    </p>
  </section>
);
