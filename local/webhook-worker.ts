import { ChannelRegistry as Registry } from '../durable-objects/channel-registry.ts';
import { NotificationInbox as Inbox } from '../durable-objects/notification-inbox.ts';
import { createWebhookApp } from '../routes/webhook/app.ts';
import { runWebhookCron } from '../routes/webhook/bindings/cron.ts';
import { wakeQueue } from '../routes/webhook/bindings/wake-queue.ts';
import { allowLoopbackExcept } from '../src/net/address-policy.ts';
import type { Egress } from '../src/notifications/core/egress.ts';
import { explainRefusals } from './outbound/explained-fetch.ts';
import { parseOwnPorts } from './own-ports.ts';

export { Channels } from '../routes/webhook/bindings/entrypoints.ts';
export { ConsoleDesk } from '../routes/webhook/bindings/entrypoints.ts';

explainRefusals();

/** The webhook Worker of the local stack: the same app, whose outgoing webhooks may go to loopback too. */
export default { fetch: createWebhookApp().fetch, queue: wakeQueue, scheduled: runWebhookCron };

/** The registry of the local stack. */
export class ChannelRegistry extends Registry {
  protected override outside(): Egress {
    return createLocalEgress(this.env, super.outside(this.env));
  }
}

/** The inbox of the local stack. */
export class NotificationInbox extends Inbox {
  protected override outside(): Egress {
    return createLocalEgress(this.env, super.outside(this.env));
  }
}

const createLocalEgress = (env: Record<string, unknown>, deployed: Egress): Egress => ({
  ...deployed,
  policy: allowLoopbackExcept(parseOwnPorts(env['LOCAL_BLOCKED_PORTS'])),
  directoryKey: async () => (await fetchStackKey(env['LOCAL_DIRECTORY_KEY'])) ?? deployed.directoryKey(),
});

type KeyRequest = { fetch: (url: string) => Promise<Response> };
const canBeAsked = (binding: unknown): binding is KeyRequest => typeof binding === 'object' && binding !== null;

/** The operator's key file is made when the Workers are up already: their stack is asked for it, and says 404 before. */
async function fetchStackKey(binding: unknown): Promise<string | undefined> {
  if (!canBeAsked(binding)) return undefined;
  const answer = await binding.fetch('http://stack/directory-key');
  return answer.status === 200 ? answer.text() : undefined;
}
