import type { ExecutionContext } from '@cloudflare/workers-types';
import { createApp } from '../../routes/api/app.ts';
import type { Env } from '../../routes/api/bindings/env.ts';
import { allowLoopbackExcept } from '../../src/net/address-policy.ts';
import { heldBytes } from '../../src/net/held-bytes.ts';

export { PaymentLedger } from '../../durable-objects/payment-ledger.ts';
export { RateCounter } from '../../durable-objects/rate-counter.ts';
export { TargetGate } from '../../durable-objects/target-gate.ts';

const app = createApp({
  policy: () => allowLoopbackExcept([]),
  local: true,
  engines: { isLocal: false, factories: {} },
});
const always: RateLimit = { limit: async () => ({ success: true }) };
/** Plain workerd has no R2: the bucket takes everything and keeps nothing, as one outside of the isolate would. */
const bucket = { put: async () => undefined, get: async () => null } as unknown as R2Bucket;
let composed: Env | undefined;
let mostHeld = 0;
const { take } = heldBytes;
heldBytes.take = (use, bytes) => {
  const hold = take(use, bytes);
  const { grow } = hold ?? {};
  if (!hold || !grow) return hold;
  hold.grow = (more) => {
    const isRoom = grow(more);
    mostHeld = Math.max(mostHeld, heldBytes.held());
    return isRoom;
  };
  return hold;
};

/** The real api Worker, its ledger, gates and counters in one isolate. `GET /bench/held`: the most that was held. */
export default {
  fetch(request: Request, env: Env, context: ExecutionContext): Response | Promise<Response> {
    composed ??= { ...env, REPORTS: bucket, FREE_LIMIT: always, FAILED_PAYMENT_LIMIT: always };
    if (new URL(request.url).pathname === '/bench/held') return Response.json({ mostHeld });
    return app.fetch(request, composed, context);
  },
};
