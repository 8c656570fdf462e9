import type { ChannelRegistry } from '../../../durable-objects/channel-registry.ts';
import type { NotificationInbox } from '../../../durable-objects/notification-inbox.ts';
import type { TokenJudge } from '../../../src/authorization/oauth/tokens.ts';
import type { TelemetryQueue } from '../../../src/telemetry/messages.ts';
import type { RevocationService } from '../../../src/notifications/sinks/revocation.ts';
import { readWebhookSettings } from '../../../src/notifications/core/settings.ts';
import { selectTelemetryPort, type TelemetryTarget } from '../../shared/telemetry.ts';

/** What wakes the worker of an inbox; the inbox itself knows what is to be done. */
export type WakeMessage = { customer: string };

/** Bindings of the webhook Worker, as `wrangler.webhook.toml` declares them; text variables are parsed by `readWebhookSettings` (src/notifications/core/settings.ts). */
export type WebhookEnv = {
  CHANNEL_REGISTRY: DurableObjectNamespace<ChannelRegistry>;
  NOTIFICATION_INBOX: DurableObjectNamespace<NotificationInbox>;
  /** `Authorization` of the api Worker. */
  AUTHORIZATION: TokenJudge;
  /** `RevocationService` of the api Worker. */
  REVOCATION: RevocationService;
  /** The control Worker reads it; written to only where TELEMETRY is `control`. */
  TELEMETRY_QUEUE?: TelemetryQueue;
  WAKE: Queue<WakeMessage>;
  /** Calls of the operator's interface in a minute: see limits.ts. */
  OPERATOR_LIMIT: RateLimit;
} & Record<string, unknown>;

/** The registry of channels: there is one. */
export const getChannelRegistry = (env: WebhookEnv) => env.CHANNEL_REGISTRY.getByName('registry');

/** The inbox of a customer (rule W3). */
export const getNotificationInbox = (env: WebhookEnv, customer: string) => env.NOTIFICATION_INBOX.getByName(customer);

/** Where the webhook Worker writes its telemetry. */
export const getWebhookTelemetry = (env: WebhookEnv): Omit<TelemetryTarget, 'waitUntil'> => ({
  service: 'webhook',
  port: selectTelemetryPort(readWebhookSettings(env).TELEMETRY, env.TELEMETRY_QUEUE),
});
