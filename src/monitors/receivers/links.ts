import type { MonitorAlert } from '../core/alert.ts';

/** The page of a monitor, for its owner. */
export const formatMonitorPageUrl = (baseUrl: string, monitorId: string): string =>
  new URL(`/account/monitors/${monitorId}`, baseUrl).href;

const formatReportUrl = (baseUrl: string, reportId: string): string => new URL(`/reports/${reportId}`, baseUrl).href;

/** The secret address of a feed. */
export const formatFeedUrl = (baseUrl: string, monitorId: string, token: string): string =>
  new URL(`/monitors/${monitorId}/feed/${token}`, baseUrl).href;

/** Where a link of a mail leads: GET shows a button, POST does it. The proof is good for this receiver alone. */
export const formatMailUrl = (
  baseUrl: string,
  { monitorId, receiverId, proof }: { monitorId: string; receiverId: string; proof: string },
  use: 'confirm' | 'unsubscribe',
): string => new URL(`/monitors/${monitorId}/mail/${receiverId}/${use}?proof=${proof}`, baseUrl).href;

/** What an alert links: both reports, what the present one was made from (`sightline replay` makes it again), and its monitor. */
export type AlertLinks = { monitor: string; report?: string; report_before?: string; snapshot?: string };

/** What chats call them. */
export const LINK_TITLES = {
  monitor: 'Monitor',
  report: 'Report',
  report_before: 'Report before',
  snapshot: 'Snapshot',
} as const satisfies Record<keyof AlertLinks, string>;

export function buildAlertLinks(baseUrl: string, alert: MonitorAlert): AlertLinks {
  const { reportId, since, monitorId } = alert;
  return {
    monitor: formatMonitorPageUrl(baseUrl, monitorId),
    ...(reportId === undefined
      ? {}
      : {
          report: formatReportUrl(baseUrl, reportId),
          snapshot: `${formatReportUrl(baseUrl, reportId)}/snapshot`,
        }),
    ...(since?.reportId === undefined ? {} : { report_before: formatReportUrl(baseUrl, since.reportId) }),
  };
}
