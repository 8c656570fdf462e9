import type { VisitorClass } from '../agents/agent-class.ts';
import type { LogFormat } from '../formats/formats-data.ts';
import type { Verification } from '../ranges/verify.ts';
import type { UnreadableReason } from '../record.ts';

/** The version of the form below; a member may be added within one. */
export const TRAFFIC_SCHEMA = 1;

/** Cells of people with fewer requests are left out: a page that three people read may say who they are. */
export const MIN_PEOPLE_CELL = 5;
/** Rows of each list of a report. */
export const MAX_LISTED_PAGES = 50;

/** RFC 3339 in UTC; null where no line has a time. */
type Time = string | null;

export type TrafficPage = { path: string; requests: number };

/** Requests by the first digit of their status; `none` where the log has none. */
export type StatusCounts = Readonly<Record<'1xx' | '2xx' | '3xx' | '4xx' | '5xx' | 'none', number>>;

/** What is counted of every kind of visitor. */
type Counted = {
  requests: number;
  /** Different pages, as far as they are counted by themselves after ids were left out. */
  pages: number;
  bytes: number;
  statuses: StatusCounts;
  /** Share of answers that were 4xx or 5xx, from 0 to 1; null without a status. */
  error_share: number | null;
  first_seen: Time;
  last_seen: Time;
};

export type ClassTraffic = Counted & { class: VisitorClass; top_pages: readonly TrafficPage[] };

export type RobotsReading = {
  requests: number;
  /** Whether robots.txt was asked for before the first page, in these logs; null where no page was asked for. */
  before_first_page: boolean | null;
  /** Requests to paths that robots.txt keeps this agent from; null where the file was not given. */
  disallowed: { requests: number; pages: readonly TrafficPage[] } | null;
};

export type AgentTraffic = Counted & {
  token: string;
  owner: string;
  class: VisitorClass;
  verification: Verification;
  /** How many addresses it came from; `addresses_capped`: at least. */
  addresses: number;
  addresses_capped: boolean;
  top_pages: readonly TrafficPage[];
  /** Requests of pages beyond those that are counted by themselves. */
  pages_beyond: number;
  robots_txt: RobotsReading;
  llms_txt: number;
  markdown: number;
  /** Answers 401, 403, 429 and 5xx. */
  refused: { requests: number; pages: readonly (TrafficPage & { statuses: readonly number[] })[] };
};

export type AssistantReferrals = {
  assistant: string;
  /** Null for fewer than `MIN_PEOPLE_CELL`. */
  requests: number | null;
  landing_pages: readonly TrafficPage[];
  /** Landing pages that fewer people came to. */
  small_pages: number;
};

export type UnreadPages = {
  /** Pages that people read and no agent asked for. */
  by_people: { count: number; pages: readonly TrafficPage[] };
  /** Of the addresses in the sitemap, those that no agent asked for; null without one. */
  of_sitemap: { addresses: number; unasked: number; pages: readonly string[] } | null;
};

export type FileTraffic = {
  /** The name of the file, without its folder. */
  name: string;
  format: LogFormat | null;
  compression: 'none' | 'gzip' | 'zstd';
  ended: 'whole' | 'truncated' | 'damaged';
  /** The name of a file before it that seems to have the same lines: these are counted twice. */
  same_as: string | null;
  lines: number;
  requests: number;
  unreadable: number;
};

/** Who came, in counts: no address, no query, no User-Agent. */
export type TrafficReport = {
  schema: typeof TRAFFIC_SCHEMA;
  /** The days of the roster of agents, and of the address ranges. */
  roster_date: string;
  ranges_date: string;
  period: { first: Time; last: Time };
  files: readonly FileTraffic[];
  lines: {
    read: number;
    requests: number;
    /** Whole lines that are no requests, such as comments. */
    other: number;
    /** Requests without a time, or with one that does not exist. */
    undated: number;
    unreadable: Readonly<Record<UnreadableReason, number>>;
    /** Requests of another time, host or part of the site than was asked for. */
    left_out: { time: number; host: number; root: number };
  };
  hosts: 'none' | 'one' | 'several';
  classes: readonly ClassTraffic[];
  agents: readonly AgentTraffic[];
  referrals: readonly AssistantReferrals[];
  unread_pages: UnreadPages;
  /** Requests of pages beyond the limit of pages that are counted by themselves. */
  pages_beyond: number;
};
