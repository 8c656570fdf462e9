/** How fast deliveries go to one destination host, by one object or isolate of a Worker (rule F5). */
export type GateLimits = {
  sendsPerSecond: number;
  /** Requests under way. The platform opens six connections for an object. */
  atOnce: number;
  /** Who may wait for a turn: with `atOnce` requests of 10 s each, the last waits half a minute. */
  waiting: number;
};

export const GATE_LIMITS: GateLimits = { sendsPerSecond: 50, atOnce: 4, waiting: 12 };

/** Hosts that are remembered at once; beyond it those without a request are forgotten. */
const KEPT_HOSTS = 1_000;

/** When to come back to a host whose queue is full. */
const FULL_RETRY_MS = 30_000;

/** A turn at a host. `leave` is called once, when the request is over. */
export type HostTurn = { ok: true; leave: () => void } | { ok: false; retryAfterMs: number };
export type HostGate = { enter: (host: string) => Promise<HostTurn> };

type Line = { running: number; nextMs: number; waiting: (() => void)[] };
type GateTools = { now: () => number; sleep: (ms: number) => Promise<unknown>; limits?: Partial<GateLimits> };

/**
 * Spaces requests to each host and holds back those over its limits: a turn is waited for while the queue has room, so
 * that a burst of ours is no one's failed delivery.
 */
export function createHostGate({ now, sleep, limits: given }: GateTools): HostGate {
  const limits = { ...GATE_LIMITS, ...given };
  const gapMs = 1_000 / limits.sendsPerSecond;
  const lines = new Map<string, Line>();
  return {
    async enter(host) {
      if (lines.size >= KEPT_HOSTS) forgetIdle(lines);
      const line = lines.get(host) ?? { running: 0, nextMs: 0, waiting: [] };
      lines.set(host, line);
      if (line.running < limits.atOnce) line.running += 1;
      else if (line.waiting.length >= limits.waiting) return { ok: false, retryAfterMs: FULL_RETRY_MS };
      else await new Promise<void>((resolve) => line.waiting.push(resolve));
      const startMs = now();
      // No longer than what those under way need: a clock that was set back must not hold anyone up.
      const waitMs = Math.min(Math.max(line.nextMs - startMs, 0), gapMs * limits.atOnce);
      line.nextMs = startMs + waitMs + gapMs;
      if (waitMs > 0) await sleep(waitMs);
      return { ok: true, leave: () => leave(line) };
    },
  };
}

function forgetIdle(lines: Map<string, Line>): void {
  for (const [host, { running }] of lines) if (running === 0) lines.delete(host);
}

/** Hands the place to the next who waits. */
function leave(line: Line): void {
  const next = line.waiting.shift();
  if (next) next();
  else line.running -= 1;
}
