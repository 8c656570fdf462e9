import { WorkerEntrypoint } from 'cloudflare:workers';
import { ChannelRegistry as DeployedRegistry } from '../../../durable-objects/channel-registry.ts';
import { NotificationInbox as DeployedInbox } from '../../../durable-objects/notification-inbox.ts';
import { createWebhookApp } from '../../../routes/webhook/app.ts';
import { runWebhookCron } from '../../../routes/webhook/bindings/cron.ts';
import type { WebhookEnv } from '../../../routes/webhook/bindings/env.ts';
import { wakeQueue } from '../../../routes/webhook/bindings/wake-queue.ts';
import type { ValidToken } from '../../../src/authorization/oauth/tokens.ts';
import { type Egress, createEgress } from '../../../src/notifications/core/egress.ts';
import type { RevocationOutcome } from '../../../src/notifications/sinks/revocation.ts';
import { script } from '../webhooks/webhook-script.ts';
import { validTestToken } from '../webhooks/webhook-tokens.ts';

/** Stands in for the api Worker's `Authorization`: its tokens say themselves what they are good for. */
export class TestAuthorization extends WorkerEntrypoint<WebhookEnv> {
  async validate(token: string, resource: string): Promise<ValidToken | null> {
    return validTestToken(token, resource);
  }
}

/** Stands in for the api Worker's `Revocation`: ids that start with `operator` or `last` are operators'. */
export class TestRevocation extends WorkerEntrypoint<WebhookEnv> {
  async directoryUserGone(directoryUserId: string): Promise<RevocationOutcome> {
    if (directoryUserId.startsWith('operator')) return 'ended';
    return directoryUserId.startsWith('last') ? 'last_operator' : 'none';
  }
}

const scripted = (env: Record<string, unknown>): Egress =>
  createEgress(env, (url, init) => (script.fetch ?? fetch)(url, init));

/** The deployed objects; the network behind them is the test's. */
export class ChannelRegistry extends DeployedRegistry {
  protected override outside(env: Record<string, unknown>): Egress {
    return scripted(env);
  }
}
export class NotificationInbox extends DeployedInbox {
  protected override outside(env: Record<string, unknown>): Egress {
    return scripted(env);
  }
}

/** The production app. Which objects a request asks for is written down. */
const app = createWebhookApp();

const counted = new WeakMap<WebhookEnv, WebhookEnv>();

/** The bindings, with namespaces that write down each object that is asked for. One for each environment: settings are kept by it. */
function countedOf(env: WebhookEnv): WebhookEnv {
  const known = counted.get(env) ?? {
    ...env,
    CHANNEL_REGISTRY: writingDown(env.CHANNEL_REGISTRY, 'registry'),
    NOTIFICATION_INBOX: writingDown(env.NOTIFICATION_INBOX, 'inbox'),
  };
  counted.set(env, known);
  return known;
}

const writingDown = <T extends object>(namespace: T, name: string): T =>
  new Proxy(namespace, {
    get: (target, member) => {
      const value: unknown = Reflect.get(target, member);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        script.asked.push(`${name}.${String(member)}`);
        return Reflect.apply(value, target, given);
      };
    },
  });

export default {
  fetch: (request: Request, env: WebhookEnv, context: ExecutionContext) => app.fetch(request, countedOf(env), context),
  queue: wakeQueue,
  scheduled: runWebhookCron,
};
