import type { AlertChange } from '../../monitors/core/alert.ts';
import type { MonitorRun } from '../../monitors/core/run.ts';
import type { RunComparison, SiteRunComparison } from '../../monitors/history/compare-runs.ts';
import { escapeControlsIn } from '../../lib/safe-text.ts';
import { type AccountFrame, renderAccountFrame, When } from '../account/frame.tsx';
import { TableHead } from '../design/parts.tsx';
import type { Html } from '../design/shell.tsx';
import { changesWords } from '../history/changes-words.ts';
import { markEnglish, type PageLanguage } from '../language/language.ts';
import { historyRefusalWords } from '../../visibility/trend/history.ts';
import { BrandHistorySection } from '../report/since/brand-history.tsx';
import { formatSincePath } from '../report/since-form.tsx';
import { ChangeCard } from './change-card.tsx';
import { formatLineName } from './chart.tsx';
import { formatMonitorPath } from './describe-monitor.ts';
import { monitorPageWords } from './page-words.ts';
import { OtherForms } from './parts.tsx';

type Compared = Extract<RunComparison, { ok: true }>;

export type ComparePage = {
  frame: AccountFrame;
  id: string;
  /** The runs, the earlier one first, and what differs. Undefined: they are no two runs of the monitor. */
  compared: { from: MonitorRun; to: MonitorRun; comparison: Compared } | undefined;
};

/** Two runs of a monitor: the readings of both, and for a site what became of its checks, with the evidence of both sides. */
export const renderComparePage = ({ frame, id, compared }: ComparePage): Html => {
  const { language, path } = frame;
  const words = monitorPageWords[language];
  const [own = '', query] = path.split('?', 2);
  return renderAccountFrame({
    ...frame,
    title: words.compareTitle,
    children: (
      <>
        <p>
          <a href={formatMonitorPath(id)}>{words.back}</a>
        </p>
        {compared === undefined ? (
          <p class="warning">{words.incomparable}</p>
        ) : (
          <>
            <p>
              {words.compared[0]}
              <When ms={compared.from.dueMs} />
              {words.compared[1]}
              <When ms={compared.to.dueMs} />.
            </p>
            <Changes changes={compared.comparison.changes} id={id} language={language} />
            <WholeReports {...compared} language={language} />
            <OtherForms path={own} query={query === undefined ? '' : `?${query}`} language={language} />
          </>
        )}
      </>
    ),
  });
};

type Props = {
  changes: Compared['changes'];
  id: string;
  language: PageLanguage;
};

const Changes = ({ changes, id, language }: Props) => {
  if (changes.kind === 'site') return <SiteChanges changes={changes} id={id} language={language} />;
  const { history } = changes;
  return history.ok ? (
    <BrandHistorySection history={history.history} language={language} />
  ) : (
    <p class="note" lang={markEnglish(language)}>
      {historyRefusalWords[history.reason]}
    </p>
  );
};

const SiteChanges = ({ changes, id, language }: { changes: SiteRunComparison; id: string; language: PageLanguage }) => {
  const words = monitorPageWords[language];
  const { rubric, scores, worse, better, inOneOnly } = changes;
  return (
    <>
      {rubric.isSame ? null : (
        <p class="note">
          {changesWords[language].otherRubric(rubric.before?.version ?? '–', rubric.after?.version ?? '–')}
        </p>
      )}
      <table class="stacking">
        <TableHead
          columns={[words.score, { number: words.before }, { number: words.after }, { number: words.difference }]}
        />
        <tbody>
          {scores.map(({ name, before, after }) => (
            <tr>
              <th scope="row">{formatLineName(name, language)}</th>
              <td class="number" data-column={words.before}>
                {before ?? '–'}
              </td>
              <td class="number" data-column={words.after}>
                {after ?? '–'}
              </td>
              <td class="number" data-column={words.difference}>
                {rubric.isSame ? formatDifference(before, after) : '–'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Group title={words.groups.worse} changes={worse} id={id} language={language} />
      <Group title={words.groups.better} changes={better} id={id} language={language} />
      <Group title={words.groups.inOneOnly} changes={inOneOnly} id={id} language={language} />
    </>
  );
};

type GroupProps = { title: string; changes: readonly AlertChange[]; id: string; language: PageLanguage };

const Group = ({ title, changes, id, language }: GroupProps) => (
  <section>
    <h2>
      {title} ({changes.length})
    </h2>
    {changes.length === 0 ? <p>{monitorPageWords[language].noChanges}</p> : null}
    {escapeControlsIn(changes).map((change) => (
      <ChangeCard change={change} monitorId={id} language={language} />
    ))}
  </section>
);

/** In points, with a sign. */
export function formatDifference(before: number | null, after: number | null): string {
  if (before === null || after === null) return '–';
  const points = after - before;
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '±0';
}

type ReportsProps = { from: MonitorRun; to: MonitorRun; language: PageLanguage };

const WholeReports = ({ from, to, language }: ReportsProps) => {
  const [was, is] = [findSubjectReport(from), findSubjectReport(to)];
  if (was === undefined || is === undefined || was === is) return null;
  return (
    <p>
      <a href={formatSincePath(is, was)}>{monitorPageWords[language].wholeComparison}</a>
    </p>
  );
};

/** The report of what is watched, beside those of competitors. */
export const findSubjectReport = ({ parts }: Pick<MonitorRun, 'parts'>): string | undefined =>
  parts.find(({ role }) => role === 'subject')?.reportId;
