import { MAX_RUN_ATTEMPTS } from '../../monitors/book/run-steps.ts';
import type { RunOrder, RunPart, RunResult } from '../../monitors/core/run.ts';
import { findUnreadableAlerts, listUnreadRuns, SITE_UNREAD_REASON } from '../../monitors/alerts/unreadable-alerts.ts';
import { runOrUnavailable } from '../ledger-client.ts';
import {
  findSoldPart,
  listOrderedParts,
  type MissingPart,
  type OrderedPart,
  sellPart,
  type SoldPart,
  type UnsoldPart,
} from './part.ts';
import type { RunSpender } from './free-monitors.ts';
import type { MonitorRunPorts } from './ports.ts';
import { buildPauseAlert, findFailureAlerts } from './run-alerts.ts';
import { findLowCredits, refuseRun } from './run-refusals.ts';
import { buildRunSummary } from './run-summary.ts';
import { explainUnsold, type UnsoldMeaning } from './unsold.ts';

type Failure = Extract<UnsoldMeaning, { is: 'failed' }>;

/** A competitor that was busy is waited for in the first attempts, and missing afterwards: the subject is bought by then. */
const ATTEMPTS_FOR_COMPETITORS = 3;
const UNAVAILABLE_AGAIN_S = 60;
/** Longer than any call can hold credits. */
const RESERVES_END_S = 200;
const ATTEMPTS_USED_UP = 'attempts_used_up';

/**
 * One attempt at a run: buys its parts, reads their reports, and says what rings. What an earlier attempt bought is taken
 * over before anything else is asked, so that a charge always ends in a stored run, and the subject comes first: without it
 * no competitor is asked, and nothing is charged.
 * @throws what is a bug; the run is tried again then
 */
export function executeMonitorRun(order: RunOrder, ports: MonitorRunPorts): Promise<RunResult> {
  const unavailable = { state: 'again', reason: 'ledger_unavailable', afterS: UNAVAILABLE_AGAIN_S } as const;
  const attempt = order.attempt > MAX_RUN_ATTEMPTS ? closeRun : tryRun;
  return runOrUnavailable<RunResult>(() => attempt(order, ports), unavailable);
}

async function tryRun(order: RunOrder, ports: MonitorRunPorts): Promise<RunResult> {
  const { monitor } = order;
  const [subject, ...competitors] = listOrderedParts(monitor);
  const sold = await findSoldPart(ports, order, subject);
  const spender = await ports.findSpender(monitor.account, monitor.clientId);
  const refused = sold ? undefined : await refuseRun(order, ports, spender);
  if (refused) return endUnsold(order, refused);
  const first = sold ? ({ ok: true, part: sold } as const) : await sellPart(ports, order, subject, spender);
  if (!first.ok) return endUnsold(order, explainUnsold(first));
  const others = await buyCompetitors(order, ports, competitors, spender);
  if ('again' in others) return others.again;
  return storeRun(order, ports, { subject: first.part, ...others });
}

/**
 * Ends a run whose attempts are used up, without buying anything: stored where its subject is paid, failed where it is not. An
 * attempt that was taken for dead may still hold the credits for a while, and is waited for once.
 */
async function closeRun(order: RunOrder, ports: MonitorRunPorts): Promise<RunResult> {
  const [subject, ...competitors] = listOrderedParts(order.monitor);
  const sold = await findSoldPart(ports, order, subject);
  if (sold === undefined) {
    if (order.attempt === MAX_RUN_ATTEMPTS + 1)
      return { state: 'again', reason: ATTEMPTS_USED_UP, afterS: RESERVES_END_S };
    const detail = 'No attempt at it came to an end';
    return endUnsold(order, { is: 'failed', reason: ATTEMPTS_USED_UP, detail });
  }
  const others = await Promise.all(competitors.map((part) => findSoldPart(ports, order, part)));
  const missing = competitors.filter((_, at) => others[at] === undefined);
  return storeRun(order, ports, {
    subject: sold,
    sold: others.filter((part) => part !== undefined),
    missing: missing.map(({ url = '' }) => ({ url, missing: ATTEMPTS_USED_UP })),
  });
}

type Competitors = { sold: readonly SoldPart[]; missing: readonly MissingPart[] };

/** One after the other: an audit reads up to 25 MiB, and no one waits. */
async function buyCompetitors(
  order: RunOrder,
  ports: MonitorRunPorts,
  parts: readonly OrderedPart[],
  spender: RunSpender,
): Promise<Competitors | { again: RunResult }> {
  const sold: SoldPart[] = [];
  const missing: MissingPart[] = [];
  for (const part of parts) {
    const known = await findSoldPart(ports, order, part);
    const bought = known ? ({ ok: true, part: known } as const) : await sellPart(ports, order, part, spender);
    if (bought.ok) {
      sold.push(bought.part);
      continue;
    }
    const again = order.attempt < ATTEMPTS_FOR_COMPETITORS ? explainAgain(bought) : undefined;
    if (again) return { again };
    missing.push({ url: part.url ?? '', missing: explainUnsold(bought).reason });
  }
  return { sold, missing };
}

function explainAgain(unsold: UnsoldPart): RunResult | undefined {
  const meaning = explainUnsold(unsold);
  return meaning.is === 'again' ? { state: 'again', reason: meaning.reason, afterS: meaning.afterS } : undefined;
}

/** The subject was not sold: nothing was charged. */
function endUnsold(order: RunOrder, meaning: UnsoldMeaning): RunResult {
  if (meaning.is === 'again') return { state: 'again', reason: meaning.reason, afterS: meaning.afterS };
  const { reason, detail, pause } = meaning;
  const failed = { state: 'failed', reason, detail, alerts: listFailureAlerts(order, meaning) } as const;
  return pause === undefined ? failed : { ...failed, pause };
}

function listFailureAlerts(order: RunOrder, { reason, detail, pause }: Failure) {
  if (pause !== undefined) return [buildPauseAlert(order, pause, detail)];
  if (reason !== SITE_UNREAD_REASON) return findFailureAlerts(order, reason, detail);
  const failures = listUnreadRuns(order.history);
  return findUnreadableAlerts({ monitor: order.monitor, failures, now: 'unreadable', detail });
}

async function storeRun(
  order: RunOrder,
  ports: MonitorRunPorts,
  { subject, sold, missing }: Competitors & { subject: SoldPart },
): Promise<RunResult> {
  const parts = [subject, ...sold];
  const read = await buildRunSummary(order, ports, { subject, competitors: sold, missing });
  if ('again' in read) return { state: 'again', reason: read.again, afterS: UNAVAILABLE_AGAIN_S };
  const low = await findLowCredits(order, ports);
  return {
    state: 'stored',
    parts: parts.map(selectRunPart),
    summary: read.summary,
    alerts: [...read.alerts, ...low],
  };
}

const selectRunPart = ({ startHost: _host, ...part }: SoldPart): RunPart => part;
