import { type JsonObject, logEntryOf, logNameOf, type Origin, resourceOf } from './entry.ts';
import { vendorSpanOf } from './vendor-span.ts';
import type { TelemetryBatch } from './wire.ts';

/** A batch as it is written to a project: the body of an `entries:write`, and spans of the tracing interface. */
export type Written = { body: JsonObject & { entries: JsonObject[] }; spans: readonly JsonObject[] };

const NUMBER_DIGITS = 4;

/**
 * What a batch comes to in a project, `projects/p`: its lines as entries, its spans. What all entries have in common is
 * said once.
 * @param id random text, other for each batch: entries are told apart by it
 */
export function writtenOf(batch: TelemetryBatch, project: string, id: string, nowMs: number): Written {
  const { service, instance, spans } = batch;
  const origin: Origin = { project, service, instance };
  const lines = [...batch.lines, ...droppedLines(batch, nowMs)];
  const insertIdOf = (at: number): string => `${id}-${String(at).padStart(NUMBER_DIGITS, '0')}`;
  const entries = lines.map((line, at) => logEntryOf(line, insertIdOf(at), origin));
  return {
    body: { logName: logNameOf(origin), resource: resourceOf(origin), partialSuccess: true, entries },
    spans: spans.map((span) => vendorSpanOf(span, project)),
  };
}

/** An operator who reads the log is told what is not in it. */
function droppedLines({ dropped }: TelemetryBatch, nowMs: number) {
  if (dropped.lines === 0 && dropped.spans === 0) return [];
  return [{ atMs: nowMs, line: JSON.stringify({ event: 'telemetry_dropped', ...dropped }) }];
}
