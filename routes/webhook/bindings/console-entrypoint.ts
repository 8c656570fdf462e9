import { WorkerEntrypoint } from 'cloudflare:workers';
import { createConsoleDesk } from './console-channels.ts';
import type { ConsoleDeskPort } from '../../../src/console-api/channel-orders.ts';
import type { WebhookEnv } from './env.ts';

type Order<Call extends keyof ConsoleDeskPort> = Parameters<ConsoleDeskPort[Call]>[0];

/**
 * What the operator's console asks of channels and dead messages, over a service binding. Who may is judged by the
 * console (rule K10): nothing else of the deployment binds this.
 */
export class ConsoleDesk extends WorkerEntrypoint<WebhookEnv> implements ConsoleDeskPort {
  async survey() {
    return createConsoleDesk(this.env).survey();
  }

  async channels(order: Order<'channels'>) {
    return createConsoleDesk(this.env).channels(order);
  }

  async renew(channel: string) {
    return createConsoleDesk(this.env).renew(channel);
  }

  async inboxes(order: Order<'inboxes'>) {
    return createConsoleDesk(this.env).inboxes(order);
  }

  async messages(order: Order<'messages'>) {
    return createConsoleDesk(this.env).messages(order);
  }

  async replay(order: Order<'replay'>) {
    return createConsoleDesk(this.env).replay(order);
  }
}
