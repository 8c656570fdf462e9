import { formatPercent } from '../../lib/numbers.ts';
import { type AccountFrame, renderAccountFrame, When } from '../account/frame.tsx';
import { TableHead } from '../design/parts.tsx';
import type { Html } from '../design/shell.tsx';
import { ChangeGroups } from '../history/changes.tsx';
import type { PageLanguage } from '../language/language.ts';
import { formatInterval } from '../report/parts/words.ts';
import { formatSincePath } from '../report/since-form.tsx';
import { formatLineName } from './chart.tsx';
import { findSubjectReport, type RunComparison, type RunReading } from './compare-runs.ts';
import { formatMonitorPath } from './describe-monitor.ts';
import { monitorPageWords } from './page-words.ts';
import { OtherForms } from './parts.tsx';

export type ComparePage = { frame: AccountFrame; id: string; comparison: RunComparison | undefined };

/** Two runs of a monitor: the readings of both, and for a site what became of its checks. */
export const renderComparePage = ({ frame, id, comparison }: ComparePage): Html => {
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
        {comparison === undefined ? (
          <p class="warning">{words.incomparable}</p>
        ) : (
          <>
            <Compared comparison={comparison} language={language} />
            <OtherForms path={own} query={query === undefined ? '' : `?${query}`} language={language} />
          </>
        )}
      </>
    ),
  });
};

type Props = { comparison: RunComparison; language: PageLanguage };

const Compared = ({ comparison, language }: Props) => {
  const { from, to, readings, changes } = comparison;
  const words = monitorPageWords[language];
  const isBrand = to.summary?.kind === 'brand';
  const [was, is] = [findSubjectReport(from), findSubjectReport(to)];
  return (
    <>
      <p>
        {words.compared[0]}
        <When ms={from.dueMs} />
        {words.compared[1]}
        <When ms={to.dueMs} />.
      </p>
      <table>
        <TableHead
          columns={[words.score, { number: words.before }, { number: words.after }, { number: words.difference }]}
        />
        <tbody>
          {readings.map(({ name, before, after }) => (
            <tr>
              <th scope="row">
                <bdi>{formatLineName(name, language)}</bdi>
              </th>
              <td class="number">{formatRunReading(before, isBrand, language)}</td>
              <td class="number">{formatRunReading(after, isBrand, language)}</td>
              <td class="number">{formatDifference(before, after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {isBrand ? <p class="small">{words.notSignificant}</p> : null}
      {changes === undefined ? null : <ChangeGroups changes={changes} language={language} />}
      {was === undefined || is === undefined ? null : (
        <p>
          <a href={formatSincePath(is, was)}>{words.wholeComparison}</a>
        </p>
      )}
    </>
  );
};

/** `71`, or `40 % (28 % to 54 %)`. */
export function formatRunReading(reading: RunReading | null, isBrand: boolean, language: PageLanguage): string {
  if (reading === null) return '–';
  if (!isBrand) return String(Math.round(reading.value * 100));
  const { value, low = value, high = value } = reading;
  return `${formatPercent(value)} (${formatInterval({ low, high }, language)})`;
}

/** In points, with a sign. */
export function formatDifference(before: RunReading | null, after: RunReading | null): string {
  if (before === null || after === null) return '–';
  const points = Math.round((after.value - before.value) * 100);
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '±0';
}
