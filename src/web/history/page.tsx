import { scoreNames } from '../../audit/core/check.ts';
import { type Changes, hasScore, type PublishedEntry } from '../../capabilities/published/history.ts';
import { BadgeImage, BadgeSnippets, formatHistoryPath } from '../badge/badge.tsx';
import { ChangeGroups } from './changes.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { Gauge, OutLink, Time, TableHead } from '../design/parts.tsx';
import { ASSETS, renderDocument, type Html } from '../design/shell.tsx';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../language/language.ts';
import { historyWords } from './history-words.ts';

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

type InLanguage = { language: PageLanguage };
type Props = InLanguage & { host: string; entries: readonly HistoryEntryView[]; changes: HistoryChangesView };

/** What became of the checks between two reports, the last two unless others are chosen. */
const ChangesSection = ({ host, entries, changes, language }: Props) => {
  const words = historyWords[language];
  const [from, to] = words.span;
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">{words.changes}</h2>
      <form class="history-choice" method="get" action={`${formatHistoryPath(host)}#changes`}>
        <Choice name="from" label={words.from} entries={entries} chosen={changes.from.reportId} />
        <Choice name="to" label={words.to} entries={entries} chosen={changes.to.reportId} />
        <button type="submit" class="quiet">
          {words.compare}
        </button>
      </form>
      <p>
        {from}
        <Time ms={changes.from.atMs} />
        {to}
        <Time ms={changes.to.atMs} />
        {changes.sameRubric ? `: ${describePoints(changes.points, language)}` : ''}.
      </p>
      <ChangeGroups changes={changes} language={language} />
    </section>
  );
};

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

const describePoints = (points: Changes['points'], language: PageLanguage): string =>
  scoreNames
    .flatMap((name) =>
      points[name] === undefined ? [] : [`${historyWords[language].scoreHeads[name]} ${formatSigned(points[name])}`],
    )
    .join(', ');

const formatSigned = (value: number): string => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : '±0');

/** The public history of a site: what its buyers published, and what changed. Nothing on it is text of the site. */
export function renderHistoryPage(shown: HistoryShown, language: PageLanguage = DEFAULT_LANGUAGE): Html {
  const { host, siteUrl, baseUrl, entries, changes } = shown;
  const words = historyWords[language];
  const [beforeSite, afterSite] = words.lead;
  return renderDocument({
    title: words.title(host),
    language,
    path: formatHistoryPath(host),
    description: words.description(host),
    canonical: `${baseUrl}${formatHistoryPath(host)}`,
    index: true,
    links: [
      {
        rel: 'alternate',
        href: `${formatHistoryPath(host)}.json`,
        type: 'application/json',
        title: words.json,
      },
    ],
    styles: [`${ASSETS}/report.css`],
    scripts: [`${ASSETS}/copy.js`, ...(entries.length > 1 ? [`${ASSETS}/history.js`] : [])],
    children: (
      <>
        <p class="lead">
          {beforeSite}
          <OutLink href={siteUrl} />
          {afterSite}
        </p>
        <Newest entry={entries[0]} language={language} />
        <Scores host={host} entries={entries} language={language} />
        {changes === undefined ? (
          <OnlyOne siteUrl={siteUrl} language={language} />
        ) : (
          <ChangesSection host={host} entries={entries} changes={changes} language={language} />
        )}
        <BadgeSection host={host} baseUrl={baseUrl} newest={entries[0]} language={language} />
      </>
    ),
  });
}

/** In the place of what changed, while there is nothing to compare. */
const OnlyOne = ({ siteUrl, language }: InLanguage & { siteUrl: string }) => {
  const { changes, onlyOne } = historyWords[language];
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">{changes}</h2>
      <EmptyState
        title={onlyOne.title}
        action={{ href: `/audit?url=${encodeURIComponent(siteUrl)}`, text: onlyOne.action }}
      >
        {onlyOne.why}
      </EmptyState>
    </section>
  );
};

type BadgeSectionProps = InLanguage & { host: string; baseUrl: string; newest: HistoryEntryView | undefined };

const BadgeSection = ({ host, baseUrl, newest, language }: BadgeSectionProps) => {
  if (newest === undefined) return null;
  const words = historyWords[language];
  const [before, or, after] = words.badgeUse;
  return (
    <section aria-labelledby="badge">
      <h2 id="badge">{words.badge}</h2>
      <p>
        <BadgeImage host={host} scores={newest.scores} alt={words.badgeAlt(host)} />
      </p>
      <p class="prose">
        {before}
        <code>?score=aeo</code>, <code>geo</code>, <code>agent</code>
        {or}
        <code>mcp</code>
        {after}
      </p>
      <BadgeSnippets host={host} baseUrl={baseUrl} scores={newest.scores} formatCopy={words.copy} />
    </section>
  );
};

const Newest = ({ entry, language }: InLanguage & { entry: HistoryEntryView | undefined }) => {
  if (entry === undefined) return null;
  const { newest, judgedAs, profiles, scoreHeads } = historyWords[language];
  const { profile } = entry;
  return (
    <section aria-labelledby="newest">
      <h2 id="newest">{newest}</h2>
      <p>
        <Time ms={entry.atMs} />
        {judgedAs(Object.hasOwn(profiles, profile) ? profiles[profile as keyof typeof profiles] : profile)}
      </p>
      <ul class="gauges">
        {scoreNames.flatMap((name) => {
          const score = entry.scores[name];
          return hasScore(score)
            ? [
                <li>
                  <Gauge title={scoreHeads[name]} score={score.score} grade={score.grade} language={language} />
                </li>,
              ]
            : [];
        })}
      </ul>
    </section>
  );
};

const NotApplicable = ({ language }: InLanguage) => (
  <>
    <span aria-hidden="true">–</span>
    <span class="visually-hidden">{historyWords[language].notApplying}</span>
  </>
);

type ScoresProps = InLanguage & { host: string; entries: readonly HistoryEntryView[] };

/** The table holds all numbers; the island draws those of `data-scores` into the space above it. */
const Scores = ({ host, entries, language }: ScoresProps) => {
  const words = historyWords[language];
  return (
    <section aria-labelledby="scores">
      <h2 id="scores">{words.scores}</h2>
      {entries.length > 1 ? <div class="history-chart" data-history-chart aria-hidden="true"></div> : null}
      <div class="scroll" tabindex={0} role="region" aria-label={words.table}>
        <table class="history" data-scores>
          <caption>{words.caption(host)}</caption>
          <TableHead
            columns={[words.report, ...scoreNames.map((name) => ({ number: words.scoreHeads[name] })), words.rubric]}
          />
          <tbody>
            {entries.map((entry) => (
              <ScoreRow entry={entry} language={language} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="small">
        {words.expiry}
        {new Set(entries.map(({ rubric }) => rubric)).size > 1 ? ` ${words.rubricsDiffer}` : ''}
      </p>
    </section>
  );
};

const ScoreRow = ({ entry, language }: InLanguage & { entry: HistoryEntryView }) => (
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
    {scoreNames.map((name) => {
      const score = entry.scores[name];
      return <td class="number">{hasScore(score) ? score.score : <NotApplicable language={language} />}</td>;
    })}
    <td>{entry.rubric}</td>
  </tr>
);
