import { expect } from 'vitest';
import * as z from 'zod';
import type { Cases } from './instance-cases.ts';
import { all, idOf, type On, refused } from './on.ts';

const KEY = 'the-secret-of-the-data-source';
const TEXT = '# Hours\n\nOpen from nine to five.';

const newToken = ({ cf, account }: On, name = 'source') =>
  cf.aiSearch.tokens.create({ account_id: account, cf_api_id: 'api-id', cf_api_key: KEY, name });
const newNamespace = async ({ cf, account }: On, name = 'team'): Promise<string> =>
  (await cf.aiSearch.namespaces.create({ account_id: account, name, description: 'Ours' })).name;

export const tokenCases: Cases = {
  'tokens.create': {
    right: async (on) => {
      const token = await newToken(on);
      expect(token).toMatchObject({ name: 'source', cf_api_id: 'api-id' });
      expect(JSON.stringify(token)).not.toContain(KEY);
      expect(await on.cf.aiSearch.tokens.read(token.id, { account_id: on.account })).toEqual(token);
    },
    wrong: async ({ cf, account }) => {
      const params = { account_id: account, cf_api_id: 'api-id', cf_api_key: '', name: 'source' };
      expect(await refused(cf.aiSearch.tokens.create(params))).toBe(400);
    },
  },
  'tokens.read': {
    right: async (on) => {
      const { id } = await newToken(on);
      expect((await on.cf.aiSearch.tokens.read(id, { account_id: on.account })).id).toBe(id);
    },
    wrong: async ({ cf, account }) => {
      expect(await refused(cf.aiSearch.tokens.read('none', { account_id: account }))).toBe(404);
    },
  },
  'tokens.update': {
    right: async (on) => {
      const { id } = await newToken(on);
      const params = { account_id: on.account, cf_api_id: 'other', cf_api_key: KEY, name: 'renamed' };
      expect(await on.cf.aiSearch.tokens.update(id, params)).toMatchObject({ id, name: 'renamed', cf_api_id: 'other' });
      expect((await on.cf.aiSearch.tokens.read(id, { account_id: on.account })).name).toBe('renamed');
    },
    wrong: async ({ cf, account }) => {
      const params = { account_id: account, cf_api_id: 'other', cf_api_key: KEY, name: 'renamed' };
      expect(await refused(cf.aiSearch.tokens.update('none', params))).toBe(404);
    },
  },
  'tokens.list': {
    right: async (on) => {
      const [sandbox, ...others] = await all(on.cf.aiSearch.tokens.list({ account_id: on.account }));
      expect([sandbox, others]).toMatchObject([{ name: 'sandbox' }, []]); // Of each sandbox, from its first moment.
      const ids = [await newToken(on, 'first'), await newToken(on, 'second')].map(({ id }) => id);
      const { tokens } = on.cf.aiSearch;
      const listed = async (params: object) =>
        (await all(tokens.list({ account_id: on.account, ...params }))).map(idOf).toSorted();
      expect(await listed({ per_page: 1 })).toEqual([...ids, idOf(sandbox ?? {})].toSorted());
      expect(await listed({ per_page: 0 })).toEqual([]);
      expect(await listed({ search: 'SECOND' })).toEqual([ids[1]]);
    },
    wrong: async ({ cf, account }) => {
      expect(await refused(cf.aiSearch.tokens.list({ account_id: account, per_page: -1 }))).toBe(400);
    },
  },
  'tokens.delete': {
    right: async (on) => {
      const { id } = await newToken(on);
      await on.cf.aiSearch.tokens.delete(id, { account_id: on.account });
      expect(await refused(on.cf.aiSearch.tokens.read(id, { account_id: on.account }))).toBe(404);
    },
    wrong: async (on) => {
      const { id } = await newToken(on);
      await on.instance({ token_id: id });
      expect(await refused(on.cf.aiSearch.tokens.delete(id, { account_id: on.account }))).toBeGreaterThanOrEqual(400);
      expect(await refused(on.cf.aiSearch.tokens.delete('none', { account_id: on.account }))).toBe(404);
    },
  },
};

export const namespaceCases: Cases = {
  create: {
    right: async (on) => {
      const name = await newNamespace(on);
      expect(await on.cf.aiSearch.namespaces.read(name, { account_id: on.account })).toMatchObject({
        name,
        description: 'Ours',
      });
    },
    wrong: async (on) => {
      const name = await newNamespace(on);
      expect(await refused(newNamespace(on, name))).toBe(409);
      expect(await refused(newNamespace(on, 'Not A Name'))).toBe(400);
      expect(await refused(newNamespace(on, 'default'))).toBe(409);
    },
  },
  list: {
    right: async (on) => {
      await newNamespace(on);
      const found = await all(on.cf.aiSearch.namespaces.list({ account_id: on.account, per_page: 1 }));
      expect(found.map(({ name }) => String(name)).toSorted()).toEqual(['default', 'team']);
    },
    wrong: async ({ cf, account }) => {
      expect(await refused(cf.aiSearch.namespaces.list({ account_id: account, page: 0 }))).toBe(400);
    },
  },
  read: {
    right: async ({ cf, account }) => {
      expect(await cf.aiSearch.namespaces.read('default', { account_id: account })).toMatchObject({ name: 'default' });
    },
    wrong: async ({ cf, account }) => {
      expect(await refused(cf.aiSearch.namespaces.read('nothing', { account_id: account }))).toBe(404);
    },
  },
  update: {
    right: async (on) => {
      const name = await newNamespace(on);
      const { namespaces } = on.cf.aiSearch;
      expect(await namespaces.update(name, { account_id: on.account, description: 'Theirs' })).toMatchObject({
        description: 'Theirs',
      });
      expect(await namespaces.read(name, { account_id: on.account })).toMatchObject({ description: 'Theirs' });
    },
    wrong: async ({ cf, account }) => {
      const { namespaces } = cf.aiSearch;
      expect(await refused(namespaces.update('default', { account_id: account, description: 'x' }))).toBe(400);
      expect(await refused(namespaces.update('nothing', { account_id: account, description: 'x' }))).toBe(404);
    },
  },
  delete: {
    right: async (on) => {
      const name = await newNamespace(on);
      await on.cf.aiSearch.namespaces.delete(name, { account_id: on.account });
      expect(await refused(on.cf.aiSearch.namespaces.read(name, { account_id: on.account }))).toBe(404);
    },
    wrong: async (on) => {
      const name = await newNamespace(on);
      const { namespaces } = on.cf.aiSearch;
      await namespaces.instances.create(name, { account_id: on.account, id: 'inside' });
      expect(await refused(namespaces.delete(name, { account_id: on.account }))).toBeGreaterThanOrEqual(400);
      expect(await refused(namespaces.delete('default', { account_id: on.account }))).toBeGreaterThanOrEqual(400);
      expect(await namespaces.read(name, { account_id: on.account })).toMatchObject({ name });
    },
  },
  search: {
    right: async (on) => {
      const instance_ids = [
        await on.instance({}, TEXT),
        await on.instance({}, '# Phone\n\nOur hours by phone are eight to six.'),
      ];
      const params = { account_id: on.account, query: 'hours', ai_search_options: { instance_ids } };
      const answer = await on.cf.aiSearch.namespaces.search(on.namespace, params);
      expect(answer.chunks.map(({ instance_id }) => instance_id).toSorted()).toEqual(instance_ids.toSorted());
    },
    wrong: async (on) => {
      const id = await on.instance({}, TEXT);
      const search = (instance_ids: string[]) =>
        on.cf.aiSearch.namespaces.search(on.namespace, {
          account_id: on.account,
          query: 'hours',
          ai_search_options: { instance_ids },
        });
      expect(await refused(search([]))).toBe(400);
      expect(await refused(search([id, 'nothing']))).toBe(404);
    },
  },
  chatCompletions: {
    right: async (on) => {
      const instance_ids = [await on.instance({}, TEXT)];
      const messages = [{ role: 'user' as const, content: 'What are the opening hours?' }];
      const params = { account_id: on.account, messages, ai_search_options: { instance_ids } };
      const answer = await on.cf.aiSearch.namespaces.chatCompletions(on.namespace, params);
      expect(answer.chunks[0]?.instance_id).toBe(instance_ids[0]);
      expect(JSON.stringify(answer.choices)).toContain('nine to five');
    },
    wrong: async (on) => {
      const params = { account_id: on.account, messages: [], ai_search_options: { instance_ids: [] } };
      expect(await refused(on.cf.aiSearch.namespaces.chatCompletions(on.namespace, params))).toBe(400);
    },
  },
};

const legacySchema = z.object({
  success: z.literal(true),
  result: z.looseObject({
    object: z.literal('vector_store.search_results.page'),
    search_query: z.string(),
    response: z.string().optional(),
    data: z.array(
      z.looseObject({
        filename: z.string(),
        content: z.array(z.object({ type: z.string(), text: z.string() }).loose()),
      }),
    ),
  }),
});

const legacy = ({ cf, account }: On, id: string, method: 'ai-search' | 'search', body: object) =>
  cf.post(`/accounts/${account}/autorag/rags/${id}/${method}`, { body });

/** The client has no methods for these any more: it is asked by path. */
export const legacyCases: Cases = {
  search: {
    right: async (on) => {
      const id = await on.instance({}, TEXT);
      const { result } = legacySchema.parse(await legacy(on, id, 'search', { query: 'hours' }));
      expect(result.search_query).toBe('hours');
      expect(result.data.map(({ filename }) => filename)).toEqual(['first.md']);
      const filters = { type: 'and', filters: [{ type: 'ne', key: 'filename', value: 'first.md' }] };
      expect(legacySchema.parse(await legacy(on, id, 'search', { query: 'hours', filters })).result.data).toEqual([]);
    },
    wrong: async (on) => {
      const id = await on.instance({}, TEXT);
      const one = { type: 'eq', key: 'filename', value: 'first.md' };
      const nested = { type: 'and', filters: [{ type: 'or', filters: [one] }] };
      expect(await refused(legacy(on, id, 'search', { query: 'hours', filters: nested }))).toBe(400);
      expect(
        await refused(
          legacy(on, id, 'search', { query: 'hours', filters: { type: 'like', key: 'filename', value: 'x' } }),
        ),
      ).toBe(400);
      expect(await refused(legacy(on, id, 'search', { messages: [{ role: 'user', content: 'x' }] }))).toBe(400);
      expect(await refused(legacy(on, 'nothing', 'search', { query: 'hours' }))).toBe(404);
    },
  },
  aiSearch: {
    right: async (on) => {
      const id = await on.instance({}, TEXT);
      const { result } = legacySchema.parse(
        await legacy(on, id, 'ai-search', { query: 'What are the opening hours?' }),
      );
      expect(result.response).toContain('nine to five');
      expect(result.data.map(({ filename }) => filename)).toEqual(['first.md']);
    },
    wrong: async (on) => {
      const id = await on.instance({}, TEXT);
      expect(await refused(legacy(on, id, 'ai-search', {}))).toBe(400);
      expect(await refused(legacy(on, 'nothing', 'ai-search', { query: 'hours' }))).toBe(404);
    },
  },
};
