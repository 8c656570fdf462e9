import { beforeEach, describe, expect, test } from 'vitest';
import {
  type Copies,
  type CopyQuery,
  createLogCopies,
  MAX_RUNNING,
} from '../../../../src/management/log-store/files/copy.ts';
import { type Files, createLogFiles } from '../../../../src/management/log-store/files/files.ts';
import type { EntryOrder } from '../../../../src/management/log-store/order.ts';
import type { EntryPage } from '../../../../src/management/log-store/page.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { memorySqlite } from '../../../support/management/sqlite.ts';
import { BUCKET } from '../placed-entry.ts';

const NOW_MS = 1_800_000_000_000;
const OPERATION = 'projects/p/locations/global/operations/one';

let nowMs: number;
let asked: CopyQuery[];
let pages: EntryPage[];
let files: Files;
let copies: Copies;
let database: ReturnType<typeof memorySqlite>;

beforeEach(() => {
  nowMs = NOW_MS;
  [asked, pages] = [[], []];
  database = memorySqlite();
  files = createLogFiles({ sql: database.sql, now: () => nowMs });
  const page = (ask: CopyQuery): EntryPage => {
    asked.push(ask);
    return pages.shift() ?? { entries: [] };
  };
  copies = createLogCopies({ sql: database.sql, transaction: database.transaction, now: () => nowMs, page, files });
});

const orderOf = (changes: Partial<Extract<EntryOrder, { do: 'copy' }>> = {}): Extract<EntryOrder, { do: 'copy' }> => ({
  do: 'copy',
  nowMs: NOW_MS,
  sources: [{ bucket: BUCKET }],
  buckets: [{ name: BUCKET, retentionDays: 30 }],
  salt: '',
  filter: '',
  bucket: 'archive',
  operation: OPERATION,
  ...changes,
});
const entry = (text: string, hour = '03'): JsonObject => ({
  logName: 'projects/p/logs/a%2Fb',
  timestamp: `2026-11-22T${hour}:59:59.9Z`,
  textPayload: text,
});
const START = '2026-11-21T00:00:00.000Z';
const SECOND_LATER = '2026-11-21T00:00:01.000Z';
/** An operation as the tenant's resources show it when its second is over. */
const DONE = {
  name: OPERATION,
  done: true,
  metadata: {
    '@type': 'copy',
    verb: 'copy',
    startTime: START,
    endTime: SECOND_LATER,
    state: 'OPERATION_STATE_SUCCEEDED',
  },
  response: { '@type': 'type.googleapis.com/google.logging.v2.CopyLogEntriesResponse' },
};
const shown = (operation: JsonObject = DONE, name = OPERATION): unknown => {
  const answer = copies.shown({ do: 'operation', operation: name, shown: operation });
  return answer?.ok === true && answer.status === 200 ? answer.body : answer;
};
const finish = async (): Promise<void> => {
  while (copies.nextMs() !== undefined) await copies.step();
};

test('a copy goes on where the step before ended, and says how many entries it has', async () => {
  const place = { ts: '2026-11-22T03:59:59.900000000Z', insertId: 'i', container: 'projects/p' };
  pages = [{ entries: [entry('one'), entry('two')], next: place }, { entries: [entry('three', '04')] }];
  copies.begin(orderOf({ filter: 'textPayload:e' }));
  expect(copies.nextMs()).toBe(NOW_MS);
  await copies.step();
  expect(shown()).toEqual({
    name: OPERATION,
    metadata: { '@type': 'copy', verb: 'copy', startTime: START, state: 'OPERATION_STATE_RUNNING' },
  });
  nowMs += 90_000;
  await copies.step();
  expect(copies.nextMs()).toBeUndefined();
  expect(asked.map(({ after, limit, isDescending }) => ({ after, limit, isDescending }))).toEqual([
    { after: undefined, limit: 1_000, isDescending: false },
    { after: place, limit: 1_000, isDescending: false },
  ]);
  expect(shown()).toEqual({
    name: OPERATION,
    done: true,
    metadata: { ...DONE.metadata, endTime: '2026-11-21T00:01:30.000Z', progress: 100 },
    response: { '@type': 'type.googleapis.com/google.logging.v2.CopyLogEntriesResponse', logEntriesCopiedCount: '3' },
  });
  expect(files.list('archive', { prefix: '', after: '', limit: 9 }).map(({ name, lines }) => [name, lines])).toEqual([
    ['a/b/2026/11/22/03:00:00_03:59:59_S0.json', 2],
    ['a/b/2026/11/22/04:00:00_04:59:59_S0.json', 1],
  ]);
});

test('a copy of nothing is done, with a count of 0', async () => {
  copies.begin(orderOf());
  await finish();
  expect(shown()).toMatchObject({ done: true, response: { logEntriesCopiedCount: '0' } });
});

test('a page that looked at much and shows nothing does not end a copy', async () => {
  pages = [{ entries: [], next: { ts: '', insertId: '', container: '' } }, { entries: [entry('one')] }];
  copies.begin(orderOf());
  await finish();
  expect(shown()).toMatchObject({ response: { logEntriesCopiedCount: '1' } });
});

test('a copy that is cancelled copies no more, and keeps what it has', async () => {
  const place = { ts: '2026-11-22T03:59:59.900000000Z', insertId: 'i', container: 'projects/p' };
  pages = [{ entries: [entry('one')], next: place }, { entries: [entry('two')] }];
  copies.begin(orderOf());
  copies.begin(orderOf({ operation: 'operations/other' }));
  await copies.step();
  copies.cancel(OPERATION);
  expect(shown()).toEqual({
    name: OPERATION,
    done: true,
    metadata: { ...DONE.metadata, endTime: START, state: 'OPERATION_STATE_CANCELLED' },
    error: { code: 1, message: 'The operation was cancelled.' },
  });
  await finish();
  expect(asked.map(({ after }) => after)).toEqual([undefined, undefined]);
  expect(files.list('archive', { prefix: '', after: '', limit: 9 }).map(({ lines }) => lines)).toEqual([2]);
  expect(shown(DONE, 'operations/other')).toMatchObject({ done: true, response: { logEntriesCopiedCount: '1' } });
});

test('a copy that has ended is not cancelled', async () => {
  pages = [{ entries: [entry('one')] }];
  copies.begin(orderOf());
  await finish();
  copies.cancel(OPERATION);
  copies.cancel('operations/unknown');
  expect(shown()).toMatchObject({ done: true, response: { logEntriesCopiedCount: '1' } });
});

describe('a page of operations', () => {
  const TYPE = 'type.googleapis.com/google.logging.v2.CopyLogEntriesMetadata';
  const copyNamed = (name: string) => ({ ...DONE, name, metadata: { ...DONE.metadata, '@type': TYPE } });
  const bucketOne = { name: 'operations/bucket', done: true, metadata: { '@type': 'BucketMetadata' } };
  const listed = (filter: string, operations: readonly JsonObject[]): unknown => {
    const answer = copies.listed({
      do: 'operations',
      filter,
      page: { operations: [...operations], nextPageToken: 't' },
    });
    return answer.ok && answer.status === 200 ? answer.body : answer;
  };

  test('has copies as they are by now, and all others as they come', async () => {
    pages = [{ entries: [entry('one'), entry('two')] }];
    for (const operation of ['ended', 'running']) copies.begin(orderOf({ operation }));
    await copies.step();
    expect(listed('', [copyNamed('ended'), bucketOne, copyNamed('running'), copyNamed('unknown')])).toMatchObject({
      operations: [
        { name: 'ended', done: true, response: { logEntriesCopiedCount: '2' } },
        bucketOne,
        { name: 'running', metadata: { state: 'OPERATION_STATE_RUNNING' } },
        copyNamed('unknown'),
      ],
      nextPageToken: 't',
    });
  });

  test('has of copies those that the filter takes as they are by now', async () => {
    for (const operation of ['ended', 'running']) copies.begin(orderOf({ operation }));
    await copies.step();
    const both = [copyNamed('ended'), copyNamed('running')];
    const running = { operations: [{ name: 'running' }] };
    expect(listed('metadata.state="OPERATION_STATE_RUNNING"', both)).toMatchObject(running);
    expect(listed('done=true', both)).toMatchObject({ operations: [{ name: 'ended' }] });
    expect(listed('name="none"', both)).toEqual({ nextPageToken: 't' });
  });
});

test('of an operation that is no copy of this store the first answer holds', () => {
  expect(shown(DONE, 'projects/p/locations/global/operations/other')).toBeNull();
});

test('K9: files have 64 MiB in all; a copy that finds no more room fails, with what it has', async () => {
  const big = { ...entry('x'.repeat(700_000)) };
  pages = Array.from({ length: 97 }, () => ({ entries: [big], next: { ts: '', insertId: '', container: '' } }));
  copies.begin(orderOf());
  await finish();
  expect(shown()).toMatchObject({
    done: true,
    metadata: { state: 'OPERATION_STATE_FAILED' },
    error: { code: 8, message: 'The tenant keeps as many bytes of files as it may' },
  });
  expect(database.sql.exec('SELECT copied FROM copy').toArray()).toEqual([{ copied: 95 }]);
});

test('K9: ten copies of a tenant run at a time; one more fails', async () => {
  for (let n = 0; n <= MAX_RUNNING; n += 1) copies.begin(orderOf({ operation: `operations/${n}` }));
  expect(shown(DONE, 'operations/10')).toMatchObject({
    error: { code: 8, message: 'At most 10 copies run at a time' },
  });
  await finish();
  expect(shown(DONE, 'operations/9')).toMatchObject({ done: true, response: { logEntriesCopiedCount: '0' } });
});

test('a filter that cannot be read any more ends a copy, and no other', async () => {
  copies.begin(orderOf({ filter: 'severity >' }));
  copies.begin(orderOf({ operation: 'operations/other' }));
  await finish();
  expect(shown()).toMatchObject({ done: true, error: { message: expect.stringMatching(/^Unparseable filter/) } });
  expect(shown(DONE, 'operations/other')).toMatchObject({ done: true, response: { logEntriesCopiedCount: '0' } });
});

test('a copy is remembered for 30 days, and no longer than until a reset', async () => {
  copies.begin(orderOf());
  await finish();
  nowMs += 31 * 86_400_000;
  copies.begin(orderOf({ operation: 'operations/later' }));
  expect(shown()).toBeNull();
  copies.reset();
  expect(copies.nextMs()).toBeUndefined();
});
