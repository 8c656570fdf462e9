import type { Hono } from 'hono';
import { monitorOperations as rows } from '../../../src/openapi/monitors/monitor-operations.ts';
import { protocolOperations } from '../../../src/openapi/protocol-operations.ts';
import {
  formatDelivery,
  formatMonitor,
  formatMonitorTag,
  formatMonitorUrl,
  formatReceiver,
  type ShownSecrets,
} from '../../../src/monitors/core/monitor-wire.ts';
import { formatRunComparison, formatMonitorHistory } from '../../../src/monitors/history/history-wire.ts';
import { listHistoryRows } from '../../../src/monitors/history/history-rows.ts';
import { compareMonitorRuns, loadMonitorHistory } from '../../../src/sales/monitor-api/monitor-history.ts';
import type { MonitorOverview } from '../../../src/monitors/core/protocol.ts';
import { formatAlert, formatRun } from '../../../src/monitors/core/run-wire.ts';
import {
  deleteMonitor,
  issueMonitorToken,
  replayDelivery,
  renewReceiverSecret,
  runMonitor,
  sendTestMessage,
} from '../../../src/sales/monitor-api/act-on-monitor.ts';
import { changeMonitor, switchMonitor } from '../../../src/sales/monitor-api/change-monitor.ts';
import { createMonitor } from '../../../src/sales/monitor-api/create-monitor.ts';
import type { ListedPage, MonitorListQuery } from '../../../src/sales/monitor-api/pages.ts';
import type { MonitorAnswer, MonitorApiPorts, MonitorCaller } from '../../../src/sales/monitor-api/ports.ts';
import {
  listMonitorAlerts,
  listMonitorDeliveries,
  listMonitorRuns,
  listMonitors,
  readMonitor,
  readMonitorAlert,
  readMonitorRun,
} from '../../../src/sales/monitor-api/read-monitor.ts';
import { buildRequestScope } from '../bindings/composition.ts';
import { formatCsv } from '../../../src/web/console/tables.tsx';
import { createMonitorApiPorts } from '../bindings/monitor-api.ts';
import { type AppContext, type AppEnv, type AppOptions, fail } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { admitMonitorCaller, serveMonitorsMetadata } from './access.ts';
import { answerMonitorRequest, readIfMatch, readJson, sendCsv, sendJson } from './answers.ts';

/** One call of an admitted caller. */
type Call = { c: AppContext; ports: MonitorApiPorts; caller: MonitorCaller };
type Handler = (call: Call, id: string) => Promise<Response>;

/**
 * `/api/monitors`: monitors of an account, by an access token for this resource, or one monitor by its own token. Every
 * handler calls `src/sales/monitor-api`, as MCP and pages do.
 */
export function registerMonitorRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  const { monitorsMetadata } = protocolOperations;
  app.on(monitorsMetadata.method, monitorsMetadata.route, guardFreeRoute, serveMonitorsMetadata);
  for (const [name, { method, route }] of Object.entries(rows)) {
    const handle = handlers[name as keyof typeof rows];
    app.on(method, route, guardFreeRoute, async (c) => {
      const ports = createMonitorApiPorts(buildRequestScope(c), options);
      if (ports === undefined) return fail(c, 'monitors_unavailable', { detail: 'This deployment has no monitors' });
      const admitted = await admitMonitorCaller(c, ports);
      return admitted.ok ? handle({ c, ports, caller: admitted.caller }, c.req.param('id') ?? '') : admitted.response;
    });
  }
  for (const route of new Set(Object.values(rows).map((row) => row.route)))
    app.all(route, (c) => refuseMethod(c, route));
}

function refuseMethod(c: AppContext, route: string): Response {
  const methods = Object.values(rows).flatMap((row) => (row.route === route ? [row.method] : []));
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return fail(c, 'method_not_allowed', { detail: `Allowed here: ${allow}`, headers: { allow } });
}

const handlers: Readonly<Record<keyof typeof rows, Handler>> = {
  create,
  change,
  list: async ({ c, ports, caller }) => {
    const page = await listMonitors(ports, caller, readListQuery(c));
    return sendPage({ c, caller, ports }, 'monitors', page, (found) => formatMonitor(found, ports.baseUrl));
  },
  read: async (call, id) => sendMonitor(call, await readMonitor(call.ports, call.caller, id)),
  delete: async ({ c, ports, caller }, id) =>
    answerMonitorRequest(c, caller, await deleteMonitor(ports, caller, id), () => new Response(null, { status: 204 })),
  pause: async (call, id) => sendMonitor(call, await switchMonitor(call.ports, call.caller, id, 'paused')),
  resume: async (call, id) => sendMonitor(call, await switchMonitor(call.ports, call.caller, id, 'active')),
  runNow: async ({ c, ports, caller }, id) =>
    answerMonitorRequest(c, caller, await runMonitor(ports, caller, id), (run) => {
      const { baseUrl } = ports;
      const location = `${formatMonitorUrl(baseUrl, id)}/runs/${run.id}`;
      return sendJson(formatRun(run, baseUrl), 202, { location });
    }),
  token: async ({ c, ports, caller }, id) =>
    answerMonitorRequest(c, caller, await issueMonitorToken(ports, caller, id), ({ token }) =>
      sendJson({ monitor_id: id, token }),
    ),
  runs: async ({ c, ports, caller }, id) => {
    const page = await listMonitorRuns(ports, caller, id, readListQuery(c));
    return sendPage({ c, caller, ports }, 'runs', page, (run) => formatRun(run, ports.baseUrl));
  },
  readRun: async ({ c, ports, caller }, id) =>
    answerMonitorRequest(c, caller, await readMonitorRun(ports, caller, id, c.req.param('run') ?? ''), (run) =>
      sendJson(formatRun(run, ports.baseUrl)),
    ),
  alerts: async ({ c, ports, caller }, id) => {
    const page = await listMonitorAlerts(ports, caller, id, readListQuery(c));
    return sendPage({ c, caller, ports }, 'alerts', page, (alert) => formatAlert(alert, ports.baseUrl));
  },
  readAlert: async ({ c, ports, caller }, id) =>
    answerMonitorRequest(c, caller, await readMonitorAlert(ports, caller, id, c.req.param('alert') ?? ''), (alert) =>
      sendJson(formatAlert(alert, ports.baseUrl)),
    ),
  deliveries: async ({ c, ports, caller }, id) => {
    const page = await listMonitorDeliveries(ports, caller, id, readListQuery(c));
    return sendPage({ c, caller, ports }, 'deliveries', page, formatDelivery);
  },
  history: async ({ c, ports, caller }, id) =>
    answerMonitorRequest(c, caller, await loadMonitorHistory(ports, caller, id), (history) =>
      sendJson(formatMonitorHistory(history)),
    ),
  historyFile: async ({ c, ports, caller }, id) =>
    answerMonitorRequest(c, caller, await loadMonitorHistory(ports, caller, id), (history) =>
      sendCsv(formatCsv(listHistoryRows(history)), `${id}.csv`),
    ),
  compare: async ({ c, ports, caller }, id) => {
    const [from, to] = [c.req.query('from') ?? '', c.req.query('to') ?? ''];
    return answerMonitorRequest(c, caller, await compareMonitorRuns(ports, caller, id, { from, to }), (compared) =>
      sendJson(formatRunComparison(compared)),
    );
  },
  replay: async ({ c, ports, caller }, id) =>
    answerMonitorRequest(
      c,
      caller,
      await replayDelivery(ports, caller, id, c.req.param('delivery') ?? ''),
      (replayed) => sendJson(replayed, 202),
    ),
  test: async ({ c, ports, caller }, id) =>
    answerMonitorRequest(
      c,
      caller,
      await sendTestMessage(ports, caller, id, c.req.param('receiver') ?? ''),
      (delivery) => sendJson(formatDelivery(delivery), 202),
    ),
  rotate: async ({ c, ports, caller }, id) =>
    answerMonitorRequest(
      c,
      caller,
      await renewReceiverSecret(ports, caller, id, c.req.param('receiver') ?? ''),
      (receiver) => sendJson(formatReceiver(receiver, id, { baseUrl: ports.baseUrl, shown: 'all' })),
    ),
};

async function create({ c, ports, caller }: Call): Promise<Response> {
  const body = await readJson(c);
  if (!body.ok) return body.response;
  const idempotencyKey = c.req.header('idempotency-key');
  const answer = await createMonitor(ports, caller, { body: body.value, idempotencyKey });
  return answerMonitorRequest(c, caller, answer, ({ overview, isRepeat }) => {
    const { monitor } = overview;
    // A repeat made nothing: what was shown once is not shown again.
    const shown: ShownSecrets = isRepeat ? 'none' : 'all';
    const location = formatMonitorUrl(ports.baseUrl, monitor.id);
    return sendJson(formatMonitor(overview, ports.baseUrl, shown), isRepeat ? 200 : 201, {
      location,
      etag: formatMonitorTag(monitor),
    });
  });
}

async function change({ c, ports, caller }: Call, id: string): Promise<Response> {
  const revisions = readIfMatch(c.req.header('if-match'));
  if (revisions === undefined) return fail(c, 'precondition_required');
  const body = await readJson(c);
  if (!body.ok) return body.response;
  const asked = { body: body.value, revisions: revisions === 'any' ? undefined : revisions };
  const answer = await changeMonitor(ports, caller, id, asked);
  return answerMonitorRequest(c, caller, answer, ({ overview, added }) =>
    sendJson(formatMonitor(overview, ports.baseUrl, { receiverIds: added }), 200, {
      etag: formatMonitorTag(overview.monitor),
    }),
  );
}

const sendMonitor = ({ c, ports, caller }: Call, answer: MonitorAnswer<MonitorOverview>): Response =>
  answerMonitorRequest(c, caller, answer, (overview) =>
    sendJson(formatMonitor(overview, ports.baseUrl), 200, { etag: formatMonitorTag(overview.monitor) }),
  );

/** A page of a list; `Link` leads to the next one. */
const sendPage = <T>(
  { c, ports, caller }: Call,
  member: string,
  answer: MonitorAnswer<ListedPage<T>>,
  format: (item: T) => unknown,
): Response =>
  answerMonitorRequest(c, caller, answer, ({ items, nextCursor }) => {
    const next = nextCursor === undefined ? {} : { next_cursor: nextCursor };
    const headers = nextCursor === undefined ? {} : { link: `<${formatNextUrl(c, ports, nextCursor)}>; rel="next"` };
    return sendJson({ [member]: items.map(format), ...next }, 200, headers);
  });

function formatNextUrl(c: AppContext, { baseUrl }: MonitorApiPorts, cursor: string): string {
  const limit = c.req.query('limit');
  const query = new URLSearchParams({ cursor, ...(limit === undefined ? {} : { limit }) });
  return `${baseUrl}${c.req.path}?${query.toString()}`;
}

const LIMIT = /^\d{1,4}$/;

const readListQuery = (c: AppContext): MonitorListQuery => {
  const limit = c.req.query('limit') ?? '';
  return { cursor: c.req.query('cursor'), ...(LIMIT.test(limit) ? { limit: Number(limit) } : {}) };
};
