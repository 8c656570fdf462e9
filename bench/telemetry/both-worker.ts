import type { ExecutionContext } from '@cloudflare/workers-types';
import { exports } from 'cloudflare:workers';
import type { Env } from '../../routes/api/bindings/env.ts';
import type { TelemetryPort } from '../../src/telemetry/wire.ts';
import api from '../x402/ours-worker.ts';

export { EntryStore } from '../../durable-objects/entry-store.ts';
export { PaymentLedger } from '../../durable-objects/payment-ledger.ts';
export { ResourceStore } from '../../durable-objects/resource-store.ts';
export { TenantRegistry } from '../../durable-objects/tenant-registry.ts';
export { Telemetry } from '../../routes/control/bindings/entrypoints.ts';

let composed: Env | undefined;

/**
 * The api Worker of the x402 benchmark with the control Worker's store of logs beside it, in one process: what telemetry
 * costs is all paid by the process that sells. A batch goes by RPC, as between two Workers.
 */
export default {
  fetch(request: Request, env: Env, context: ExecutionContext): Response | Promise<Response> {
    composed ??= {
      ...env,
      CONTROL_TELEMETRY: (exports as unknown as { Telemetry: TelemetryPort }).Telemetry, // Exported above.
    };
    return api.fetch(request, composed, context);
  },
};
