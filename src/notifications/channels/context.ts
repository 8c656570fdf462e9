import type { InboxCommand, StateTools } from '../core/protocol.ts';
import type { Vendor } from '../vendor/vendor.ts';
import { callWithTimeout } from '../../lib/concurrency.ts';
import type { RunStatement } from '../../lib/sqlite.ts';
import { MINUTE_MS, DAY_MS } from '../../lib/time.ts';
import { type Bucket, createTokenBucket, type Circuit } from './breaker.ts';
import type { ChannelKey } from './channel-token.ts';
import { createRegistryTables } from './tables.ts';

/** Bounds and rates of the registry. Tests set smaller ones. */
const REGISTRY_LIMITS = {
  /** Open watches of the one registry. */
  watches: 100_000,
  /** Vendor calls of each kind in one pass, and local steps. */
  passSize: 500,
  /** The platform has six connections. */
  callsAtOnce: 6,
  /** After this a pass starts no more calls; what is left is due in the next. */
  passMs: MINUTE_MS,
  /** In the long run; 100,000 channels of six hours need 5.4 of each. `burst` is what may go at once. */
  watchesPerSecond: 30,
  stopsPerSecond: 15,
  burst: 500,
  /** A claim is good for so long: more than a vendor call may take. */
  leaseMs: MINUTE_MS,
  /** A vendor call, and a command, that has not ended by then counts as failed: nothing waits for it any longer. */
  callMs: 45_000,
  commandMs: 15_000,
  /** After this a pass delivers no more commands. */
  commandsMs: MINUTE_MS,
  /** No one waits for a pass that is older: it went away with its caller. */
  stuckMs: 5 * MINUTE_MS,
  /** A sync is to come within this time of a grant. */
  syncMs: MINUTE_MS,
  /** A superseded channel is left open so long, for messages that the vendor sends again. */
  drainMs: MINUTE_MS,
  /** Nothing is asked with credentials that were refused, and no watch again that was. */
  credentialsMs: 15 * MINUTE_MS,
  refusedMs: 60 * MINUTE_MS,
  /** A grant of less is none: a vendor that grants no life must not be asked without end. */
  shortestLifeMs: 30_000,
  /** Ended channels are shown for so long, and the last ones of each watch; watches are somewhat longer. */
  keptMs: 14 * DAY_MS,
  endedKept: 20,
  resyncEveryMs: DAY_MS,
  /** Commands delivered in a pass. */
  commands: 500,
  /** Customers that a tick names: no more than the cron looks after in its minute. */
  customers: 60,
  pageSize: 500,
} as const satisfies Record<string, number>;

export type RegistryLimits = { [limit in keyof typeof REGISTRY_LIMITS]: number };

/** What the registry needs from its object. */
export type RegistryTools = StateTools & {
  vendor: Vendor;
  /** Make the tokens of channels (rule W1). */
  keys: readonly ChannelKey[];
  /** WEBHOOK_URL: channels are opened for addresses below it. */
  origin: string;
  /** Life that is asked for where a watch names none, in seconds. */
  ttlSeconds: number;
  /** Takes a command to a customer's inbox; one that throws is tried again. */
  command: (customer: string, command: InboxCommand) => Promise<void>;
  log: (line: Record<string, unknown>) => void;
  /** A UUID that was never used before. */
  uuid: () => string;
  /** Waits for a foreign call, no longer than allowed; the platform's timers where absent. */
  within?: typeof callWithTimeout;
  limits?: Partial<RegistryLimits>;
};

/** What the parts of the registry work on. */
export type ChannelContext = {
  run: RunStatement;
  tools: RegistryTools;
  limits: RegistryLimits;
  buckets: { watches: Bucket; stops: Bucket };
  within: typeof callWithTimeout;
  /** How far the vendor's clock was last seen ahead of ours, ms, and whether an alert of it is open. Kept, and read once. */
  skew: { ms: number; isReported: boolean };
  /** Of customers whose last call failed. Kept, and read once; others are closed. */
  circuits: Map<string, Circuit>;
  /** 0 to 1. */
  chance: () => number;
};

export const SKEW = 'skew_ms';
/** What alerts of the directory's clock are about; there is one. */
export const CLOCK = 'vendor-clock';
const CHANCE_BYTES = 4;
const CHANCES = 2 ** (8 * CHANCE_BYTES);
const HEX = 16;

export function createChannelContext(tools: RegistryTools): ChannelContext {
  const limits: RegistryLimits = { ...REGISTRY_LIMITS, ...tools.limits };
  const { watchesPerSecond, stopsPerSecond, burst } = limits;
  const run = createRegistryTables(tools.sql);
  return {
    run,
    tools,
    within: tools.within ?? callWithTimeout,
    skew: {
      ms: Number(readRegistrySetting({ run }, SKEW) ?? 0),
      isReported: run('SELECT kind FROM raised WHERE subject = ?', CLOCK).length > 0,
    },
    circuits: readCircuits(run),
    limits,
    buckets: {
      watches: createTokenBucket({ perSecond: watchesPerSecond, burst }),
      stops: createTokenBucket({ perSecond: stopsPerSecond, burst }),
    },
    chance: () => Number.parseInt(tools.random(CHANCE_BYTES), HEX) / CHANCES,
  };
}

const readCircuits = (run: RunStatement): Map<string, Circuit> =>
  new Map(
    run('SELECT id, failures, open_until_ms FROM customer WHERE failures > 0').map((row) => [
      String(row['id']),
      { failures: Number(row['failures']), openUntilMs: Number(row['open_until_ms']) },
    ]),
  );

/** A text that the registry remembers under a name. */
export function readRegistrySetting({ run }: Pick<ChannelContext, 'run'>, name: string): string | undefined {
  const [row] = run('SELECT value FROM setting WHERE name = ?', name);
  return row === undefined ? undefined : String(row['value']);
}

export function setSetting({ run }: ChannelContext, name: string, value: string): void {
  run('INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value', name, value);
}
