import { WorkerEntrypoint } from 'cloudflare:workers';
import type { NotKept, TelemetryBatch, TelemetryPort } from '../../../src/telemetry/wire.ts';
import type { ControlEnv } from './env.ts';
import { writeTelemetry } from './telemetry-writer.ts';

/** Takes the logs and spans of the service's other Workers, over a service binding. */
export class Telemetry extends WorkerEntrypoint<ControlEnv> implements TelemetryPort {
  /** Writes a batch to the operator's project. Logs what is invalid or lost, and reports it to the sender. */
  write(batch: TelemetryBatch): Promise<NotKept> {
    return writeTelemetry(batch, this.env);
  }
}
