import { Webhook } from 'standardwebhooks';
import * as z from 'zod';
import { PRODUCT } from '../../lib/product.ts';
import { decodeUtf8Text } from '../../lib/utf8.ts';
import { parseJson } from '../../lib/json.ts';
import type { AddressPolicy } from '../../net/address-policy.ts';
import { classifyHost, withoutTrailingDot } from '../../net/address.ts';
import type { Fetched } from '../../net/fetched.ts';
import type { FetchFunction } from '../../net/guarded-fetch.ts';
import type { HostGate } from '../../net/host-gate.ts';
import { postJson, postWebhook, type WebhookPostOutcome } from '../../net/webhook-post.ts';
import type { DeliveryOrder, AlertDeliveryResult } from '../core/protocol.ts';
import type { Receiver } from '../core/receiver.ts';
import { buildWebhookPayload } from './alert-payload.ts';
import { buildMail } from './mail.ts';
import type { SendMailPort } from './send-mail.ts';
import { buildSlackMessage } from './slack-message.ts';
import { buildTeamsMessage } from './teams-message.ts';

const USER_AGENT = `${PRODUCT}-Webhook/1.0`;

export type DeliverTools = {
  fetch: FetchFunction;
  /** Addresses that may be posted to. */
  policy: AddressPolicy;
  /** Unix milliseconds. */
  now: () => number;
  /** Of all deliveries of this isolate. */
  gate: HostGate;
  /** Our own address. */
  baseUrl: string;
  /** Absent where the deployment sends no mail. */
  email?: SendMailPort | undefined;
};

type Posted = Extract<Receiver, { kind: 'webhook' | 'slack' | 'teams' }>;

/**
 * Sends one delivery. Never throws for what a receiver does; outcomes are statuses and reasons of ours, so that no secret
 * of a receiver, and nothing that it said, is kept.
 */
export async function deliverAlert(order: DeliveryOrder, tools: DeliverTools): Promise<AlertDeliveryResult> {
  const { receiver, delivery, alerts } = order;
  if ((delivery.kind === 'alert' || delivery.kind === 'digest') && alerts.length === 0)
    return { is: 'refused', outcome: 'alert_gone', disable: false };
  if (receiver.kind === 'email') return deliverMail(order, tools);
  if (receiver.kind === 'feed') return { is: 'refused', outcome: 'feed_is_read', disable: false };
  const url = URL.parse(receiver.url);
  if (url === null || !isSecured(url)) return { is: 'refused', outcome: 'not_https', disable: true };
  const turn = await tools.gate.enter(withoutTrailingDot(url.hostname));
  if (!turn.ok) return { is: 'again', outcome: 'host_is_busy', afterMs: turn.retryAfterMs };
  try {
    return judgeAnswer(receiver.kind, await post(receiver, order, tools));
  } finally {
    turn.leave();
  }
}

/** By https, or by http where the policy opens this machine (rule F5). */
const isSecured = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || classifyHost(hostname).kind === 'loopback';

async function post(receiver: Posted, order: DeliveryOrder, tools: DeliverTools): Promise<WebhookPostOutcome> {
  const { baseUrl } = tools;
  const about = { url: receiver.url, userAgent: USER_AGENT };
  if (receiver.kind !== 'webhook') {
    const body = receiver.kind === 'slack' ? buildSlackMessage(order, baseUrl) : buildTeamsMessage(order, baseUrl);
    return postJson({ ...about, body }, tools);
  }
  const signer = new Webhook(receiver.secret);
  const { id } = order.delivery;
  return postWebhook(
    { ...about, id, body: buildWebhookPayload(order, baseUrl) },
    { ...tools, sign: (signed, timestampS) => signer.sign(signed.id, new Date(timestampS * 1_000), signed.body) },
  );
}

async function deliverMail(order: DeliveryOrder, { email, baseUrl }: DeliverTools): Promise<AlertDeliveryResult> {
  if (email === undefined) return { is: 'refused', outcome: 'mail_not_configured', disable: false };
  const mail = buildMail(order, baseUrl);
  if (mail === undefined) return { is: 'refused', outcome: 'no_proof', disable: false };
  const sent = await email.send(mail);
  if (sent.is === 'sent') return { is: 'taken', outcome: 'sent' };
  return sent.is === 'refused'
    ? { is: 'refused', outcome: sent.code, disable: sent.disable }
    : { is: 'again', outcome: sent.code, ...(sent.afterMs !== undefined && { afterMs: sent.afterMs }) };
}

function judgeAnswer(kind: Posted['kind'], outcome: WebhookPostOutcome): AlertDeliveryResult {
  const { answer } = outcome;
  const word = answer.ok ? `http_${answer.status}` : answer.reason;
  if (outcome.is === 'taken') return { is: 'taken', outcome: word };
  if (outcome.is === 'refused') return { is: 'refused', outcome: word, disable: true };
  const refusal = answer.ok ? judgeChatRefusal(kind, answer) : undefined;
  if (refusal !== undefined) return { is: 'refused', outcome: word, disable: refusal === 'gone' };
  const afterMs = outcome.is === 'again' ? outcome.afterMs : undefined;
  return { is: 'again', outcome: word, ...(afterMs !== undefined && { afterMs }) };
}

/**
 * What Slack says of a webhook that is there no more, or was never good.
 * @see https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks#handling_errors
 */
const SLACK_GONE: ReadonlySet<string> = new Set([
  'no_service',
  'no_service_id',
  'no_active_hooks',
  'no_team',
  'team_disabled',
  'invalid_token',
  'channel_not_found',
  'channel_is_archived',
]);
const MAX_SLACK_WORD_CHARS = 60;

/** An error of a workflow of Teams that is deleted, switched off, or has another address by now. */
const teamsErrorSchema = z.object({ error: z.object({ code: z.string() }) });
const TEAMS_GONE: readonly number[] = [401, 403, 404];

const BAD_REQUEST: readonly number[] = [400, 413];

/** Whether a chat will never take this message (`final`), or any (`gone`). Undefined: a later try may do better. */
function judgeChatRefusal(kind: Posted['kind'], answer: Extract<Fetched, { ok: true }>): 'gone' | 'final' | undefined {
  if (kind === 'webhook') return undefined;
  const text = decodeUtf8Text(answer.bytes) ?? '';
  const isRefusal = answer.status >= 400 && answer.status < 500;
  if (kind === 'slack' && isRefusal && text.length <= MAX_SLACK_WORD_CHARS && SLACK_GONE.has(text.trim()))
    return 'gone';
  if (kind === 'teams' && TEAMS_GONE.includes(answer.status) && isTeamsError(text)) return 'gone';
  return BAD_REQUEST.includes(answer.status) ? 'final' : undefined;
}

const isTeamsError = (text: string): boolean => teamsErrorSchema.safeParse(parseJson(text)).success;
