import { scoreNames } from '../../audit/core/check.ts';
import { BadgeImage, BadgeSnippets, historyPath } from '../badge/snippets.tsx';
import { Gauge } from '../design/gauge.tsx';
import { OutLink, Time } from '../design/parts.tsx';
import { ASSETS, document, type Html } from '../design/shell.tsx';
import { ChangesSection } from './changes.tsx';
import { type HistoryShown, SCORE_HEADS, type ShownEntry } from './shown.ts';

/** The public history of a site: what its buyers published, and what changed. Nothing on it is text of the site. */
export const historyPage = ({ host, siteUrl, baseUrl, entries, changes }: HistoryShown): Html =>
  document({
    title: `History of ${host}`,
    description: `AI search, citation, agent and MCP readiness scores of ${host} over time, and what changed.`,
    canonical: `${baseUrl}${historyPath(host)}`,
    index: true,
    links: [
      { rel: 'alternate', href: `${historyPath(host)}.json`, type: 'application/json', title: 'The same as JSON' },
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
        <section aria-labelledby="badge">
          <h2 id="badge">Badge</h2>
          <p>
            <BadgeImage host={host} />
          </p>
          <p class="prose">
            It shows the newest published report. Add <code>?score=aeo</code>, <code>geo</code>, <code>agent</code> or{' '}
            <code>mcp</code> for one score.
          </p>
          <BadgeSnippets host={host} baseUrl={baseUrl} />
        </section>
      </>
    ),
  });

const Newest = ({ entry }: { entry: ShownEntry | undefined }) =>
  entry === undefined ? null : (
    <section aria-labelledby="newest">
      <h2 id="newest">Newest report</h2>
      <p>
        <Time ms={entry.atMs} />, judged as a site of the kind {entry.profile}.
      </p>
      <ul class="gauges">
        {scoreNames.map((name) => (
          <li>
            <Gauge title={SCORE_HEADS[name]} score={entry.scores[name].score} grade={entry.scores[name].grade} />
          </li>
        ))}
      </ul>
    </section>
  );

/** The table holds all numbers; the island draws those of `data-scores` into the space above it. */
const Scores = ({ host, entries }: { host: string; entries: readonly ShownEntry[] }) => (
  <section aria-labelledby="scores">
    <h2 id="scores">Scores over time</h2>
    {entries.length > 1 ? <div class="history-chart" data-history-chart aria-hidden="true"></div> : null}
    <div class="scroll" tabindex={0} role="region" aria-label="Table of scores">
      <table class="history" data-scores>
        <caption>Published scores of {host}, 0 to 100</caption>
        <thead>
          <tr>
            <th scope="col">Report</th>
            {scoreNames.map((name) => (
              <th scope="col" class="number">
                {SCORE_HEADS[name]}
              </th>
            ))}
            <th scope="col">Rubric</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr>
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
                <td class="number">{entry.scores[name].score}</td>
              ))}
              <td>{entry.rubric}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    <p class="small">Reports can be read for 30 days; their scores stay.</p>
  </section>
);
