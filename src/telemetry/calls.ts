import { type JsonObject, logEntryOf, type Origin } from './entry.ts';
import { vendorSpanOf } from './vendor-span.ts';
import type { TelemetryBatch } from './wire.ts';

/** A call of a management method, without its caller. */
export type TelemetryCall = { method: string; path: Record<string, string>; body: JsonObject };

const NUMBER_DIGITS = 4;

/**
 * The calls that write a batch to a project, `projects/p`: its lines as entries, its spans. None for what there is none of.
 * @param id random text, other for each batch: entries are told apart by it
 */
export function callsOf(batch: TelemetryBatch, project: string, id: string, nowMs: number): readonly TelemetryCall[] {
  const { service, instance, spans } = batch;
  const origin: Origin = { project, service, instance };
  const lines = [...batch.lines, ...droppedLines(batch, nowMs)];
  const insertIdOf = (at: number): string => `${id}-${String(at).padStart(NUMBER_DIGITS, '0')}`;
  const entries = lines.map((line, at) => logEntryOf(line, insertIdOf(at), origin));
  return [
    ...(entries.length === 0
      ? []
      : [{ method: 'logging.entries.write', path: {}, body: { entries, partialSuccess: true } }]),
    ...(spans.length === 0
      ? []
      : [
          {
            method: 'cloudtrace.projects.traces.batchWrite',
            path: { name: project },
            body: { spans: spans.map((span) => vendorSpanOf(span, project)) },
          },
        ]),
  ];
}

/** An operator who reads the log is told what is not in it. */
function droppedLines({ dropped }: TelemetryBatch, nowMs: number) {
  if (dropped.lines === 0 && dropped.spans === 0) return [];
  return [{ atMs: nowMs, line: JSON.stringify({ event: 'telemetry_dropped', ...dropped }) }];
}
