import type { MonitorAlert } from '../core/alert.ts';
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
  SEVERITY_MARKS,
  withoutLinks,
} from './message-text.ts';

/**
 * `&`, `<` and `>` are what Slack reads mentions, channels and links by.
 * @see https://docs.slack.dev/messaging/formatting-message-text
 */
const escapeMrkdwn = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const buildMrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });
/** Foreign text: Slack parses nothing in it. */
const buildPlain = (text: string) => ({ type: 'plain_text', text: text === '' ? '–' : text, emoji: false });

/**
 * The JSON that an incoming webhook of Slack takes. Foreign text is in plain or preformatted text only, which Slack does
 * not parse; `text`, which notifications show and programs like Slack's read, is escaped.
 * @see https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 * @see https://docs.slack.dev/reference/block-kit/blocks
 */
export function buildSlackMessage({ delivery, monitor, alerts }: DeliveryOrder, baseUrl: string): string {
  const name = formatTitle(monitor.name);
  const page = formatMonitorPageUrl(baseUrl, monitor.id);
  const [alert] = alerts;
  if (delivery.kind === 'alert' && alert !== undefined)
    return formatSlack(`${SEVERITY_MARKS[alert.severity]} ${name}: ${formatTitle(alert.title)}`, page, [
      { type: 'header', text: buildPlain(formatTitle(alert.title)) },
      { type: 'context', elements: [buildPlain(name), buildPlain(describeTimes(alert))] },
      ...listChangeBlocks(alert),
      { type: 'section', text: buildMrkdwn(formatSlackLinks(buildAlertLinks(baseUrl, alert))) },
    ]);
  if (delivery.kind === 'digest')
    return formatSlack(`${name}: ${alerts.length} alerts`, page, [
      { type: 'header', text: buildPlain(`${alerts.length} alerts`) },
      { type: 'context', elements: [buildPlain(name)] },
      ...alerts.slice(0, MAX_LISTED_ALERTS).map((each) => ({ type: 'section', text: buildPlain(listAlert(each)) })),
      ...listMore(alerts.length - MAX_LISTED_ALERTS),
      { type: 'section', text: buildMrkdwn(formatSlackLinks({ monitor: page })) },
    ]);
  const test = describeTestMessage(name);
  return formatSlack(test, page, [
    { type: 'section', text: buildPlain(test) },
    { type: 'section', text: buildMrkdwn(formatSlackLinks({ monitor: page })) },
  ]);
}

const formatSlack = (text: string, page: string, blocks: readonly object[]): string =>
  JSON.stringify({
    text: `${escapeMrkdwn(withoutLinks(text))}\n${page}`,
    unfurl_links: false,
    unfurl_media: false,
    blocks,
  });

const listAlert = ({ severity, title, atMs }: MonitorAlert): string =>
  `${SEVERITY_MARKS[severity]} ${formatTitle(title)} (${formatMinute(atMs)})`;

function listChangeBlocks(alert: MonitorAlert): readonly object[] {
  const { shown, more } = listChangeTexts(alert);
  return [
    ...shown.flatMap((change) => [
      { type: 'section', text: buildPlain(`${change.title}: ${change.from} → ${change.to}`) },
      ...listEvidenceBlocks(change),
    ]),
    ...listMore(more),
  ];
}

const listMore = (more: number): readonly object[] =>
  more > 0 ? [{ type: 'context', elements: [buildPlain(`and ${more} more`)] }] : [];

const listEvidenceBlocks = ({ evidence }: ChangeText): readonly object[] =>
  evidence.length === 0
    ? []
    : [
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_preformatted',
              elements: [
                {
                  type: 'text',
                  text: evidence.map(({ side, place, text }) => `${side}  ${place}  ${text}`.trimEnd()).join('\n'),
                },
              ],
            },
          ],
        },
      ];

/** Links of ours alone. */
const formatSlackLinks = (links: AlertLinks): string =>
  (['report', 'report_before', 'snapshot', 'monitor'] as const)
    .flatMap((name) => {
      const url = links[name];
      return url === undefined ? [] : [`<${escapeMrkdwn(url)}|${LINK_TITLES[name]}>`];
    })
    .join(' · ');
