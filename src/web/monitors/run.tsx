import type { Monitor } from '../../monitors/core/monitor.ts';
import type { MonitorRun } from '../../monitors/core/run.ts';
import { type AccountFrame, renderAccountFrame, When } from '../account/frame.tsx';
import { formatCapabilityTitle } from '../account/capability-name.ts';
import { TableHead } from '../design/parts.tsx';
import type { Html } from '../design/shell.tsx';
import { formatDollars, formatLongDay } from '../language/amounts.ts';
import { getProblemWords } from '../language/problem-words.ts';
import { describeSubject, formatMonitorPath } from './describe-monitor.ts';
import { monitorWords } from './monitor-words.ts';
import { monitorPageWords } from './page-words.ts';
import { formatRunCost, listFormLinks, listRunReadings, OtherForms, RunStateMark } from './parts.tsx';

export type RunPage = {
  frame: AccountFrame;
  monitor: Monitor;
  run: MonitorRun;
  /** The finished run before it, if there is one. */
  before: MonitorRun | undefined;
};

/** One run: when and why it ran, what came of it, and its reports, which stay as long as the monitor. */
export const renderRunPage = ({ frame, monitor, run, before }: RunPage): Html => {
  const { language } = frame;
  const words = monitorPageWords[language];
  const path = formatMonitorPath(monitor.id, 'runs', run.id);
  const compare = new URLSearchParams({ from: before?.id ?? '', to: run.id }).toString();
  return renderAccountFrame({
    ...frame,
    title: words.runTitle(formatLongDay(run.dueMs, language)),
    links: listFormLinks(path),
    children: (
      <>
        <p>
          <a href={formatMonitorPath(monitor.id)}>{words.back}</a>: <bdi>{monitor.name}</bdi>
        </p>
        <RunFacts {...{ frame, monitor, run, before }} />
        {before === undefined || run.summary === null ? null : (
          <p>
            <a href={`${formatMonitorPath(monitor.id, 'compare')}?${compare}`}>{words.compareBefore}</a>
          </p>
        )}
        <Parts {...{ frame, monitor, run, before }} />
        <OtherForms path={path} language={language} />
      </>
    ),
  });
};

const RunFacts = ({ frame: { language }, monitor, run }: RunPage) => {
  const words = monitorPageWords[language];
  const columns = words.runColumns;
  const readings = listRunReadings(run, language);
  return (
    <dl class="facts">
      <div>
        <dt>{words.facts.watches}</dt>
        <dd>
          <bdi class="url">{describeSubject(monitor)}</bdi>
        </dd>
      </div>
      <div>
        <dt>{columns.due}</dt>
        <dd>
          <When ms={run.dueMs} />
        </dd>
      </div>
      <div>
        <dt>{columns.cause}</dt>
        <dd>{monitorWords[language].causes[run.cause]}</dd>
      </div>
      <div>
        <dt>{columns.state}</dt>
        <dd>
          <RunStateMark run={run} language={language} />
        </dd>
      </div>
      {run.reason === null ? null : (
        <div>
          <dt>{words.reason}</dt>
          <dd>
            {getProblemWords(run.reason, language)?.title} <code>{run.reason}</code>
          </dd>
        </div>
      )}
      {readings.length === 0 ? null : (
        <div>
          <dt>{columns.readings}</dt>
          <dd>
            {readings.map((reading) => (
              <span class="reading">{reading}</span>
            ))}
          </dd>
        </div>
      )}
      <div>
        <dt>{columns.alerts}</dt>
        <dd>
          {run.alerts === 0 ? '0' : <a href={`${formatMonitorPath(monitor.id)}#alerts`}>{words.count(run.alerts)}</a>}
        </dd>
      </div>
      <div>
        <dt>{columns.price}</dt>
        <dd>{formatRunCost(run, language)}</dd>
      </div>
    </dl>
  );
};

const Parts = ({ frame: { language }, run }: RunPage) => {
  const words = monitorPageWords[language];
  return (
    <section aria-labelledby="reports">
      <h2 id="reports">{words.reports}</h2>
      {run.parts.length === 0 ? (
        <p>{words.noReports}</p>
      ) : (
        <table class="stacking">
          <TableHead columns={[words.report, words.subject, { number: words.runColumns.price }]} />
          <tbody>
            {run.parts.map(({ reportId, capability, url, amountMicroUsdc }) => (
              <tr>
                <th scope="row">
                  <a href={`/reports/${reportId}`}>{formatCapabilityTitle(capability, language)}</a>
                </th>
                <td data-column={words.subject}>{url === undefined ? '–' : <bdi class="url">{url}</bdi>}</td>
                <td class="number" data-column={words.runColumns.price}>
                  {formatDollars(amountMicroUsdc, language)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
};
