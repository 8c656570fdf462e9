import type { SinkTarget } from '../../../src/management/log-store/order.ts';
import type { PlacedEntry } from '../../../src/management/log-store/routing.ts';

export const BUCKET = 'projects/p/locations/global/buckets/_Default';
export const HOOK = 'https://hooks.example.net/logs';

/** An entry of the second `at` of a minute, where `changes` do not say otherwise. */
export function placedEntry(at: number, changes: Partial<PlacedEntry> & { text?: string } = {}): PlacedEntry {
  const { text = `line ${at}`, ...placed } = changes;
  const ts = `2026-11-22T03:00:${String(at).padStart(2, '0')}.000000000Z`;
  const target: SinkTarget = { kind: 'bucket', bucket: BUCKET };
  const insertId = `i${at}`;
  const logName = 'projects/p/logs/app';
  return {
    bucket: BUCKET,
    target,
    sink: 'projects/p/sinks/_Default',
    container: 'projects/p',
    logName,
    ts,
    insertId,
    severity: 0,
    entry: { logName, timestamp: ts, insertId, severity: 'INFO', textPayload: text },
    ...placed,
  };
}

/** The same, on its way to a webhook. */
export function hookedEntry(at: number, url = HOOK, sink = 'projects/p/sinks/hook'): PlacedEntry {
  const { bucket: _, ...placed } = placedEntry(at, { target: { kind: 'webhook', url }, sink });
  return placed;
}
