/** One JSON line to the log. Callers never pass payment headers, secrets or full URLs. */
export function logLine(event: Record<string, unknown>): void {
  console.log(JSON.stringify(event));
}
