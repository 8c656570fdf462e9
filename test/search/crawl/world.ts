import type { CrawlSource, InstanceConfig, InstanceFacts } from '../../../src/search/order.ts';
import { type AddressPolicy, allowPublicOnly } from '../../../src/net/address-policy.ts';
import { applyInstanceSettings } from '../../../src/search/jobs/apply-instance-settings.ts';
import { type ObjectTools, type Parts, createParts } from '../../../src/search/jobs/parts.ts';
import { computeNextRoundMs, runDueJobs } from '../../../src/search/jobs/run-due-jobs.ts';
import { extractPdfText } from '../../../src/search/pdf/text.ts';
import type { Embedder } from '../../../src/models/port.ts';
import { crawlSource, instanceFacts } from '../../support/management/search-made.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';

export const SITE = 'https://example.com';
const BEGIN_MS = Date.UTC(2026, 10, 1);
/** Rounds that a test waits for. */
const MAX_ROUNDS = 200;

/** An answer of the site: HTML, or a whole response. */
export type Served = string | (() => Response | Promise<Response>);

export const html = (body: string, head = ''): string =>
  `<!doctype html><head>${head === '' ? '<title>Page</title>' : head}</head><main>${body}</main>`;
export const links = (...paths: readonly string[]): string =>
  html(`<h1>Links</h1>${paths.map((path) => `<p><a href="${path}">Go to ${path}</a></p>`).join('')}`);
export const answer =
  (status: number, body = '', headers: Record<string, string> = {}): Served =>
  () =>
    new Response(status === 204 ? null : body, { status, headers });
export const xml = (body: string): Served => answer(200, body, { 'content-type': 'application/xml' });
export const sitemap = (...urls: readonly string[]): Served =>
  xml(
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`,
  );

export const source = (changes: Partial<CrawlSource> = {}): CrawlSource =>
  crawlSource(`${SITE}/`, { maxPages: 100, ...changes });

export const facts = (config: Partial<InstanceConfig> = {}): InstanceFacts =>
  instanceFacts({ source: source(), ...config });

/** An object of an instance over a database in memory, a site, and a clock that sleeping moves. */
export function crawlWorld(pages: Record<string, Served>, policy: AddressPolicy = allowPublicOnly()) {
  const { sql, transaction } = memorySqlite();
  const asked: { path: string; atMs: number; userAgent: string }[] = [];
  const state = {
    nowMs: BEGIN_MS,
    running: 0,
    most: 0,
    seed: 0,
    busyS: 0,
    inside: 0,
    embedder: undefined as Embedder | undefined,
    /** How often all was made durable. */
    synced: 0,
  };
  const sleep = async (ms: number): Promise<void> => {
    state.nowMs += ms;
    await Promise.resolve();
  };
  const fetch: ObjectTools['network']['fetch'] = async (url, { headers }) => {
    const { origin, pathname, search } = new URL(url);
    const path = origin === SITE ? pathname + search : url;
    asked.push({ path, atMs: state.nowMs, userAgent: headers['user-agent'] ?? '' });
    state.running += 1;
    state.most = Math.max(state.most, state.running);
    await new Promise((resolve) => setTimeout(resolve, 0));
    state.running -= 1;
    const served = pages[path] ?? answer(404, 'not here');
    return typeof served === 'string' ? new Response(served, { headers: { 'content-type': 'text/html' } }) : served();
  };
  const tools: ObjectTools = {
    sql,
    transaction,
    now: () => state.nowMs,
    random: (bytes) => (state.seed += 1).toString(16).padStart(bytes * 2, '0'),
    databaseBytes: () => 0,
    network: { fetch, policy, now: () => state.nowMs, userAgent: 'SightlineBot/0.1 (+https://sightline.test/bot)' },
    sleep,
    embedder: () => state.embedder,
    enter: async () => {
      await Promise.resolve();
      if (state.busyS > 0) return state.busyS;
      state.inside += 1;
      return undefined;
    },
    leave: async () => {
      await Promise.resolve();
      state.inside -= 1;
    },
    isWanted: async () => Promise.resolve(true),
    log: () => undefined,
    sync: async () => {
      await Promise.resolve();
      state.synced += 1;
    },
    readPdf: extractPdfText,
  };
  const world = {
    pages,
    asked,
    state,
    tools,
    parts: createParts(tools),
    /** As after a restart: a new object over the same database. */
    restart: () => void (world.parts = createParts(tools)),
    /** One alarm, when it is due. */
    async round() {
      state.nowMs = Math.max(state.nowMs, computeNextRoundMs(world.parts) ?? state.nowMs);
      await runDueJobs(world.parts);
    },
    /** Alarms until the job that is open has ended. @returns it */
    async job(id?: string) {
      const wanted = id ?? world.parts.store.openJobs()[0]?.id ?? (await world.begin());
      for (let count = 0; count < MAX_ROUNDS && world.parts.store.job(wanted)?.endedMs === null; count += 1)
        await world.round();
      return world.parts.store.job(wanted);
    },
    /** Makes the first job begin to be. */
    async begin() {
      world.parts.store.addJob({ source: 'user' });
      await Promise.resolve();
      return world.parts.store.openJobs()[0]?.id ?? '';
    },
    keys: () => keysOf(world.parts),
    log: (id: string) =>
      world.parts.store
        .logOf(id, 1000)
        .map(({ message }) => message)
        .toReversed(),
    learn: (instance: InstanceFacts) => applyInstanceSettings(world.parts, instance, 'changed'),
  };
  return world;
}

export const keysOf = ({ store }: Parts): string[] =>
  store
    .listItems({ page: 1, perPage: 100, sortBy: 'modified_at' })
    .items.map(({ key, status }) =>
      status === 'completed' ? key.replace(SITE, '') : `${key.replace(SITE, '')} ${status}`,
    )
    .toSorted();
