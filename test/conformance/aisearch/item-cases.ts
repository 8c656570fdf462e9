import { expect } from 'vitest';
import type { Cases } from './instance-cases.ts';
import { all, idOf, keysOf, type On, refused } from './on.ts';

const TEXT = '# Hours\n\nOpen from nine to five.';
const waited = { wait_for_completion: true };

/** A new instance with one item: both ids. */
async function withItem({ family, instance }: On): Promise<readonly [id: string, item: string]> {
  const id = await instance();
  return [id, idOf(await family.items.upload(id, 'hours.md', TEXT, waited))];
}

export const itemCases: Cases = {
  'items.upload': {
    right: async ({ family, instance }) => {
      const id = await instance({ custom_metadata: [{ field_name: 'team', data_type: 'text' }] });
      const metadata = JSON.stringify({ team: 'sales' });
      const item = await family.items.upload(id, 'hours.md', TEXT, { metadata, ...waited });
      expect(item).toMatchObject({
        key: 'hours.md',
        status: 'completed',
        file_size: TEXT.length,
        source_id: 'builtin',
      });
      expect(item).not.toHaveProperty('warnings');
      const odd = JSON.stringify({ team: 5, author: 'Ada' });
      expect(await family.items.upload(id, 'odd.md', 'Odd', { metadata: odd })).toMatchObject({
        metadata: { author: 'Ada' },
        warnings: [
          { code: 'custom_metadata_value_not_indexed', expected_type: 'text', field: 'team' },
          { code: 'custom_metadata_field_not_filterable', field: 'author' },
        ],
      });
      expect(await family.items.get(id, idOf(item))).toMatchObject({
        key: 'hours.md',
        metadata: { team: 'sales' },
      });
      const search = (team: string) =>
        family.search(id, { query: 'hours', ai_search_options: { retrieval: { filters: { team } } } });
      expect(keysOf(await search('sales'))).toEqual(['hours.md']);
      expect(keysOf(await search('support'))).toEqual([]);
    },
    wrong: async ({ family, instance }) => {
      const id = await instance();
      expect(await refused(family.items.upload(id, 'picture.png', '\u0000\u0001\u0002'))).toBeGreaterThanOrEqual(400);
      expect(await refused(family.items.upload(id, `${'k'.repeat(129)}.md`, TEXT))).toBe(400);
      expect(await refused(family.items.upload(id, 'large.md', 'x'.repeat(4 * 1_024 * 1_024 + 1)))).toBe(413);
      expect(await refused(family.items.upload(id, 'notes.md', TEXT, { metadata: '{' }))).toBe(400);
      expect(await refused(family.items.upload('nothing', 'notes.md', TEXT))).toBe(404);
      expect(await all(family.items.list(id))).toEqual([]);
    },
  },
  'items.list': {
    right: async ({ family, instance }) => {
      const id = await instance();
      for (const name of ['a.md', 'b.md', 'c.md']) await family.items.upload(id, name, `${TEXT}\n\n${name}`, waited);
      const keys = async (params: object): Promise<unknown> =>
        (await all(family.items.list(id, params))).map(({ key }) => String(key)).toSorted();
      expect(await keys({ per_page: 2 })).toEqual(['a.md', 'b.md', 'c.md']);
      expect(await keys({ key: 'b.md' })).toEqual(['b.md']);
      expect(await keys({ search: 'c.' })).toEqual(['c.md']);
      expect(await keys({ status: 'error' })).toEqual([]);
      expect(await keys({ metadata_filter: JSON.stringify({ filename: { $in: ['a.md', 'c.md'] } }) })).toEqual([
        'a.md',
        'c.md',
      ]);
    },
    wrong: async ({ family, instance }) => {
      const id = await instance();
      expect(await refused(family.items.list(id, { status: 'lost' }))).toBe(400);
      expect(await refused(family.items.list(id, { metadata_filter: '{"a":{"$like":1}}' }))).toBe(400);
    },
  },
  'items.createOrUpdate': {
    right: async (on) => {
      const [id, item] = await withItem(on);
      expect(await on.family.items.index(id, { key: 'hours.md', ...waited })).toMatchObject({
        id: item,
        status: 'completed',
      });
    },
    wrong: async ({ family, instance }) => {
      const id = await instance();
      expect(await refused(family.items.index(id, { key: 'nothing.md' }))).toBe(404);
      expect(await refused(family.items.index(id, { key: 'nothing.md', next_action: 'EXPLODE' }))).toBe(400);
    },
  },
  'items.get': {
    right: async (on) => {
      const [id, item] = await withItem(on);
      expect(await on.family.items.get(id, item)).toMatchObject({ id: item, key: 'hours.md', chunks_count: 1 });
    },
    wrong: async ({ family, instance }) => {
      expect(await refused(family.items.get(await instance(), 'none'))).toBe(404);
    },
  },
  'items.sync': {
    right: async (on) => {
      const [id, item] = await withItem(on);
      expect(await on.family.items.sync(id, item, waited)).toMatchObject({ id: item, status: 'completed' });
    },
    wrong: async ({ family, instance }) => {
      expect(await refused(family.items.sync(await instance(), 'none'))).toBe(404);
    },
  },
  'items.delete': {
    right: async (on) => {
      const [id, item] = await withItem(on);
      expect(await on.family.items.remove(id, item)).toEqual({ key: 'hours.md' });
      expect(keysOf(await on.family.search(id, { query: 'hours' }))).toEqual([]);
      expect(await refused(on.family.items.get(id, item))).toBe(404);
    },
    wrong: async ({ family, instance }) => {
      expect(await refused(family.items.remove(await instance(), 'none'))).toBe(404);
    },
  },
  'items.chunks': {
    right: async (on) => {
      const [id, item] = await withItem(on);
      expect(await on.family.items.chunks(id, item)).toMatchObject([
        { item: { key: 'hours.md' }, text: expect.stringContaining('nine to five'), start_byte: 0 },
      ]);
      expect(await on.family.items.chunks(id, item, { offset: 1 })).toEqual([]);
    },
    wrong: async ({ family, instance }) => {
      expect(await refused(family.items.chunks(await instance(), 'none'))).toBe(404);
    },
  },
  'items.download': {
    right: async (on) => {
      const [id, item] = await withItem(on);
      expect(await on.family.items.download(id, item)).toBe(TEXT);
    },
    wrong: async ({ family, instance }) => {
      expect(await refused(family.items.download(await instance(), 'none'))).toBe(404);
    },
  },
  'items.logs': {
    right: async (on) => {
      const [id, item] = await withItem(on);
      expect(await on.family.items.logs(id, item)).toContainEqual(
        expect.objectContaining({ fileKey: 'hours.md', chunkCount: 1 }),
      );
    },
    wrong: async ({ family, instance }) => {
      expect(await refused(family.items.logs(await instance(), 'none'))).toBe(404);
    },
  },
};
