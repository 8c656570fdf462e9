import type { ExecutionContext } from '@cloudflare/workers-types';
import { createControlApp } from '../../routes/control/app.ts';
import type { ControlEnv } from '../../routes/control/bindings/env.ts';

export { EntryStore } from '../../durable-objects/entry-store.ts';
export { ResourceStore } from '../../durable-objects/resource-store.ts';
export { TenantRegistry } from '../../durable-objects/tenant-registry.ts';

const SCOPES = ['admin.directory.user', 'admin.directory.group', 'admin.directory.group.member'];
const token = {
  props: { kind: 'service' as const, tenant: 'C00000001' },
  audience: 'bench',
  expiresAt: 4_102_444_800,
  scope: ['emulator', ...SCOPES.map((name) => `https://www.googleapis.com/auth/${name}`)],
  userId: 'b'.repeat(32),
  clientId: 'bench',
};
const app = createControlApp();
let composed: ControlEnv | undefined;

/**
 * The control Worker as the benchmark runs it. Plain workerd has no rate limiter, queue or other Worker: a limiter that
 * always agrees, a queue that takes everything and a token that is always good stand in.
 */
export default {
  fetch(request: Request, env: ControlEnv, context: ExecutionContext): Response | Promise<Response> {
    composed ??= {
      ...env,
      MANAGEMENT_LIMIT: { limit: async () => ({ success: true }) },
      AUTHORIZATION: { validate: async () => token },
      PUSH: { send: async () => undefined, sendBatch: async () => undefined } as unknown as ControlEnv['PUSH'],
    };
    return app.fetch(request, composed, context);
  },
};
