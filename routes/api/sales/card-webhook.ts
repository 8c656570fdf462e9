import type { Hono } from 'hono';
import { readBodyBytes } from '../../../src/net/request-body.ts';
import { cardOperations } from '../../../src/openapi/card-operations.ts';
import { readCardEvent } from '../../../src/payment/cards/events.ts';
import { isChargedInEarnest, listWebhookSecrets } from '../../../src/payment/cards/keys.ts';
import { MAX_EVENT_BYTES } from '../../../src/payment/cards/webhook.ts';
import { describeBodyLimit } from '../../../src/problems/common.ts';
import { runOrUnavailable } from '../../../src/sales/ledger-client.ts';
import { getPaymentNetwork } from '../../../src/sales/seller.ts';
import { logLine } from '../../shared/telemetry.ts';
import { openCardLedger } from '../bindings/cards/card-ledger.ts';
import { getCardEventJudge } from '../bindings/models.ts';
import { type AppContext, type AppEnv, type AppOptions, fail } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';

const RETRY_S = 30;

/**
 * `POST /webhooks/stripe`: what became of payments by card (rule P6). Only a signed event says so, and Stripe sends each
 * until it is answered with 200. Without a secret there is no such route.
 */
export function registerCardWebhook(app: Hono<AppEnv>, options: AppOptions): void {
  const { event } = cardOperations;
  app.on(event.method, event.route, guardFreeRoute, (c) => receiveEvent(c, options));
}

async function receiveEvent(c: AppContext, options: AppOptions): Promise<Response> {
  const settings = c.get('settings');
  const secrets = listWebhookSecrets(settings);
  const ledger = openCardLedger(c.env, logLine);
  if (secrets.length === 0 || ledger === undefined) return c.notFound();
  const bytes = await readBodyBytes(c.req.raw, MAX_EVENT_BYTES);
  if (bytes === undefined) return fail(c, 'body_too_large', { detail: describeBodyLimit(MAX_EVENT_BYTES) });
  const judge = getCardEventJudge(c.env, options);
  const judged = await judge(bytes, c.req.header('stripe-signature'), { secrets, nowMs: Date.now() });
  if (judged.verdict === 'bad') return fail(c, 'card_event_refused');
  // Stripe sends it again.
  if (judged.verdict === 'unknown') return fail(c, 'ledger_unavailable', { retryAfterS: RETRY_S });
  const isLive = isChargedInEarnest({ network: getPaymentNetwork(settings), isLocal: options.local });
  const read = readCardEvent(judged.value, isLive);
  if (!read.ok && read.reason === 'unreadable') return fail(c, 'card_event_refused');
  // Signed, and none of ours: it would be sent again for three days for nothing.
  if (!read.ok) return answer(c, 'ignored', read.reason);
  const { event } = read;
  const received = await runOrUnavailable(() => ledger.receive(event), undefined);
  if (received === undefined) return fail(c, 'ledger_unavailable', { retryAfterS: RETRY_S });
  return answer(c, received);
}

function answer(c: AppContext, received: string, reason?: string): Response {
  logLine({
    event: 'card_event',
    request_id: c.get('requestId'),
    received,
    ...(reason === undefined ? {} : { reason }),
  });
  return c.json({ received });
}
