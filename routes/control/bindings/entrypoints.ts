import type { ServiceLimits } from '../../../src/rate-limits/service-limits.ts';
import { WorkerEntrypoint } from 'cloudflare:workers';
import type { ControlEnv } from './env.ts';
import { readServiceLimits } from './service-limits.ts';
import type { NotKept, TelemetryBatch, TelemetryPort } from '../../../src/telemetry/wire.ts';
import { writeTelemetry } from './telemetry-writer.ts';

/** What the operator's quota preferences set. Only api Workers of earlier versions ask for it. */
export class Quotas extends WorkerEntrypoint<ControlEnv> {
  read(): Promise<ServiceLimits> {
    return readServiceLimits(this.env);
  }
}

/** Takes the logs and spans of other Workers of earlier versions, over a service binding; now they come by a queue. */
export class Telemetry extends WorkerEntrypoint<ControlEnv> implements TelemetryPort {
  /** Writes a batch to the operator's project. Logs what is invalid or lost, and reports it to the sender. */
  write(batch: TelemetryBatch): Promise<NotKept> {
    const waitUntil = (promise: Promise<unknown>): void => this.ctx.waitUntil(promise);
    return writeTelemetry(batch, this.env, { waitUntil, allowsPlainLoopback: this.allowsPlainLoopback() });
  }

  /** Whether telemetry may go on in plain text to an address of this machine. */
  protected allowsPlainLoopback(): boolean {
    return false;
  }
}
