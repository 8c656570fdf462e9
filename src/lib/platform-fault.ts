/**
 * Whether the platform, and not our code, failed a call of a Durable Object: the same call may work in a moment.
 * @see https://developers.cloudflare.com/durable-objects/best-practices/error-handling/
 */
export function isPlatformFault(error: unknown): boolean {
  const fault = error as { overloaded?: unknown; retryable?: unknown; durableObjectReset?: unknown } | null;
  return fault?.overloaded === true || fault?.retryable === true || fault?.durableObjectReset === true;
}
