import type { ExecutionContext } from '@cloudflare/workers-types';
import { exports } from 'cloudflare:workers';
import type { Env } from '../../routes/api/bindings/env.ts';
import { parseTelemetryMessage, type TelemetryQueue } from '../../src/telemetry/messages.ts';
import type { TelemetryPort } from '../../src/telemetry/wire.ts';
import api from '../x402/ours-worker.ts';

export { EntryStore } from '../../durable-objects/entry-store.ts';
export { PaymentLedger } from '../../durable-objects/payment-ledger.ts';
export { ResourceStore } from '../../durable-objects/resource-store.ts';
export { TenantRegistry } from '../../durable-objects/tenant-registry.ts';
export { Telemetry } from '../../routes/control/bindings/entrypoints.ts';

/** Writes each message as the consumer of the control Worker does. */
async function deliver(messages: Parameters<TelemetryQueue['sendBatch']>[0]): Promise<void> {
  const { Telemetry } = exports as unknown as { Telemetry: TelemetryPort }; // Exported above.
  for (const { body } of messages) {
    const message = parseTelemetryMessage(body);
    if (message !== undefined) await Telemetry.write(message.batch);
  }
}

let composed: Env | undefined;

/**
 * The api Worker of the x402 benchmark with the control Worker's store of logs beside it, in one process: what telemetry
 * costs is all paid by the process that sells. A message goes by RPC, in place of the queue between two Workers.
 */
export default {
  fetch(request: Request, env: Env, context: ExecutionContext): Response | Promise<Response> {
    composed ??= {
      ...env,
      TELEMETRY_QUEUE: { sendBatch: deliver },
    };
    return api.fetch(request, composed, context);
  },
};
