import { wrapBehindFront } from '../routes/shared/front.ts';
import { createWebhookApp } from '../routes/webhook/app.ts';
import { runWebhookCron } from '../routes/webhook/bindings/cron.ts';
import { wakeQueue } from '../routes/webhook/bindings/wake-queue.ts';

export { ChannelRegistry } from '../durable-objects/channel-registry.ts';
export { NotificationInbox } from '../durable-objects/notification-inbox.ts';
export { Channels } from '../routes/webhook/bindings/entrypoints.ts';
export { ConsoleDesk } from '../routes/webhook/bindings/entrypoints.ts';

/** The webhook Worker as deployed: outgoing webhooks go to public https addresses only, and no variable can change that (rule F5). */
export default { fetch: wrapBehindFront(createWebhookApp().fetch), queue: wakeQueue, scheduled: runWebhookCron };
