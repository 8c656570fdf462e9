import { EntryStore as Entries } from '../durable-objects/entry-store.ts';
import { ResourceStore as Store } from '../durable-objects/resource-store.ts';
import { SearchInstance as Search } from '../durable-objects/search-instance.ts';
import { createControlApp } from '../routes/control/app.ts';
import { Telemetry as OwnTelemetry } from '../routes/control/bindings/entrypoints.ts';
import { createControlConsumer } from '../routes/control/bindings/queues.ts';
import { allowLoopbackExcept } from '../src/net/address-policy.ts';
import { localChats, localEmbedders } from '../src/models/registry-local.ts';
import { explainRefusals } from './outbound/explained-fetch.ts';
import { parseOwnPorts } from './own-ports.ts';

export { Quotas } from '../routes/control/bindings/entrypoints.ts';
export { RateCounter } from '../durable-objects/rate-counter.ts';
export { TargetGate } from '../durable-objects/target-gate.ts';
export { EngineMeter } from '../durable-objects/engine-meter.ts';
export { TenantRegistry } from '../durable-objects/tenant-registry.ts';

explainRefusals();

/**
 * The control Worker of the local stack: the same app, which may push to loopback too, over http as well, and answer chats
 * by an engine that is no AI.
 */
const pushPolicy = (env: Record<string, unknown>) => allowLoopbackExcept(parseOwnPorts(env['LOCAL_BLOCKED_PORTS']));
const options = { pushPolicy, chats: localChats, local: true };

export default { fetch: createControlApp(options).fetch, queue: createControlConsumer(options) };

/** Takes telemetry, which may go on to a collector of this machine. */
export class Telemetry extends OwnTelemetry {
  protected override allowsPlainLoopback(): boolean {
    return true;
  }
}

/** The store of the local stack, which takes such addresses for watch channels. */
export class ResourceStore extends Store {
  protected override pushPolicy(env: Record<string, unknown>) {
    return pushPolicy(env);
  }
}

/** The same for the webhooks of sinks. */
export class EntryStore extends Entries {
  protected override pushPolicy(env: Record<string, unknown>) {
    return pushPolicy(env);
  }
}

/** The same for crawls; and vectors may come of an embedder that is no AI. */
export class SearchInstance extends Search {
  protected override crawlPolicy(env: Record<string, unknown>) {
    return pushPolicy(env);
  }

  protected override embedders() {
    return localEmbedders;
  }
}
