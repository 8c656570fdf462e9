import Cloudflare, { APIError, toFile } from 'cloudflare';
import * as z from 'zod';

/** What a case works with: one family of paths, by the official client, in an account of its own. */
export type On = {
  cf: Cloudflare;
  account: string;
  /** The namespace of the paths; flat ones mean `default`. */
  namespace: string;
  family: Family;
  /** A new instance, with a document in it where a text is given. */
  instance: (settings?: object, text?: string) => Promise<string>;
};

export type Row = Readonly<Record<string, unknown>>;

/** The methods that both families of paths have. Where the official client has none for a flat path, it is asked by path. */
export type Family = {
  create: (params: object) => Promise<Row>;
  read: (id: string) => Promise<Row>;
  update: (id: string, params: object) => Promise<Row>;
  remove: (id: string) => Promise<Row>;
  list: (params?: object) => AsyncIterable<unknown>;
  stats: (id: string) => Promise<Row>;
  search: (id: string, params: object) => Promise<Row>;
  chat: (id: string, params: object) => Promise<Row>;
  jobs: {
    create: (id: string, params?: object) => Promise<Row>;
    list: (id: string) => AsyncIterable<unknown>;
    get: (id: string, job: string) => Promise<Row>;
    cancel: (id: string, job: string) => Promise<Row>;
    logs: (id: string, job: string) => Promise<readonly unknown[]>;
  };
  items: {
    list: (id: string, params?: object) => AsyncIterable<unknown>;
    upload: (id: string, key: string, text: string, more?: object) => Promise<Row>;
    index: (id: string, params: object) => Promise<Row>;
    get: (id: string, item: string) => Promise<Row>;
    sync: (id: string, item: string, params?: object) => Promise<Row>;
    remove: (id: string, item: string) => Promise<Row>;
    chunks: (id: string, item: string, params?: object) => Promise<readonly unknown[]>;
    download: (id: string, item: string) => Promise<string>;
    logs: (id: string, item: string) => Promise<readonly unknown[]>;
  };
};

const record = z.record(z.string(), z.unknown());
const list = z.array(z.unknown());
const rowOf = async (answer: PromiseLike<unknown>): Promise<Row> => record.parse(await answer);
const listOf = async (answer: PromiseLike<unknown>): Promise<readonly unknown[]> => list.parse(await answer);
/** A call of the client, which wants exact types; the cases also send what it would not. */
const loose = (params: object): never => params as never;

/** By `/ai-search/namespaces/{name}/instances`. */
export function namespaced(cf: Cloudflare, account_id: string, name: string): Family {
  const { instances } = cf.aiSearch.namespaces;
  const at = { account_id, name };
  const inside = (id: string) => ({ ...at, id });
  return {
    create: (params) => rowOf(instances.create(name, loose({ account_id, ...params }))),
    read: (id) => rowOf(instances.read(id, at)),
    update: (id, params) => rowOf(instances.update(id, loose({ ...at, ...params }))),
    remove: (id) => rowOf(instances.delete(id, at)),
    list: (params = {}) => instances.list(name, { account_id, ...params }),
    stats: (id) => rowOf(instances.stats(id, at)),
    search: (id, params) => rowOf(instances.search(id, loose({ ...at, ...params }))),
    chat: (id, params) => rowOf(instances.chatCompletions(id, loose({ ...at, ...params }))),
    jobs: {
      create: (id, params = {}) => rowOf(instances.jobs.create(id, { ...at, ...params })),
      list: (id) => instances.jobs.list(id, at),
      get: (id, job) => rowOf(instances.jobs.get(job, inside(id))),
      cancel: (id, job) => rowOf(instances.jobs.update(job, { ...inside(id), action: 'cancel' })),
      logs: (id, job) => listOf(instances.jobs.logs(job, inside(id))),
    },
    items: {
      list: (id, params = {}) => instances.items.list(id, { ...at, ...params }),
      upload: async (id, key, text, more = {}) => {
        const file = await toFile(Buffer.from(text), key);
        return rowOf(instances.items.upload(id, { ...at, file: { file, ...more } }));
      },
      index: (id, params) =>
        rowOf(instances.items.createOrUpdate(id, loose({ ...at, next_action: 'INDEX', ...params }))),
      get: (id, item) => rowOf(instances.items.get(item, inside(id))),
      sync: (id, item, params = {}) =>
        rowOf(instances.items.sync(item, { ...inside(id), next_action: 'INDEX', ...params })),
      remove: (id, item) => rowOf(instances.items.delete(item, inside(id))),
      chunks: (id, item, params = {}) => listOf(instances.items.chunks(item, { ...inside(id), ...params })),
      download: async (id, item) => (await instances.items.download(item, inside(id))).text(),
      logs: (id, item) => listOf(instances.items.logs(item, inside(id))),
    },
  };
}

const enveloped = z.object({ success: z.literal(true), result: z.unknown() });

/** By `/ai-search/instances`. */
export function flat(cf: Cloudflare, account_id: string): Family {
  const { instances } = cf.aiSearch;
  const at = { account_id };
  const inside = (id: string) => ({ account_id, id });
  const base = (id: string): string => `/accounts/${account_id}/ai-search/instances/${id}`;
  const result = async (answer: PromiseLike<unknown>): Promise<unknown> => enveloped.parse(await answer).result;
  return {
    create: (params) => rowOf(instances.create(loose({ ...at, ...params }))),
    read: (id) => rowOf(instances.read(id, at)),
    update: (id, params) => rowOf(instances.update(id, loose({ ...at, ...params }))),
    remove: (id) => rowOf(instances.delete(id, at)),
    list: (params = {}) => instances.list({ ...at, ...params }),
    stats: (id) => rowOf(instances.stats(id, at)),
    search: (id, params) => rowOf(instances.search(id, loose({ ...at, ...params }))),
    chat: (id, params) => rowOf(instances.chatCompletions(id, loose({ ...at, ...params }))),
    jobs: {
      create: (id, params = {}) => rowOf(instances.jobs.create(id, { ...at, ...params })),
      list: (id) => instances.jobs.list(id, at),
      get: (id, job) => rowOf(instances.jobs.get(job, inside(id))),
      cancel: (id, job) => rowOf(result(cf.patch(`${base(id)}/jobs/${job}`, { body: { action: 'cancel' } }))),
      logs: (id, job) => listOf(instances.jobs.logs(job, inside(id))),
    },
    items: {
      list: (id, params = {}) =>
        pages(async (page) => listOf(result(cf.get(`${base(id)}/items`, { query: { ...params, page } })))),
      upload: (id, key, text, more = {}) => {
        const form = new FormData();
        form.append('file', new File([text], key));
        for (const [name, value] of Object.entries(more)) form.append(name, String(value));
        return rowOf(result(cf.post(`${base(id)}/items`, { body: form })));
      },
      index: (id, params) => rowOf(result(cf.put(`${base(id)}/items`, { body: { next_action: 'INDEX', ...params } }))),
      get: (id, item) => rowOf(result(cf.get(`${base(id)}/items/${item}`))),
      sync: (id, item, params = {}) =>
        rowOf(result(cf.patch(`${base(id)}/items/${item}`, { body: { next_action: 'INDEX', ...params } }))),
      remove: (id, item) => rowOf(result(cf.delete(`${base(id)}/items/${item}`))),
      chunks: (id, item, params = {}) => listOf(result(cf.get(`${base(id)}/items/${item}/chunks`, { query: params }))),
      download: async (id, item) => (await cf.get(`${base(id)}/items/${item}/download`).asResponse()).text(),
      logs: (id, item) => listOf(result(cf.get(`${base(id)}/items/${item}/logs`))),
    },
  };
}

/** As the client's own pager: asks until a page is empty. */
async function* pages(read: (page: number) => Promise<readonly unknown[]>): AsyncGenerator {
  for (let page = 1; ; page += 1) {
    const found = await read(page);
    if (found.length === 0) return;
    yield* found;
  }
}

export async function all(found: AsyncIterable<unknown>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const one of found) rows.push(record.parse(one));
  return rows;
}

const errorSchema = z.object({
  success: z.literal(false),
  errors: z.array(z.object({ code: z.int(), message: z.string().min(1) })).min(1),
  messages: z.array(z.unknown()),
  result: z.null(),
});

/** The status of a call that must fail, with the vendor's envelope. */
export async function refused(call: PromiseLike<unknown> | AsyncIterable<unknown>): Promise<number> {
  try {
    await (Symbol.asyncIterator in call ? all(call) : call);
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
    errorSchema.parse(error.error);
    return z.number().parse(error.status);
  }
  throw new Error('The call was not refused');
}

const chunksSchema = z.object({
  chunks: z.array(
    z.looseObject({ id: z.string(), score: z.number(), text: z.string(), item: z.looseObject({ key: z.string() }) }),
  ),
});

/** Keys of the items that a search found, the best first. */
export const keysOf = (answer: unknown): readonly string[] =>
  chunksSchema.parse(answer).chunks.map(({ item }) => item.key);

export const idOf = (row: Row): string => z.string().parse(row['id']);
