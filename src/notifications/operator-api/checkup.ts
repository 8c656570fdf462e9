import { runForEach } from '../../lib/concurrency.ts';
import { VERSION } from '../../lib/product.ts';
import { PROBE_CUSTOMER } from '../core/probe.ts';
import type { InboxCalls, RegistryCalls } from '../core/protocol.ts';
import type { WebhookSettings } from '../core/settings.ts';
import { findUnsafeWebhookSettings } from '../core/unsafe-settings.ts';

/** Open channels that are listed, and inboxes that are asked, some at a time. */
const MAX_CHANNELS = 100;
const MAX_INBOXES = 100;
const INBOXES_AT_ONCE = 6;

export type CheckupPorts = {
  registry: () => Pick<RegistryCalls, 'survey' | 'list' | 'customersAfter'>;
  inbox: (customer: string) => Pick<InboxCalls, 'status'>;
  settings: WebhookSettings;
  /** Unix milliseconds. */
  now: () => number;
};

/** What a check from outside cannot see of this Worker: settings, leads of channels, what waits and what is dead. */
export async function readCheckup({ registry, inbox, settings, now }: CheckupPorts) {
  const [survey, active, customers] = await Promise.all([
    registry().survey(),
    registry().list({ state: 'active', limit: MAX_CHANNELS }),
    registry().customersAfter('', MAX_INBOXES + 1),
  ]);
  const sums = { waiting: 0, dead: 0, alerts: 0, unread: 0 };
  await runForEach(customers.slice(0, MAX_INBOXES), INBOXES_AT_ONCE, async (customer) => {
    try {
      const { waiting, delivering, dead, alerts } = await inbox(customer).status(customer);
      sums.waiting += waiting + delivering;
      sums.dead += dead;
      sums.alerts += alerts.length;
    } catch {
      sums.unread += 1; // Counted and shown: it is not "none".
    }
  });
  return {
    worker: 'webhook' as const,
    version: VERSION,
    at: new Date(now()).toISOString(),
    settings: [...findUnsafeWebhookSettings(settings)],
    channels: {
      counts: survey.counts,
      most_counted: survey.most_counted,
      next: survey.next,
      active: active.items.map(({ id, expires_at, renew_at }) => ({ id, expires_at, renew_at })),
      more: active.next !== undefined,
    },
    inboxes: { ...sums, more: customers.length > MAX_INBOXES },
  };
}

/** What became of a probe. `not_received`: no notification of it came, or it is forgotten. */
export async function readProbeState(id: string, inbox: (customer: string) => Pick<InboxCalls, 'messages'>) {
  const { items } = await inbox(PROBE_CUSTOMER).messages(PROBE_CUSTOMER, { channel: id, limit: 1 });
  const [message] = items;
  return { id, state: message?.state ?? ('not_received' as const), received_at: message?.received_at ?? null };
}
