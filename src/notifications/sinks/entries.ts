import { alertLine, formatUserLine } from './audit-trail.ts';
import { createQueuePort, type TelemetryQueue } from '../../telemetry/messages.ts';
import type { Effect, Sink } from './sink.ts';

/** A batch of the service's telemetry that holds one line and nothing else. */
export type EntryBatch = {
  service: 'webhook';
  instance: string;
  lines: readonly { atMs: number; line: string; insertId: string }[];
  spans: readonly never[];
  dropped: { lines: 0; spans: 0 };
};

/** Takes lines for the log of the control Worker. */
export type EntryWriter = { write: (batch: EntryBatch) => Promise<unknown> };

/** The queue that leads there. */
export type EntryQueue = TelemetryQueue;

const MESSAGE_ID_BYTES = 8;
type WriterTools = { now: () => number; random: (bytes: number) => string };

/** Writes by the queue, which has a line as long as the log does not take it. */
export const createEntryWriter = (
  queue: EntryQueue | undefined,
  { now, random }: WriterTools,
): EntryWriter | undefined =>
  queue && createQueuePort(queue, { now, randomHex: () => random(MESSAGE_ID_BYTES), isAudit: true });

/** The object that writes is no isolate of its own: ids of entries tell its lines apart. */
const INSTANCE = '0'.repeat(8);

/**
 * The audit trail once more, as entries of the service's own log, where it can be searched. What is delivered twice is
 * one entry: it has the same time and id.
 */
export function createEntriesSink(writer: EntryWriter): Sink {
  return {
    name: 'entries',
    wants: () => true,
    async tell(effect) {
      try {
        if (!isRefused(await writer.write(buildEntryBatch(effect)))) return { ok: true };
        return { ok: false, outcome: 'again', detail: 'the log refuses the line' };
      } catch (error) {
        const name = error instanceof Error ? error.name : 'unknown error'; // Its message may hold anything.
        return { ok: false, outcome: 'again', detail: `the log does not answer (${name})` };
      }
    },
  };
}

/** The log says how many lines it did not keep; `all` where this deployment has no project for them. */
const isRefused = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'lines' in answer && Number(answer.lines) > 0;

function buildEntryBatch(effect: Effect): EntryBatch {
  const isUser = effect.type === 'user';
  const line = JSON.stringify(isUser ? formatUserLine(effect) : alertLine(effect));
  const atMs = isUser ? effect.readAtMs : effect.alert.raisedAtMs;
  return {
    service: 'webhook',
    instance: INSTANCE,
    lines: [{ atMs, line, insertId: effect.id }],
    spans: [],
    dropped: { lines: 0, spans: 0 },
  };
}
