import { describe, expect, test } from 'vitest';
import { tokenFor } from '../../support/workers/control-tokens.ts';
import { call, type ErrorAnswer, json } from './world.ts';

const PROJECT = 'projects/entries-project';
const LOG = `${PROJECT}/logs/a%2Fb`;
const TENANT = 'C0000entries';
const token = tokenFor({ tenant: TENANT });

type Listed = { entries?: { textPayload?: string; logName: string; severity: string }[]; nextPageToken?: string };

const post = (path: string, body: object) => call(path, { method: 'POST', token, body });
const write = (body: object) => post('/v2/entries:write', { resource: { type: 'global' }, ...body });
const list = async (body: object = {}): Promise<Listed> => {
  const answer = await post('/v2/entries:list', { resourceNames: [PROJECT], ...body });
  expect(answer.status).toBe(200);
  return json<Listed>(answer);
};
const textsOf = ({ entries = [] }: Listed) => entries.map(({ textPayload }) => textPayload);
const reset = () => post(`/v1/tenants/${TENANT}:reset`, {});
const logNames = async (parent: string) =>
  (await json<{ logNames?: string[] }>(call(`/v2/${parent}/logs`, { token }))).logNames ?? [];

test('entries are written, listed by a filter in pages, named by their logs, and deleted with their log', async () => {
  const entries = ['one', 'two', 'three'].map((textPayload, at) => ({ textPayload, severity: at === 1 ? 200 : 500 }));
  const written = await write({ logName: LOG, entries });
  expect([written.status, await written.json()]).toEqual([200, {}]);
  expect(textsOf(await list())).toEqual(['one', 'two', 'three']);

  const query = { filter: 'severity>=ERROR', orderBy: 'timestamp desc', pageSize: 1 };
  const first = await list(query);
  expect(textsOf(first)).toEqual(['three']);
  expect(textsOf(await list({ ...query, pageToken: first.nextPageToken }))).toEqual(['one']);
  const other = await post('/v2/entries:list', { resourceNames: [PROJECT], pageToken: first.nextPageToken });
  expect(other.status).toBe(400);

  expect(await logNames(PROJECT)).toEqual([LOG]);
  expect(await logNames(`${PROJECT}/locations/global/buckets/_Default/views/_AllLogs`)).toEqual([LOG]);
  expect(await logNames(`${PROJECT}/locations/global/buckets/_Required/views/_AllLogs`)).toEqual([]);

  // As both generations of the vendor's clients send it.
  const gone = await call(`/v2/${PROJECT}/logs/a%252Fb`, { method: 'DELETE', token });
  expect([gone.status, await gone.json()]).toEqual([200, {}]);
  expect(await list()).toEqual({});
  expect((await call(`/v2/${PROJECT}/logs/a%2Fb`, { method: 'DELETE', token })).status).toBe(404);
});

test('K2: a reset takes the entries too', async () => {
  await write({ logName: LOG, entries: [{ textPayload: 'gone' }] });
  expect((await reset()).status).toBe(200);
  expect(await list()).toEqual({});
});

test('with partialSuccess the answer tells of each bad entry, and the others are kept', async () => {
  await reset();
  const entries = [{ textPayload: 'kept' }, { textPayload: 'a', jsonPayload: {} }];
  const answer = await write({ logName: LOG, partialSuccess: true, entries });
  expect(answer.status).toBe(400);
  expect(await json<ErrorAnswer>(answer)).toMatchObject({
    error: {
      status: 'INVALID_ARGUMENT',
      details: [
        {
          '@type': 'type.googleapis.com/google.logging.v2.WriteLogEntriesPartialErrors',
          logEntryErrors: { 1: { code: 3 } },
        },
      ],
    },
  });
  expect(textsOf(await list())).toEqual(['kept']);
});

test('a body of ten million bytes writes entries; a larger one is refused, and so is this one elsewhere', async () => {
  await reset();
  const textPayload = 'x'.repeat(200_000);
  const body = { logName: LOG, entries: Array.from({ length: 50 }, () => ({ textPayload })) };
  expect((await write(body)).status).toBe(200);
  expect((await write({ ...body, entries: [...body.entries, ...body.entries] })).status).toBe(413);
  expect((await post('/v2/entries:list', { resourceNames: [PROJECT], filter: 'x'.repeat(5_000_000) })).status).toBe(
    413,
  );
  // An answer holds eight million characters: the page is shorter than was asked for, and the next one goes on.
  const page = await list({ pageSize: 1_000 });
  expect(page.entries).toHaveLength(39);
  expect((await list({ pageSize: 1_000, pageToken: page.nextPageToken })).entries).toHaveLength(11);
});

test('K1: an entry of another tenant in a call refuses all of it, and names no difference', async () => {
  await call('/v2/projects/foreign-project/logs', { token: tokenFor({ tenant: 'C00000007' }) });
  await reset();
  const entries = [{ textPayload: 'mine' }, { textPayload: 'theirs', logName: 'projects/foreign-project/logs/x' }];
  expect((await write({ logName: LOG, partialSuccess: true, entries })).status).toBe(403);
  expect((await post('/v2/entries:list', { resourceNames: ['projects/foreign-project'] })).status).toBe(403);
  expect(await list()).toEqual({});
});

describe('a seed', () => {
  const seed = async (method: string, body: object, params: object = {}) => {
    const answer = await post(`/v1/tenants/${TENANT}:seed`, { calls: [{ method, params, body }] });
    return (await json<{ calls: { ok: boolean; refusal?: { message: string } }[] }>(answer)).calls[0];
  };

  test('writes no log entries, and says so', async () => {
    const made = await seed('logging.entries.write', { logName: LOG, resource: { type: 'global' }, entries: [{}] });
    expect(made).toMatchObject({ ok: false, refusal: { status: 400, word: 'FAILED_PRECONDITION' } });
    expect(made?.refusal?.message).toContain('logging.entries.write works on log entries or spans');
  });

  test('makes buckets, though the store of entries is not told of them', async () => {
    const params = { parent: `${PROJECT}/locations/global`, bucketId: 'seeded' };
    expect(await seed('logging.projects.locations.buckets.create', { retentionDays: 3 }, params)).toMatchObject({
      ok: true,
    });
  });
});
