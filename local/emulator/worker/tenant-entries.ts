import * as z from 'zod';
import { type Json, parseJson } from '../../../src/lib/json.ts';
import { countUtf8Bytes } from '../../../src/lib/utf8.ts';
import { MAX_ENTRIES_BODY_BYTES } from '../../../src/management/core/conventions/body.ts';
import { type AppCall, type CallOutcome, DONE, explain, post } from './app-call.ts';
import type { EmulatorEnv } from './environment.ts';
import type { TenantRegistry } from './stores.ts';

/** Containers that log entries belong to. */
const WITH_ENTRIES = /^(?:projects|folders|organizations|billingAccounts)\//;
/** Of one `entries.list`. */
export const NAMES_A_LIST = 100;
const PAGE = 1_000;
/** Of one `entries.write`, which has a limit of bytes too: room is left for what is around them. */
const ENTRIES_A_WRITE = 1_000;
const BYTES_A_WRITE = MAX_ENTRIES_BODY_BYTES - 1_024;

type Entry = Readonly<Record<string, z.core.util.JSONType>>;
type Means = { env: EmulatorEnv; ask: AppCall };

/** Writes log entries, in their order. */
export async function writeEntries(id: string, entries: readonly Entry[], ask: AppCall): Promise<CallOutcome> {
  for (const { at, some } of cutWrites(entries)) {
    const written = await post(id, '/v2/entries:write', { entries: some }, ask);
    if (!written.ok) return explain(`entries from ${at} on: ${written.detail}`);
  }
  return DONE;
}

/** As many at once as one write takes. */
function* cutWrites(entries: readonly Entry[]): Generator<{ at: number; some: readonly Entry[] }> {
  let [at, bytes] = [0, 0];
  for (const [place, entry] of entries.entries()) {
    const more = countUtf8Bytes(JSON.stringify(entry)) + 1;
    if (place > at && (place - at >= ENTRIES_A_WRITE || bytes + more > BYTES_A_WRITE)) {
      yield { at, some: entries.slice(at, place) };
      [at, bytes] = [place, 0];
    }
    bytes += more;
  }
  if (at < entries.length) yield { at, some: entries.slice(at) };
}

/** Says how many of the entries that were written are not there; undefined where all are. */
export async function describeUntaken(id: string, written: number, means: Means): Promise<string | undefined> {
  let found = 0;
  for (let from: string | undefined = written === 0 ? undefined : ''; from !== undefined;) {
    const page: EntryPage = await listEntryPage(id, from, means);
    if (!page.ok) return `${id}: ${page.detail}`;
    found += page.entries.length;
    from = page.next;
  }
  if (found >= written) return undefined;
  const why = 'by the clock of this run (--clock) their buckets do not keep their times, or sinks leave them out';
  return `${id}: ${written - found} of ${written} log entries were not taken: ${why}.`;
}

/** The containers of a tenant, and which of them may have log entries. */
export async function listContainers(
  id: string,
  env: EmulatorEnv,
): Promise<{ all: readonly string[]; withEntries: readonly string[] }> {
  const all = await getTenantNames(env).containersOf(id);
  return { all, withEntries: all.filter((name) => WITH_ENTRIES.test(name)) };
}

/** The registry of tenants and the names of their containers. */
export function getTenantNames({ TENANT_REGISTRY }: EmulatorEnv): TenantRegistry {
  const registry: unknown = TENANT_REGISTRY.getByName('tenants');
  return registry as TenantRegistry; // Its class, as this Worker exports it.
}

const pageSchema = z.object({ entries: z.array(z.json()).default([]), nextPageToken: z.string().optional() });

/** Where a page of entries begins: the first of the names that it is of, and the token of the page. */
const placeSchema = z.tuple([z.int().min(0), z.string()]);

type EntryPage = { ok: true; entries: readonly Json[]; next?: string } | { ok: false; detail: string };

/** A page of the log entries of a tenant, which may be empty. `from`: empty, or `next` of the page before. */
export async function listEntryPage(id: string, from: string, { env, ask }: Means): Promise<EntryPage> {
  const { withEntries } = await listContainers(id, env);
  const [at, pageToken] = from === '' ? [0, ''] : placeSchema.parse(parseJson(from));
  const resourceNames = withEntries.slice(at, at + NAMES_A_LIST);
  if (resourceNames.length === 0) return { ok: true, entries: [] };
  const asked = { resourceNames, pageSize: PAGE, ...(pageToken === '' ? {} : { pageToken }) };
  const answer = await ask(id, '/v2/entries:list', asked);
  if (!answer.ok) return { ok: false, detail: `its log entries cannot be listed: HTTP ${answer.status}` };
  const { entries, nextPageToken = '' } = pageSchema.parse(await answer.json());
  const next = nextPageToken === '' ? [at + NAMES_A_LIST, ''] : [at, nextPageToken];
  const isLast = nextPageToken === '' && at + NAMES_A_LIST >= withEntries.length;
  return { ok: true, entries, ...(isLast ? {} : { next: JSON.stringify(next) }) };
}
