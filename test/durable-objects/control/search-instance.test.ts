import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ResourceStore } from '../../../durable-objects/resource-store.ts';
import { SearchInstance } from '../../../durable-objects/search-instance.ts';
import type { CrawlSource, InstanceFacts, InstanceOrder } from '../../../src/search/order.ts';
import type { Json, JsonObject } from '../../../src/lib/json.ts';
import type { Embedder } from '../../../src/models/port.ts';
import type { SearchCalls } from '../../../src/search/search-object.ts';
import { extractPdfText } from '../../../src/search/pdf/text.ts';
import { readFileText } from '../../../src/search/ingest/text-of.ts';
import { pdf } from '../../support/audit/pdf.ts';
import { gateOf } from '../../routes/api/gates.ts';
import { crawlSource, instanceFacts, searchQuery } from '../../support/management/search-made.ts';
import { pdfOf, type PdfStream } from '../../search/pdf/of.ts';

/** A compressed stream of a PDF. */
async function deflated(content: string): Promise<PdfStream> {
  const stream = new Blob([content]).stream().pipeThrough(new CompressionStream('deflate'));
  return { filters: ['FlateDecode'], bytes: new Uint8Array(await new Response(stream).arrayBuffer()) };
}

const SITE = 'https://docs.example.com';
const MAX_ALARMS = 50;

/** A page, or what makes an answer: one of another object could not be read. */
let pages: Record<string, string | (() => Response)>;
let asked: string[];
let uid: string;
let made = 0;
let isKept: boolean;

beforeEach(() => {
  made += 1;
  uid = made.toString(16).padStart(32, '0');
  [pages, asked] = [{}, []];
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  // These instances are known to no tenant: a crawl asks before it begins.
  isKept = true;
  vi.spyOn(ResourceStore.prototype, 'hasInstance').mockImplementation(async () => Promise.resolve(isKept));
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const url = String(input instanceof Request ? input.url : input);
    asked.push(url);
    const served = pages[url.replace(SITE, '')] ?? (() => new Response('not here', { status: 404 }));
    await Promise.resolve();
    if (typeof served === 'function') return served();
    return new Response(served, { headers: { 'content-type': 'text/html; charset=utf-8' } });
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const source = (changes: Partial<CrawlSource> = {}): CrawlSource => crawlSource(`${SITE}/`, changes);
const instance = (crawl?: CrawlSource): InstanceFacts => instanceFacts(crawl && { source: crawl }, uid);

const object = () => env.SEARCH_INSTANCE.getByName(uid) as DurableObjectStub<SearchInstance>;
/** What the Worker sees of it: the type of its stub is too deep for the compiler. */
const calls = (): SearchCalls => {
  const stub: unknown = object();
  return stub as SearchCalls;
};
const idOf = ({ id }: JsonObject): string => (typeof id === 'string' ? id : '');
type Asked = InstanceOrder extends infer Order
  ? Order extends InstanceOrder
    ? Omit<Order, 'instance'>
    : never
  : never;
async function ask<T extends Json = JsonObject>(order: Asked, crawl?: CrawlSource): Promise<T> {
  const answer = await calls().ask({ ...order, instance: instance(crawl) });
  return (answer.ok ? answer.result : answer.refusal) as T; // Tests look at what they get.
}
const info = async (order: Asked): Promise<JsonObject> => {
  const answer = await calls().ask({ ...order, instance: instance() });
  return (answer.ok && answer.info) || {};
};
const found = async (text: string): Promise<string[]> => {
  const answer = await calls().search(instance(), searchQuery(text));
  return answer.ok ? answer.chunks.map(({ item }) => item.key) : [answer.refusal.reason];
};
async function upload(key: string, type: string, content: string | Uint8Array, waits = true): Promise<JsonObject> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const read = await readFileText({ key, type, bytes }, extractPdfText);
  if (!read.ok) throw new Error(read.reason);
  const { text, title } = read;
  const answer = await calls().upload(instance(), { key, type: read.type, bytes, text, title, metadata: {}, waits });
  return (answer.ok ? answer.result : answer.refusal) as JsonObject;
}
const items = (crawl?: CrawlSource) =>
  ask<JsonObject[]>({ do: 'items.list', page: 1, perPage: 100, sortBy: 'modified_at' }, crawl);
/** For hangs only. */
const IN_TIME = { timeout: 20_000 };
/**
 * Runs the alarm that is set. On a busy machine it may have come due by itself, and none is set while its work goes on:
 * every piece of work sets the next alarm when it ends, at the latest that of the daily census.
 */
const alarm = () => vi.waitFor(async () => expect(await runDurableObjectAlarm(object())).toBe(true), IN_TIME);

/** An alarm that comes due meanwhile does nothing; any call sets the next one. */
async function withoutAlarms(work: () => Promise<void>): Promise<void> {
  const held = vi.spyOn(SearchInstance.prototype, 'alarm').mockResolvedValue(undefined);
  await work();
  held.mockRestore();
  await items();
}

/** Alarms until the newest job has ended. */
async function job(crawl: CrawlSource): Promise<JsonObject> {
  for (let count = 0; count < MAX_ALARMS; count += 1) {
    const [newest] = await ask<JsonObject[]>({ do: 'jobs.list', page: 1, perPage: 1 }, crawl);
    if (newest?.['ended_at'] !== undefined) return newest;
    await alarm();
  }
  throw new Error('The job does not end');
}

describe('uploads', () => {
  test('a file is found once it is uploaded, and not once it is deleted', async () => {
    const item = await upload('guide/start.md', 'text/markdown', '# Start\n\nTurn the crank of the zeppelin.');
    expect(item).toMatchObject({
      key: 'guide/start.md',
      status: 'completed',
      chunks_count: 1,
      source_id: 'builtin',
      namespace: 'default',
      next_action: null,
      file_size: 40,
      metadata: { filename: 'start.md', folder: 'guide/' },
    });
    expect(await found('zeppelin')).toEqual(['guide/start.md']);
    const itemId = idOf(item);
    expect(await ask<JsonObject[]>({ do: 'items.chunks', itemId, limit: 10, offset: 0 })).toMatchObject([
      {
        text: '# Start\n\nTurn the crank of the zeppelin.',
        start_byte: 0,
        end_byte: 40,
        item: { key: 'guide/start.md' },
      },
    ]);
    expect(await ask<JsonObject[]>({ do: 'items.logs', itemId, limit: 10, cursor: '' })).toMatchObject([
      { action: 'index', chunkCount: 1, errorType: null, fileKey: 'guide/start.md', message: 'Indexed' },
    ]);
    expect(await info({ do: 'items.chunks', itemId, limit: 10, offset: 1 })).toEqual({
      count: 0,
      total: 1,
      limit: 10,
      offset: 1,
    });
    expect(await info({ do: 'items.logs', itemId, limit: 10, cursor: '' })).toEqual({
      count: 1,
      per_page: 10,
      cursor: null,
      truncated: false,
    });
    expect(await calls().download(instance(), itemId)).toMatchObject({ ok: true, key: 'guide/start.md' });
    expect(await ask({ do: 'items.delete', itemId })).toEqual({ key: 'guide/start.md' });
    expect(await found('zeppelin')).toEqual([]);
    expect(await ask({ do: 'items.get', itemId })).toMatchObject({ status: 404 });
  });

  test('logs are read page by page, from the cursor of the page before to one that has none', async () => {
    const itemId = idOf(await upload('a.txt', 'text/plain', 'zeppelin'));
    for (let times = 0; times < 2; times += 1) await ask({ do: 'items.index', itemId, waits: true });
    const delivered: unknown[] = [];
    let cursor: Json = '';
    while (typeof cursor === 'string' && delivered.length < 9) {
      const page = await info({ do: 'items.logs', itemId, limit: 2, cursor });
      delivered.push([page['count'], page['per_page'], page['truncated']]);
      cursor = page['cursor'] ?? null;
    }
    expect(delivered).toEqual([
      [2, 2, true],
      [1, 2, false],
    ]);
  });

  test('where nobody waits a file is queued, and its alarm indexes it', async () => {
    expect(await upload('a.txt', 'text/plain', 'a rare zeppelin', false)).toMatchObject({
      status: 'queued',
      next_action: 'INDEX',
      chunks_count: null,
    });
    await alarm();
    await expect.poll(() => found('zeppelin'), IN_TIME).toEqual(['a.txt']);
    expect(await ask({ do: 'stats' })).toMatchObject({ completed: 1, queued: 0, engine: { r2: { objectCount: 1 } } });
  });

  test('the text of a PDF is read here too', async () => {
    await upload('paper.pdf', 'application/pdf', pdf([['A rare zeppelin'], ['flies']], 'On flight'), false);
    await alarm();
    await vi.waitFor(async () => expect(await found('zeppelin')).toEqual(['paper.pdf']), IN_TIME);
  });

  test('a PDF with compressed streams is read here, and one that inflates without end is refused', async () => {
    await upload(
      'paper.pdf',
      'application/pdf',
      pdfOf(await deflated('BT /F1 12 Tf 50 700 Td (A rare zeppelin) Tj ET')),
    );
    expect(await found('zeppelin')).toEqual(['paper.pdf']);
    const bomb = pdfOf(await deflated('q Q '.repeat(5_000_000)));
    await expect(upload('bomb.pdf', 'application/pdf', bomb)).rejects.toThrow('too_large');
  });

  test('a file that waits for its new content is found as it was, and stays so where that cannot be indexed', async () => {
    await upload('a.txt', 'text/plain', 'zeppelin');
    await withoutAlarms(async () => {
      expect(await upload('a.txt', 'text/plain', 'airship', false)).toMatchObject({
        status: 'queued',
        chunks_count: 1,
      });
      expect([await found('zeppelin'), await found('airship')]).toEqual([['a.txt'], []]);
    });
    await alarm();
    await vi.waitFor(async () => expect(await found('airship')).toEqual(['a.txt']), IN_TIME);
    expect(await found('zeppelin')).toEqual([]);
    await withoutAlarms(async () => {
      await upload('a.txt', 'text/plain', 'balloon', false);
      await runInDurableObject(object(), (_, { storage }) =>
        storage.sql.exec('UPDATE total SET chunks = 100001').toArray(),
      );
    });
    await alarm();
    expect(await items()).toMatchObject([{ status: 'error', error: 'full: An instance has at most 100000 chunks' }]);
    expect([await found('airship'), await found('balloon')]).toEqual([['a.txt'], []]);
  });

  test('a page in another charset is read by it when its turn comes', async () => {
    const latin = Uint8Array.from('<p>caf\xe9 zeppelin', (char) => char.charCodeAt(0));
    await upload('a.html', 'text/html; charset=iso-8859-1', latin, false);
    await alarm();
    expect(await found('café')).toEqual(['a.html']);
  });

  test('a file takes the place of the one of its key', async () => {
    const first = await upload('a.txt', 'text/plain', 'zeppelin');
    const second = await upload('a.txt', 'text/plain', 'airship');
    expect(second['id']).toBe(first['id']);
    expect([await found('zeppelin'), await found('airship')]).toEqual([[], ['a.txt']]);
  });

  test('another size of chunks makes others of what is there', async () => {
    await upload('a.txt', 'text/plain', `${'word '.repeat(180)}zeppelin`);
    const facts = instance();
    await calls().configure({ ...facts, config: { ...facts.config, chunkTokens: 64, overlapTokens: 0 } });
    await alarm();
    const [item] = await ask<JsonObject[]>({ do: 'items.list', page: 1, perPage: 1, sortBy: 'status' });
    expect(item).toMatchObject({ status: 'completed', chunks_count: 4 }); // `ask` tells the former size: too late.
  });

  test('without an embedding engine a search by vector is refused, a hybrid one goes by words', async () => {
    const facts = instance();
    const vector = { ...facts, config: { ...facts.config, vector: true } };
    await upload('a.txt', 'text/plain', 'zeppelin');
    expect(await calls().search(vector, searchQuery('zeppelin', { type: 'vector' }))).toMatchObject({
      ok: false,
      refusal: { status: 503, reason: 'engine_not_configured' },
    });
    expect(await calls().search(vector, searchQuery('zeppelin', { type: 'hybrid' }))).toMatchObject({
      chunks: [{ item: { key: 'a.txt' } }],
    });
  });

  test('nothing is left of an instance that is dropped', async () => {
    await upload('a.txt', 'text/plain', 'zeppelin');
    await calls().drop();
    const tables = await runInDurableObject(object(), (_, { storage }) =>
      storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
    );
    expect(tables).toEqual([]);
    expect(await runInDurableObject(object(), (_, { storage }) => storage.getAlarm())).toBeNull();
  });

  test.each(['upload', 'ask', 'search'] as const)('%s is 404 where the instance is dropped meanwhile', async (what) => {
    await upload('a.txt', 'text/plain', 'zeppelin');
    const itemId = idOf((await items())[0] ?? {});
    const { config, ...named } = instance();
    const facts = { ...named, config: { ...config, vector: true } };
    await calls().configure(facts);
    await alarm(); // None comes in between.
    let dropped = 0;
    const embed: Embedder['embed'] = async (texts) => {
      await runInDurableObject(object(), (it) => it.drop());
      dropped += 1;
      return { ok: true, vectors: texts.map(() => Float32Array.of(1)) };
    };
    await runInDurableObject(object(), (it) => {
      Object.assign(it, { embedder: () => ({ kind: 'simulated', model: 'm', embed }) });
    });
    const bytes = new TextEncoder().encode('airship');
    const file = { key: 'b.txt', type: 'text/plain', bytes, text: 'airship', title: '', metadata: {}, waits: true };
    const asking = {
      upload: () => calls().upload(facts, file),
      ask: () => calls().ask({ do: 'items.index', instance: facts, itemId, waits: true }),
      search: () => calls().search(facts, searchQuery('zeppelin', { type: 'vector' })),
    };
    expect(await asking[what]()).toMatchObject({ ok: false, refusal: { status: 404, message: 'ai_search_not_found' } });
    expect(dropped).toBe(1);
  });

  test('an instance that its tenant has no more goes with the census of a day', async () => {
    await upload('a.txt', 'text/plain', 'zeppelin');
    await runInDurableObject(object(), (_, { storage }) =>
      storage.sql.exec("UPDATE own SET value = '1' WHERE name = 'next_census'").toArray(),
    );
    isKept = false;
    await alarm();
    expect(await runInDurableObject(object(), (_, { storage }) => storage.getAlarm())).toBeNull();
    expect(await found('zeppelin')).toEqual([]);
  });
});

test('a crawl of an instance that its tenant has no more is not begun: the instance goes', async () => {
  pages['/'] = page('<p>x');
  isKept = false;
  await calls().configure(instance(source()));
  // Where the machine is busy the alarm has come by itself, and an instance that went sets no other.
  await vi.waitFor(async () => {
    await runDurableObjectAlarm(object());
    expect(await runInDurableObject(object(), readStored)).toEqual({ alarmMs: null, tables: [] });
  }, IN_TIME);
  expect(asked).toEqual([]);
});

const readStored = async (_: unknown, { storage }: DurableObjectState) => ({
  alarmMs: await storage.getAlarm(),
  tables: storage.sql.exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> '_cf_METADATA'").toArray(),
});

const page = (body: string): string => `<!doctype html><title>Page</title><nav>Menu</nav><main>${body}</main>`;

describe('a crawl', () => {
  test('of a new instance begins by itself: robots.txt, sitemap, links, duplicates and failures', async () => {
    Object.assign(pages, {
      '/robots.txt': `User-agent: *\nDisallow: /private\nSitemap: ${SITE}/map.xml`,
      '/map.xml': () =>
        new Response(
          `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${SITE}/listed</loc></url></urlset>`,
          { headers: { 'content-type': 'application/xml' } },
        ),
      '/': page(
        '<h1>Home</h1><p><a href="/a?">a</a> <a href="/a#x">a</a> <a href="/private">p</a> <a href="/bad">b</a>',
      ),
      '/a': page('<h1>About</h1><p>The zeppelin of the house.'),
      '/listed': page('<p>Listed'),
      '/bad': () => new Response('no', { status: 500 }),
    });
    await calls().configure(instance(source()));
    const ended = await job(source());
    expect(ended).toMatchObject({ source: 'schedule', end_reason: 'completed' });
    const rows = await items(source());
    expect(Object.fromEntries(rows.map(({ key, status }) => [key, status]))).toEqual({
      [`${SITE}/`]: 'completed',
      [`${SITE}/a`]: 'completed',
      [`${SITE}/bad`]: 'error',
      [`${SITE}/listed`]: 'completed',
    });
    expect(rows.every((row) => row['source_id'] === `web-crawler:${SITE}`)).toBe(true);
    expect(asked).not.toContain(`${SITE}/private`);
    const result = await calls().search(instance(source()), searchQuery('zeppelin'));
    expect(result).toMatchObject({ ok: true, chunks: [{ item: { key: `${SITE}/a` } }] });
    const logs = await ask<JsonObject[]>({ do: 'jobs.logs', jobId: idOf(ended), page: 1, perPage: 50 }, source());
    expect(logs.map(({ message }) => message)).toContain(`A page could not be read: ${SITE}/bad (status_500)`);
    expect(
      logs.every(({ id, created_at, message_type }) => [id, created_at, message_type].every(Number.isInteger)),
    ).toBe(true);
  });

  test('of an instance with rules names what it skips, and takes metadata from the metas of pages', async () => {
    const ruled = source({ include: ['/docs/**'], exclude: ['/docs/*?draft=*'] });
    const { config, ...named } = instance(ruled);
    const delivered = { ...named, config: { ...config, metadata: [{ name: 'category', type: 'text' as const }] } };
    pages['/'] = page('<a href="/docs/a">a</a> <a href="/docs/a?draft=1">d</a> <a href="/blog">b</a>');
    pages['/docs/a'] = '<head><meta name="category" content="x"></head><main><p>The zeppelin of the house.</main>';
    await calls().configure(delivered);
    const ended = await job(ruled);
    expect(await items(ruled)).toMatchObject([{ key: `${SITE}/docs/a`, metadata: { category: 'x' } }]);
    const logs = await ask<JsonObject[]>({ do: 'jobs.logs', jobId: idOf(ended), page: 1, perPage: 50 }, ruled);
    expect(logs.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        `Skipped by rule: /docs/*?draft=* (${SITE}/docs/a?draft=1)`,
        `Skipped by Include Rules: ${SITE}/blog`,
      ]),
    );
    const filter = { match: 'all', conditions: [{ field: 'category', type: 'text', op: 'eq', value: 'x' }] } as const;
    expect(await calls().search(delivered, searchQuery('zeppelin', { filter }))).toMatchObject({
      ok: true,
      chunks: [{ item: { key: `${SITE}/docs/a` } }],
    });
  });

  test('goes on after the object was evicted in the middle of it', async () => {
    const paths = Array.from({ length: 4 }, (_, index) => `/p${index}`);
    pages['/robots.txt'] = 'User-agent: *\nCrawl-delay: 3';
    pages['/'] = page(paths.map((path) => `<a href="${path}">x</a>`).join(' '));
    for (const path of paths) pages[path] = page(`<p>${path}`);
    await calls().configure(instance(source()));
    await alarm();
    const before = asked.length;
    expect(before).toBeGreaterThan(0);
    pages['/robots.txt'] = () => new Response('changed', { status: 500 });
    await evictDurableObject(object());
    await runInDurableObject(object(), (_, { storage }) => {
      storage.sql.exec("UPDATE crawl SET robots = '', not_before_ms = 0").toArray();
    });
    expect(await job(source())).toMatchObject({ end_reason: 'completed' });
    expect(await items(source())).toHaveLength(5);
    expect(asked.filter((url) => url.endsWith('/robots.txt'))).toHaveLength(1);
  });

  test('can be cancelled, and its pages are asked for no more', async () => {
    pages['/robots.txt'] = 'User-agent: *\nCrawl-delay: 3';
    pages['/'] = page('<a href="/a">x</a>');
    await calls().configure(instance(source()));
    await alarm();
    const [running] = await ask<JsonObject[]>({ do: 'jobs.list', page: 1, perPage: 1 }, source());
    const jobId = idOf(running ?? {});
    expect(await ask({ do: 'jobs.cancel', jobId }, source())).toMatchObject({ id: jobId, end_reason: 'cancelled' });
    const before = asked.length;
    await alarm();
    expect(asked).toHaveLength(before);
  });

  test.each(['http://127.0.0.1:8080/', 'http://169.254.169.254/', 'http://192.168.0.1/'])(
    'F5: of %s is refused, and the job says so',
    async (url) => {
      await calls().configure(instance(source({ url })));
      const ended = await job(source({ url }));
      expect(ended).toMatchObject({ end_reason: 'source_refused' });
      const jobId = idOf(ended);
      const logs = await ask<JsonObject[]>({ do: 'jobs.logs', jobId, page: 1, perPage: 50 }, source({ url }));
      expect(JSON.stringify(logs)).toContain('private_target');
      expect(asked).toEqual([]);
    },
  );

  test('F5: a redirect to a private address is not followed', async () => {
    pages['/'] = () => new Response(null, { status: 302, headers: { location: 'http://10.0.0.1/secret' } });
    await calls().configure(instance(source()));
    await job(source());
    expect(asked).not.toContain('http://10.0.0.1/secret');
    expect(await items(source())).toMatchObject([{ status: 'error', error: 'could not be read: private_target' }]);
  });

  test('F6: waits while two others read the host', async () => {
    pages['/'] = page('<p>x');
    const gate = gateOf('docs.example.com');
    await gate.enter('one');
    await gate.enter('two');
    await calls().configure(instance(source()));
    await alarm();
    expect(asked).toEqual([]);
  });

  test('F6: a page that is asked for by its address waits with the crawls while two others read the host', async () => {
    pages['/new'] = page('<p>A rare zeppelin');
    const gate = gateOf('docs.example.com');
    await Promise.all(['one', 'two'].map((id) => gate.enter(id)));
    const order = { do: 'items.index', key: `${SITE}/new`, waits: true } as const;
    expect(await ask(order, source())).toMatchObject({ status: 'queued', next_action: 'INDEX' });
    expect(asked).toEqual([]);
    await gate.leave('one');
    expect(await ask(order, source())).toMatchObject({ status: 'completed', next_action: null });
  });

  test('a page can be indexed by its address', async () => {
    pages['/new'] = page('<p>A rare zeppelin');
    const order = { do: 'items.index', key: `${SITE}/new`, waits: true } as const;
    expect(await ask(order, source())).toMatchObject({ status: 'completed', key: `${SITE}/new`, next_action: null });
    expect(await ask({ ...order, key: 'https://other.example/' }, source())).toMatchObject({ status: 404 });
    expect(await ask({ ...order, key: 'nothing.txt' })).toMatchObject({ status: 404 });
  });
});
