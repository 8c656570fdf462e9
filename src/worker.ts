import { createApp } from '../routes/app.ts';
import { promptsQueue } from '../routes/prompts-queue.ts';
import { publicOnly } from './net/address-policy.ts';
import { productionEngines } from './visibility/engines/registry.ts';

export { EngineMeter } from '../durable-objects/engine-meter.ts';
export { PaymentLedger } from '../durable-objects/payment-ledger.ts';
export { TargetGate } from '../durable-objects/target-gate.ts';
export { VisibilityRun } from '../durable-objects/visibility-run.ts';

/** The api Worker as deployed: it fetches public addresses only, and no variable can change that (rule F3). */
const options = { policy: () => publicOnly({ alternatePorts: true }), local: false, engines: productionEngines };

export default { fetch: createApp(options).fetch, queue: promptsQueue(options) };
