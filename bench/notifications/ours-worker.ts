import type { DurableObjectState, ExecutionContext } from '@cloudflare/workers-types';
import { ChannelRegistry as DeployedRegistry } from '../../durable-objects/channel-registry.ts';
import { NotificationInbox as DeployedInbox } from '../../durable-objects/notification-inbox.ts';
import { createWebhookApp } from '../../routes/webhook/app.ts';
import type { WebhookEnv } from '../../routes/webhook/bindings/env.ts';
import { type Egress, createEgress } from '../../src/notifications/core/egress.ts';
import { vendorFetch } from './vendor-fetch.ts';

const HELD_BACK: readonly unknown[] = ['kept', 'empty object'];
const token = {
  props: { kind: 'service' as const },
  audience: 'bench',
  expiresAt: 4_102_444_800,
  scope: ['channels:read', 'channels:write'],
  userId: 'b'.repeat(32),
  clientId: 'bench',
};
/** Plain workerd has no queue, no other Worker and no internet: what stands in for them. */
const standIns = {
  AUTHORIZATION: { validate: async () => token },
  REVOCATION: { directoryUserGone: async () => 'none' as const },
  OPERATOR_LIMIT: { limit: async () => ({ success: true }) },
};

const outside = (env: Record<string, unknown>): Egress => ({ ...createEgress(env, vendorFetch) });

export class ChannelRegistry extends DeployedRegistry {
  protected override outside(env: Record<string, unknown>): Egress {
    return outside(env);
  }
}

/** The real inbox. `kept`: nobody works through it, so that what is measured is the write alone. */
export class NotificationInbox extends DeployedInbox {
  constructor(ctx: DurableObjectState, env: Record<string, unknown>) {
    super(ctx, { ...env, ...standIns, WAKE: { send: () => this.#woken() } });
  }

  protected override outside(env: Record<string, unknown>): Egress {
    return outside(env);
  }

  override async keep(...[customer, text]: Parameters<DeployedInbox['keep']>): ReturnType<DeployedInbox['keep']> {
    return this.env['INBOX'] === 'empty object' ? 'kept' : super.keep(customer, text);
  }

  override async push(...pushed: Parameters<DeployedInbox['push']>): ReturnType<DeployedInbox['push']> {
    return this.env['INBOX'] === 'empty object' ? 'kept' : super.push(...pushed);
  }

  override async alarm(): Promise<void> {
    if (!HELD_BACK.includes(this.env['INBOX'])) await super.alarm();
  }

  /** Stands in for the queue's consumer. */
  async #woken(): Promise<void> {
    if (!HELD_BACK.includes(this.env['INBOX'])) await this.work('');
  }
}

const app = createWebhookApp();
let composed: WebhookEnv | undefined;

/** The webhook Worker as the benchmark runs it: everything of ours is real, but for what INBOX leaves out. */
export default {
  fetch(request: Request, env: WebhookEnv, context: ExecutionContext): Response | Promise<Response> {
    composed ??= { ...env, ...standIns, ...(env['INBOX'] === 'nothing kept' ? { NOTIFICATION_INBOX: noInbox } : {}) };
    return app.fetch(request, composed, context);
  },
};

/** Answers in the Worker itself: no object is asked, nothing is kept. */
const kept = async () => 'kept' as const;
const noInbox = { getByName: () => ({ keep: kept, push: kept }) } as unknown as WebhookEnv['NOTIFICATION_INBOX'];
