import { beforeEach, describe, expect, test } from 'vitest';
import type { CallAnswer, Call, QueryValue } from '../../../../src/management/core/engine/operation.ts';
import { type FileOrder, answerFileOrder } from '../../../../src/management/log-store/files/answer.ts';
import { type Files, createLogFiles } from '../../../../src/management/log-store/files/files.ts';
import { isObject, isText, type JsonObject } from '../../../../src/lib/json.ts';
import { TENANT, testTenant, type TestTenant } from '../../../support/management/management.ts';
import { memorySqlite } from '../../../support/management/sqlite.ts';
import { bodyOf, refusalOf } from '../entry-world.ts';
import { placedEntry } from '../placed-entry.ts';

const NOW_MS = 1_800_000_000_000;
const LIST = 'storage.objects.list';
const GET = 'storage.objects.get';
const FIRST = 'app/2026/11/22/03:00:00_03:59:59_S0.json';

let files: Files;
let nowMs: number;
let tenant: TestTenant;

beforeEach(() => {
  nowMs = NOW_MS;
  files = createLogFiles({ sql: memorySqlite().sql, now: () => nowMs });
  tenant = testTenant();
});

/** Appends a line to the file of this log in the bucket. */
const keep = (log: string, bucket = 'archive'): void => {
  files.keep([placedEntry(1, { target: { kind: 'storage', bucket }, logName: `projects/p/logs/${log}` })]);
};

type Sent = Partial<Pick<Call, 'asMedia' | 'ifNoneMatch'>> & { path?: Record<string, string> };

/** What comes of a call that is handed on as it is on the wire. */
function call(method: string, query: Record<string, QueryValue> = {}, { path, ...more }: Sent = {}): CallAnswer {
  const sent = { path: { bucket: 'archive', ...(method === GET && { object: FIRST }), ...path }, query, ...more };
  const answer = tenant.call(method, sent);
  const order = tenant.handed.pop();
  if (!answer.ok || order === undefined) return answer;
  const whole = { method, body: {}, caller: { ...CALLER }, ...sent };
  return answerFileOrder(TENANT, whole, order as FileOrder, { files, now: () => nowMs }); // Handed by these two methods.
}

const CALLER: Call['caller'] = { tenant: TENANT.id, kind: 'service', userId: 'u', clientId: 'c', scopes: [] };
const list = (query: Record<string, QueryValue> = {}, bucket = 'archive'): JsonObject =>
  bodyOf(call(LIST, query, { path: { bucket } }));
/** First parts of the names, which are the logs. */
const logs = ({ items = [] }: JsonObject): unknown[] =>
  (Array.isArray(items) ? items : []).filter(isObject).map(({ name }) => (isText(name) ? name.split('/')[0] : name));
const tokenOf = ({ nextPageToken: token = '' }: JsonObject): string => (isText(token) ? token : '');
const etagOf = (answer: CallAnswer): string => (answer.ok && answer.status !== 204 ? (answer.etag ?? '') : '');

test('a file is shown as the vendor shows an object', () => {
  keep('app');
  nowMs += 1_000;
  keep('app');
  const shown = {
    kind: 'storage#object',
    id: `archive/${FIRST}/1800000000000002`,
    name: FIRST,
    bucket: 'archive',
    generation: '1800000000000002',
    metageneration: '1',
    contentType: 'application/json',
    storageClass: 'STANDARD',
    size: String(files.read('archive', FIRST)?.length),
    etag: '"1800000000000002"',
    timeCreated: '2027-01-15T08:00:00.000Z',
    updated: '2027-01-15T08:00:01.000Z',
    timeStorageClassUpdated: '2027-01-15T08:00:00.000Z',
  };
  expect(bodyOf(call(GET))).toEqual(shown);
  expect(list()).toEqual({ kind: 'storage#objects', items: [shown] });
});

test('alt=media is its content, an entry a line', () => {
  keep('app');
  expect(call(GET, {}, { asMedia: true })).toEqual({
    ok: true,
    status: 200,
    body: {},
    etag: '"1800000000000001"',
    media: {
      type: 'application/json',
      text: `${JSON.stringify(placedEntry(1, { logName: 'projects/p/logs/app' }).entry)}\n`,
    },
  });
});

describe('what a reader knows already', () => {
  test('is not sent again, by its tag or generation, until something is appended', () => {
    keep('app');
    const etag = etagOf(call(GET));
    const unchanged = { ok: true, status: 304, etag };
    expect(call(GET, {}, { ifNoneMatch: etag, asMedia: true })).toEqual(unchanged);
    expect(call(GET, { ifGenerationNotMatch: '1800000000000001' })).toEqual(unchanged);
    expect(call(GET, { ifMetagenerationNotMatch: '1' })).toEqual(unchanged);
    keep('app');
    expect(etagOf(call(GET, {}, { ifNoneMatch: etag }))).toBe('"1800000000000002"');
    expect(call(GET, { ifGenerationNotMatch: '1800000000000001' })).toMatchObject({ status: 200 });
  });
});

describe('a list', () => {
  test('has the files of one bucket only; one that nothing was written to is not there', () => {
    keep('app');
    keep('other', 'elsewhere');
    expect(logs(list())).toEqual(['app']);
    expect(logs(list({}, 'elsewhere'))).toEqual(['other']);
    expect(list({ prefix: 'none' })).toEqual({ kind: 'storage#objects' });
    const never = call(LIST, {}, { path: { bucket: 'never' } });
    expect(refusalOf(never)).toBe('404 NOT_FOUND: The specified bucket does not exist.');
  });

  test.each([
    [{}, ['a', 'ab', 'b', 'c'], undefined],
    [{ prefix: 'a' }, ['a', 'ab'], undefined],
    [{ prefix: 'a/' }, ['a'], undefined],
    [{ startOffset: 'ab', endOffset: 'c' }, ['ab', 'b'], undefined],
    [{ prefix: 'a', startOffset: 'aa' }, ['ab'], undefined],
    [{ delimiter: '/' }, [], ['a/', 'ab/', 'b/', 'c/']],
    [{ delimiter: '/', prefix: 'a' }, [], ['a/', 'ab/']],
    [{ delimiter: '/', prefix: 'a/2026/11/22/' }, ['a'], undefined],
    [{ delimiter: 'b/' }, ['a', 'c'], ['ab/', 'b/']],
    [{ versions: true, projection: 'full', softDeleted: false, matchGlob: '' }, ['a', 'ab', 'b', 'c'], undefined],
  ])('by %j', (query, items, prefixes) => {
    for (const log of ['b', 'a', 'c', 'ab']) keep(log);
    const shown = list(query);
    expect([logs(shown), shown['prefixes']]).toEqual([items, prefixes]);
  });

  test.each([
    [{}, 40],
    [{ delimiter: '/' }, 40],
    [{ delimiter: '5/' }, 40],
  ])('goes on behind its page, by %j', (query, count) => {
    for (let at = 0; at < count; at += 1) keep(`log-${at}`);
    const seen: unknown[] = [];
    let pageToken = '';
    for (let pages = 0; pages < count; pages += 1) {
      const page = list({ ...query, maxResults: 7, ...(pageToken !== '' && { pageToken }) });
      const { prefixes } = page;
      const groups = (Array.isArray(prefixes) ? prefixes : []).filter(isText).map((group) => group.slice(0, -1));
      expect(logs(page).length + groups.length).toBeLessThanOrEqual(7);
      seen.push(...logs(page), ...groups);
      pageToken = tokenOf(page);
      if (pageToken === '') break;
    }
    expect(seen).toHaveLength(count);
    expect(new Set(seen).size).toBe(count);
  });

  test('K9: has 1,000 files at most, whatever is asked for', () => {
    for (let at = 0; at <= 1_000; at += 1) keep(`log-${at}`);
    for (const maxResults of [0, 1_000, 4_000_000_000]) expect(logs(list({ maxResults }))).toHaveLength(1_000);
  });

  test('K9: a page token is good for its own query and bucket only', () => {
    for (const log of ['a', 'b']) {
      keep(log);
      keep(log, 'elsewhere');
    }
    const pageToken = tokenOf(list({ maxResults: 1 }));
    expect(logs(list({ pageToken }))).toEqual(['b']);
    const refused = '400 INVALID_ARGUMENT: Invalid Input: pageToken';
    expect(refusalOf(call(LIST, { pageToken, prefix: 'a' }))).toBe(refused);
    expect(refusalOf(call(LIST, { pageToken }, { path: { bucket: 'elsewhere' } }))).toBe(refused);
    expect(refusalOf(call(LIST, { pageToken: 'mine' }))).toBe(refused);
  });
});

describe('refused', () => {
  test.each([
    [GET, {}, { object: 'none' }, '404 NOT_FOUND: No such object: archive/none'],
    [GET, {}, { bucket: 'elsewhere' }, `404 NOT_FOUND: No such object: elsewhere/${FIRST}`],
    [GET, { generation: '1' }, {}, `404 NOT_FOUND: No such object: archive/${FIRST}`],
    [
      GET,
      { ifGenerationMatch: '0' },
      {},
      '412 FAILED_PRECONDITION: At least one of the pre-conditions you specified did not hold.',
    ],
    [
      GET,
      { ifMetagenerationMatch: '2' },
      {},
      '412 FAILED_PRECONDITION: At least one of the pre-conditions you specified did not hold.',
    ],
    [GET, { softDeleted: true }, {}, '501 UNIMPLEMENTED: The parameter softDeleted is not supported.'],
    [LIST, { matchGlob: '*.json' }, {}, '501 UNIMPLEMENTED: The parameter matchGlob is not supported.'],
    [LIST, {}, { bucket: 'UPPER' }, "400 INVALID_ARGUMENT: Invalid bucket name: 'UPPER'"],
    [GET, {}, { bucket: 'a' }, "400 INVALID_ARGUMENT: Invalid bucket name: 'a'"],
  ])('%s of %j at %j', (method, query, path, refusal) => {
    keep('app');
    expect(refusalOf(call(method, query, { path }))).toBe(refusal);
  });

  test('nothing that holds: a condition of what is there', () => {
    keep('app');
    const query = { generation: '1800000000000001', ifGenerationMatch: '1800000000000001', ifMetagenerationMatch: '1' };
    expect(call(GET, query)).toMatchObject({ ok: true, status: 200 });
  });
});
