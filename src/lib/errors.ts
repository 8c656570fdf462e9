/** What a log says of a fault: the name of what was thrown, because a message may hold text of sites (rule X4). */
export const getErrorName = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/**
 * Whether the platform, and not our code, failed a call of a Durable Object: the same call may work in a moment.
 * @see https://developers.cloudflare.com/durable-objects/best-practices/error-handling/
 */
export function isPlatformFault(error: unknown): boolean {
  const fault = error as { overloaded?: unknown; retryable?: unknown; durableObjectReset?: unknown } | null;
  return fault?.overloaded === true || fault?.retryable === true || fault?.durableObjectReset === true;
}
