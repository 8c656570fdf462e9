import type { MonitorRun } from '../../../src/monitors/core/run.ts';
import { formatMonitor } from '../../../src/monitors/core/monitor-wire.ts';
import { formatAlert, formatRun } from '../../../src/monitors/core/run-wire.ts';
import { formatRunComparison } from '../../../src/monitors/history/history-wire.ts';
import { listHistoryRows } from '../../../src/monitors/history/history-rows.ts';
import { formatCsv } from '../../../src/web/console/tables.tsx';
import { answerMonitorCall, type MonitorAnswer } from '../../../src/sales/monitor-api/ports.ts';
import { compareMonitorRuns, loadMonitorHistory } from '../../../src/sales/monitor-api/monitor-history.ts';
import { MAX_MONITOR_PAGE_ITEMS } from '../../../src/sales/monitor-api/pages.ts';
import {
  listMonitorAlerts,
  listMonitorDeliveries,
  listMonitorRuns,
  listMonitors,
  readMonitor,
  readMonitorAlert,
  readMonitorRun,
} from '../../../src/sales/monitor-api/read-monitor.ts';
import { renderAlertPage } from '../../../src/web/monitors/alert.tsx';
import { type ComparePage, renderComparePage } from '../../../src/web/monitors/compare.tsx';
import { renderRemovePage } from '../../../src/web/monitors/dialogs.tsx';
import { formatMonitorPath, MONITORS_PAGE_PATH } from '../../../src/web/monitors/describe-monitor.ts';
import { NewestMonitors, renderMonitorList } from '../../../src/web/monitors/list.tsx';
import {
  formatAlertMarkdown,
  formatComparisonMarkdown,
  formatMonitorListMarkdown,
  formatMonitorMarkdown,
  formatRunMarkdown,
} from '../../../src/web/monitors/markdown.ts';
import { renderMonitorPage, SHOWN_RUNS } from '../../../src/web/monitors/monitor.tsx';
import { monitorWords } from '../../../src/web/monitors/monitor-words.ts';
import { renderRunPage } from '../../../src/web/monitors/run.tsx';
import { sendCsv } from '../monitors/answers.ts';
import { showPage } from '../pages/pages.ts';
import { listMonitorActs } from './monitor-acts.ts';
import {
  type BuildFrame,
  type MonitorVisit,
  NO_MONITORS,
  openMonitorCall,
  readPageForm,
  refusePage,
  sendPageForm,
  withMonitorCall,
} from './monitor-call.ts';
import { readBalance, showChangeForm, showNewForm } from './monitor-forms.ts';
import type { AccountSection, AccountVisit } from './visit.ts';

/** Monitors on the overview of the account. */
const NEWEST = 5;
const SHOWN_ALERTS = 25;
const SHOWN_DELIVERIES = 10;

/**
 * What a person watches: the list, each monitor with its runs and alerts, and the forms. Every page that shows something is
 * Markdown and JSON as well, by its ending or by `Accept`.
 * @param frameOf the frame for what is not the page of the section itself
 */
export const createMonitorsSection = (frameOf: BuildFrame): AccountSection => {
  const read = (run: (call: MonitorVisit) => Promise<Response>) => withMonitorCall(frameOf, run);
  return {
    path: MONITORS_PAGE_PATH,
    id: 'monitors',
    title: (language) => monitorWords[language].title,
    kinds: ['payer', 'operator'],
    card: async (visit) => ({ more: monitorWords[visit.language].more, body: await renderCard(visit, frameOf) }),
    show: async (visit, frame) => {
      const call = openMonitorCall(visit, frame);
      return call === undefined ? refusePage(visit, NO_MONITORS) : showList(call);
    },
    exported: (visit) => readMonitorsExport(visit, frameOf),
    downloads: [
      { path: `${MONITORS_PAGE_PATH}.md`, read: read(showList) },
      { path: `${MONITORS_PAGE_PATH}.json`, read: read(showList) },
      { path: `${MONITORS_PAGE_PATH}/new`, read: read(showNewForm) },
      { path: `${MONITORS_PAGE_PATH}/:id`, read: read(showMonitor) },
      { path: `${MONITORS_PAGE_PATH}/:id/history.csv`, read: read(sendHistory) },
      { path: `${MONITORS_PAGE_PATH}/:id/edit`, read: read(showChangeForm) },
      { path: `${MONITORS_PAGE_PATH}/:id/delete`, read: read(showRemoval) },
      { path: `${MONITORS_PAGE_PATH}/:id/:compare{compare(?:\\.md|\\.json)?}`, read: read(showComparison) },
      { path: `${MONITORS_PAGE_PATH}/:id/runs/:run`, read: read(showRun) },
      { path: `${MONITORS_PAGE_PATH}/:id/alerts/:alert`, read: read(showAlert) },
    ],
    actions: listMonitorActs(frameOf),
  };
};

async function renderCard(visit: AccountVisit, frameOf: BuildFrame) {
  const call = openMonitorCall(visit, frameOf(visit));
  const found = call && (await listMonitors(call.ports, call.caller, { limit: NEWEST }));
  return NewestMonitors({ monitors: found?.ok === true ? found.value.items : undefined, language: visit.language });
}

/** Each as the interface shows it; runs and alerts are read there. */
async function readMonitorsExport(visit: AccountVisit, frameOf: BuildFrame) {
  const call = openMonitorCall(visit, frameOf(visit));
  if (call === undefined) return [];
  const found = await listMonitors(call.ports, call.caller, { limit: MAX_MONITOR_PAGE_ITEMS });
  return found.ok ? found.value.items.map((one) => formatMonitor(one, call.ports.baseUrl)) : undefined;
}

const getPathForm = (call: MonitorVisit, name: string) =>
  readPageForm(call.visit, name) ?? { name: '', form: 'html' as const };

async function showList(call: MonitorVisit): Promise<Response> {
  const { visit, frame, ports, caller } = call;
  const { form } = getPathForm(call, new URL(visit.c.req.url).pathname.split('/').at(-1) ?? '');
  const query = { cursor: visit.c.req.query('after'), limit: MAX_MONITOR_PAGE_ITEMS };
  const [found, balanceMicroUsdc] = await Promise.all([listMonitors(ports, caller, query), readBalance(call)]);
  // The page says what could not be read in its place; programs get the problem.
  if (!found.ok && (form !== 'html' || found.problem.status < 500)) return refusePage(visit, found.problem, form);
  const { items, nextCursor } = found.ok ? found.value : { items: undefined, nextCursor: undefined };
  const older = formatOlder(MONITORS_PAGE_PATH, nextCursor);
  return sendPageForm(visit, form, {
    html: () => renderMonitorList({ frame, monitors: items, older, balanceMicroUsdc, nowMs: ports.now() }),
    md: () => formatMonitorListMarkdown(items ?? [], ports.baseUrl),
    json: () => ({
      monitors: items?.map((one) => formatMonitor(one, ports.baseUrl)),
      ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
    }),
  });
}

/** @param query the part of the address that says where a list begins */
const formatOlder = (
  path: string,
  cursor: string | undefined,
  { query = 'after', anchor = '' } = {},
): string | undefined =>
  cursor === undefined ? undefined : `${path}?${new URLSearchParams({ [query]: cursor }).toString()}${anchor}`;

async function showMonitor(call: MonitorVisit): Promise<Response> {
  const { visit, frame, ports, caller } = call;
  const { name: id, form } = getPathForm(call, visit.c.req.param('id') ?? '');
  const after = visit.c.req.query('after');
  const found = await readMonitor(ports, caller, id);
  if (!found.ok) return refusePage(visit, found.problem, form);
  const [page, rung, sent, history] = await Promise.all([
    listMonitorRuns(ports, caller, id, { cursor: after, limit: SHOWN_RUNS }),
    listMonitorAlerts(ports, caller, id, { cursor: visit.c.req.query('alerts'), limit: SHOWN_ALERTS }),
    listMonitorDeliveries(ports, caller, id, { limit: SHOWN_DELIVERIES }),
    form === 'html' ? loadMonitorHistory(ports, caller, id) : answerMonitorCall({ series: [], marks: [] }),
  ]);
  if (!page.ok) return refusePage(visit, page.problem, form);
  if (!rung.ok) return refusePage(visit, rung.problem, form);
  if (!sent.ok) return refusePage(visit, sent.problem, form);
  if (!history.ok) return refusePage(visit, history.problem, form);
  const { items: runs, nextCursor } = page.value;
  const shown = { overview: found.value, runs, alerts: rung.value.items };
  return sendPageForm(visit, form, {
    html: () =>
      renderMonitorPage({
        ...shown,
        frame,
        history: history.value,
        deliveries: sent.value.items,
        nowMs: ports.now(),
        older: formatOlder(formatMonitorPath(id), nextCursor, { anchor: '#runs' }),
        olderAlerts: formatOlder(formatMonitorPath(id), rung.value.nextCursor, { query: 'alerts', anchor: '#alerts' }),
      }),
    md: () => formatMonitorMarkdown(shown, ports.baseUrl),
    json: () => ({
      ...formatMonitor(shown.overview, ports.baseUrl),
      runs: runs.map((run) => formatRun(run, ports.baseUrl)),
      recent_alerts: shown.alerts.map((alert) => formatAlert(alert, ports.baseUrl)),
      ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
    }),
  });
}

async function sendHistory({ visit, ports, caller }: MonitorVisit): Promise<Response> {
  const id = visit.c.req.param('id') ?? '';
  const history = await loadMonitorHistory(ports, caller, id);
  if (!history.ok) return refusePage(visit, history.problem);
  return sendCsv(formatCsv(listHistoryRows(history.value)), `${id}.csv`);
}

async function showRemoval({ visit, frame, ports, caller }: MonitorVisit): Promise<Response> {
  const found = await readMonitor(ports, caller, visit.c.req.param('id') ?? '');
  if (!found.ok) return refusePage(visit, found.problem);
  return showPage(visit.c, renderRemovePage({ frame, monitor: found.value.monitor }));
}

async function showRun(call: MonitorVisit): Promise<Response> {
  const { visit, frame, ports, caller } = call;
  const id = visit.c.req.param('id') ?? '';
  const { name: runId, form } = getPathForm(call, visit.c.req.param('run') ?? '');
  const [found, read] = await Promise.all([readMonitor(ports, caller, id), readMonitorRun(ports, caller, id, runId)]);
  if (!found.ok) return refusePage(visit, found.problem, form);
  if (!read.ok) return refusePage(visit, read.problem, form);
  const [{ monitor }, run] = [found.value, read.value];
  const before = form === 'html' ? await findRunBefore(call, run) : undefined;
  return sendPageForm(visit, form, {
    html: () => renderRunPage({ frame, monitor, run, before }),
    md: () => formatRunMarkdown(monitor, run, ports.baseUrl),
    json: () => formatRun(run, ports.baseUrl),
  });
}

/** The finished run before one, among the newest hundred. */
async function findRunBefore({ ports, caller }: MonitorVisit, run: MonitorRun): Promise<MonitorRun | undefined> {
  const found = await listMonitorRuns(ports, caller, run.monitorId, { limit: MAX_MONITOR_PAGE_ITEMS });
  const items = found.ok ? found.value.items : [];
  const at = items.findIndex(({ id }) => id === run.id);
  return at < 0 ? undefined : items.slice(at + 1).find(({ summary }) => summary !== null);
}

async function showAlert(call: MonitorVisit): Promise<Response> {
  const { visit, frame, ports, caller } = call;
  const id = visit.c.req.param('id') ?? '';
  const { name: alertId, form } = getPathForm(call, visit.c.req.param('alert') ?? '');
  const [found, rung] = await Promise.all([
    readMonitor(ports, caller, id),
    readMonitorAlert(ports, caller, id, alertId),
  ]);
  if (!found.ok) return refusePage(visit, found.problem, form);
  if (!rung.ok) return refusePage(visit, rung.problem, form);
  const [{ monitor }, alert, { baseUrl }] = [found.value, rung.value, ports];
  return sendPageForm(visit, form, {
    script: true,
    html: () => renderAlertPage({ frame, monitor, alert, baseUrl }),
    md: () => formatAlertMarkdown(monitor, alert, baseUrl),
    json: () => formatAlert(alert, baseUrl),
  });
}

async function showComparison(call: MonitorVisit): Promise<Response> {
  const { visit, frame } = call;
  const id = visit.c.req.param('id') ?? '';
  const { form } = getPathForm(call, visit.c.req.param('compare') ?? '');
  const found = await readMonitor(call.ports, call.caller, id);
  if (!found.ok) return refusePage(visit, found.problem, form);
  const read = await readComparison(call, id);
  // The page says in its place that two runs do not compare; programs get the problem, and what could not be asked is no such thing.
  if (!read.ok && (form !== 'html' || read.problem.status >= 500)) return refusePage(visit, read.problem, form);
  const compared = read.ok ? read.value : undefined;
  return sendPageForm(visit, form, {
    html: () => renderComparePage({ frame, id, compared }),
    md: () => (compared === undefined ? '' : formatComparisonMarkdown(compared.from, compared.to, compared.comparison)),
    json: () => compared && formatRunComparison(compared.comparison),
  });
}

type ComparedRuns = NonNullable<ComparePage['compared']>;

async function readComparison(
  { visit, ports, caller }: MonitorVisit,
  id: string,
): Promise<MonitorAnswer<ComparedRuns>> {
  const [from = '', to = ''] = [visit.c.req.query('from'), visit.c.req.query('to')];
  const [compared, ...runs] = await Promise.all([
    compareMonitorRuns(ports, caller, id, { from, to }),
    readMonitorRun(ports, caller, id, from),
    readMonitorRun(ports, caller, id, to),
  ]);
  if (!compared.ok) return compared;
  const [one, other] = runs;
  if (!one.ok) return one;
  if (!other.ok) return other;
  const isInOrder = compared.value.fromRunId === one.value.id;
  const [first, second] = isInOrder ? [one.value, other.value] : [other.value, one.value];
  return answerMonitorCall({ from: first, to: second, comparison: compared.value });
}
