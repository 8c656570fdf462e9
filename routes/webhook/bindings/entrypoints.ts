import { WorkerEntrypoint } from 'cloudflare:workers';
import * as z from 'zod';
import type { ChannelQuery, ListPage } from '../../../src/notifications/core/protocol.ts';
import type { ChannelView } from '../../../src/notifications/channels/channel.ts';
import { getChannelRegistry, type WebhookEnv } from './env.ts';
import { PAGE_TOKEN } from '../../../src/notifications/operator-api/shapes.ts';
import { createConsoleDesk } from './console-channels.ts';
import type { ConsoleDeskPort } from '../../../src/console-api/channel-orders.ts';
import type { ServiceFactsPort } from '../../../src/console-api/service.ts';
import { describeWorker } from '../../../src/deploy/describe-settings.ts';
import { describeSecrets } from '../../../src/deploy/secret-prints.ts';

const MAX_PAGE = 100;
const MAX_CHARS = 512;
const word = z.string().max(MAX_CHARS).optional();

const channelQuery = z.strictObject({
  customer: word,
  state: word,
  watch: word,
  limit: z.int().min(1).max(MAX_PAGE),
  cursor: z.string().regex(PAGE_TOKEN).optional(),
}) satisfies z.ZodType<ChannelQuery>;

/** What other Workers of the deployment may read about channels, over a service binding. */
export class Channels extends WorkerEntrypoint<WebhookEnv> {
  /** A page of channels, without their tokens. @throws ZodError for a query of another shape, or of more than 100 rows */
  async read(query: ChannelQuery): Promise<ListPage<ChannelView>> {
    return getChannelRegistry(this.env).list(channelQuery.parse(query));
  }
}

type Order<Call extends keyof ConsoleDeskPort> = Parameters<ConsoleDeskPort[Call]>[0];

/**
 * What the operator's console asks of channels and dead messages, over a service binding. Who may is judged by the
 * console (rule K10): nothing else of the deployment binds this.
 */
export class ConsoleDesk
  extends WorkerEntrypoint<WebhookEnv>
  implements ConsoleDeskPort, Pick<ServiceFactsPort, 'about'>
{
  async about() {
    const env = { ...this.env };
    return { ...describeWorker('webhook', env), secrets: await describeSecrets('webhook', env) };
  }

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
