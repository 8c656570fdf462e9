import type { MonitorAlert } from '../../monitors/core/alert.ts';
import type { AlertDelivery, MonitorOverview } from '../../monitors/core/protocol.ts';
import type { MonitorHistory } from '../../monitors/history/history.ts';
import type { MonitorRun } from '../../monitors/core/run.ts';
import { type AccountFrame, OneButton, renderAccountFrame, When } from '../account/frame.tsx';
import { TableHead } from '../design/parts.tsx';
import type { Html } from '../design/shell.tsx';
import { formatDollars } from '../language/amounts.ts';
import type { PageLanguage } from '../language/language.ts';
import { HistoryChart } from './chart.tsx';
import { describeInterval } from './describe-interval.ts';
import { computeMonthMicroUsdc, describeRunPrice, describeSubject, formatMonitorPath } from './describe-monitor.ts';
import { monitorWords } from './monitor-words.ts';
import { monitorPageWords } from './page-words.ts';
import {
  AlertLink,
  formatRunCost,
  listFormLinks,
  listRunReadings,
  MonitorState,
  OtherForms,
  RunStateMark,
  Severity,
} from './parts.tsx';
import { DeliveryTable, ReceiverTable } from './receivers.tsx';
import { listChartSeries } from './series.ts';

/** Runs of the table; the rest is on older pages. */
export const SHOWN_RUNS = 25;

export type MonitorPageView = {
  frame: AccountFrame;
  overview: MonitorOverview;
  history: MonitorHistory;
  /** Those of the table. */
  runs: readonly MonitorRun[];
  /** The address of the older part of the table. */
  older: string | undefined;
  alerts: readonly MonitorAlert[];
  /** The address of the older part of the alerts. */
  olderAlerts: string | undefined;
  deliveries: readonly AlertDelivery[];
  nowMs: number;
};

/** One monitor: what it watches, its history, its runs and alerts, who is written to, and what can be done with it. */
export const renderMonitorPage = (page: MonitorPageView): Html => {
  const { frame, overview, deliveries } = page;
  const { monitor } = overview;
  const { language, csrf } = frame;
  const words = monitorPageWords[language];
  const path = formatMonitorPath(monitor.id);
  return renderAccountFrame({
    ...frame,
    title: monitor.name,
    links: listFormLinks(path),
    children: (
      <>
        <Facts {...page} />
        <Actions {...page} />
        <History {...page} />
        <Alerts {...page} />
        <Runs {...page} />
        <ReceiverTable monitor={monitor} csrf={csrf} language={language} />
        <DeliveryTable monitor={monitor} deliveries={deliveries} csrf={csrf} language={language} />
        <section aria-labelledby="token-title">
          <h2 id="token-title">{words.token}</h2>
          <p>{words.tokenText}</p>
          <OneButton action={`${path}/token`} fields={{ csrf }} label={words.tokenButton} />
        </section>
        <OtherForms path={path} language={language} />
      </>
    ),
  });
};

const Facts = ({ frame: { language }, overview: { monitor }, nowMs }: MonitorPageView) => {
  const words = monitorPageWords[language];
  const shared = monitorWords[language];
  const { facts } = words;
  const month = formatDollars(Math.round(computeMonthMicroUsdc(monitor, nowMs) / 10_000) * 10_000, language);
  return (
    <>
      {monitor.pausedBecause === null || monitor.pausedBecause === 'by_owner' ? null : (
        <p class="warning" role="status">
          {shared.paused[monitor.pausedBecause]}{' '}
          {monitor.pausedBecause === 'insufficient_credits' ? (
            <a href="/account/credits#add">{words.addCredits}</a>
          ) : null}
        </p>
      )}
      <dl class="facts">
        <div>
          <dt>{facts.watches}</dt>
          <dd>
            <bdi class="url">{describeSubject(monitor)}</bdi>
            {monitor.subject.kind === 'site'
              ? monitor.subject.competitors?.map((url) => (
                  <>
                    <br />
                    <bdi class="url">{url}</bdi>
                  </>
                ))
              : null}
          </dd>
        </div>
        <div>
          <dt>{facts.interval}</dt>
          <dd>{describeInterval(monitor.interval, language)}</dd>
        </div>
        <div>
          <dt>{facts.state}</dt>
          <dd>
            <MonitorState monitor={monitor} language={language} />
          </dd>
        </div>
        <div>
          <dt>{facts.next}</dt>
          <dd>{monitor.nextDueMs === null ? words.noNext : <When ms={monitor.nextDueMs} />}</dd>
        </div>
        <div>
          <dt>{facts.price}</dt>
          <dd>
            {describeRunPrice(monitor, language)}
            {monitor.payment === 'operator' ? '' : `, ${shared.aMonth(month)}`}
          </dd>
        </div>
        <div>
          <dt>{facts.since}</dt>
          <dd>
            <When ms={monitor.createdAtMs} />
          </dd>
        </div>
      </dl>
    </>
  );
};

const Actions = ({ frame: { language, csrf }, overview: { monitor } }: MonitorPageView) => {
  const { act } = monitorPageWords[language];
  const path = formatMonitorPath(monitor.id);
  const isPaused = monitor.state === 'paused';
  return (
    <div class="buttons">
      {isPaused ? null : <OneButton action={`${path}/run`} fields={{ csrf }} label={act.run} look="main" />}
      <OneButton
        action={`${path}/${isPaused ? 'resume' : 'pause'}`}
        fields={{ csrf }}
        label={isPaused ? act.resume : act.pause}
        look={isPaused ? 'main' : 'quiet'}
      />
      <a class="button quiet" href={`${path}/edit`}>
        {act.edit}
      </a>
      <a class="button quiet" href={`${path}/delete`}>
        {act.remove}
      </a>
    </div>
  );
};

const History = ({ frame: { language }, overview: { monitor }, history }: MonitorPageView) => {
  const words = monitorPageWords[language];
  const series = listChartSeries(history);
  const path = formatMonitorPath(monitor.id);
  return (
    <section aria-labelledby="history">
      <h2 id="history">{words.history}</h2>
      {series.lines.length === 0 ? (
        <p>{words.noHistory}</p>
      ) : (
        <>
          <HistoryChart series={series} kind={monitor.subject.kind} language={language} />
          <p>
            <a href={`${path}/history.csv`} download>
              {words.csv}
            </a>
          </p>
          <CompareForm history={history} path={path} language={language} />
        </>
      )}
    </section>
  );
};

type CompareProps = { history: MonitorHistory; path: string; language: PageLanguage };

/** Any two runs that have a reading; the last two are chosen. */
const CompareForm = ({ history: { series }, path, language }: CompareProps) => {
  const words = monitorPageWords[language];
  const points = series.flatMap((line) => line.points.map(({ runId, atMs }) => [runId, atMs] as const));
  const runs = [...new Map(points)].toSorted(([, one], [, other]) => other - one);
  if (runs.length < 2) return null;
  return (
    <form class="history-choice" method="get" action={`${path}/compare`}>
      <RunChoice name="from" label={words.from} runs={runs} chosen={runs[1]?.[0]} />
      <RunChoice name="to" label={words.to} runs={runs} chosen={runs[0]?.[0]} />
      <button class="quiet">{words.compareButton}</button>
    </form>
  );
};

type ChoiceProps = {
  name: string;
  label: string;
  runs: readonly (readonly [id: string, atMs: number])[];
  chosen: string | undefined;
};

const RunChoice = ({ name, label, runs, chosen }: ChoiceProps) => (
  <p>
    <label for={`compare-${name}`}>{label}</label>
    <select id={`compare-${name}`} name={name}>
      {runs.map(([id, atMs]) => (
        <option value={id} selected={id === chosen}>
          {formatMinute(atMs)}
        </option>
      ))}
    </select>
  </p>
);

/** `2026-11-22 21:54 UTC`, where there is no room for markup. */
const formatMinute = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const Alerts = ({ frame: { language }, alerts, olderAlerts }: MonitorPageView) => {
  const words = monitorPageWords[language];
  const columns = words.alertColumns;
  return (
    <section aria-labelledby="alerts">
      <h2 id="alerts">{words.alerts}</h2>
      {alerts.length === 0 ? (
        <p>{words.noAlerts}</p>
      ) : (
        <table class="stacking">
          <TableHead columns={[columns.what, columns.severity, columns.at]} />
          <tbody>
            {alerts.map((alert) => (
              <tr>
                <th scope="row">
                  <AlertLink alert={alert} language={language} />
                </th>
                <td data-column={columns.severity}>
                  <Severity severity={alert.severity} language={language} />
                </td>
                <td data-column={columns.at}>
                  <When ms={alert.atMs} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Older href={olderAlerts} language={language} />
    </section>
  );
};

const Older = ({ href, language }: { href: string | undefined; language: PageLanguage }) =>
  href === undefined ? null : (
    <p>
      <a href={href}>{monitorPageWords[language].older}</a>
    </p>
  );

const Runs = ({ frame: { language }, overview: { monitor }, runs, older }: MonitorPageView) => {
  const words = monitorPageWords[language];
  const columns = words.runColumns;
  return (
    <section aria-labelledby="runs">
      <h2 id="runs">{words.runs}</h2>
      <table class="stacking">
        <TableHead
          columns={[
            columns.due,
            columns.cause,
            columns.state,
            columns.readings,
            { number: columns.alerts },
            { number: columns.price },
          ]}
        />
        <tbody>
          {runs.map((run) => (
            <tr>
              <th scope="row">
                <a href={formatMonitorPath(monitor.id, 'runs', run.id)}>
                  <When ms={run.dueMs} />
                </a>
              </th>
              <td data-column={columns.cause}>{monitorWords[language].causes[run.cause]}</td>
              <td data-column={columns.state}>
                <RunStateMark run={run} language={language} />
              </td>
              <td data-column={columns.readings}>
                {listRunReadings(run, language).map((reading) => (
                  <span class="reading">{reading}</span>
                ))}
              </td>
              <td class="number" data-column={columns.alerts}>
                {run.alerts}
              </td>
              <td class="number" data-column={columns.price}>
                {formatRunCost(run, language)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Older href={older} language={language} />
    </section>
  );
};
