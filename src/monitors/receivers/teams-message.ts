import type { MonitorAlertSeverity, MonitorAlert } from '../core/alert.ts';
import type { DeliveryOrder } from '../core/protocol.ts';
import { type AlertLinks, buildAlertLinks, formatMonitorPageUrl, LINK_TITLES } from './links.ts';
import {
  type ChangeText,
  describeTestMessage,
  describeTimes,
  formatMinute,
  formatTitle,
  listChangeTexts,
  MAX_LISTED_ALERTS,
} from './message-text.ts';

const CARD_TYPE = 'application/vnd.microsoft.card.adaptive';
const CARD_SCHEMA = 'http://adaptivecards.io/schemas/adaptive-card.json';
/** Understood by every Teams client of today. */
const CARD_VERSION = '1.4';
/** Teams refuses messages over 28 KB: beyond this one has no evidence. */
const MAX_CARD_BYTES = 24_000;

const COLOURS: Readonly<Record<MonitorAlertSeverity, string>> = {
  critical: 'attention',
  warning: 'warning',
  info: 'accent',
};

/** Dates of a card are written as `{{DATE(…)}}`: text that only looks so is taken apart. */
const escapeCardText = (text: string): string => text.replaceAll('{{', '{ {').replaceAll('}}', '} }');

type Run = { type: 'TextRun'; text: string } & Record<string, unknown>;
/** A `TextRun` is shown as it is: no Markdown, no links, no mentions. So all foreign text is in one. */
const buildRun = (text: string, look: Record<string, unknown> = {}): Run => ({
  type: 'TextRun',
  text: escapeCardText(text === '' ? '–' : text),
  ...look,
});
const buildLine = (runs: readonly Run[], look: Record<string, unknown> = {}) => ({
  type: 'RichTextBlock',
  inlines: runs,
  ...look,
});

/**
 * The JSON that a Workflows webhook of Teams takes ("When a Teams webhook request is received"): a message with one
 * Adaptive Card.
 * @see https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
 * @see https://learn.microsoft.com/adaptive-cards/schema-explorer/adaptive-card
 */
export function buildTeamsMessage(order: DeliveryOrder, baseUrl: string): string {
  const whole = formatCard(order, baseUrl, true);
  return new TextEncoder().encode(whole).length <= MAX_CARD_BYTES ? whole : formatCard(order, baseUrl, false);
}

function formatCard({ delivery, monitor, alerts }: DeliveryOrder, baseUrl: string, withEvidence: boolean): string {
  const name = formatTitle(monitor.name);
  const links = { monitor: formatMonitorPageUrl(baseUrl, monitor.id) };
  const [alert] = alerts;
  if (delivery.kind === 'alert' && alert !== undefined)
    return formatMessage(
      [
        buildLine([
          buildRun(formatTitle(alert.title), { weight: 'bolder', size: 'large', color: COLOURS[alert.severity] }),
        ]),
        buildLine([buildRun(`${name} · ${describeTimes(alert)}`, { isSubtle: true })]),
        ...listChangeLines(alert, withEvidence),
      ],
      buildAlertLinks(baseUrl, alert),
    );
  if (delivery.kind === 'digest')
    return formatMessage(
      [
        buildLine([buildRun(`${name}: ${alerts.length} alerts`, { weight: 'bolder', size: 'large' })]),
        ...alerts
          .slice(0, MAX_LISTED_ALERTS)
          .map((each) =>
            buildLine([
              buildRun(`${each.severity} `, { color: COLOURS[each.severity] }),
              buildRun(`${formatTitle(each.title)} (${formatMinute(each.atMs)})`),
            ]),
          ),
        ...listMore(alerts.length - MAX_LISTED_ALERTS),
      ],
      links,
    );
  return formatMessage([buildLine([buildRun(describeTestMessage(name))])], links);
}

const formatMessage = (body: readonly object[], links: AlertLinks): string =>
  JSON.stringify({
    type: 'message',
    attachments: [
      {
        contentType: CARD_TYPE,
        contentUrl: null,
        content: {
          $schema: CARD_SCHEMA,
          type: 'AdaptiveCard',
          version: CARD_VERSION,
          msteams: { width: 'Full' },
          body,
          actions: listActions(links),
        },
      },
    ],
  });

const listActions = (links: AlertLinks): readonly object[] =>
  (['monitor', 'report', 'report_before', 'snapshot'] as const).flatMap((name) => {
    const url = links[name];
    return url === undefined ? [] : [{ type: 'Action.OpenUrl', title: LINK_TITLES[name], url }];
  });

function listChangeLines(alert: MonitorAlert, withEvidence: boolean): readonly object[] {
  const { shown, more } = listChangeTexts(alert);
  return [
    ...shown.flatMap((change) => [
      buildLine([buildRun(`${change.title}: `, { weight: 'bolder' }), buildRun(`${change.from} → ${change.to}`)], {
        spacing: 'medium',
      }),
      ...(withEvidence ? listEvidenceLines(change) : []),
    ]),
    ...listMore(more),
  ];
}

const listMore = (more: number): readonly object[] =>
  more > 0 ? [buildLine([buildRun(`and ${more} more`, { isSubtle: true })])] : [];

const listEvidenceLines = ({ evidence }: ChangeText): readonly object[] =>
  evidence.map(({ side, place, text }) =>
    buildLine([
      buildRun(`${side} ${place} `, { isSubtle: true, size: 'small' }),
      ...(text === '' ? [] : [buildRun(text, { fontType: 'monospace', size: 'small' })]),
    ]),
  );
