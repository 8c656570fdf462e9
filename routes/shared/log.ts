import { recording } from './telemetry.ts';

/** One JSON line to the log, and to the service's own telemetry. Callers never pass payment headers, secrets or full URLs. */
export function logLine(event: Record<string, unknown>): void {
  const text = JSON.stringify(event);
  console.log(text);
  recording.line(text, event['request_id']);
}
