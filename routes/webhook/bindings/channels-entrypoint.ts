import { WorkerEntrypoint } from 'cloudflare:workers';
import * as z from 'zod';
import type { ChannelQuery, ListPage } from '../../../src/notifications/core/protocol.ts';
import type { ChannelView } from '../../../src/notifications/channels/channel.ts';
import { getChannelRegistry, type WebhookEnv } from './env.ts';
import { PAGE_TOKEN } from '../../../src/notifications/operator-api/shapes.ts';

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
