import { expect } from 'vitest';
import { startSlowSite } from '../support/slow-site.ts';
import { all, idOf, keysOf, type On, refused } from './on.ts';

/** One operation seen from outside, by either family of paths: used rightly, with its effect read back, and wrongly. */
export type OperationCase = { right: (on: On) => Promise<void>; wrong: (on: On) => Promise<void> };
export type Cases = Readonly<Record<string, OperationCase>>;

const TEXT =
  '# Opening hours\n\nThe shop is open from nine to five.\n\n# Returns\n\nGoods come back within thirty days.';
const SECOND = '# Delivery\n\nA parcel takes two days within the country.';
/** Crawls nothing here: no such host. */
const WEBSITE = { type: 'web-crawler', source: 'https://site.invalid/' };

const waited = { wait_for_completion: true };

export const instanceCases: Cases = {
  create: {
    right: async ({ family, namespace }) => {
      const created = await family.create({
        id: 'docs',
        chunk_size: 128,
        custom_metadata: [{ field_name: 'team', data_type: 'text' }],
      });
      expect(created).toMatchObject({ id: 'docs', namespace, chunk_size: 128, max_num_results: 10, enable: true });
      expect(await family.read('docs')).toMatchObject({ id: 'docs', created_at: created['created_at'] });
    },
    wrong: async ({ family, instance }) => {
      const id = await instance();
      expect(await refused(family.create({ id }))).toBe(400); // 7022, as the vendor documents it.
      expect(await refused(family.create({ id: 'Not An Id' }))).toBe(400);
      expect(await refused(family.create({ id: 'x', chunk_size: 'many' }))).toBe(400);
      expect(await refused(family.read('x'))).toBe(404);
    },
  },
  read: {
    right: async ({ family, instance }) => {
      const id = await instance({ max_num_results: 3 });
      expect(await family.read(id)).toMatchObject({ id, max_num_results: 3 });
    },
    wrong: async ({ family }) => {
      expect(await refused(family.read('nothing'))).toBe(404);
    },
  },
  update: {
    right: async ({ family, instance }) => {
      const id = await instance({ max_num_results: 3, score_threshold: 0.2 });
      expect(await family.update(id, { max_num_results: 7 })).toMatchObject({
        max_num_results: 7,
        score_threshold: 0.2,
      });
      expect(await family.read(id)).toMatchObject({ max_num_results: 7, score_threshold: 0.2 });
    },
    wrong: async ({ family, instance }) => {
      const id = await instance({ max_num_results: 3 });
      expect(await refused(family.update(id, { max_num_results: 1_000 }))).toBe(400);
      expect(await family.read(id)).toMatchObject({ max_num_results: 3 });
      expect(await refused(family.update(id, { namespace: 'another' }))).toBe(400);
      expect(await refused(family.update('nothing', {}))).toBe(404);
    },
  },
  delete: {
    right: async ({ family, instance }) => {
      const id = await instance({}, TEXT);
      expect(await family.remove(id)).toMatchObject({ id });
      expect(await refused(family.read(id))).toBe(404);
      expect(await refused(family.search(id, { query: 'hours' }))).toBe(404);
      await family.create({ id }); // Another one of that name has nothing of it.
      expect(keysOf(await family.search(id, { query: 'hours' }))).toEqual([]);
    },
    wrong: async ({ family }) => {
      expect(await refused(family.remove('nothing'))).toBe(404);
    },
  },
  list: {
    right: async ({ family, instance }) => {
      const ids = [await instance(), await instance(), await instance()];
      expect((await all(family.list({ per_page: 2 }))).map(idOf).toSorted()).toEqual(ids.toSorted());
      expect((await all(family.list({ search: ids[1] }))).map(idOf)).toEqual([ids[1]]);
    },
    wrong: async ({ family }) => {
      expect(await refused(family.list({ per_page: -1 }))).toBe(400);
      expect(await refused(family.list({ order_by: 'colour' }))).toBe(400);
    },
  },
  stats: {
    right: async ({ family, instance }) => {
      expect(await family.stats(await instance({}, TEXT))).toMatchObject({
        completed: 1,
        error: 0,
        queued: 0,
        running: 0,
      });
    },
    wrong: async ({ family }) => {
      expect(await refused(family.stats('nothing'))).toBe(404);
    },
  },
  search: {
    right: async ({ family, instance }) => {
      const id = await instance({}, TEXT);
      await family.items.upload(id, 'delivery.md', SECOND, waited);
      const byQuery = await family.search(id, { query: 'When does the parcel arrive?' });
      expect(byQuery).toMatchObject({ query_kind: 'text', search_query: 'When does the parcel arrive?' });
      expect(keysOf(byQuery)[0]).toBe('delivery.md');
      const messages = [{ role: 'user', content: 'opening hours of the shop' }];
      expect(keysOf(await family.search(id, { messages }))[0]).toBe('first.md');
      const filters = { filename: { $ne: 'first.md' } };
      const ai_search_options = { retrieval: { filters, keyword_match_mode: 'or' } };
      expect(keysOf(await family.search(id, { query: 'shop parcel', ai_search_options }))).toEqual(['delivery.md']);
    },
    wrong: async ({ family, instance }) => {
      const id = await instance({}, TEXT);
      const messages = [{ role: 'user', content: 'hours' }];
      for (const body of [
        {},
        { query: 'hours', messages },
        { query: '' },
        { query: 'hours', ai_search_options: { retrieval: { filters: { filename: { $like: 'x' } } } } },
        { query: 'hours', ai_search_options: { retrieval: { filters: { colour: 'red' } } } },
        { query: 'hours', ai_search_options: { retrieval: { max_num_results: 51 } } },
      ])
        expect(await refused(family.search(id, body))).toBe(400);
      expect(await refused(family.search('nothing', { query: 'hours' }))).toBe(404);
    },
  },
  chatCompletions: {
    right: async ({ family, instance }) => {
      const id = await instance({}, TEXT);
      const messages = [{ role: 'user', content: 'When is the shop open?' }];
      const answer = await family.chat(id, { messages });
      expect(answer).toMatchObject({
        object: 'chat.completion',
        choices: [{ index: 0, message: { role: 'assistant' } }],
      });
      expect(keysOf(answer)[0]).toBe('first.md');
      expect(JSON.stringify(answer['choices'])).toContain('nine to five');
    },
    wrong: async ({ family, instance }) => {
      const id = await instance({}, TEXT);
      expect(await refused(family.chat(id, { messages: [] }))).toBe(400);
      expect(await refused(family.chat(id, { messages: [{ role: 'narrator', content: 'x' }] }))).toBe(400);
      expect(await refused(family.chat('nothing', { messages: [{ role: 'user', content: 'x' }] }))).toBe(404);
    },
  },
  'jobs.create': {
    right: async ({ family, instance }) => {
      const id = await instance({ ...WEBSITE, paused: true });
      const job = await family.jobs.create(id, { description: 'Now' });
      expect(job).toMatchObject({ source: 'user', description: 'Now' });
      expect(await family.jobs.get(id, idOf(job))).toMatchObject({ id: job['id'], description: 'Now' });
      expect((await all(family.jobs.list(id))).map(idOf)).toContain(job['id']);
    },
    wrong: async ({ family, instance }) => {
      const id = await instance(WEBSITE);
      expect(await refused(family.jobs.create(id))).toBe(429); // The vendor's 30 s between two: the first is its own.
      expect(await refused(family.jobs.create('nothing'))).toBe(404);
    },
  },
  'jobs.list': {
    right: async ({ family, instance }) => {
      expect(await all(family.jobs.list(await instance()))).toEqual([]);
      expect(await all(family.jobs.list(await instance(WEBSITE)))).toMatchObject([{ source: 'schedule' }]);
    },
    wrong: async ({ family }) => {
      expect(await refused(family.jobs.list('nothing'))).toBe(404);
    },
  },
  'jobs.get': {
    right: async ({ family, instance }) => {
      const id = await instance(WEBSITE);
      const job = await ended(family, id);
      expect(await family.jobs.get(id, job)).toMatchObject({
        id: job,
        ended_at: expect.any(String),
        end_reason: expect.any(String),
      });
    },
    wrong: async ({ family, instance }) => {
      expect(await refused(family.jobs.get(await instance(), 'none'))).toBe(404);
    },
  },
  'jobs.update': {
    right: async ({ family, instance }) => {
      const site = await startSlowSite();
      try {
        const web_crawler = { parse_type: 'discover' };
        const id = await instance({ type: 'web-crawler', source: `${site.url}/`, source_params: { web_crawler } });
        const [job] = (await all(family.jobs.list(id))).map(idOf);
        expect(await family.jobs.cancel(id, job ?? '')).toMatchObject({ id: job, end_reason: 'cancelled' });
        expect(await family.jobs.get(id, job ?? '')).toMatchObject({ ended_at: expect.any(String) });
      } finally {
        await site.stop();
      }
    },
    wrong: async ({ family, instance }) => {
      const id = await instance(WEBSITE);
      expect(await refused(family.jobs.cancel(id, await ended(family, id)))).toBe(400);
      expect(await refused(family.jobs.cancel(await instance(), 'none'))).toBe(404);
    },
  },
  'jobs.logs': {
    right: async ({ family, instance }) => {
      const id = await instance(WEBSITE);
      const job = await ended(family, id);
      const logs = await family.jobs.logs(id, job);
      expect(logs.length).toBeGreaterThan(0);
      expect(logs[0]).toMatchObject({
        id: expect.any(Number),
        message: expect.any(String),
        created_at: expect.any(Number),
      });
    },
    wrong: async ({ family, instance }) => {
      expect(await refused(family.jobs.logs(await instance(), 'none'))).toBe(404);
    },
  },
};

/** Waits for the first job of an instance to end, which is begun when the instance is made. */
async function ended(family: On['family'], id: string): Promise<string> {
  const finished = async (): Promise<string> => {
    const [job] = await all(family.jobs.list(id));
    return job?.['ended_at'] === undefined || job['ended_at'] === null ? '' : idOf(job);
  };
  await expect.poll(finished, { timeout: 60_000 }).not.toBe('');
  return finished();
}
