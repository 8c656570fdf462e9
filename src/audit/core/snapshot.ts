import { rememberPerObject } from '../../lib/memo.ts';
import type { FetchFailure, Hop } from '../../net/fetched.ts';
import type { Rendered } from '../rendered/facts/rendered-look.ts';
import type { Site } from './site.ts';

/** An answer as kept in a snapshot: text decoded by its charset, bytes hashed, secrets of the site left out (rule F10). */
export type SnapshotAnswer = {
  ok: true;
  url: string;
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  bodyBytes: number;
  sha256: string;
  truncated: boolean;
  redirects: readonly Hop[];
};

export type NoAnswer = { ok: false; reason: FetchFailure; detail: string; redirects: readonly Hop[] };

/** One request of an audit and what came back. `role` names its purpose, e.g. `page`, `robots`, `llms-link:3`. */
export type Exchange = {
  role: string;
  method: 'GET' | 'HEAD' | 'POST' | 'OPTIONS';
  url: string;
  requestHeaders: Readonly<Record<string, string>>;
  requestBody?: string;
  answer: SnapshotAnswer | NoAnswer;
  /** The role whose request this is as well: one request was made for both, and is recorded there. */
  sameAs?: string;
  /** Wall time in milliseconds; the only part of a snapshot that differs between two runs over the same site. */
  ms: number;
};

/** Everything an audit read. Judging is a pure function of it: the same snapshot gives the same bytes out. */
export type Snapshot = {
  version: 1;
  url: string;
  /** The audit's fixed clock, Unix milliseconds: dates are judged against it, never against "now". */
  clockMs: number;
  exchanges: readonly Exchange[];
  /** The https address that was asked for and gave no connection, where `url` was read by http in its place. */
  insteadOf?: { url: string; reason: FetchFailure; detail: string };
  /** What a browser showed of the start page; absent where none was asked. */
  rendered?: Rendered;
};

/** Finds the exchange of a role; undefined when the audit made no such request. */
export type ExchangeLookup = (role: string) => Exchange | undefined;

/** The lookup of a snapshot; made once, since nearly every artifact asks for it. */
export const getExchangeLookup = rememberPerObject((snapshot: Snapshot): ExchangeLookup => {
  const byRole = new Map(snapshot.exchanges.map((exchange) => [exchange.role, exchange]));
  return (role) => byRole.get(role);
});

/** Exchanges whose role is `prefix:<number>`, in number order. */
export function listNumberedExchanges(snapshot: Snapshot, prefix: string): readonly Exchange[] {
  return snapshot.exchanges
    .filter((exchange) => exchange.role.startsWith(`${prefix}:`))
    .toSorted((a, b) => Number(a.role.slice(prefix.length + 1)) - Number(b.role.slice(prefix.length + 1)));
}

/** The `facts` of a cheap check capability: what was found, without a verdict. Plain JSON, in a fixed order of keys. */
export type CapabilityFacts = (snapshot: Snapshot, site: Site) => Readonly<Record<string, unknown>>;

/** That another address than the one asked for was read, as a warning says it. */
export const formatReadInstead = (asked: string, read: string): string =>
  `${asked} gave no answer, so ${read} was read instead.`;

/** The warning, and its earlier wording in stored reports. */
const READ_INSTEAD =
  /^(\S{1,2100}) (?:gave no answer|could not be read \(.{0,500}\)), so (\S{1,2100}) was read instead\.$/;

/** Which address was asked for and which one was read; undefined for any other warning. */
export function parseReadInstead(warning: string): { asked: string; read: string } | undefined {
  const [, asked, read] = READ_INSTEAD.exec(warning) ?? [];
  return asked === undefined || read === undefined ? undefined : { asked, read };
}
