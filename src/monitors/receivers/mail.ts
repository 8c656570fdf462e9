import { PRODUCT } from '../../lib/product.ts';

import { escapeHtml, formatPlainLine } from '../../lib/safe-text.ts';
import type { MonitorAlert } from '../core/alert.ts';
import type { DeliveryOrder } from '../core/protocol.ts';
import { type AlertLinks, buildAlertLinks, formatMailUrl, formatMonitorPageUrl } from './links.ts';
import { type MailLanguage, mailWords } from './mail-words.ts';
import { formatMinute, formatTitle, listChangeTexts, MAX_LISTED_ALERTS, withoutLinks } from './message-text.ts';

const MAX_SUBJECT_CHARS = 150;

/** A mail without its sender. `subject` and headers are single lines. */
export type Mail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  headers: Readonly<Record<string, string>>;
};

/** A part of a mail, from which its text and its HTML come. Foreign text is escaped, and loses what would become a link. */
type Part =
  | { is: 'title' | 'line' | 'small'; text: string }
  | { is: 'change'; title: string; values: string }
  | { is: 'evidence'; place: string; text: string }
  | { is: 'link'; text: string; url: string };

type MailContent = { subject: string; parts: readonly Part[] };

/** The mail of a delivery to an e-mail receiver; undefined for any other receiver, and for one that no proof was made for. */
export function buildMail(order: DeliveryOrder, baseUrl: string): Mail | undefined {
  const { receiver, monitor, proofs, delivery } = order;
  if (receiver.kind !== 'email' || proofs === undefined) return undefined;
  const language = receiver.language ?? 'en';
  const words = mailWords[language];
  const about = { monitorId: monitor.id, receiverId: receiver.id };
  const unsubscribeUrl = formatMailUrl(baseUrl, { ...about, proof: proofs.unsubscribe }, 'unsubscribe');
  const confirmUrl = formatMailUrl(baseUrl, { ...about, proof: proofs.confirm }, 'confirm');
  const { subject, parts } =
    delivery.kind === 'confirmation'
      ? buildConfirmation(order, language, confirmUrl)
      : buildContent(order, baseUrl, language);
  const why = words.why(PRODUCT, formatTitle(monitor.name));
  const foot: readonly Part[] = [
    ...(delivery.kind === 'confirmation' ? [] : [{ is: 'small' as const, text: why }]),
    { is: 'link', text: words.unsubscribe, url: unsubscribeUrl },
  ];
  const all = [...parts, ...foot];
  return {
    to: receiver.address,
    subject: formatPlainLine(subject, MAX_SUBJECT_CHARS),
    text: `${all.map(formatTextPart).join('\n')}\n`,
    html: formatHtml(all, language),
    headers: buildHeaders(unsubscribeUrl, delivery.id, language),
  };
}

/**
 * RFC 8058 needs https; the platform refuses other addresses in this header, and the mail has the link itself.
 * @see https://www.rfc-editor.org/rfc/rfc8058#section-3.1
 */
const buildHeaders = (unsubscribeUrl: string, deliveryId: string, language: MailLanguage): Mail['headers'] => ({
  'Auto-Submitted': 'auto-generated',
  'Content-Language': language,
  [`X-${PRODUCT}-Delivery`]: deliveryId,
  ...(unsubscribeUrl.startsWith('https:') && {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }),
});

function buildConfirmation({ monitor }: DeliveryOrder, language: MailLanguage, confirmUrl: string): MailContent {
  const words = mailWords[language];
  return {
    subject: words.confirmSubject(PRODUCT),
    parts: [
      { is: 'title', text: words.confirmSubject(PRODUCT) },
      { is: 'line', text: words.confirmText(PRODUCT, formatTitle(monitor.name)) },
      { is: 'link', text: words.acceptLink, url: confirmUrl },
      { is: 'line', text: words.confirmIgnore },
    ],
  };
}

function buildContent(
  { delivery, monitor, alerts }: DeliveryOrder,
  baseUrl: string,
  language: MailLanguage,
): MailContent {
  const words = mailWords[language];
  const name = formatTitle(monitor.name);
  const links = { monitor: formatMonitorPageUrl(baseUrl, monitor.id) };
  const [alert] = alerts;
  if (delivery.kind === 'alert' && alert !== undefined)
    return {
      subject: `${name}: ${words.kinds[alert.kind]}`,
      parts: [...listAlertParts(alert, language), ...listLinkParts(buildAlertLinks(baseUrl, alert), language)],
    };
  if (delivery.kind === 'digest') {
    const more = alerts.length - MAX_LISTED_ALERTS;
    return {
      subject: `${name}: ${words.digest(alerts.length)}`,
      parts: [
        { is: 'title', text: words.digest(alerts.length) },
        { is: 'line', text: words.digestLead(name) },
        ...alerts.slice(0, MAX_LISTED_ALERTS).map((each): Part => listAlertPart(each, language)),
        ...(more > 0 ? [{ is: 'line' as const, text: words.more(more) }] : []),
        ...listLinkParts(links, language),
      ],
    };
  }
  return {
    subject: `${name}: ${words.test}`,
    parts: [
      { is: 'title', text: words.test },
      { is: 'line', text: words.testText(name) },
      ...listLinkParts(links, language),
    ],
  };
}

const listAlertPart = ({ kind, severity, title, atMs }: MonitorAlert, language: MailLanguage): Part => ({
  is: 'change',
  title: `${mailWords[language].kinds[kind]} (${mailWords[language].severities[severity]}, ${formatMinute(atMs)})`,
  values: formatTitle(title),
});

function listAlertParts(alert: MonitorAlert, language: MailLanguage): readonly Part[] {
  const words = mailWords[language];
  const { shown, more } = listChangeTexts(alert);
  const since = alert.since === null ? '' : `; ${words.comparedWith(formatMinute(alert.since.atMs))}`;
  return [
    { is: 'title', text: words.kinds[alert.kind] },
    { is: 'line', text: formatTitle(alert.title) },
    { is: 'small', text: `${words.severities[alert.severity]}, ${formatMinute(alert.atMs)}${since}` },
    ...shown.flatMap(({ title, from, to, evidence }): Part[] => [
      { is: 'change', title, values: `${from} → ${to}` },
      ...evidence.map(({ side, place, text }): Part => ({
        is: 'evidence',
        place: `${words.sides[side]}: ${place}`,
        text,
      })),
    ]),
    ...(more > 0 ? [{ is: 'line' as const, text: words.more(more) }] : []),
  ];
}

const listLinkParts = (links: AlertLinks, language: MailLanguage): readonly Part[] =>
  (['monitor', 'report', 'report_before', 'snapshot'] as const).flatMap((name): Part[] => {
    const url = links[name];
    return url === undefined ? [] : [{ is: 'link', text: mailWords[language].links[name], url }];
  });

function formatTextPart(part: Part): string {
  if (part.is === 'link') return `${part.text}: ${part.url}`;
  if (part.is === 'evidence') return `    ${withoutLinks(`${part.place}  ${part.text}`.trimEnd())}`;
  if (part.is === 'change') return `\n- ${withoutLinks(part.title)}: ${withoutLinks(part.values)}`;
  if (part.is === 'title') return `${withoutLinks(part.text)}\n`;
  return part.is === 'small' ? `\n${withoutLinks(part.text)}` : withoutLinks(part.text);
}

const escapeForeign = (text: string): string => escapeHtml(withoutLinks(text));

function formatHtmlPart(part: Part): string {
  if (part.is === 'link') return `<p><a href="${escapeHtml(part.url)}">${escapeHtml(part.text)}</a></p>`;
  if (part.is === 'evidence')
    return `<p style="margin:0 0 4px 16px">${escapeForeign(part.place)}<br><code>${escapeForeign(part.text)}</code></p>`;
  if (part.is === 'change') return `<p><b>${escapeForeign(part.title)}</b>: ${escapeForeign(part.values)}</p>`;
  if (part.is === 'title') return `<h1 style="font-size:20px">${escapeForeign(part.text)}</h1>`;
  return part.is === 'small'
    ? `<p style="color:#555"><small>${escapeForeign(part.text)}</small></p>`
    : `<p>${escapeForeign(part.text)}</p>`;
}

const formatHtml = (parts: readonly Part[], language: MailLanguage): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"></head>` +
  `<body style="font-family:sans-serif;max-width:640px">${parts.map(formatHtmlPart).join('\n')}</body></html>`;
