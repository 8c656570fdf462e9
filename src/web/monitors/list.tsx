import type { MonitorOverview } from '../../monitors/core/protocol.ts';
import { type AccountFrame, NotReadable, renderAccountFrame, When } from '../account/frame.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { TableHead } from '../design/parts.tsx';
import type { Html } from '../design/shell.tsx';
import { formatDollars } from '../language/amounts.ts';
import type { PageLanguage } from '../language/language.ts';
import { Sparkline } from './chart.tsx';
import { describeInterval } from './describe-interval.ts';
import {
  computeMonthMicroUsdc,
  describeRunPrice,
  describeSubject,
  formatMonitorPath,
  MONITORS_PAGE_PATH,
} from './describe-monitor.ts';
import { monitorWords } from './monitor-words.ts';
import { monitorPageWords } from './page-words.ts';
import { listFormLinks, MonitorState, OtherForms, RunStateMark } from './parts.tsx';

const NEW_PATH = `${MONITORS_PAGE_PATH}/new`;
export const MONITOR_GUIDE_PATH = '/docs/guides/monitors';

export type MonitorListPage = {
  frame: AccountFrame;
  /** Newest first. Undefined: they could not be asked for. */
  monitors: readonly MonitorOverview[] | undefined;
  /** The address of the older part of the list. */
  older: string | undefined;
  /** Undefined where it cannot be read; null for an account without credits. */
  balanceMicroUsdc: number | undefined | null;
  nowMs: number;
};

/** The monitors of an account, each with its last readings, and what all of them cost a month. */
export const renderMonitorList = ({ frame, monitors, older, balanceMicroUsdc, nowMs }: MonitorListPage): Html => {
  const { language } = frame;
  const words = monitorPageWords[language];
  return renderAccountFrame({
    ...frame,
    title: monitorWords[language].title,
    links: listFormLinks(MONITORS_PAGE_PATH),
    children: (
      <>
        <p>
          {words.lead} <a href={MONITOR_GUIDE_PATH}>{words.guide}</a>
        </p>
        {monitors === undefined ? <NotReadable language={language} /> : null}
        {monitors?.length === 0 && older === undefined ? <NoMonitors language={language} /> : null}
        {monitors === undefined || monitors.length === 0 ? null : (
          <>
            <Costs {...{ monitors, balanceMicroUsdc, nowMs, language, isWhole: older === undefined }} />
            <p class="buttons">
              <a class="button" href={NEW_PATH}>
                {words.create}
              </a>
            </p>
            <Table monitors={monitors} language={language} />
            {older === undefined ? null : (
              <p>
                <a href={older}>{words.older}</a>
              </p>
            )}
            <OtherForms path={MONITORS_PAGE_PATH} language={language} />
          </>
        )}
      </>
    ),
  });
};

const NoMonitors = ({ language }: { language: PageLanguage }) => {
  const words = monitorPageWords[language];
  return (
    <EmptyState title={words.emptyTitle} level={2} action={{ href: NEW_PATH, text: words.emptyAction }}>
      {words.emptyText}
    </EmptyState>
  );
};

type CostProps = Pick<MonitorListPage, 'balanceMicroUsdc' | 'nowMs'> & {
  monitors: readonly MonitorOverview[];
  language: PageLanguage;
  isWhole: boolean;
};

const Costs = ({ monitors, balanceMicroUsdc, nowMs, language, isWhole }: CostProps) => {
  const words = monitorPageWords[language];
  const active = monitors.filter(({ monitor }) => monitor.state === 'active');
  const cents = Math.round(
    active.reduce((sum, { monitor }) => sum + computeMonthMicroUsdc(monitor, nowMs), 0) / 10_000,
  );
  if (balanceMicroUsdc === null) return null;
  return (
    <p>
      {isWhole ? `${words.month(formatDollars(cents * 10_000, language))} ` : ''}
      {balanceMicroUsdc === undefined ? '' : `${words.balance(formatDollars(balanceMicroUsdc, language))} `}
      <a href="/account/credits#add">{words.addCredits}</a>
    </p>
  );
};

type TableProps = { monitors: readonly MonitorOverview[]; language: PageLanguage };

const Table = ({ monitors, language }: TableProps) => {
  const { columns } = monitorPageWords[language];
  return (
    <table class="stacking monitors">
      <TableHead
        columns={[columns.name, columns.history, columns.state, columns.next, { number: columns.price }, columns.last]}
      />
      <tbody>
        {monitors.map((overview) => (
          <Row overview={overview} language={language} />
        ))}
      </tbody>
    </table>
  );
};

const Row = ({ overview, language }: { overview: MonitorOverview; language: PageLanguage }) => {
  const { monitor, points, lastRun, alerts } = overview;
  const words = monitorPageWords[language];
  const { columns } = words;
  return (
    <tr>
      <th scope="row">
        <a href={formatMonitorPath(monitor.id)}>
          <bdi>{monitor.name}</bdi>
        </a>
        <span class="small about">
          <bdi class="url">{describeSubject(monitor)}</bdi>
          <br />
          {describeInterval(monitor.interval, language)}
        </span>
      </th>
      <td data-column={columns.history}>
        <Sparkline points={points} kind={monitor.subject.kind} language={language} />
      </td>
      <td data-column={columns.state}>
        <MonitorState monitor={monitor} language={language} />
      </td>
      <td data-column={columns.next}>{monitor.nextDueMs === null ? '–' : <When ms={monitor.nextDueMs} />}</td>
      <td class="number" data-column={columns.price}>
        {describeRunPrice(monitor, language)}
      </td>
      <td data-column={columns.last}>
        {lastRun === null ? '–' : <RunStateMark run={lastRun} language={language} />}
        <span class="small about">
          {alerts === 0 ? words.noAlert : <a href={`${formatMonitorPath(monitor.id)}#alerts`}>{words.count(alerts)}</a>}
        </span>
      </td>
    </tr>
  );
};

/** On the overview of the account: the newest, or the way to the first. */
export const NewestMonitors = ({
  monitors,
  language,
}: {
  monitors: readonly MonitorOverview[] | undefined;
  language: PageLanguage;
}) => {
  const words = monitorPageWords[language];
  if (monitors === undefined) return <NotReadable language={language} />;
  if (monitors.length === 0)
    return (
      <p>
        {words.emptyTitle}. <a href={NEW_PATH}>{words.emptyAction}</a>
      </p>
    );
  return (
    <ul class="plain">
      {monitors.map(({ monitor, alerts }) => (
        <li>
          <a href={formatMonitorPath(monitor.id)}>
            <bdi>{monitor.name}</bdi>
          </a>{' '}
          <MonitorState monitor={monitor} language={language} />{' '}
          <span class="small">{alerts === 0 ? words.noAlert : words.count(alerts)}</span>
        </li>
      ))}
    </ul>
  );
};
