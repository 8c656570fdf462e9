import { DAY_MS, MINUTE_MS } from '../../lib/time.ts';
import {
  getWatchedHost,
  MAX_MONITORS,
  MAX_MONITORS_OF_HOST,
  type Monitor,
  type MonitorSubject,
} from '../core/monitor.ts';
import type {
  ChangeMonitorResult,
  CreateMonitor,
  CreateMonitorResult,
  CreateRefusal,
  MonitorOwner,
  MonitorPatch,
} from '../core/protocol.ts';
import type { Receiver, ReceiverRequest } from '../core/receiver.ts';
import { formatDueRunId, makeMonitorId } from './ids.ts';
import { makeReceiver } from './make-receiver.ts';
import type { BookParts } from './parts.ts';
import { draftResumed, raiseAlerts } from './ring.ts';
import { pauseMonitor, scheduleMonitor } from './run-steps.ts';

/** The same idempotency key makes no second monitor for so long. */
export const CREATION_KEPT_MS = DAY_MS;
/** A monitor runs as soon as it is made; a due time within this time after it is left out. */
export const FIRST_GAP_MS = 30 * MINUTE_MS;

export type OwnerSteps = ReturnType<typeof createOwnerSteps>;

/** What an owner does to monitors. A monitor of another account is not there. */
export const createOwnerSteps = (parts: BookParts) => ({
  create: (shard: number, order: CreateMonitor): CreateMonitorResult => createMonitor(parts, shard, order),
  change: (owner: MonitorOwner, id: string, revision: number | undefined, patch: MonitorPatch): ChangeMonitorResult =>
    changeMonitor(parts, owner, id, revision, patch),
  delete: (account: string, id: string): { reportIds: readonly string[] } | undefined => {
    if (parts.monitors.find(id)?.monitor.account !== account) return undefined;
    return { reportIds: deleteMonitor(parts, id) };
  },
  /** The account is deleted. The report ids that its monitors had. */
  forget: (account: string): readonly string[] => {
    const reportIds = parts.monitors.listIds(account).flatMap((id) => deleteMonitor(parts, id));
    parts.outbox.forgetAccount(account);
    return reportIds;
  },
  setToken: (account: string, id: string, sha256: string): boolean => {
    if (parts.monitors.find(id)?.monitor.account !== account) return false;
    parts.monitors.setToken(id, sha256);
    return true;
  },
  findByToken: (id: string, sha256: string): MonitorOwner | undefined => {
    const monitor = parts.monitors.token(id) === sha256 ? parts.monitors.find(id)?.monitor : undefined;
    return monitor && { account: monitor.account, clientId: monitor.clientId, authorizedAtMs: monitor.authorizedAtMs };
  },
});

function deleteMonitor({ monitors, runs, alerts, outbox, dropped, tools }: BookParts, id: string): readonly string[] {
  const reportIds = [...runs.listReports(id), ...dropped.takeAnnounced(id)];
  dropped.add(reportIds);
  runs.removeOf(id);
  alerts.removeOf(id);
  outbox.forget(id);
  monitors.removeCreations(id, tools.now());
  monitors.remove(id);
  return reportIds;
}

function createMonitor(parts: BookParts, shard: number, order: CreateMonitor): CreateMonitorResult {
  const { monitors, runs, tools } = parts;
  const { owner, monitor: wanted, idempotencyKey, contentSha256 } = order;
  const nowMs = tools.now();
  monitors.pruneCreations(nowMs - CREATION_KEPT_MS);
  const known = monitors.findCreation(owner.account, idempotencyKey);
  const made = known && monitors.find(known.monitorId);
  if (known !== undefined && made !== undefined)
    return known.contentSha256 === contentSha256
      ? { ok: true, monitor: made.monitor, isRepeat: true }
      : { ok: false, reason: 'idempotency_key_reused' };
  // What a purchase made, and its owner deleted, the same purchase does not make again.
  if (known !== undefined && order.keyKeptMs !== undefined) return { ok: false, reason: 'idempotency_key_reused' };
  const refusal =
    monitors.countOfAccount(owner.account) >= MAX_MONITORS
      ? 'too_many_monitors'
      : (findHostRefusal(parts, owner.account, wanted.subject) ??
        findMailRefusal(parts, owner.account, wanted.receivers));
  if (refusal !== undefined) return { ok: false, reason: refusal };
  const id = makeMonitorId(shard, tools.random);
  const fresh: Monitor = {
    ...wanted,
    ...owner,
    id,
    receivers: wanted.receivers.map((request) => makeReceiver(request, tools.random)),
    state: 'active',
    pausedBecause: null,
    revision: 1,
    createdAtMs: nowMs,
    changedAtMs: nowMs,
    nextDueMs: null,
  };
  monitors.insert(fresh);
  const keptFromMs = nowMs + Math.max(0, (order.keyKeptMs ?? 0) - CREATION_KEPT_MS);
  monitors.insertCreation(owner.account, idempotencyKey, contentSha256, id, keptFromMs);
  const runId = formatDueRunId(id, nowMs);
  runs.insert({ id: runId, monitorId: id, dueMs: nowMs, missed: 0, cause: 'first' }, nowMs);
  monitors.setOpen(id, true);
  askNewAddresses(parts, fresh, fresh.receivers, nowMs);
  return { ok: true, monitor: scheduleMonitor(parts, fresh, nowMs + FIRST_GAP_MS), isRepeat: false };
}

function changeMonitor(
  parts: BookParts,
  owner: MonitorOwner,
  id: string,
  revision: number | undefined,
  patch: MonitorPatch,
): ChangeMonitorResult {
  const { monitors, tools } = parts;
  const before = monitors.find(id)?.monitor;
  if (before === undefined || before.account !== owner.account) return { ok: false, reason: 'not_found' };
  if (revision !== undefined && revision !== before.revision) return { ok: false, reason: 'revision_mismatch' };
  if (patch.subject !== undefined && !isSameSubject(before.subject, patch.subject))
    return { ok: false, reason: 'another_subject' };
  const chosen = chooseReceivers(parts, before.receivers, patch.receivers);
  if (chosen === undefined) return { ok: false, reason: 'unknown_receiver' };
  const refusal =
    (patch.subject === undefined ? undefined : findHostRefusal(parts, owner.account, patch.subject, before)) ??
    findMailRefusal(parts, owner.account, chosen.fresh);
  if (refusal !== undefined) return { ok: false, reason: refusal };
  const nowMs = tools.now();
  const isResumed = patch.state === 'active' && before.state === 'paused';
  // Who decides what a run costs, or that there are any, pays them from what it may spend.
  const isPayer = isResumed || patch.subject !== undefined || patch.interval !== undefined;
  const after: Monitor = {
    ...before,
    ...(patch.name === undefined ? {} : { name: patch.name }),
    ...(patch.subject === undefined ? {} : { subject: patch.subject }),
    ...(patch.interval === undefined ? {} : { interval: patch.interval }),
    ...(patch.rules === undefined ? {} : { rules: patch.rules }),
    ...(patch.quietHours === undefined ? {} : { quietHours: patch.quietHours }),
    ...(isResumed ? { state: 'active', pausedBecause: null } : {}),
    ...(isPayer ? { clientId: owner.clientId, authorizedAtMs: owner.authorizedAtMs } : {}),
    receivers: chosen.receivers,
    revision: before.revision + 1,
    changedAtMs: nowMs,
  };
  monitors.update(after);
  askNewAddresses(parts, after, chosen.fresh, nowMs);
  if (patch.state === 'paused') return { ok: true, monitor: pauseMonitor(parts, after, 'by_owner') };
  if (isResumed && before.pausedBecause !== 'by_owner') raiseAlerts(parts, after, null, [draftResumed(nowMs)]);
  const isRescheduled = after.state === 'active' && (isResumed || patch.interval !== undefined);
  return { ok: true, monitor: isRescheduled ? scheduleMonitor(parts, after, nowMs) : after };
}

/** History belongs to one subject: a host, or a brand. */
function isSameSubject(before: MonitorSubject, after: MonitorSubject): boolean {
  if (before.kind === 'site')
    return after.kind === 'site' && getWatchedHost({ subject: before }) === getWatchedHost({ subject: after });
  return after.kind === 'brand' && foldName(before.body.brand) === foldName(after.body.brand);
}

const foldName = (brand: string): string => brand.normalize('NFKC').trim().toLowerCase();

function findHostRefusal(
  { monitors }: BookParts,
  account: string,
  subject: MonitorSubject,
  before?: Monitor,
): CreateRefusal | undefined {
  const host = getWatchedHost({ subject });
  if (host === undefined || (before !== undefined && getWatchedHost(before) === host)) return undefined;
  return monitors.countOfHost(account, host) >= MAX_MONITORS_OF_HOST ? 'too_many_of_host' : undefined;
}

function findMailRefusal(
  { outbox, tools }: BookParts,
  account: string,
  fresh: readonly Pick<ReceiverRequest, 'kind'>[],
): CreateRefusal | undefined {
  const mails = fresh.filter(({ kind }) => kind === 'email').length;
  return mails === 0 || outbox.hasMailRoom(account, mails, tools.now()) ? undefined : 'too_many_mails';
}

function askNewAddresses({ outbox }: BookParts, monitor: Monitor, fresh: readonly Receiver[], nowMs: number): void {
  for (const { id, kind } of fresh) if (kind === 'email') outbox.requestConfirmation(monitor, id, nowMs);
}

/** Receivers after a change; undefined where one is named that is not there. */
function chooseReceivers(
  { tools }: BookParts,
  before: readonly Receiver[],
  wanted: MonitorPatch['receivers'],
): { receivers: readonly Receiver[]; fresh: readonly Receiver[] } | undefined {
  if (wanted === undefined) return { receivers: before, fresh: [] };
  const receivers: Receiver[] = [];
  const fresh: Receiver[] = [];
  for (const one of wanted) {
    if ('id' in one) {
      const kept = before.find(({ id }) => id === one.id);
      if (kept === undefined) return undefined;
      if (!receivers.includes(kept)) receivers.push(kept);
      continue;
    }
    const made = makeReceiver(one, tools.random);
    receivers.push(made);
    fresh.push(made);
  }
  return { receivers, fresh };
}
