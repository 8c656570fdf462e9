import { WorkerEntrypoint } from 'cloudflare:workers';
import type { ConsoleDeskPort } from '../../../src/console-api/channel-orders.ts';

type Order<Call extends keyof ConsoleDeskPort> = Parameters<ConsoleDeskPort[Call]>[0];

const NOTHING: ConsoleDeskPort = {
  survey: async () => ({
    counts: {
      pending: 0,
      active: 0,
      renewing: 0,
      superseded: 0,
      stopping: 0,
      stopped: 0,
      expired: 0,
      failed: 0,
    },
    most_counted: 10_000,
    next: null,
  }),
  channels: async () => ({ items: [], next: undefined }),
  renew: async () => ({ ok: false, reason: 'not_found', detail: 'No such channel or watch' }),
  inboxes: async () => ({ inboxes: [] }),
  messages: async () => ({ items: [], next: undefined }),
  replay: async () => ({ replayed: 0, more: false }),
};

/** Stands in for the webhook Worker's `ConsoleDesk` of a service that watches nothing. Tests give the app one of their own. */
export class TestConsoleDesk extends WorkerEntrypoint implements ConsoleDeskPort {
  async survey() {
    return NOTHING.survey();
  }

  async channels(order: Order<'channels'>) {
    return NOTHING.channels(order);
  }

  async renew(channel: string) {
    return NOTHING.renew(channel);
  }

  async inboxes(order: Order<'inboxes'>) {
    return NOTHING.inboxes(order);
  }

  async messages(order: Order<'messages'>) {
    return NOTHING.messages(order);
  }

  async replay(order: Order<'replay'>) {
    return NOTHING.replay(order);
  }
}

/** The same with answers of a test. */
export const deskWith = (answers: Partial<ConsoleDeskPort>): ConsoleDeskPort => ({ ...NOTHING, ...answers });
