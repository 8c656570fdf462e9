import type { ChannelRegistry } from '../../durable-objects/channel-registry.ts';
import type { NotificationInbox } from '../../durable-objects/notification-inbox.ts';
import type { ValidToken } from '../../src/authorization/tokens.ts';
import type { Revocation } from '../../src/notifications/sinks/revocation.ts';
import { parseWebhookSettings, type WebhookSettings } from '../../src/notifications/settings.ts';

/** What wakes the worker of an inbox; the inbox itself knows what is to be done. */
export type WakeMessage = { customer: string };

/** Bindings of the webhook Worker, as `wrangler.webhook.toml` declares them; text variables are parsed by `readWebhookSettings`. */
export type WebhookEnv = {
  CHANNEL_REGISTRY: DurableObjectNamespace<ChannelRegistry>;
  NOTIFICATION_INBOX: DurableObjectNamespace<NotificationInbox>;
  /** `Authorization` of the api Worker. */
  AUTHORIZATION: { validate: (token: string, resource: string) => Promise<ValidToken | null> };
  /** `Revocation` of the api Worker. */
  REVOCATION: Revocation;
  WAKE: Queue<WakeMessage>;
} & Record<string, unknown>;

const parsed = new WeakMap<object, WebhookSettings>();

/** The webhook Worker's settings, parsed once per isolate. @throws Error as `parseWebhookSettings` */
export function readWebhookSettings(env: WebhookEnv): WebhookSettings {
  const known = parsed.get(env) ?? parseWebhookSettings(env);
  parsed.set(env, known);
  return known;
}

/** The registry of channels: there is one. */
export const registryOf = (env: WebhookEnv) => env.CHANNEL_REGISTRY.getByName('registry');

/** The inbox of a customer (rule W3). */
export const inboxOf = (env: WebhookEnv, customer: string) => env.NOTIFICATION_INBOX.getByName(customer);
