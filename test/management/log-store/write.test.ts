import { describe, expect, test } from 'vitest';
import { MAX_ENTRY_BYTES_KEPT, OWN_BYTES_KEPT } from '../../../src/management/log-store/store.ts';
import {
  DAY_MS,
  DEFAULT,
  entriesOf,
  entryWorld,
  facts,
  NOW_MS,
  REQUIRED,
  refusalOf,
  texts,
  toBucket,
} from './entry-world.ts';

const LOG = 'projects/p/logs/app';
const resource = { type: 'global' };
const OK = { ok: true, status: 200, body: {} };
const iso = (ms: number): string => new Date(ms).toISOString();

test('what is written is listed with the defaults of its call', () => {
  const { write, entries } = entryWorld();
  const body = {
    logName: LOG,
    resource: { type: 'gce_instance', labels: { zone: 'z', gone: null } },
    labels: { a: 'call', b: 'call' },
    entries: [{ textPayload: 'hello', labels: { b: 'own', c: 'own' } }],
  };
  expect(write(body)).toEqual(OK);
  expect(entries()).toEqual([
    {
      insertId: expect.stringMatching(/^[0-9a-z]{20}$/),
      logName: LOG,
      timestamp: '2026-11-21T12:00:00Z',
      severity: 'DEFAULT',
      resource: { type: 'gce_instance', labels: { zone: 'z', project_id: 'p' } },
      textPayload: 'hello',
      labels: { a: 'call', b: 'own', c: 'own' },
      receiveTimestamp: '2026-11-21T12:00:00.000Z',
    },
  ]);
});

test('an entry says more than its call; what only the service sets is dropped', () => {
  const { write, entries } = entryWorld();
  const entry = {
    logName: 'projects/p/logs/own',
    resource: { type: 'own' },
    jsonPayload: { n: null, deep: [1, { a: true }] },
    httpRequest: { status: 200, referer: null },
    severity: 'ERROR',
    timestamp: '2026-11-21T11:00:00.12Z',
    insertId: 'i',
    trace: 'projects/p/traces/T',
    receiveTimestamp: '1999-01-01T00:00:00Z',
    errorGroups: [{ id: 'x' }],
  };
  write({ logName: LOG, resource, entries: [entry] });
  expect(entries()).toEqual([
    {
      insertId: 'i',
      logName: 'projects/p/logs/own',
      timestamp: '2026-11-21T11:00:00.120Z',
      severity: 'ERROR',
      resource: { type: 'own', labels: {} },
      httpRequest: { status: 200 },
      jsonPayload: { n: null, deep: [1, { a: true }] },
      trace: 'projects/p/traces/T',
      receiveTimestamp: '2026-11-21T12:00:00.000Z',
    },
  ]);
});

test('a resource whose type has a project label is in the project of its log, unless the writer says another', () => {
  const { write, entries } = entryWorld();
  const written = [
    { type: 'global' },
    { type: 'gce_instance', labels: { zone: 'z', instance_id: '1' } },
    { type: 'k8s_container', labels: { project_id: 'another', pod_name: 'x' } },
    { type: 'global', labels: { project_id: '' } },
    { type: 'organization', labels: { organization_id: '1' } },
    { type: 'own' },
  ];
  write({ logName: LOG, resource, entries: written.map((one) => ({ resource: one, textPayload: 't' })) });
  expect(entries().map((entry) => entry['resource'])).toEqual([
    { type: 'global', labels: { project_id: 'p' } },
    { type: 'gce_instance', labels: { zone: 'z', instance_id: '1', project_id: 'p' } },
    { type: 'k8s_container', labels: { project_id: 'another', pod_name: 'x' } },
    { type: 'global', labels: { project_id: 'p' } },
    { type: 'organization', labels: { organization_id: '1' } },
    { type: 'own', labels: {} },
  ]);
  expect(entries({ filter: 'resource.labels.project_id="p"' })).toHaveLength(3);
});

test('a log of a folder gives no project', () => {
  const { write, entries } = entryWorld();
  const body = { logName: 'folders/1/logs/app', resource, entries: [{ textPayload: 't' }] };
  write(body, { routes: { 'folders/1': [toBucket(DEFAULT)] } });
  expect(entries().map((entry) => entry['resource'])).toEqual([{ type: 'global', labels: {} }]);
});

test.each(['projects/p/logs/a/b', 'projects/p/logs/a%2Fb', 'projects/p/logs/a%252Fb'])(
  'the log name %j is projects/p/logs/a%%2Fb',
  (logName) => {
    const { write, entries } = entryWorld();
    write({ logName, resource, entries: [{ textPayload: 't' }] });
    expect(entries().map((entry) => entry['logName'])).toEqual(['projects/p/logs/a%2Fb']);
  },
);

test('entries without time and id sort as they were sent, over several calls in the same moment', () => {
  const { wrote, entries } = entryWorld();
  wrote({ textPayload: '1' }, { textPayload: '2' });
  wrote({ textPayload: '3' }, { textPayload: '4' });
  expect(texts(entries())).toEqual(['1', '2', '3', '4']);
  expect(texts(entries({ orderBy: 'timestamp desc' }))).toEqual(['4', '3', '2', '1']);
});

test('an id that is not sent sorts as the entry was sent, where times are the same', () => {
  const { wrote, entries } = entryWorld();
  const timestamp = '2026-11-21T11:00:00Z';
  wrote(...Array.from({ length: 40 }, (_, at) => ({ textPayload: String(at), timestamp })));
  expect(texts(entries())).toEqual(Array.from({ length: 40 }, (_, at) => String(at)));
});

test('a call without entries writes none and is fine', () => {
  const { write, entries } = entryWorld();
  expect(write({ entries: [] })).toEqual(OK);
  expect(entries()).toEqual([]);
});

describe('a bad entry', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));
  test.each([
    [{ logName: '', textPayload: 't' }, 'Log name is required'],
    [{ logName: 'projects/p/app', textPayload: 't' }, 'Log name is not valid'],
    [{ logName: 'accounts/p/logs/app' }, 'Log name is not valid'],
    [{ logName: '/projects/p/logs/app' }, 'Log name is not valid'],
    [{ logName: 'projects/p/logs/' }, 'Log name is not valid'],
    [{ logName: 'projects/p/logs/a%zz' }, 'Log name is not valid'],
    [{ logName: 'projects/p/logs/a%25252Fb' }, 'Log name is not valid'],
    [{ logName: 'projects/p/logs/a b' }, 'Log name is not valid'],
    [{ logName: `projects/p/logs/${'a'.repeat(512)}` }, 'Log name is not valid'],
    [{ logName: LOG, textPayload: 't', jsonPayload: {} }, 'Only one of textPayload, jsonPayload'],
    [{ logName: LOG, labels: many(65) }, 'at most 64 labels'],
    [{ logName: LOG, timestamp: 'yesterday' }, 'Timestamp is not valid'],
    [{ logName: LOG, insertId: 'x'.repeat(1_025) }, 'Insert id is too long'],
    [
      { logName: LOG, textPayload: 'x'.repeat(256 * 1_024) },
      'Log entry with size 256.2K exceeds maximum size of 256.0K',
    ],
    [{ logName: LOG, textPayload: 'ü'.repeat(128 * 1_024) }, 'exceeds maximum size of 256.0K'],
  ])('%# refuses the call, and nothing is kept', (entry, message) => {
    const { write, entries } = entryWorld();
    const refused = refusalOf(write({ resource, entries: [{ logName: LOG, textPayload: 'good' }, entry] }));
    expect(refused).toContain('400 INVALID_ARGUMENT: entries[1]: ');
    expect(refused).toContain(message);
    expect(entries()).toEqual([]);
  });

  test('a monitored resource must be named somewhere', () => {
    const { write } = entryWorld();
    expect(refusalOf(write({ logName: LOG, entries: [{ textPayload: 't' }] }))).toBe(
      '400 INVALID_ARGUMENT: entries[0]: Monitored resource type is required',
    );
  });

  test('with partialSuccess the others are kept, and the answer has what is wrong with each', () => {
    const { write, entries } = entryWorld();
    const sent = [
      { textPayload: 'first', logName: 'x' },
      { textPayload: 'good' },
      { textPayload: '3', jsonPayload: {} },
    ];
    expect(write({ logName: LOG, resource, partialSuccess: true, entries: sent })).toEqual({
      ok: false,
      refusal: {
        status: 400,
        word: 'INVALID_ARGUMENT',
        reason: 'invalid',
        message: 'entries[0]: Log name is not valid',
        details: [
          {
            '@type': 'type.googleapis.com/google.logging.v2.WriteLogEntriesPartialErrors',
            logEntryErrors: {
              0: { code: 3, message: 'Log name is not valid' },
              2: { code: 3, message: 'Only one of textPayload, jsonPayload and protoPayload may be set' },
            },
          },
        ],
      },
    });
    expect(texts(entries())).toEqual(['good']);
  });

  test('with partialSuccess a call of which nothing is kept has no errors of entries', () => {
    const { write } = entryWorld();
    const answer = write({ resource, partialSuccess: true, entries: [{ textPayload: 't' }] });
    expect(answer).toMatchObject({ ok: false, refusal: { message: 'entries[0]: Log name is required' } });
    expect(answer).not.toHaveProperty('refusal.details');
  });
});

test('longer keys and values of labels are cut, and end with an ellipsis', () => {
  const { wrote, entries } = entryWorld();
  wrote({ labels: { ['k'.repeat(600)]: 'ü'.repeat(40_000) } });
  const [[key, value] = []] = Object.entries(entries()[0]?.['labels'] ?? {});
  expect(key).toBe(`${'k'.repeat(509)}...`);
  expect(value).toBe(`${'ü'.repeat(32_766)}...`);
});

test('dryRun says what would be wrong, and keeps nothing', () => {
  const { write, entries, placed } = entryWorld();
  expect(write({ logName: LOG, resource, dryRun: true, entries: [{ textPayload: 't' }] })).toEqual(OK);
  expect(refusalOf(write({ logName: 'x', resource, dryRun: true, entries: [{}] }))).toContain('Log name is not valid');
  expect(entries()).toEqual([]);
  expect(placed).toEqual([]);
});

test('1,000 entries are one call, 1,001 are too many', () => {
  const { write, entries } = entryWorld();
  const body = (count: number) => ({ logName: LOG, resource, entries: Array.from({ length: count }, () => ({})) });
  expect(refusalOf(write(body(1_001)))).toBe('400 INVALID_ARGUMENT: A call writes at most 1000 log entries');
  expect(entries()).toEqual([]);
  expect(write(body(1_000))).toEqual(OK);
  expect(entries({ pageSize: 1_000 })).toHaveLength(1_000);
});

test('what is a day ahead or older than the retention is taken, but not listed', () => {
  const { wrote, entries } = entryWorld();
  wrote(
    { textPayload: 'future', timestamp: iso(NOW_MS + DAY_MS + 1_000) },
    { textPayload: 'soon', timestamp: iso(NOW_MS + DAY_MS) },
    { textPayload: 'oldest', timestamp: iso(NOW_MS - 30 * DAY_MS) },
    { textPayload: 'past', timestamp: iso(NOW_MS - 30 * DAY_MS - 1) },
  );
  expect(texts(entries())).toEqual(['oldest', 'soon']);
});

describe('sinks', () => {
  const webhook = { kind: 'webhook', url: 'https://receiver.example.com/logs' } as const;

  test('an entry goes wherever a sink takes it, and to a bucket once', () => {
    const { write, entries, placed } = entryWorld();
    const routes = {
      'projects/p': [
        toBucket(DEFAULT, 'severity<ERROR', 'projects/p/sinks/low'),
        toBucket(DEFAULT, '', 'projects/p/sinks/all'),
        {
          sink: 'projects/p/sinks/hook',
          filter: 'severity>=ERROR',
          exclusions: ['textPayload:"noise"'],
          target: webhook,
        },
      ],
    };
    const sent = [
      { textPayload: 'low', severity: 'INFO' },
      { textPayload: 'high', severity: 'ERROR' },
      { textPayload: 'noise', severity: 'ERROR' },
    ];
    write({ logName: LOG, resource, entries: sent }, { routes });
    expect(texts(entries())).toEqual(['low', 'high', 'noise']);
    expect(placed.map(({ sink, entry, target }) => [sink, entry['textPayload'], target.kind])).toEqual([
      ['projects/p/sinks/low', 'low', 'bucket'],
      ['projects/p/sinks/all', 'high', 'bucket'],
      ['projects/p/sinks/hook', 'high', 'webhook'],
      ['projects/p/sinks/all', 'noise', 'bucket'],
    ]);
  });

  test('placed entries say all that followers and deliveries need', () => {
    const { wrote, placed } = entryWorld();
    wrote({ textPayload: 't', insertId: 'i', severity: 'ALERT', timestamp: '2026-11-21T11:00:00Z' });
    expect(placed).toEqual([
      {
        bucket: DEFAULT,
        target: { kind: 'bucket', bucket: DEFAULT },
        sink: 'projects/p/sinks/_Default',
        container: 'projects/p',
        logName: LOG,
        ts: '2026-11-21T11:00:00.000000000Z',
        insertId: 'i',
        severity: 700,
        entry: expect.objectContaining({ textPayload: 't', severity: 'ALERT' }),
      },
    ]);
  });

  test('a sink to another container lets the sinks there decide, with no further hop', () => {
    const { write, placed } = entryWorld();
    const hop = (sink: string, container: string) => ({
      sink,
      filter: '',
      exclusions: [],
      target: { kind: 'container', container } as const,
    });
    const routes = {
      'projects/p': [hop('projects/p/sinks/q', 'projects/q')],
      'projects/q': [hop('projects/q/sinks/p', 'projects/p'), toBucket(REQUIRED, '', 'projects/q/sinks/keep')],
    };
    write({ logName: LOG, resource, entries: [{ textPayload: 't' }] }, { routes });
    expect(placed.map(({ sink, bucket }) => [sink, bucket])).toEqual([['projects/q/sinks/keep', REQUIRED]]);
  });

  test('what a bucket does not keep still goes to other targets', () => {
    const { write, placed } = entryWorld();
    const hook = { sink: 'projects/p/sinks/hook', filter: '', exclusions: [], target: webhook };
    const routes = { 'projects/p': [toBucket(DEFAULT), hook, toBucket('projects/p/locations/eu/buckets/unknown')] };
    write({ logName: LOG, resource, entries: [{ timestamp: iso(NOW_MS - 31 * DAY_MS) }] }, { routes });
    expect(placed.map(({ target }) => target.kind)).toEqual(['webhook']);
  });

  test('what a listener throws keeps nothing, and the next call works', () => {
    const { state, write, wrote, entries } = entryWorld();
    let fails = true;
    state.onWritten(() => {
      if (fails) throw new Error('no');
    });
    expect(() => write({ logName: 'projects/p/logs/new', resource, entries: [{}] })).toThrow('no');
    expect(entries()).toEqual([]);
    fails = false;
    wrote({ textPayload: 'kept' });
    expect(texts(entries())).toEqual(['kept']);
  });
});

describe('K9: what one call may come to', () => {
  const buckets = Array.from({ length: 200 }, (_, at) => facts(`projects/p/locations/global/buckets/b${at}`));
  const routes = (count: number) => ({
    'projects/p': buckets.slice(0, count).map(({ name }, at) => toBucket(name, '', `projects/p/sinks/s${at}`)),
  });
  const large = Array.from({ length: 40 }, (_, at) => ({ insertId: `i${at}`, textPayload: 'x'.repeat(250_000) }));

  test('is 32 MB in all places of its entries; above it nothing is kept', () => {
    const { write, placed, sql } = entryWorld();
    const said = refusalOf(write({ logName: LOG, resource, entries: large }, { routes: routes(200), buckets }));
    expect(said).toBe('400 INVALID_ARGUMENT: Too many sinks take these entries: send fewer in one call');
    expect([placed, sql.exec('SELECT count(*) AS n FROM entry').toArray()]).toEqual([[], [{ n: 0 }]]);
    expect(write({ logName: LOG, resource, entries: large }, { routes: routes(3), buckets })).toEqual(OK);
    expect(placed).toHaveLength(120);
  });

  test('is 20,000 rows: entries are counted in each place', () => {
    const { write, placed } = entryWorld();
    const entries = Array.from({ length: 1_000 }, () => ({}));
    const said = refusalOf(write({ logName: LOG, resource, entries }, { routes: routes(21), buckets }));
    expect(said).toBe('400 INVALID_ARGUMENT: Too many sinks take these entries: send fewer in one call');
    expect(placed).toEqual([]);
    expect(write({ logName: LOG, resource, entries }, { routes: routes(20), buckets })).toEqual(OK);
    expect(placed).toHaveLength(20_000);
  });

  test('counts what goes to web addresses and files, and bytes, not characters', () => {
    const { write, placed } = entryWorld();
    const hooks = Array.from({ length: 2 }, (_, at) => ({
      ...toBucket('', '', `projects/p/sinks/h${at}`),
      target: { kind: 'webhook', url: 'https://receiver.example.com/logs' } as const,
    }));
    const entries = Array.from({ length: 30 }, () => ({ textPayload: '\u20ac'.repeat(80_000) }));
    const order = { routes: { 'projects/p': [...routes(3)['projects/p'], ...hooks] }, buckets };
    expect(refusalOf(write({ logName: LOG, resource, entries }, order))).toMatch(/^400 INVALID_ARGUMENT: Too many/);
    expect(placed).toEqual([]);
  });

  test('is judged with what the tenant keeps already, before it is kept', () => {
    const { write, takes, placed } = entryWorld();
    takes(MAX_ENTRY_BYTES_KEPT - 20_000_000);
    expect(refusalOf(write({ logName: LOG, resource, entries: large }, { routes: routes(3), buckets }))).toMatch(
      /^429 RESOURCE_EXHAUSTED/,
    );
    expect(placed).toEqual([]);
    expect(write({ logName: LOG, resource, entries: large }, { routes: routes(1), buckets })).toEqual(OK);
  });
});

describe('a tenant that keeps as much as it may', () => {
  test('K9: writes no more, with 429', () => {
    const { write, entries, takes } = entryWorld();
    takes(MAX_ENTRY_BYTES_KEPT);
    expect(refusalOf(write({ logName: LOG, resource, entries: [{}] }))).toContain('429 RESOURCE_EXHAUSTED: ');
    expect(entries()).toEqual([]);
  });

  test('what the service writes itself takes the place of its own oldest entries', () => {
    const { write, list, takes } = entryWorld();
    const own = (textPayload: string) => write({ logName: LOG, resource, entries: [{ textPayload }] }, { isOwn: true });
    own('old');
    takes(MAX_ENTRY_BYTES_KEPT + OWN_BYTES_KEPT);
    expect(own('new')).toEqual(OK);
    expect(texts(entriesOf(list()))).toEqual(['new']);
  });

  test('but not of what others wrote', () => {
    const { write, wrote, takes } = entryWorld();
    wrote({ textPayload: 'theirs' });
    takes(MAX_ENTRY_BYTES_KEPT + OWN_BYTES_KEPT);
    expect(refusalOf(write({ logName: LOG, resource, entries: [{}] }, { isOwn: true }))).toContain('429');
  });

  test('what callers wrote leaves the service room for its own', () => {
    const { write, wrote, list, takes } = entryWorld();
    wrote({ textPayload: 'theirs' });
    takes(MAX_ENTRY_BYTES_KEPT + 1);
    expect(write({ logName: LOG, resource, entries: [{ textPayload: 'own' }] }, { isOwn: true })).toEqual(OK);
    expect(texts(entriesOf(list()))).toEqual(['theirs', 'own']);
  });
});
