import { beforeEach, expect, test } from 'vitest';
import { type Files, createLogFiles, computeFileSeries } from '../../../../src/management/log-store/files/files.ts';
import type { PlacedEntry } from '../../../../src/management/log-store/routing.ts';
import { memorySqlite } from '../../../support/management/sqlite.ts';
import { hookedEntry, placedEntry } from '../placed-entry.ts';

let files: Files;
let database: ReturnType<typeof memorySqlite>;

beforeEach(() => {
  database = memorySqlite();
  files = createLogFiles({ sql: database.sql, now: () => 1_800_000_000_000 });
});

const archived = (at: number, changes: Partial<PlacedEntry> & { text?: string } = {}): PlacedEntry =>
  placedEntry(at, { target: { kind: 'storage', bucket: 'archive' }, ...changes });
const all = (prefix = '') => files.list('archive', { prefix, after: '', limit: 100 });
const FIRST = 'app/2026/11/22/03:00:00_03:59:59_S0.json';

test('a sink to storage writes a file of JSON lines for each log and hour', () => {
  files.keep([archived(1), placedEntry(2), hookedEntry(3), archived(4)]);
  files.keep([archived(5), archived(6, { logName: 'projects/p/logs/other' })]);
  expect(all().map(({ name, lines }) => [name, lines])).toEqual([
    [FIRST, 3],
    ['other/2026/11/22/03:00:00_03:59:59_S0.json', 1],
  ]);
  const lines = files.read('archive', FIRST)?.split('\n') ?? [];
  expect(lines.pop()).toBe('');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([1, 4, 5].map((at) => placedEntry(at).entry));
});

test('a file that is full is followed by the next number', () => {
  const text = 'x'.repeat(1_500_000);
  files.keep(Array.from({ length: 4 }, (_, at) => archived(at, { text })));
  expect(all().map(({ name, lines }) => [name.slice(-7), lines])).toEqual([
    ['S0.json', 3],
    ['S1.json', 1],
  ]);
  expect(all().every(({ bytes, name }) => bytes === files.read('archive', name)?.length)).toBe(true);
});

test('K9: entries beyond 64 MiB are not kept, and counted; a reset makes room', () => {
  const text = 'x'.repeat(1_000_000);
  const many = Array.from({ length: 70 }, (_, at) => archived(at % 60, { text }));
  expect(files.append('archive', many)).toBe(67);
  expect(database.sql.exec('SELECT lost FROM stored_total').toArray()).toEqual([{ lost: 3 }]);
  files.reset();
  expect(all()).toEqual([]);
  expect(files.append('archive', many.slice(0, 1))).toBe(1);
});

test('files are listed by what their names begin with, after one, so many', () => {
  files.keep(['b', 'a', 'c', 'ab'].map((log) => archived(1, { logName: `projects/p/logs/${log}` })));
  const logs = (prefix: string, after = '', limit = 100) =>
    files.list('archive', { prefix, after, limit }).map(({ name }) => name.split('/')[0]);
  expect(logs('')).toEqual(['a', 'ab', 'b', 'c']);
  expect(logs('a')).toEqual(['a', 'ab']);
  expect(logs('', 'ab0', 1)).toEqual(['b']);
  expect(files.list('another', { prefix: '', after: '', limit: 9 })).toEqual([]);
});

test('a file that is not there has no lines', () => {
  expect(files.read('archive', FIRST)).toBeUndefined();
});

test.each([
  ['projects/p/logs/app', '2026-11-22T03:59:59.999999999Z', 'app/2026/11/22/03:00:00_03:59:59'],
  ['folders/1/logs/a%2Fb', '2026-01-02T00:00:00Z', 'a/b/2026/01/02/00:00:00_00:59:59'],
])('the files of %s at %s are %s', (logName, ts, series) => {
  expect(computeFileSeries(logName, ts)).toBe(series);
});
