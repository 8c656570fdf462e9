import { createApp } from '../routes/app.ts';
import { promptsQueue } from '../routes/prompts-queue.ts';
import { loopbackExcept } from '../src/net/address-policy.ts';
import { productionEngines } from '../src/visibility/engines/registry.ts';
import { localEngines } from '../src/visibility/engines/registry-local.ts';

export { EngineMeter } from '../durable-objects/engine-meter.ts';
export { PaymentLedger } from '../durable-objects/payment-ledger.ts';
export { TargetGate } from '../durable-objects/target-gate.ts';
export { VisibilityRun } from '../durable-objects/visibility-run.ts';

/** Ports of the stack's own services, which an audited page must not reach through the Worker (rule F3). */
const ownPorts = (text: unknown): readonly number[] =>
  typeof text === 'string' ? text.split(',').filter(Boolean).map(Number) : [];

/** The api Worker of the local stack: the same app, which may read loopback and measure by engines that are no AI. */
const options = {
  policy: (env: Record<string, unknown>) => loopbackExcept(ownPorts(env['LOCAL_BLOCKED_PORTS'])),
  local: true,
  engines: { ...productionEngines, ...localEngines },
};

export default { fetch: createApp(options).fetch, queue: promptsQueue(options) };
