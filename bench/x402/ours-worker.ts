import type { ExecutionContext } from '@cloudflare/workers-types';
import { createApp } from '../../routes/api/app.ts';
import type { Env } from '../../routes/api/bindings/env.ts';
import { allowPublicOnly } from '../../src/net/address-policy.ts';
import { sellConstant } from './constant-row.ts';
import { createMemoryBucket } from './bucket-worker.ts';

export { PaymentLedger } from '../../durable-objects/payment-ledger.ts';

sellConstant('check_health');

const app = createApp({ policy: () => allowPublicOnly(), local: true, engines: { isLocal: false, factories: {} } });
let composed: Env | undefined;

/** Plain workerd has neither R2 nor rate limiters: the parts of the platform that this entry stands in for. */
const compose = (env: Env): Env => ({
  ...env,
  REPORTS: createMemoryBucket(),
  FREE_LIMIT: always,
  FAILED_PAYMENT_LIMIT: always,
});

const always: RateLimit = { limit: async () => ({ success: true }) };

/** The api Worker as the benchmark runs it. */
export default {
  fetch(request: Request, env: Env, context: ExecutionContext): Response | Promise<Response> {
    composed ??= compose(env); // Made once: settings are parsed once per env object.
    return app.fetch(request, composed, context);
  },
};
