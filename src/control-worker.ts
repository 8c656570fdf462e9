import { createControlApp } from '../routes/control/app.ts';
import { wrapBehindFront } from '../routes/shared/front.ts';
import { createControlConsumer } from '../routes/control/bindings/queues.ts';
import { allowPublicOnly } from './net/address-policy.ts';

export { ResourceStore } from '../durable-objects/resource-store.ts';
export { EntryStore } from '../durable-objects/entry-store.ts';
export { Telemetry } from '../routes/control/bindings/entrypoints.ts';
export { Quotas } from '../routes/control/bindings/entrypoints.ts';
export { RateCounter } from '../durable-objects/rate-counter.ts';
export { SearchInstance } from '../durable-objects/search-instance.ts';
export { TargetGate } from '../durable-objects/target-gate.ts';
export { EngineMeter } from '../durable-objects/engine-meter.ts';
export { TenantRegistry } from '../durable-objects/tenant-registry.ts';

/** The control Worker as deployed: it pushes to public https addresses only, and no variable can change that (rule F5). */
const options = { pushPolicy: () => allowPublicOnly({ alternatePorts: true }) };

export default { fetch: wrapBehindFront(createControlApp().fetch), queue: createControlConsumer(options) };
