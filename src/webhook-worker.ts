import { behindFront } from '../routes/front.ts';
import { createWebhookApp } from '../routes/webhook.ts';
import { webhookCron } from '../routes/webhook/cron.ts';
import { wakeQueue } from '../routes/webhook/wake-queue.ts';

export { ChannelRegistry } from '../durable-objects/channel-registry.ts';
export { NotificationInbox } from '../durable-objects/notification-inbox.ts';
export { Channels } from '../routes/webhook/channels-entrypoint.ts';
export { ConsoleDesk } from '../routes/webhook/console-entrypoint.ts';

/** The webhook Worker as deployed: outgoing webhooks go to public https addresses only, and no variable can change that (rule F5). */
export default { fetch: behindFront(createWebhookApp().fetch), queue: wakeQueue, scheduled: webhookCron };
