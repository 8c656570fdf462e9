import type { ProfileName } from '../../audit/core/site.ts';
import type { PanelName } from '../../capabilities/capability-name.ts';
import type { Receiver } from './receiver.ts';

/** Monitors of one account, and those of one account that look at one host. */
export const MAX_MONITORS = 100;
export const MAX_MONITORS_OF_HOST = 5;
/** Sites that a monitor of a site compares it with. */
export const MAX_WATCHED_COMPETITORS = 5;
/** Runs that a monitor keeps; the oldest goes when another comes. */
export const MAX_KEPT_RUNS = 400;
/** Objects that monitors are spread over, by their account. */
export const MONITOR_SHARDS = 16;

/** A site, with the options of `full_audit`. */
export type WatchedSite = {
  kind: 'site';
  /** As `full_audit` takes it, with its scheme. */
  url: string;
  profile?: ProfileName | undefined;
  max_pages?: number | undefined;
  /** Sites that are audited in the same run. */
  competitors?: readonly string[] | undefined;
};

/** A brand: what a measurement or a panel is asked for at each run. */
export type WatchedBrand = {
  kind: 'brand';
  capability: 'visibility_check' | PanelName;
  /** The body of that row, as its schema accepted it. */
  body: Readonly<Record<string, unknown>> & { brand: string; niche: string };
};

export type MonitorSubject = WatchedSite | WatchedBrand;

/** Weekdays as cron counts them: 0 is Sunday. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/**
 * How often. Without `at` a run has a minute of its own within the hour, so that not all come at once. `time_zone`: a name of
 * the IANA database; UTC when absent. `cron`: five fields.
 */
export type MonitorInterval =
  | { every: 'daily'; at?: string | undefined; time_zone?: string | undefined }
  | { every: 'weekly'; weekday?: Weekday | undefined; at?: string | undefined; time_zone?: string | undefined }
  | { every: 'monthly'; day?: number | undefined; at?: string | undefined; time_zone?: string | undefined }
  | { cron: string; time_zone?: string | undefined };

/** What rings. Every member has a default, so `{}` is a good set of rules. */
export type AlertRules = {
  /** Sites: changed verdicts of checks that weigh at least so much; 2 when absent. */
  min_weight?: number | undefined;
  /** Sites: a score that moved by more points than this, because of checks that changed; 3 when absent. */
  score_points?: number | undefined;
  /** Whether what got better rings as well; true when absent. */
  improvements?: boolean | undefined;
  /** Whether changes of competitors ring; false when absent. */
  competitors?: boolean | undefined;
};

/** When nothing but what cannot wait is sent: from one time of day to another, over midnight too. */
export type QuietHours = { from: string; to: string; time_zone?: string | undefined };

export type PauseReason =
  | 'by_owner'
  /** The account cannot pay the next run. */
  | 'insufficient_credits'
  /** The client that made the monitor, or its account, may spend nothing any more. */
  | 'access_ended'
  /** robots.txt of the host has a group for our agent that disallows the address, and the owner has not proven the host. */
  | 'robots_disallow'
  /** What a free monitor may spend on engines a day is used up. */
  | 'engine_budget'
  /** Its order is refused for good, such as an engine that is configured no more. */
  | 'order_refused';

/** `credits`: each run is paid by the account. `operator`: an operator's own, free, for hosts that the deployment names. */
export type MonitorPayment = 'credits' | 'operator';

export type Monitor = {
  /** `mon_`, the hex digit of its shard, and 23 more. */
  id: string;
  /** Account id of its owner. */
  account: string;
  name: string;
  subject: MonitorSubject;
  interval: MonitorInterval;
  rules: AlertRules;
  receivers: readonly Receiver[];
  quietHours: QuietHours | null;
  payment: MonitorPayment;
  /** Who spends the credits: an OAuth client, or one of our own pages; and since when it may (rule A5). */
  clientId: string;
  authorizedAtMs: number;
  state: 'active' | 'paused';
  pausedBecause: PauseReason | null;
  /** Counts changes by its owner: its entity tag. */
  revision: number;
  createdAtMs: number;
  changedAtMs: number;
  /** Unix milliseconds of the next run; null while it is paused. */
  nextDueMs: number | null;
};

const ID = /^mon_([0-9a-f])[0-9a-f]{23}$/;

/** The shard of a monitor, by its id; undefined for a text that is no id. */
export const readShardOfId = (id: string): number | undefined => {
  const digit = ID.exec(id)?.[1];
  return digit === undefined ? undefined : Number.parseInt(digit, 16);
};

/** The name of a shard's object. */
export const formatShardName = (shard: number): string => `monitors-${shard.toString(16)}`;

/** The host that a monitor looks at; undefined for a brand without a site. */
export function getWatchedHost({ subject }: Pick<Monitor, 'subject'>): string | undefined {
  const url = subject.kind === 'site' ? subject.url : subject.body['site'];
  return typeof url === 'string' ? new URL(url).hostname : undefined;
}
