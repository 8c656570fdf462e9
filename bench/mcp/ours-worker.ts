import type { ExecutionContext } from '@cloudflare/workers-types';
import { createApp } from '../../routes/api/app.ts';
import type { Env } from '../../routes/api/bindings/env.ts';
import { allowPublicOnly } from '../../src/net/address-policy.ts';

const app = createApp({ policy: () => allowPublicOnly(), local: true, engines: { isLocal: false, factories: {} } });
let composed: Env | undefined;

/** The api Worker as the benchmark runs it: plain workerd has no rate limiter, so one that always agrees stands in. */
export default {
  fetch(request: Request, env: Env, context: ExecutionContext): Response | Promise<Response> {
    composed ??= { ...env, FREE_LIMIT: { limit: async () => ({ success: true }) } }; // Settings are parsed once per object.
    return app.fetch(request, composed, context);
  },
};
