import { toHex } from '../../../src/lib/digest.ts';
import { batchSchema } from '../../../src/telemetry/batch-schema.ts';
import { buildOtlpParcels } from '../../../src/telemetry/otlp-records.ts';
import { createOtlpSender } from '../../../src/telemetry/otlp-sender.ts';
import { findOtlpTarget } from '../../../src/telemetry/otlp-settings.ts';
import { buildProjectWrites } from '../../../src/telemetry/project-writes.ts';
import type { NotKept, TelemetryBatch } from '../../../src/telemetry/wire.ts';
import type { OwnOutcome } from '../../../src/management/log-store/self-telemetry.ts';
import { type ControlEnv, readControlSettings } from './env.ts';
import { complain, findOwnProject, writeOrder } from './own-project.ts';
import { getEntryStore } from './tenants.ts';
import type { TelemetryTarget } from '../../shared/telemetry.ts';

/** What of this invocation sends batches on, by OTLP. */
export type Forwarding = {
  /** Keeps the invocation alive until the promise settles. */
  waitUntil: (promise: Promise<unknown>) => void;
  /** The address may be this machine's, in plain text: of the local stack, by no variable. */
  allowsPlainLoopback: boolean;
};

/** The control Worker writes its own telemetry itself. */
export const getControlTelemetry = (env: ControlEnv, forwarding: Forwarding): Omit<TelemetryTarget, 'waitUntil'> => ({
  service: 'control',
  port:
    readControlSettings(env).TELEMETRY === 'control'
      ? { write: (batch) => writeTelemetry(batch, env, forwarding) }
      : undefined,
});

const ID_BYTES = 8;

/** Of a batch that came by the queue. `isRepeat`: it was delivered before, so that it was sent on already. */
type Delivery = { id: string; sentAtMs: number; isRepeat: boolean };

/**
 * Writes a batch of the service's own telemetry to the operator's project: one call of its store of entries, as its
 * sinks direct. Without such a project nothing is stored. The write is not a request, so it makes no telemetry itself. What
 * goes to an OTLP address as well is sent beside it: nothing waits for that.
 * @param delivery makes the same entries of the same batch; without it each call makes others
 * @returns what is not stored, for the sender to report with its next batch
 * @throws what asking an object throws: the batch is lost
 */
export async function writeTelemetry(
  given: unknown,
  env: ControlEnv,
  forwarding: Forwarding,
  delivery: Delivery = createDelivery(),
): Promise<NotKept> {
  const batch = batchSchema.safeParse(given);
  if (!batch.success) {
    complain('invalid_batch', batch.error.issues[0]?.path.join('.'));
    return 'all';
  }
  if (!delivery.isRepeat) forwardByOtlp(batch.data, env, forwarding);
  const own = await findOwnProject(env);
  const order = own && (await writeOrder(own, env));
  if (own === undefined || order === undefined) return 'all';
  const { tenant, project } = own;
  const written = buildProjectWrites(batch.data, project, delivery.id, delivery.sentAtMs);
  const outcome = await getEntryStore(env, tenant).keepOwn(tenant, { project, order, ...written });
  for (const refused of outcome.refused) complain('refused', refused);
  return countNotStored(batch.data, outcome, written.body.entries.length);
}

/** Where all entries are refused, that of what was left out before is among them. */
function countNotStored({ lines, dropped }: TelemetryBatch, { entries, spans }: OwnOutcome, written: number): NotKept {
  if (entries < written) return { lines: Math.min(entries, lines.length), spans };
  return { lines: lines.length + dropped.lines, spans: spans + dropped.spans };
}

const createDelivery = (): Delivery => ({
  id: toHex(crypto.getRandomValues(new Uint8Array(ID_BYTES))),
  sentAtMs: Date.now(),
  isRepeat: false,
});

/** Memory of this isolate. */
const sender = createOtlpSender({
  fetch: (url, init) => fetch(url, init),
  now: () => Date.now(),
  failed: (reason) => complain('otlp_not_sent', reason),
});

/** Hands a batch to the address of the settings, with what got lost on the way there before. Never throws, and never waits. */
function forwardByOtlp(batch: TelemetryBatch, env: ControlEnv, { waitUntil, allowsPlainLoopback }: Forwarding): void {
  const settings = readControlSettings(env);
  const { BASE_URL, CONTROL_URL, WEBHOOK_URL, OPERATOR_PROJECT } = settings;
  const target = findOtlpTarget(settings, [BASE_URL, CONTROL_URL, WEBHOOK_URL], allowsPlainLoopback);
  if (target === undefined) return;
  if ('refused' in target) {
    complain('otlp_refused', target.refused);
    return;
  }
  const lost = sender.takeDropped();
  const dropped = { lines: batch.dropped.lines + lost.lines, spans: batch.dropped.spans + lost.spans };
  sender.put(buildOtlpParcels({ ...batch, dropped }, OPERATOR_PROJECT, Date.now()));
  try {
    waitUntil(sender.flush(target));
  } catch {
    // The invocation is over: what it still gets to send is sent, and the next one sends the rest.
  }
}
