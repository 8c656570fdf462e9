import type { AgentClass } from '../../audit/crawlers/facts/ai-agents-data.ts';
import type { AgentReach, ObservedAccess } from '../../audit/crawlers/facts/edge.ts';
import type { Verification } from '../ranges/verify.ts';
import type { StatusCounts } from '../tally/traffic-report.ts';

/** With the row of its agent all that a conflict says, in whatever language. */
export type ConflictId =
  | 'allowed_but_refused'
  | 'refused_to_us_only'
  | 'refused_by_address'
  | 'forbidden_but_served'
  | 'forbidden_and_came'
  | 'charged'
  | 'answers_fail'
  | 'never_came'
  | 'pretended';

/** A contradiction between what is declared, what we saw and who came; `needs_action`: something is lost while it stays. */
export type AccessConflict = { id: ConflictId; needs_action: boolean; what: string; cause: string; remedy: string };

/** Requests of one agent, as far as they come to the same of their origin. */
export type AgentVisits = {
  requests: number;
  statuses: StatusCounts;
  /** Answers 401, 403, 429 and 5xx. */
  refused: number;
  /** Requests to paths that robots.txt keeps it from; null where that was not counted. */
  disallowed: number | null;
  /** RFC 3339; null where the log has no times. */
  last_seen: string | null;
};

/** One agent: declared, observed, came. */
export type AccessRow = {
  token: string;
  owner: string;
  class: AgentClass;
  /** What robots.txt says of the start page; `unknown` where it could not be read. */
  declared: AgentReach['declared'];
  /** Whether a group of robots.txt names it. */
  named: boolean;
  /** What our request under its name got, from our address. */
  observed: ObservedAccess;
  observed_why: string;
  /** By whether the address is the owner's; null for none of the kind. */
  came: Readonly<Record<Verification, AgentVisits | null>>;
  conflicts: readonly AccessConflict[];
};

export type AccessTable = {
  period: { first: string | null; last: string | null };
  /** Who answers in front of the site, as far as its answers show it. */
  provider: string | null;
  rows: readonly AccessRow[];
};

/**
 * The table of a host whose own Worker counts, with the newest report of its owner. `none`: there is no report of the host;
 * `unread`: there may be one, and it could not be read now; `too_large`: what it was made from is more than a page reads.
 */
export type HostAccess =
  | { state: 'none' | 'unread' }
  | { state: 'too_large'; report_id: string }
  | { state: 'ready'; report_id: string; audited_at: string; table: AccessTable };
