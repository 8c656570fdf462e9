import { PRODUCT } from '../../lib/product.ts';
import { escapeXml } from '../../lib/safe-text.ts';
import { formatIsoTimestamp } from '../../lib/time.ts';
import type { MonitorAlert } from '../core/alert.ts';
import type { Monitor } from '../core/monitor.ts';
import { buildAlertLinks, formatMonitorPageUrl } from './links.ts';
import { describeTimes, formatTitle, listChangeTexts } from './message-text.ts';

/**
 * The alerts of a monitor, newest first, as Atom (RFC 4287). Ids are made of the monitor's and the alert's, so they stay
 * the same under another address. Contents are plain text: a reader finds no markup in what a site said.
 * @param selfUrl the secret address that was asked for
 * @see https://www.rfc-editor.org/rfc/rfc4287
 */
export function buildAtomFeed(
  { monitor, alerts }: { monitor: Monitor; alerts: readonly MonitorAlert[] },
  { baseUrl, selfUrl }: { baseUrl: string; selfUrl: string },
): string {
  const updatedMs = alerts.reduce((latest, { atMs }) => Math.max(latest, atMs), monitor.createdAtMs);
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    `<id>urn:sightline:monitor:${escapeXml(monitor.id)}</id>`,
    `<title>${escapeXml(formatTitle(monitor.name))}</title>`,
    `<updated>${formatIsoTimestamp(updatedMs)}</updated>`,
    `<author><name>${escapeXml(PRODUCT)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(selfUrl)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(formatMonitorPageUrl(baseUrl, monitor.id))}"/>`,
    ...alerts.map((alert) => formatEntry(alert, baseUrl)),
    '</feed>',
    '',
  ].join('\n');
}

function formatEntry(alert: MonitorAlert, baseUrl: string): string {
  const { monitor, report, report_before: before } = buildAlertLinks(baseUrl, alert);
  const at = formatIsoTimestamp(alert.atMs);
  return [
    '<entry>',
    `<id>urn:sightline:alert:${escapeXml(alert.id)}</id>`,
    `<title>${escapeXml(formatTitle(alert.title))}</title>`,
    `<updated>${at}</updated>`,
    `<published>${at}</published>`,
    `<category term="${escapeXml(alert.kind)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(report ?? monitor)}"/>`,
    ...(before === undefined ? [] : [`<link rel="related" type="text/html" href="${escapeXml(before)}"/>`]),
    `<content type="text">${escapeXml(formatContent(alert))}</content>`,
    '</entry>',
  ].join('\n');
}

function formatContent(alert: MonitorAlert): string {
  const { shown, more } = listChangeTexts(alert);
  return [
    describeTimes(alert),
    ...shown.flatMap(({ title, from, to, evidence }) => [
      `${title}: ${from} → ${to}`,
      ...evidence.map(({ side, place, text }) => `  ${side} ${place} ${text}`.trimEnd()),
    ]),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('\n');
}
