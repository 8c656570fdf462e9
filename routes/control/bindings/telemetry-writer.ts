import { toHex } from '../../../src/lib/digest.ts';
import { batchSchema } from '../../../src/telemetry/batch-schema.ts';
import { buildProjectWrites } from '../../../src/telemetry/project-writes.ts';
import type { NotKept, TelemetryBatch } from '../../../src/telemetry/wire.ts';
import type { OwnOutcome } from '../../../src/management/log-store/self-telemetry.ts';
import { type ControlEnv, readControlSettings } from './env.ts';
import { complain, findOwnProject, writeOrder } from './own-project.ts';
import { getEntryStore } from './tenants.ts';
import type { TelemetryTarget } from '../../shared/telemetry.ts';

/** The control Worker writes its own telemetry itself. */
export const getControlTelemetry = (env: ControlEnv): Omit<TelemetryTarget, 'waitUntil'> => ({
  service: 'control',
  port: readControlSettings(env).TELEMETRY === 'control' ? { write: (batch) => writeTelemetry(batch, env) } : undefined,
});

const ID_BYTES = 8;

/**
 * Writes a batch of the service's own telemetry to the operator's project: one call of its store of entries, as its
 * sinks direct. Without such a project nothing is stored. The write is not a request, so it makes no telemetry itself.
 * @returns what is not stored, for the sender to report with its next batch
 * @throws what asking an object throws: the batch is lost
 */
export async function writeTelemetry(given: unknown, env: ControlEnv): Promise<NotKept> {
  const batch = batchSchema.safeParse(given);
  if (!batch.success) {
    complain('invalid_batch', batch.error.issues[0]?.path.join('.'));
    return 'all';
  }
  const own = await findOwnProject(env);
  const order = own && (await writeOrder(own, env));
  if (own === undefined || order === undefined) return 'all';
  const { tenant, project } = own;
  const written = buildTelemetryWrite(batch.data, project);
  const outcome = await getEntryStore(env, tenant).keepOwn(tenant, { project, order, ...written });
  for (const refused of outcome.refused) complain('refused', refused);
  return countNotStored(batch.data, outcome, written.body.entries.length);
}

/** Where all entries are refused, that of what was left out before is among them. */
function countNotStored({ lines, dropped }: TelemetryBatch, { entries, spans }: OwnOutcome, written: number): NotKept {
  if (entries < written) return { lines: Math.min(entries, lines.length), spans };
  return { lines: lines.length + dropped.lines, spans: spans + dropped.spans };
}

const buildTelemetryWrite = (batch: TelemetryBatch, project: string) =>
  buildProjectWrites(batch, project, toHex(crypto.getRandomValues(new Uint8Array(ID_BYTES))), Date.now());
