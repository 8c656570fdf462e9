import * as z from 'zod';
import { SINCE } from '../../../src/web/console/search.tsx';
import { VENDOR_SCOPE_PREFIX } from '../../../src/authorization/oauth/scopes.ts';
import type { Call } from '../../../src/management/core/engine/operation.ts';
import { isText, type JsonObject, toObjects } from '../../../src/lib/json.ts';
import { askTenant } from '../bindings/tenants.ts';
import { findOwnProject, type OwnProject } from '../bindings/own-project.ts';
import type { ConsoleContext, NothingToShow } from './console-request.ts';

/** A read of the operator's project. */
export type ProjectRead = { method: string; path?: Call['path']; query?: Call['query']; body?: JsonObject };
export type ProjectAnswer = { ok: true; body: JsonObject } | { ok: false; status: number; message: string };

/** A list that is read page by page. */
export type Listing = {
  /** The member of an answer that has the items. */
  items: 'entries' | 'traces';
  ask: (page: { pageSize: number; pageToken: string }) => ProjectRead;
  /** Where to go on; '' for the beginning. */
  from: string;
  /** Items at most. */
  wanted: number;
  /** Which of them are shown; all where it is absent. */
  shows?: (item: JsonObject) => boolean;
};
export type ProjectList =
  | { ok: true; items: readonly JsonObject[]; next: string | undefined }
  | Extract<ProjectAnswer, { ok: false }>;

const SCOPES = ['logging.read', 'trace.readonly', 'cloud-platform'].map((name) => `${VENDOR_SCOPE_PREFIX}${name}`);
const CLIENT = 'console';
/** A page that looked at much may have few items, or none: so many are asked for one after the other. */
const MAX_CALLS = 5;
/** Characters of all items: what a Worker has in hand. */
const MAX_CHARS = 16_000_000;
const TOO_MANY = 429;
const SERVER_FAULT = 500;

/** The project of the service's own logs and spans; none where the settings name none, which `NO_PROJECT` explains. */
export const findConsoleProject = ({ env }: ConsoleContext): Promise<OwnProject | undefined> => findOwnProject(env);

/**
 * Asks the operator's tenant, as the operator who is signed in; no fault of its emulator strikes it.
 * @returns the answer, or why what was asked is refused
 * @throws Error where the tenant cannot answer now: that is no refusal
 */
export async function askOwn(c: ConsoleContext, { tenant }: OwnProject, asked: ProjectRead): Promise<ProjectAnswer> {
  const { operator } = c.session;
  const caller: Call['caller'] = {
    tenant: tenant.id,
    kind: 'operator',
    userId: operator.id,
    clientId: CLIENT,
    scopes: SCOPES,
  };
  const call: Call = { path: {}, query: {}, body: {}, ...asked, caller, isOwn: true };
  const answer = await askTenant(tenant, call, c.env);
  if (answer instanceof ReadableStream || (answer.ok && !('body' in answer)))
    throw new Error(`${asked.method} has no body`);
  if (answer.ok) return { ok: true, body: answer.body };
  const { status, message } = answer.refusal;
  if (status >= SERVER_FAULT || status === TOO_MANY) throw new Error(`${asked.method} answered ${status}`);
  return { ok: false, status, message };
}

/** Reads a list until it has as many items as wanted, or has no more, or was asked often enough: then with `next`. */
export async function readList(c: ConsoleContext, own: OwnProject, listing: Listing): Promise<ProjectList> {
  const items: JsonObject[] = [];
  let [next, chars]: [string | undefined, number] = [listing.from, 0];
  for (let calls = 0; calls < MAX_CALLS && chars < MAX_CHARS && next !== undefined; calls += 1) {
    const pageSize = listing.wanted - items.length;
    if (pageSize <= 0) break;
    const said = await askOwn(c, own, listing.ask({ pageSize, pageToken: next }));
    if (!said.ok) return said;
    const found = toObjects(said.body[listing.items]);
    items.push(...(listing.shows === undefined ? found : found.filter(listing.shows)));
    chars += JSON.stringify(found).length;
    const { nextPageToken } = said.body;
    next = isText(nextPageToken) && nextPageToken !== '' ? nextPageToken : undefined;
  }
  return { ok: true, items, next };
}

/** A token that is none, or of another search. */
export const NO_SUCH_PAGE: NothingToShow = {
  status: 400,
  title: 'There is no such page',
  detail: 'Pages belong to the search that led to them, for three days. Begin again.',
};

export const NO_PROJECT: NothingToShow = {
  status: 404,
  title: 'Nothing is stored here',
  detail:
    'This deployment names no project for its own logs and traces: OPERATOR_TENANT and OPERATOR_PROJECT name it, and with TELEMETRY=control they go there.',
};

/** A refusal that is about the page asked for. */
export const isAboutPage = (message: string): boolean => message.includes('pageToken');

const fromSchema = z.iso.datetime({ precision: 3 });
/** An address has about this much room. */
const MAX_PAGE_CHARS = 6_000;

/**
 * What a search of logs or traces is asked for of time, and the page of it. A time before now is fixed with the first
 * page, as `from`: pages of a search are good for the same search only.
 */
export function readSearchStart({ query, now }: Pick<ConsoleContext, 'query' | 'now'>) {
  const page = (query.get('page') ?? '').slice(0, MAX_PAGE_CHARS);
  const since = SINCE.find(({ value }) => value === query.get('since'));
  const given = fromSchema.safeParse(page === '' ? '' : query.get('from'));
  const from = since === undefined ? '' : given.success ? given.data : new Date(now() - since.ms).toISOString();
  const own: '1' | '' = query.get('own') === '1' ? '1' : '';
  return { page, since: since?.value ?? ('' as const), from, own };
}

/** So much before now, as the interfaces write times. */
export const formatBefore = ({ now }: Pick<ConsoleContext, 'now'>, ms: number): string =>
  new Date(now() - ms).toISOString();
