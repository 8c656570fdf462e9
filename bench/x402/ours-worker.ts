import type { ExecutionContext } from '@cloudflare/workers-types';
import { createApp } from '../../routes/api/app.ts';
import type { Env } from '../../routes/api/bindings/env.ts';
import { findCapability } from '../../src/capabilities/catalog.ts';
import { allowPublicOnly } from '../../src/net/address-policy.ts';

export { PaymentLedger } from '../../durable-objects/payment-ledger.ts';

/** Objects that the in-memory bucket keeps, so that a long run does not grow. */
const MAX_OBJECTS = 1_000;

// The peer's handler is constant too: what is compared is the paid request, not the audit.
const row = findCapability('check_health');
if (!row) throw new Error('the catalogue has no check_health');
row.run = async (input) => ({ ok: true, result: { url: input['url'] }, warnings: [] });

const app = createApp({ policy: () => allowPublicOnly(), local: true, engines: { isLocal: false, factories: {} } });
let composed: Env | undefined;

/** Plain workerd has neither R2 nor rate limiters: the parts of the platform that this entry stands in for. */
const compose = (env: Env): Env => ({
  ...env,
  REPORTS: memoryBucket(),
  FREE_LIMIT: always,
  FAILED_PAYMENT_LIMIT: always,
});

const always: RateLimit = { limit: async () => ({ success: true }) };

function memoryBucket(): R2Bucket {
  const objects = new Map<
    string,
    { text: string; customMetadata: Record<string, string> | undefined; uploaded: Date }
  >();
  const bucket = {
    put: async (key: string, text: string, options: R2PutOptions) => {
      objects.set(key, { text, customMetadata: options.customMetadata, uploaded: new Date() });
      const [oldest] = objects.keys();
      if (objects.size > MAX_OBJECTS && oldest !== undefined) objects.delete(oldest);
    },
    get: async (key: string) => {
      const object = objects.get(key);
      return object ? { ...object, text: async () => object.text } : null;
    },
  };
  return bucket as Pick<R2Bucket, 'put' | 'get'> as R2Bucket; // The app puts and gets, nothing more.
}

/** The api Worker as the benchmark runs it. */
export default {
  fetch(request: Request, env: Env, context: ExecutionContext): Response | Promise<Response> {
    composed ??= compose(env); // Made once: settings are parsed once per env object.
    return app.fetch(request, composed, context);
  },
};
