import { formatIsoTimestamp } from '../../lib/time.ts';
import type { AlertChange, AlertReading, MonitorAlert } from '../core/alert.ts';
import { getWatchedHost, type Monitor } from '../core/monitor.ts';
import type { DeliveryOrder } from '../core/protocol.ts';
import { buildAlertLinks, formatMonitorPageUrl } from './links.ts';

/**
 * The body of a webhook as JSON: `type` (`monitor.alert`, `monitor.digest`, `monitor.test`), `timestamp` (ISO 8601) and
 * `data`. The same delivery has the same body however often it is sent. What a site said is in members named `evidence`
 * and nowhere else (rule X4). Of other receivers it holds nothing.
 */
export function buildWebhookPayload({ delivery, monitor, alerts }: DeliveryOrder, baseUrl: string): string {
  const about = describeMonitor(monitor, baseUrl);
  const [alert] = alerts;
  if (delivery.kind === 'alert' && alert !== undefined)
    return JSON.stringify({
      type: 'monitor.alert',
      timestamp: formatIsoTimestamp(alert.atMs),
      data: { monitor: about, ...describeAlert(alert, baseUrl) },
    });
  const timestamp = formatIsoTimestamp(delivery.createdAtMs);
  if (delivery.kind === 'digest')
    return JSON.stringify({
      type: 'monitor.digest',
      timestamp,
      data: { monitor: about, alerts: alerts.map((each) => summariseAlert(each, baseUrl)) },
    });
  return JSON.stringify({ type: 'monitor.test', timestamp, data: { monitor: about } });
}

const describeMonitor = (monitor: Monitor, baseUrl: string) => ({
  id: monitor.id,
  name: monitor.name,
  kind: monitor.subject.kind,
  ...(monitor.subject.kind === 'site' ? { url: monitor.subject.url } : { brand: monitor.subject.body.brand }),
  host: getWatchedHost(monitor) ?? null,
  link: formatMonitorPageUrl(baseUrl, monitor.id),
});

/** What a digest says of an alert: the rest is behind its links. */
const summariseAlert = (alert: MonitorAlert, baseUrl: string) => ({
  id: alert.id,
  run_id: alert.runId,
  kind: alert.kind,
  severity: alert.severity,
  title: alert.title,
  at: formatIsoTimestamp(alert.atMs),
  links: buildAlertLinks(baseUrl, alert),
});

const describeAlert = (alert: MonitorAlert, baseUrl: string) => ({
  ...summariseAlert(alert, baseUrl),
  since: alert.since && {
    run_id: alert.since.runId,
    at: formatIsoTimestamp(alert.since.atMs),
    report_id: alert.since.reportId ?? null,
  },
  report_id: alert.reportId ?? null,
  changes: alert.changes.map(formatWebhookChange),
});

const formatWebhookChange = ({ id, title, before, after, because, isWorse }: AlertChange) => ({
  id,
  title,
  before: before && formatWebhookReading(before),
  after: after && formatWebhookReading(after),
  ...(because && { because }),
  ...(isWorse === undefined ? {} : { is_worse: isWorse }),
});

const formatWebhookReading = ({ evidence, ...reading }: AlertReading) => ({ ...reading, evidence: evidence ?? [] });
