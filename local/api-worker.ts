import { createApp } from '../routes/app.ts';
import { loopbackExcept } from '../src/net/address-policy.ts';

export { PaymentLedger } from '../durable-objects/payment-ledger.ts';
export { TargetGate } from '../durable-objects/target-gate.ts';

/** Ports of the stack's own services, which an audited page must not reach through the Worker (rule F3). */
const ownPorts = (text: unknown): readonly number[] =>
  typeof text === 'string' ? text.split(',').filter(Boolean).map(Number) : [];

/** The api Worker of the local stack: the same app, with a fetcher that may read loopback besides. */
export default createApp({ policy: (env) => loopbackExcept(ownPorts(env['LOCAL_BLOCKED_PORTS'])), local: true });
