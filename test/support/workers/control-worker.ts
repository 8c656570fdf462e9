import { WorkerEntrypoint } from 'cloudflare:workers';
import { createControlApp } from '../../../routes/control/app.ts';
import { createControlConsumer } from '../../../routes/control/bindings/queues.ts';
import type { ControlEnv } from '../../../routes/control/bindings/env.ts';
import type { ValidToken } from '../../../src/authorization/oauth/tokens.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import { localChats } from '../../../src/models/registry-local.ts';
import { validTestToken } from './control-tokens.ts';

export { TestConsoleAccess } from './test-console-access.ts';
export { TestConsoleDesk } from './test-console-desk.ts';
export { TestOperations } from './test-operations.ts';
export { PdfReader } from '../../../src/pdf-worker.ts';

export { ResourceStore } from '../../../durable-objects/resource-store.ts';
export { EntryStore } from '../../../durable-objects/entry-store.ts';
export { Telemetry } from '../../../routes/control/bindings/entrypoints.ts';
export { Quotas } from '../../../routes/control/bindings/entrypoints.ts';
export { RateCounter } from '../../../durable-objects/rate-counter.ts';
export { SearchInstance } from '../../../durable-objects/search-instance.ts';
export { TargetGate } from '../../../durable-objects/target-gate.ts';
export { EngineMeter } from '../../../durable-objects/engine-meter.ts';
export { TenantRegistry } from '../../../durable-objects/tenant-registry.ts';

/** Stands in for the api Worker's `Authorization`: its tokens say themselves what they are good for. */
export class TestAuthorization extends WorkerEntrypoint<ControlEnv> {
  async validate(token: string, resource: string): Promise<ValidToken | null> {
    return validTestToken(token, resource);
  }
}

/** The production app, with the chat engines of the local stack; the network behind `fetch` is the test's. */
const options = { pushPolicy: () => allowPublicOnly({ alternatePorts: true }), chats: localChats };

export default { fetch: createControlApp(options).fetch, queue: createControlConsumer(options) };
