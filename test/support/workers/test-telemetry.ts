import { WorkerEntrypoint } from 'cloudflare:workers';
import type { TelemetryBatch, TelemetryPort } from '../../../src/telemetry/wire.ts';

/** Batches that Workers under test sent over their binding. */
export const sent: TelemetryBatch[] = [];

/** Stands in for the control Worker's `Telemetry`: what is written is kept for the test. */
export class TestTelemetry extends WorkerEntrypoint implements TelemetryPort {
  async write(batch: TelemetryBatch): Promise<void> {
    sent.push(batch);
  }
}
