import type { CallToolResult } from '@modelcontextprotocol/server';
import { computeSha256Hex } from '../../lib/digest.ts';
import { formatCanonicalJson } from '../../lib/json.ts';
import { formatPlainLine } from '../../lib/safe-text.ts';
import { type MonitorTool, monitorToolBodies } from '../../mcp/monitor-tools.ts';
import { buildProblemResult } from '../../mcp/result.ts';
import { formatMonitor } from '../../monitors/core/monitor-wire.ts';
import type { MonitorOverview } from '../../monitors/core/protocol.ts';
import { formatAlert, formatRun } from '../../monitors/core/run-wire.ts';
import { buildProblem } from '../../problems/codes.ts';
import { deleteMonitor, runMonitor } from '../monitor-api/act-on-monitor.ts';
import { changeMonitor } from '../monitor-api/change-monitor.ts';
import { createMonitor } from '../monitor-api/create-monitor.ts';
import type { MonitorAnswer, MonitorApiPorts, MonitorCaller } from '../monitor-api/ports.ts';
import { listMonitorAlerts, listMonitorRuns, listMonitors, readMonitor } from '../monitor-api/read-monitor.ts';
import { parseIdempotencyKey } from '../read-order.ts';

/** Runs and alerts that `get_monitor` answers with; `cursor` leads to older alerts. */
const MAX_SHOWN = 10;
/** Of a name in a line of text. */
const MAX_SHOWN_NAME = 60;

/** One call of a tool of monitors: its arguments match its body. */
export type MonitorCall = {
  given: Readonly<Record<string, unknown>>;
  meta: Readonly<Record<string, unknown>>;
  idempotencyHeader: string | undefined;
};

type Runner = (ports: MonitorApiPorts, caller: MonitorCaller, call: MonitorCall) => Promise<CallToolResult>;

/** Carries out a tool of monitors. An expected failure is a problem as a result. */
export const callMonitorTool = (
  ports: MonitorApiPorts | undefined,
  caller: MonitorCaller,
  name: MonitorTool,
  call: MonitorCall,
): Promise<CallToolResult> =>
  ports === undefined
    ? Promise.resolve(buildProblemResult(buildProblem('monitors_unavailable')))
    : runners[name](ports, caller, call);

const runners: Readonly<Record<MonitorTool, Runner>> = {
  create_monitor: async (ports, caller, { given, meta, idempotencyHeader }) => {
    const named = parseIdempotencyKey(meta, idempotencyHeader);
    if (!named.ok) return buildProblemResult(buildProblem('idempotency_key_invalid', { detail: named.detail }));
    // A model that repeats a call means the same monitor.
    const idempotencyKey = named.key ?? `mcp-${await computeSha256Hex(formatCanonicalJson(given))}`;
    const answer = await createMonitor(ports, caller, { body: given, idempotencyKey });
    return present(answer, ({ overview, isRepeat }) => ({
      text: `${isRepeat ? 'It was created before.' : 'Created. Its first run begins now, if the credits cover it.'} ${describeOverview(overview)}${isRepeat ? '' : ' Secrets of its receivers are in this answer alone.'}`,
      structured: { monitor: formatMonitor(overview, ports.baseUrl, isRepeat ? 'none' : 'all') },
    }));
  },
  list_monitors: async (ports, caller, { given }) => {
    const answer = await listMonitors(ports, caller, { cursor: monitorToolBodies.list_monitors.parse(given).cursor });
    return present(answer, ({ items, nextCursor }) => ({
      text: items.length === 0 ? 'No monitors.' : items.map(describeOverview).join('\n'),
      structured: {
        monitors: items.map((overview) => formatMonitor(overview, ports.baseUrl)),
        ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
      },
    }));
  },
  get_monitor: getMonitor,
  update_monitor: async (ports, caller, { given }) => {
    const { id, revision, ...body } = monitorToolBodies.update_monitor.parse(given);
    const revisions = revision === undefined ? undefined : [revision];
    return present(await changeMonitor(ports, caller, id, { body, revisions }), ({ overview, added }) => ({
      text: `Changed. ${describeOverview(overview)}`,
      structured: { monitor: formatMonitor(overview, ports.baseUrl, { receiverIds: added }) },
    }));
  },
  run_monitor: async (ports, caller, { given }) => {
    const { id } = monitorToolBodies.run_monitor.parse(given);
    return present(await runMonitor(ports, caller, id), (run) => ({
      text: `Run ${run.id} is under way; get_monitor shows its end.`,
      structured: { run: formatRun(run, ports.baseUrl) },
    }));
  },
  delete_monitor: async (ports, caller, { given }) => {
    const { id } = monitorToolBodies.delete_monitor.parse(given);
    return present(await deleteMonitor(ports, caller, id), () => ({
      text: `Deleted ${id}.`,
      structured: { deleted: true, id },
    }));
  },
};

/** A monitor, its newest runs, and a page of its alerts. What sites said is in `evidence` (rule X4). */
async function getMonitor(ports: MonitorApiPorts, caller: MonitorCaller, { given }: MonitorCall) {
  const { id, cursor } = monitorToolBodies.get_monitor.parse(given);
  const [found, runs, alerts] = await Promise.all([
    readMonitor(ports, caller, id),
    listMonitorRuns(ports, caller, id, { limit: MAX_SHOWN }),
    listMonitorAlerts(ports, caller, id, { limit: MAX_SHOWN, cursor }),
  ]);
  if (!found.ok) return buildProblemResult(found.problem);
  if (!runs.ok) return buildProblemResult(runs.problem);
  return present(alerts, ({ items, nextCursor }) => ({
    text: [
      describeOverview(found.value),
      ...items.map((alert) => `${new Date(alert.atMs).toISOString()} ${alert.severity} ${alert.kind}: ${alert.id}`),
    ].join('\n'),
    structured: {
      monitor: formatMonitor(found.value, ports.baseUrl),
      runs: runs.value.items.map((run) => formatRun(run, ports.baseUrl)),
      ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
      evidence: { untrusted: true, alerts: items.map((alert) => formatAlert(alert, ports.baseUrl)) },
    },
  }));
}

type FoundPayment = { text: string; structured: Record<string, unknown> };

function present<T>(answer: MonitorAnswer<T>, format: (value: T) => FoundPayment): CallToolResult {
  if (!answer.ok) return buildProblemResult(answer.problem);
  const { text, structured } = format(answer.value);
  return { content: [{ type: 'text', text }], structuredContent: structured };
}

/** One line: the name is its owner's own. */
function describeOverview({
  monitor,
  lastRun,
  alerts,
}: Pick<MonitorOverview, 'monitor' | 'lastRun' | 'alerts'>): string {
  const { id, name, state, pausedBecause, nextDueMs } = monitor;
  const next = nextDueMs === null ? '' : `, next run ${new Date(nextDueMs).toISOString()}`;
  const why = pausedBecause === null ? '' : ` (${pausedBecause})`;
  const last = lastRun === null ? '' : `, last run ${lastRun.state}`;
  return `${id} ${formatPlainLine(name, MAX_SHOWN_NAME)}: ${state}${why}${next}${last}, ${alerts} alerts.`;
}
