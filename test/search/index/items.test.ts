import { describe, expect, test } from 'vitest';
import { MAX_DATABASE_BYTES, MAX_ITEM_BYTES, MAX_ITEM_CHUNKS } from '../../../src/search/index/item.ts';
import { asked, chunksOf, itemOf } from './support-data.ts';
import { filled, testStore } from './support.ts';

const page = { page: 1, perPage: 10, sortBy: 'status' } as const;

describe('an item', () => {
  test('is stored with all that it says', () => {
    const { store, state } = testStore();
    const bytes = new TextEncoder().encode('One. Two.');
    const outcome = store.putItem(
      itemOf('docs/a.md', { title: 'A', metadata: { year: 1 }, bytes, modifiedMs: 7 }),
      chunksOf('One. ', 'Two.'),
    );
    const item = {
      id: '1'.padStart(32, '0'),
      source: 'builtin',
      key: 'docs/a.md',
      status: 'completed',
      checksum: 'sum of docs/a.md',
      size: 9,
      type: 'text/markdown',
      title: 'A',
      metadata: { year: 1 },
      createdMs: state.nowMs,
      seenMs: state.nowMs,
      modifiedMs: 7,
      chunks: 2,
      vectors: 0,
      error: null,
      nextAction: null,
    };
    expect(outcome).toEqual({ ok: true, item, effect: 'created' });
    expect(store.item(item.id)).toEqual(item);
    expect(store.itemByKey('builtin', 'docs/a.md')).toEqual(item);
    expect(store.itemByKey('other', 'docs/a.md')).toBeUndefined();
    expect(store.raw(item.id)).toEqual(bytes);
    expect(store.chunksOf(item.id, 10, 1)).toEqual([
      { id: `${item.id}-1`, position: 1, text: 'Two.', heading: '', startByte: 5, endByte: 9 },
    ]);
    expect(store.chunksOf(item.id, 1, 0).map(({ text }) => text)).toEqual(['One. ']);
    expect(store.chunksOf(item.id, 10, 1e9)).toEqual([]);
  });

  test('of the same source and key takes its place, and nothing of the former one is found', () => {
    for (const tokenizer of ['porter', 'trigram'] as const) {
      const { store, state } = testStore();
      store.reindex(tokenizer);
      const first = store.putItem(
        itemOf('a', { title: 'Walrus', bytes: new Uint8Array(3) }),
        chunksOf('quokka', 'okapi'),
      );
      store.putItem(itemOf('b'), chunksOf('tapir'));
      state.nowMs += 1;
      const second = store.putItem(itemOf('a', { checksum: 'x', bytes: new Uint8Array(5) }), chunksOf('numbat'));
      expect(second).toMatchObject({ ok: true, effect: 'replaced', item: { chunks: 1, createdMs: state.nowMs - 1 } });
      expect(second.ok && first.ok && second.item.id === first.item.id).toBe(true);
      for (const gone of ['quokka', 'okapi', 'walrus']) expect(store.search(asked(gone))).toEqual([]);
      for (const there of ['numbat', 'tapir']) expect(store.search(asked(there))).toHaveLength(1);
      expect(store.stats()).toMatchObject({ items: 2, chunks: 2, bytes: 5 });
    }
  });

  test('with the content that it has is only seen, with its metadata', () => {
    const { store, state, statements } = testStore();
    store.putItem(itemOf('a', { modifiedMs: 5 }), chunksOf('quokka'));
    state.nowMs += 1_000;
    statements.length = 0;
    const again = store.putItem(itemOf('a', { metadata: { tag: 'new' } }), chunksOf('never stored'));
    expect(again).toMatchObject({
      effect: 'unchanged',
      item: { seenMs: state.nowMs, createdMs: state.nowMs - 1_000, modifiedMs: 5, metadata: { tag: 'new' } },
    });
    expect(statements).toHaveLength(2);
    expect(store.search(asked('stored'))).toEqual([]);
  });

  test('that is seen again without a change has no error any more', () => {
    const { store } = filled({ a: 'quokka' });
    store.markItem(store.itemByKey('builtin', 'a')?.id ?? '', { error: 'could not be read: status_500' });
    expect(store.putItem(itemOf('a'), chunksOf('quokka'))).toMatchObject({
      effect: 'unchanged',
      item: { error: null },
    });
  });

  test('of another type is written anew, though its bytes are the same', () => {
    const { store } = filled({ a: '<p>quokka' });
    expect(store.putItem(itemOf('a', { type: 'text/html' }), chunksOf('numbat'))).toMatchObject({
      effect: 'replaced',
      item: { type: 'text/html' },
    });
    expect(store.search(asked('numbat'))).toHaveLength(1);
  });

  test('that is queued with new content is found as it was, until the new one is there', () => {
    const { store } = testStore();
    store.putItem(itemOf('a', { bytes: new Uint8Array(3) }), chunksOf('quokka', 'okapi'), [
      Float32Array.of(1),
      Float32Array.of(1),
    ]);
    const bytes = new Uint8Array(5);
    expect(store.putItem(itemOf('a', { status: 'queued', checksum: 'x', bytes }), [])).toMatchObject({
      effect: 'replaced',
      item: { status: 'queued', chunks: 2, vectors: 2, size: 5 },
    });
    expect(store.search(asked('quokka'))).toHaveLength(1);
    expect(store.raw(store.itemByKey('builtin', 'a')?.id ?? '')).toEqual(bytes);
    expect(store.stats()).toMatchObject({ items: 1, chunks: 2, vectors: 2, bytes: 5 });
    store.putItem(itemOf('a', { checksum: 'x', bytes }), chunksOf('numbat'));
    expect([store.search(asked('quokka')).length, store.search(asked('numbat')).length]).toEqual([0, 1]);
    expect(store.stats()).toMatchObject({ items: 1, chunks: 1, vectors: 0, bytes: 5 });
  });

  test('that is outdated is written anew whatever its content is', () => {
    const { store } = testStore();
    store.putItem(itemOf('a'), chunksOf('quokka'));
    store.outdateItems();
    expect(store.waitingItems(5)).toMatchObject([{ key: 'a', status: 'outdated', nextAction: 'INDEX' }]);
    expect(store.search(asked('quokka'))).toHaveLength(1);
    expect(store.putItem(itemOf('a'), chunksOf('numbat'))).toMatchObject({
      effect: 'replaced',
      item: { status: 'completed', nextAction: null },
    });
    expect(store.search(asked('quokka'))).toEqual([]);
    expect(store.waitingItems(5)).toEqual([]);
  });

  test('that is removed leaves nothing', () => {
    const { store, sql } = filled({ a: 'quokka', b: 'numbat' }, () => ({ bytes: new Uint8Array(2) }));
    const id = store.itemByKey('builtin', 'a')?.id ?? '';
    store.logItem(id, { level: 'info', action: 'indexed', message: 'It was indexed.' });
    expect(store.removeItem(id)).toBe(true);
    expect(store.removeItem(id)).toBe(false);
    expect(store.item(id)).toBeUndefined();
    expect(store.raw(id)).toBeUndefined();
    expect(store.chunksOf(id, 10, 0)).toEqual([]);
    expect(store.logOf(id, 10)).toEqual([]);
    expect(store.search(asked('quokka'))).toEqual([]);
    expect(store.stats()).toMatchObject({ items: 1, chunks: 1, bytes: 2 });
    for (const table of ['piece', 'chunk', 'word_porter'])
      expect(sql.exec(`SELECT count(*) AS n FROM ${table}`).toArray()).toEqual([{ n: 1 }]);
  });

  test('whose writing fails is as it was', () => {
    const { store } = testStore();
    store.putItem(itemOf('a', { title: 'Old' }), chunksOf('quokka'));
    const broken = [{ ...chunksOf('numbat')[0], startByte: null }] as never;
    expect(() => store.putItem(itemOf('a', { checksum: 'x' }), broken)).toThrow('NOT NULL');
    expect(store.search(asked('quokka'))).toHaveLength(1);
    expect(store.stats()).toMatchObject({ items: 1, chunks: 1 });
  });

  test('keeps texts that are no Unicode, byte for byte in its positions', () => {
    const { store } = testStore();
    store.putItem(itemOf('a', { title: 'x\uD800y\0z' }), [
      { text: 'a\uD800b\0c', heading: '\0', startByte: 0, endByte: 7 },
    ]);
    const [found] = store.search(asked('c'));
    expect(found?.text).toBe('a\uFFFDb c');
    expect(store.itemByKey('builtin', 'a')?.title).toBe('x\uFFFDy z');
  });

  test('is marked without its content', () => {
    const { store } = filled({ a: 'quokka' });
    const id = store.itemByKey('builtin', 'a')?.id ?? '';
    expect(store.markItem(id, { status: 'error', error: 'It was not found.' })).toMatchObject({
      status: 'error',
      error: 'It was not found.',
      nextAction: null,
      chunks: 1,
    });
    expect(store.markItem(id, { nextAction: 'INDEX', seenMs: 5 })).toMatchObject({
      error: 'It was not found.',
      nextAction: 'INDEX',
      seenMs: 5,
    });
    expect(store.markItem(id, { error: null, nextAction: null })).toMatchObject({ error: null, nextAction: null });
    expect(store.markItem('none', { status: 'error' })).toBeUndefined();
    expect(store.unseenItems('builtin', 6, 5)).toHaveLength(1);
    expect(store.unseenItems('builtin', 5, 5)).toEqual([]);
  });
});

describe('a list', () => {
  const { store, state } = testStore();
  const statuses = ['completed', 'error', 'queued', 'running', 'skipped', 'outdated', 'completed'] as const;
  for (const [at, status] of statuses.entries()) {
    state.nowMs += 1;
    const source = at % 2 === 0 ? 'builtin' : 'web-crawler:https://a.example';
    store.putItem(itemOf(`docs/File-${at}%.md`, { source, status, modifiedMs: at * 10 }), []);
  }
  const numbers = (query: object): string =>
    store
      .listItems({ ...page, ...query })
      .items.map(({ key }) => key.charAt(10))
      .join('');

  test.each([
    [{}, '3215460'],
    [{ sortBy: 'modified_at' }, '6543210'],
    [{ perPage: 3 }, '321'],
    [{ perPage: 3, page: 3 }, '0'],
    [{ perPage: 3, page: 4 }, ''],
    [{ status: 'completed' }, '60'],
    [{ source: 'builtin' }, '2460'],
    [{ key: 'docs/File-4%.md' }, '4'],
    [{ key: 'file-4%.md' }, ''],
    [{ search: 'file-4' }, '4'],
    [{ search: '%' }, '3215460'],
    [{ search: '_' }, ''],
    [{ search: 'a'.repeat(1_000) }, ''],
    [{ itemId: '3'.padStart(32, '0') }, '2'],
    [{ itemId: "' OR 1 --" }, ''],
    [{ status: 'completed', source: 'builtin', search: '6' }, '6'],
  ])('%j', (query, expected) => expect(numbers(query)).toBe(expected));

  test('tells how many there are', () => {
    expect(store.listItems({ ...page, perPage: 2 }).total).toBe(7);
    expect(store.listItems({ ...page, status: 'error' }).total).toBe(1);
    expect(store.stats()).toEqual({
      completed: 2,
      error: 1,
      queued: 1,
      running: 1,
      skipped: 1,
      outdated: 1,
      items: 7,
      chunks: 0,
      vectors: 0,
      bytes: 0,
      databaseBytes: 0,
      noRoom: { words: false, vectors: false },
    });
  });
});

describe('K9: limits', () => {
  test('an upload of 4 MiB is less than 5,000 statements of at most a hundred values, and comes back whole', () => {
    const { store, statements } = testStore();
    const text = 'All work and no play makes a dull boy. '.repeat(120_000).slice(0, MAX_ITEM_BYTES);
    const bytes = new TextEncoder().encode(text);
    const texts = Array.from({ length: text.length / 256 }, (_, at) => text.slice(at * 256, at * 256 + 256));
    const vectors = texts.map(() => Float32Array.of(1, 0));
    for (const checksum of ['first', 'second']) {
      statements.length = 0;
      const outcome = store.putItem(itemOf('a', { bytes, checksum }), chunksOf(...texts), vectors);
      expect(outcome).toMatchObject({ ok: true, item: { chunks: 16_384 } });
      expect(statements.length).toBeLessThan(2_000);
    }
    for (const statement of statements) expect(statement.split('?').length - 1).toBeLessThan(100);
    expect(Buffer.from(store.raw(store.listItems(page).items[0]?.id ?? '') ?? []).equals(bytes)).toBe(true);
    statements.length = 0;
    store.search(asked(Array.from({ length: 64 }, (_, at) => `word${at}`).join(' '), { maxResults: 50 }));
    store.search(asked('work play', { maxResults: 50, expansion: 3 }));
    expect(statements.length).toBeLessThan(300);
  });

  test('a file that is too large, or has too many chunks, is not stored', () => {
    const { store } = testStore();
    const bytes = new Uint8Array(MAX_ITEM_BYTES + 1);
    expect(store.putItem(itemOf('a', { bytes }), [])).toMatchObject({ ok: false, reason: 'too_large' });
    const chunks = Array.from({ length: MAX_ITEM_CHUNKS + 1 }, () => chunksOf('a')).flat();
    expect(store.putItem(itemOf('a'), chunks)).toMatchObject({ ok: false, reason: 'too_large' });
    expect(store.stats().items).toBe(0);
  });

  test('a full instance stores nothing more, and keeps what it has', () => {
    const { store, state, sql } = filled({ a: 'quokka' });
    state.databaseBytes = MAX_DATABASE_BYTES - 10; // Six bytes of text take 6 and 3.6 of its words.
    expect(store.putItem(itemOf('b'), chunksOf('seven..'))).toMatchObject({ ok: false, reason: 'full' });
    const bytes = new Uint8Array(1);
    expect(store.putItem(itemOf('b', { bytes }), chunksOf('sixsix'))).toMatchObject({ ok: false, reason: 'full' });
    const vectors = [Float32Array.of(1)];
    expect(store.putItem(itemOf('b'), chunksOf('sixsix'), vectors)).toMatchObject({ ok: false, reason: 'full' });
    expect(store.putItem(itemOf('b'), chunksOf('sixsix'))).toMatchObject({ ok: true });
    expect(store.putItem(itemOf('a', { checksum: 'x' }), chunksOf('more than there is room'))).toMatchObject({
      reason: 'full',
    });
    expect(store.search(asked('quokka'))).toHaveLength(1);
    state.databaseBytes = 0;
    sql.exec('UPDATE total SET items = 20000');
    expect(store.putItem(itemOf('c'), chunksOf('c'))).toMatchObject({ ok: false, reason: 'full' });
    expect(store.putItem(itemOf('a', { checksum: 'y' }), chunksOf('c'))).toMatchObject({ ok: true });
    sql.exec('UPDATE total SET items = 2, chunks = 100000');
    expect(store.putItem(itemOf('c'), chunksOf('c'))).toMatchObject({ ok: false, reason: 'full' });
    expect(store.putItem(itemOf('a', { checksum: 'z' }), chunksOf('c'))).toMatchObject({ ok: true });
  });

  test('trigrams take five times as much room as words, and both while one takes the place of the other', () => {
    const { store, state } = testStore();
    const stored = (text: string) => store.putItem(itemOf('a', { checksum: text }), chunksOf(text)).ok;
    store.reindex('trigram');
    state.databaseBytes = MAX_DATABASE_BYTES - 420;
    expect([stored('x'.repeat(101)), stored('x'.repeat(100))]).toEqual([false, true]);
    state.databaseBytes = 0;
    store.putItem(itemOf('b'), chunksOf(...Array.from({ length: 500 }, () => 'many')));
    expect(store.reindex('porter')).toBe(false);
    state.databaseBytes = MAX_DATABASE_BYTES - 480;
    expect([stored('y'.repeat(101)), stored('y'.repeat(100))]).toEqual([false, true]);
  });

  test('a full instance gets no more vectors, and asks for none', () => {
    const { store, state } = filled({ a: 'quokka', b: 'numbat' });
    const [first, second] = store.chunksWithoutVectors(2).map((chunk) => ({ ...chunk, vector: new Float32Array(80) }));
    if (!first || !second) throw new Error('No chunks');
    expect(store.setVectors([first])).toBe(true);
    state.databaseBytes = MAX_DATABASE_BYTES - 99;
    expect(store.setVectors([second])).toBe(false);
    expect(store.chunksWithoutVectors(2)).toEqual([]);
    expect(store.stats()).toMatchObject({ vectors: 1, noRoom: { vectors: true, words: false } });
    state.databaseBytes = MAX_DATABASE_BYTES - 1_048_576;
    expect(store.chunksWithoutVectors(2)).toHaveLength(1);
    expect(store.setVectors([second])).toBe(true);
    expect(store.stats()).toMatchObject({ vectors: 2, noRoom: { vectors: false } });
  });

  test('where there is no room for another tokenizer the former one stays, and the next try is a new one', () => {
    const texts = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`k${at}`, `guardedfetch n${at}`]));
    const { store, state, sql, keys } = filled(texts);
    expect(store.reindex('trigram')).toBe(false);
    state.databaseBytes = MAX_DATABASE_BYTES - 1_000;
    expect(store.reindex('trigram')).toBe(true);
    expect([keys('n599'), keys('dedfet')]).toEqual([['k599'], []]);
    expect(store.stats().noRoom).toEqual({ words: true, vectors: false });
    expect(sql.exec("SELECT count(*) AS n FROM sqlite_schema WHERE name LIKE 'word_trigram%'").toArray()).toEqual([
      { n: 0 },
    ]);
    state.databaseBytes = 0;
    while (!store.reindex('trigram'));
    expect(keys('dedfet')).not.toEqual([]);
    expect(store.stats().noRoom.words).toBe(false);
  });

  test('a source with a thousand items goes in few statements, and leaves nothing', () => {
    const site = { source: 'web-crawler:https://a.example' };
    const { store, sql, statements } = testStore();
    for (let at = 0; at < 1_001; at += 1)
      store.putItem(
        itemOf(`k${at}`, { ...(at === 7 ? {} : site), bytes: new Uint8Array(2) }),
        chunksOf('walrus', 'okapi'),
        [Float32Array.of(1), Float32Array.of(1)],
      );
    const [kept, gone] = [store.itemByKey('builtin', 'k7')?.id ?? '', store.itemByKey(site.source, 'k8')?.id ?? ''];
    for (const id of [kept, gone]) store.logItem(id, { level: 'info', action: 'a', message: 'm' });
    statements.length = 0;
    store.removeSource(site.source);
    expect(statements.length).toBeLessThan(30);
    expect(store.stats()).toMatchObject({ items: 1, chunks: 2, vectors: 2, bytes: 2 });
    expect([store.logOf(kept, 5).length, store.logOf(gone, 5).length]).toEqual([1, 0]);
    expect(store.search(asked('walrus', { maxResults: 50 })).map(({ item }) => item.key)).toEqual(['k7']);
    for (const [table, n] of Object.entries({ piece: 1, chunk: 2, vector: 2, item: 1, word_porter: 2 }))
      expect(sql.exec(`SELECT count(*) AS n FROM ${table}`).toArray()).toEqual([{ n }]);
  });

  test('chunks that have their vectors are not looked through again; one that was passed over is found', () => {
    const { store, sql } = testStore();
    store.putItem(itemOf('a'), chunksOf(...Array.from({ length: 300 }, (_, at) => `n${at}`)));
    const set = (count: number, from = 0) =>
      store.setVectors(
        store
          .chunksWithoutVectors(count)
          .slice(from)
          .map((chunk) => ({ ...chunk, vector: Float32Array.of(1) })),
      );
    set(100);
    // Chunks before the hundredth would be seen if the query went through them: their vectors are taken from below it.
    sql.exec('DELETE FROM vector WHERE chunk % 1000000 = 5');
    expect(store.chunksWithoutVectors(1).map(({ text }) => text)).toEqual(['n100']);
    sql.exec('UPDATE item SET vectors = 99');
    expect(store.chunksWithoutVectors(1).map(({ text }) => text)).toEqual(['n5']);
    set(3, 1);
    expect(store.chunksWithoutVectors(2).map(({ text }) => text)).toEqual(['n5', 'n102']);
  });
});

describe('another tokenizer', () => {
  test('is reached in steps; until then searches go by the former one, and what changes meanwhile is in both', () => {
    const { store, keys } = filled(
      Object.fromEntries(Array.from({ length: 800 }, (_, at) => [`k${at}`, `guardedfetch n${at}`])),
    );
    expect(store.reindex('porter')).toBe(true);
    expect(store.reindex('trigram')).toBe(false);
    expect(keys('dedfet')).toEqual([]);
    expect(keys('n799')).toEqual(['k799']);
    store.putItem(itemOf('k3', { checksum: 'x' }), chunksOf('early quokka'));
    store.putItem(itemOf('k700', { checksum: 'x' }), chunksOf('late numbat'));
    store.putItem(itemOf('new'), chunksOf('fresh walrus'));
    store.removeItem(store.itemByKey('builtin', 'k4')?.id ?? '');
    store.removeItem(store.itemByKey('builtin', 'k701')?.id ?? '');
    expect(store.reindex('trigram')).toBe(true);
    for (const [part, key] of [
      ['uokk', 'k3'],
      ['umba', 'k700'],
      ['alru', 'new'],
      ['n799', 'k799'],
    ] as const)
      expect(keys(part)).toEqual([key]);
    expect(keys('n701')).toEqual([]);
    expect(
      keys('fetch', {
        maxResults: 50,
        filter: {
          match: 'any',
          conditions: [{ field: 'filename', type: 'text', op: 'in', value: ['k3', 'k4', 'k5'] }],
        },
      }),
    ).toEqual(['k5']);
  });

  test('that is given up is forgotten', () => {
    const { store, sql, keys } = filled(
      Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`k${at}`, `word n${at}`])),
    );
    expect(store.reindex('trigram')).toBe(false);
    expect(store.reindex('porter')).toBe(true);
    expect(sql.exec("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'word_trigram'").toArray()).toEqual([
      { n: 0 },
    ]);
    expect(keys('n599')).toEqual(['k599']);
  });
});

describe('logs and jobs', () => {
  test('the newest lines are kept, a hundred of an item', () => {
    const { store } = testStore();
    for (let at = 0; at < 120; at += 1)
      store.logItem('i', { level: 'info', action: 'a', message: `m${at}`, chunks: at });
    store.logJob('j', { level: 'warning', action: 'b', message: 'x'.repeat(2_000), tookMs: 3 });
    const lines = store.logOf('i', 1_000);
    expect(lines.map(({ message }) => message)).toEqual(Array.from({ length: 100 }, (_, at) => `m${119 - at}`));
    expect(store.logOf('i', 2, lines[1]?.id).map(({ message }) => message)).toEqual(['m117', 'm116']);
    expect(store.logPage('i', 2, 40)).toMatchObject({ total: 100, lines: { length: 40, 0: { message: 'm79' } } });
    expect(store.logOf('j', 10)).toEqual([
      {
        id: 121,
        atMs: 1_700_000_000_000,
        level: 'warning',
        action: 'b',
        message: 'x'.repeat(1_000),
        chunks: null,
        tookMs: 3,
      },
    ]);
  });

  test('a job is told what becomes of it; of those that ended a hundred are kept', () => {
    const { store } = testStore();
    const { id } = store.addJob({ source: 'user', description: 'By hand' });
    expect(store.changeJob(id, { startedMs: 1, state: { page: 2 } })).toMatchObject({
      startedMs: 1,
      state: { page: 2 },
    });
    expect(store.changeJob(id, { seenMs: 2 })).toEqual({
      id,
      source: 'user',
      description: 'By hand',
      createdMs: 1_700_000_000_000,
      startedMs: 1,
      endedMs: null,
      endReason: null,
      seenMs: 2,
      state: { page: 2 },
    });
    expect(store.changeJob('none', { seenMs: 2 })).toBeUndefined();
    const ids: string[] = [];
    for (let at = 0; at < 110; at += 1) {
      const job = store.addJob({ source: 'schedule' });
      ids.push(job.id);
      store.logJob(job.id, { level: 'info', action: 'begin', message: 'm' });
      store.changeJob(job.id, { endedMs: 3, endReason: 'done' });
    }
    expect([0, 10, 11, 109].map((at) => store.logOf(ids[at] ?? '', 5).length)).toEqual([0, 0, 1, 1]);
    expect(store.listJobs(1, 3)).toMatchObject({ total: 100, jobs: { length: 3 } });
    expect(store.openJobs().map((job) => job.id)).toEqual([id]);
    expect(store.job(id)?.description).toBe('By hand');
    expect(store.job('none')).toBeUndefined();
  });

  test('a reset takes everything', () => {
    const { store } = filled({ a: 'quokka' });
    store.addJob({ source: 'user' });
    store.reindex('trigram');
    store.reset();
    expect(store.stats()).toMatchObject({ items: 0, chunks: 0, bytes: 0 });
    expect(store.listJobs(1, 10).total).toBe(0);
    expect(store.search(asked('quokka'))).toEqual([]);
    expect(store.putItem(itemOf('a'), chunksOf('running quokka'))).toMatchObject({ effect: 'created' });
    expect(store.search(asked('run'))).toHaveLength(1);
  });
});
