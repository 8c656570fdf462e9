import { formatUsd } from '../../capabilities/catalog.ts';
import { formatIsoTimestamp } from '../../lib/time.ts';
import { formatFeedUrl } from '../receivers/links.ts';
import type { Monitor } from './monitor.ts';
import type { Delivery, MonitorOverview } from './protocol.ts';
import type { Receiver } from './receiver.ts';
import { computeRunMicroUsdc } from './run-price.ts';
import { formatRun } from './run-wire.ts';

/** Whose secrets an answer shows: of all receivers right after they were made, of those that were added, or none. */
export type ShownSecrets = 'all' | 'none' | { receiverIds: readonly string[] };

const HIDDEN = '…';

/** `https://hooks.example/…`: enough to recognise an address by, and nothing that opens it. */
export const maskUrl = (text: string): string => (URL.canParse(text) ? `${new URL(text).origin}/${HIDDEN}` : HIDDEN);

/** `a…@example.com`. */
export const maskEmail = (address: string): string =>
  `${address.slice(0, 1)}${HIDDEN}${address.slice(address.lastIndexOf('@'))}`;

const formatIsoOrNull = (ms: number | null): string | null => (ms === null ? null : formatIsoTimestamp(ms));

/** A receiver as answers show it: its address masked, its secret only where it was made for this answer. */
export function formatReceiver(
  receiver: Receiver,
  monitorId: string,
  { baseUrl, shown }: { baseUrl: string; shown: ShownSecrets },
): Record<string, unknown> {
  const isShown = shown === 'all' || (shown !== 'none' && shown.receiverIds.includes(receiver.id));
  const about = { id: receiver.id, kind: receiver.kind, ...(receiver.disabled === true ? { disabled: true } : {}) };
  if (receiver.kind === 'feed') {
    const url = formatFeedUrl(baseUrl, monitorId, receiver.token);
    return { ...about, feed_url: isShown ? url : maskUrl(url) };
  }
  if (receiver.kind === 'email') {
    const { address, confirmedAtMs, language } = receiver;
    const own = { address: maskEmail(address), confirmed: confirmedAtMs !== null };
    return { ...about, ...own, ...(language === undefined ? {} : { language }) };
  }
  const secret = receiver.kind === 'webhook' && isShown ? { secret: receiver.secret } : {};
  return { ...about, url: maskUrl(receiver.url), ...secret };
}

/** A monitor as the interface answers it. */
export function formatMonitor(
  { monitor, lastRun, alerts }: Pick<MonitorOverview, 'monitor' | 'lastRun' | 'alerts'>,
  baseUrl: string,
  shown: ShownSecrets = 'none',
): Record<string, unknown> {
  const { id, name, subject, interval, rules, receivers, quietHours, payment } = monitor;
  const home = formatMonitorUrl(baseUrl, id);
  return {
    id,
    name,
    subject,
    interval,
    rules,
    receivers: receivers.map((receiver) => formatReceiver(receiver, id, { baseUrl, shown })),
    quiet_hours: quietHours,
    payment,
    state: monitor.state,
    paused_because: monitor.pausedBecause,
    revision: monitor.revision,
    created_at: formatIsoTimestamp(monitor.createdAtMs),
    changed_at: formatIsoTimestamp(monitor.changedAtMs),
    next_run_at: formatIsoOrNull(monitor.nextDueMs),
    price_usd: formatUsd(computeRunMicroUsdc(monitor)),
    last_run: lastRun && formatRun(lastRun, baseUrl),
    alerts,
    links: { self: home, runs: `${home}/runs`, alerts: `${home}/alerts`, history: `${home}/history` },
  };
}

/** Its address in the interface. */
export const formatMonitorUrl = (baseUrl: string, id: string): string => `${baseUrl}/api/monitors/${id}`;

/** The entity tag of what its owner set (RFC 9110, section 8.8.3). */
export const formatMonitorTag = ({ revision }: Pick<Monitor, 'revision'>): string => `"${revision}"`;

/** A delivery as the interface answers it. */
export const formatDelivery = (delivery: Delivery): Record<string, unknown> => ({
  id: delivery.id,
  receiver_id: delivery.receiverId,
  kind: delivery.kind,
  alert_ids: delivery.alertIds,
  state: delivery.state,
  tries: delivery.tries,
  created_at: formatIsoTimestamp(delivery.createdAtMs),
  next_at: formatIsoOrNull(delivery.nextMs),
  delivered_at: formatIsoOrNull(delivery.deliveredAtMs),
  last_outcome: delivery.lastOutcome,
});
