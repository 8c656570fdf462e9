import { createApp } from '../../../routes/api/app.ts';
import { defineMcpToolsEntrypoint } from '../../../routes/api/bindings/mcp-tools-entrypoint.ts';
import { runMonitorsCron } from '../../../routes/api/bindings/monitors-queue.ts';
import { createQueueConsumer } from '../../../routes/api/bindings/queues.ts';
import { passkeyJudge } from '../../../src/authorization/people/passkey-judge.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import { localAnswers } from '../../../src/models/registry-local.ts';
import { createCardService } from '../../../src/payment/cards/card-service.ts';

export { Models } from '../../../src/models-worker.ts';

export { AuthorizationStore } from '../../../durable-objects/authorization-store.ts';
export { ConsoleAccess } from '../../../routes/api/bindings/authorization-entrypoint.ts';
export { CardLedger } from '../../../durable-objects/card-ledger.ts';
export { AgentTaskShard } from '../../../durable-objects/agent-task-shard.ts';
export { CreditAccount } from '../../../durable-objects/credit-account.ts';
export { EngineMeter } from '../../../durable-objects/engine-meter.ts';
export { HostRecord } from '../../../durable-objects/host-record.ts';
export { McpSession } from '../../../durable-objects/mcp-session.ts';
export { McpSessionRegistry } from '../../../durable-objects/mcp-session-registry.ts';
export { MonitorShard } from '../../../durable-objects/monitor-shard.ts';
export { Operations } from '../../../routes/api/bindings/operations-entrypoint.ts';
export { OperationsRegister } from '../../../durable-objects/operations-register.ts';
export { CountedPaymentLedger as PaymentLedger } from './counted-payment-ledger.ts';
export { RateCounter } from '../../../durable-objects/rate-counter.ts';
export { Revocation } from '../../../routes/api/bindings/authorization-entrypoint.ts';
export { TargetGate } from '../../../durable-objects/target-gate.ts';
export { VisibilityRun } from '../../../durable-objects/visibility-run.ts';

// What `Models` loads on use is loaded before, by a use of each: the runner of tests shares the promise of an import that is
// under way, and a request that waits for another one's is ended as hung. In a bundle there is no such promise.
await createCardService(fetch).judgeCardEvent(new Uint8Array(), undefined, { secrets: [], nowMs: 0 });
const response = { clientDataJSON: '', attestationObject: '' };
await passkeyJudge.judgeAttestation({
  attestation: { id: '', rawId: '', type: 'public-key', response },
  challenge: '',
  terms: { origin: '', rpId: '' },
});

/** The production app, with the engines of the local stack besides; the network behind `fetch` is the test's. */
const options = {
  policy: () => allowPublicOnly({ alternatePorts: true }),
  local: false,
  engines: { ...localAnswers, isLocal: false },
};

/** For the session objects of this Worker. */
export const McpTools = defineMcpToolsEntrypoint(options);

export default { fetch: createApp(options).fetch, queue: createQueueConsumer(options), scheduled: runMonitorsCron };
