import * as z from 'zod';
import { type CheckName, failCheck, leaveUnknown, acceptCheck, warnCheck } from './asking.ts';
import type { DeploymentCheck, WorkerName } from './check.ts';
import { DAY_MS, MINUTE_MS } from '../../lib/time.ts';

/** Rows of an answer that are judged: a deployment has far fewer. */
const MAX_ROWS = 200;

const finding = z.object({
  setting: z.string().regex(/^[A-Z0-9_]{1,60}$/),
  severity: z.enum(['warn', 'fail']),
  detail: z.string().max(500),
  next: z.string().max(500),
});
const queue = z.object({
  name: z.string().max(60),
  read: z.boolean(),
  messages: z.number().optional(),
  oldestAtMs: z.number().optional(),
});
const base = { version: z.string().max(60), settings: z.array(finding).max(MAX_ROWS) };

export const apiCheckupSchema = z.object({
  worker: z.literal('api'),
  ...base,
  network: z.string(),
  queues: z.array(queue).max(MAX_ROWS),
  dead_letters: z.object({
    read: z.boolean(),
    days: z
      .array(z.object({ day: z.iso.date(), count: z.number() }))
      .max(MAX_ROWS)
      .optional(),
  }),
  facilitator: z.object({ read: z.boolean(), distrusted_at_ms: z.number().nullable().optional() }),
});
const binding = z.object({ read: z.boolean(), absent: z.boolean().optional() });
export const controlCheckupSchema = z.object({
  worker: z.literal('control'),
  ...base,
  queues: z.array(queue).max(MAX_ROWS),
  bindings: z.object({ api: binding, webhook: binding, pdf: binding }),
});
const instant = z.iso.datetime({ offset: true }).nullable();
export const webhookCheckupSchema = z.object({
  worker: z.literal('webhook'),
  ...base,
  channels: z.object({
    counts: z.record(z.string(), z.number()),
    next: z.object({ due_at: z.iso.datetime({ offset: true }) }).nullable(),
    active: z.array(z.object({ id: z.string(), expires_at: instant, renew_at: instant })).max(MAX_ROWS),
    more: z.boolean(),
  }),
  inboxes: z.object({
    waiting: z.number(),
    dead: z.number(),
    alerts: z.number(),
    unread: z.number(),
    more: z.boolean(),
  }),
});
export type ApiCheckup = z.infer<typeof apiCheckupSchema>;
export type ControlCheckup = z.infer<typeof controlCheckupSchema>;
export type WebhookCheckup = z.infer<typeof webhookCheckupSchema>;

/** What an emulator is for: it may be on where no real money and no real data is. */
const FOR_TESTS: ReadonlySet<string> = new Set(['EMULATOR']);

/** Settings that are unsafe, by name. On a test network what serves tests is a warning. */
export function judgeSettings(
  worker: WorkerName,
  findings: ApiCheckup['settings'],
  { isTestNetwork }: { isTestNetwork: boolean },
): readonly DeploymentCheck[] {
  const title = `The settings of the ${worker} Worker are safe`;
  if (findings.length === 0) return [acceptCheck({ id: `settings.${worker}`, title }, 'none is unsafe')];
  return findings.map(({ setting, severity, detail, next }): DeploymentCheck => {
    const isFailure = severity === 'fail' && !(isTestNetwork && FOR_TESTS.has(setting));
    const name = { id: `settings.${worker}.${setting}`, title };
    return (isFailure ? failCheck : warnCheck)(name, `${setting}: ${detail}`, next);
  });
}

/** What waits longer than this, nothing works on. */
const STUCK_MS = 15 * MINUTE_MS;
const DEEP = 10_000;

export function judgeQueues(
  worker: WorkerName,
  queues: ApiCheckup['queues'],
  nowMs: number,
): readonly DeploymentCheck[] {
  return queues.map(({ name: queueName, read, messages = 0, oldestAtMs }) => {
    const name: CheckName = {
      id: `queue.${worker}.${queueName.replaceAll(/[^a-z]{1,20}/g, '_')}`,
      title: `Nothing waits too long in the queue of ${queueName}`,
    };
    if (!read) return leaveUnknown(name, 'Its depth could not be read');
    const waitsMs = oldestAtMs === undefined || messages === 0 ? 0 : nowMs - oldestAtMs;
    const detail = `${messages} wait`;
    if (waitsMs > STUCK_MS)
      return failCheck(name, `${detail}, the oldest for ${Math.round(waitsMs / MINUTE_MS)} minutes`, 'See "Incidents"');
    return messages > DEEP ? warnCheck(name, detail, 'See "Incidents"') : acceptCheck(name, detail);
  });
}

/** Prompts that could not be delivered are refused to their buyers, who are not charged: those of two days count. */
export function judgeDeadPrompts({ dead_letters: dead }: ApiCheckup, nowMs: number): DeploymentCheck {
  const name: CheckName = { id: 'dead_letters.api', title: 'No prompt of a measurement was undeliverable lately' };
  if (!dead.read) return leaveUnknown(name, 'Dead letters could not be read');
  const since = new Date(nowMs - DAY_MS).toISOString().slice(0, 10);
  const count = (dead.days ?? []).filter(({ day }) => day >= since).reduce((sum, one) => sum + one.count, 0);
  if (count === 0) return acceptCheck(name, 'none since yesterday');
  return warnCheck(name, `${count} since yesterday`, 'Look at the engine: see "Incidents"');
}

export function judgeFacilitator({ facilitator }: ApiCheckup): DeploymentCheck {
  const name: CheckName = { id: 'facilitator.trust', title: 'The word of the facilitator counts' };
  if (!facilitator.read) return leaveUnknown(name, 'It could not be read');
  const { distrusted_at_ms: atMs } = facilitator;
  if (atMs === null || atMs === undefined) return acceptCheck(name, 'no settlement was missing on the chain');
  const since = new Date(atMs).toISOString();
  return warnCheck(name, `A settlement was missing on the chain: not since ${since}`, 'See "Incidents"');
}

/** Whether control reaches the Workers that it is bound to. */
export function judgeBindings(
  { bindings }: ControlCheckup,
  { hasWebhook }: { hasWebhook: boolean },
): readonly DeploymentCheck[] {
  return Object.entries(bindings).map(([worker, { read, absent }]) => {
    const name: CheckName = {
      id: `binding.control.${worker}`,
      title: `The control Worker reaches the ${worker} Worker`,
    };
    if (read) return acceptCheck(name, absent === true ? 'there is none' : 'it answers');
    // A stub is in its place, which answers nothing.
    if (worker === 'webhook' && !hasWebhook) return acceptCheck(name, 'this deployment has none');
    return failCheck(name, 'It does not answer', `Deploy the ${worker} Worker, then the control Worker`);
  });
}

/** A renewal that is late by more than this was missed by alarm and cron. */
const LATE_MS = 10 * MINUTE_MS;

/** Channels are renewed before they end. */
export function judgeChannels({ channels }: WebhookCheckup, nowMs: number): readonly DeploymentCheck[] {
  const name: CheckName = { id: 'channels.lead', title: 'Channels are renewed before they end' };
  const renew = 'Renew it: sightline channels renew <id>';
  const { failed = 0 } = channels.counts;
  const parsed = channels.active.map(({ id, expires_at: end, renew_at: renewal }) => ({
    id: id.slice(0, 64),
    endMs: end === null ? undefined : Date.parse(end),
    renewMs: renewal === null ? undefined : Date.parse(renewal),
  }));
  const over = parsed.find(({ endMs }) => endMs !== undefined && endMs <= nowMs);
  const leadless = parsed.find(({ endMs, renewMs }) => endMs !== undefined && (renewMs ?? endMs) >= endMs);
  const late = parsed.find(({ renewMs }) => renewMs !== undefined && renewMs + LATE_MS < nowMs);
  const isLate = channels.next !== null && Date.parse(channels.next.due_at) + LATE_MS < nowMs;
  const count = channels.more ? `more than ${parsed.length}` : parsed.length;
  const lead =
    over !== undefined
      ? failCheck(name, `Channel ${over.id} has ended`, renew)
      : leadless !== undefined
        ? failCheck(name, `Channel ${leadless.id} is not to be renewed before its end`, renew)
        : late !== undefined
          ? failCheck(name, `The renewal of channel ${late.id} is late`, renew)
          : isLate
            ? failCheck(name, 'What was due is late: neither alarm nor cron did it', 'See "Incidents"')
            : acceptCheck(
                name,
                parsed.length === 0 ? 'no channel is open' : `${count} open channels, and nothing is late`,
              );
  const failures: CheckName = { id: 'channels.failed', title: 'No channel is refused by the directory' };
  return [
    lead,
    failed === 0
      ? acceptCheck(failures, 'none')
      : warnCheck(failures, `${failed} failed`, 'See why: sightline channels list --state failed'),
  ];
}

export function judgeInboxes({ inboxes }: WebhookCheckup): readonly DeploymentCheck[] {
  const dead: CheckName = { id: 'dead_letters.webhook', title: 'No message was given up' };
  const alerts: CheckName = { id: 'alerts.webhook', title: 'No alert is open' };
  const unseen = describeUnseen(inboxes);
  const leaveOrAccept = (name: CheckName, none: string): DeploymentCheck =>
    unseen === undefined ? acceptCheck(name, none) : leaveUnknown(name, unseen, PER_CUSTOMER);
  return [
    inboxes.dead === 0
      ? leaveOrAccept(dead, `none; ${inboxes.waiting} wait`)
      : failCheck(dead, `${inboxes.dead} were given up`, 'Work them again: sightline channels replay'),
    inboxes.alerts === 0
      ? leaveOrAccept(alerts, 'none')
      : warnCheck(alerts, `${inboxes.alerts} are open`, 'See them: sightline channels status'),
  ];
}

const PER_CUSTOMER = 'Ask for each customer: sightline channels status --customer <id>';

/** Why none that was seen is not none. */
function describeUnseen({ unread, more }: WebhookCheckup['inboxes']): string | undefined {
  if (unread > 0) return `none of those that answered; ${unread} inboxes did not`;
  return more ? 'none of those that were asked; there are more inboxes' : undefined;
}
