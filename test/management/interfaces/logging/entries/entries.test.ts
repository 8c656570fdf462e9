import { beforeEach, describe, expect, test } from 'vitest';
import type { EntryOrder } from '../../../../../src/management/log-store/order.ts';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { logging } from '../../../../../src/management/interfaces/logging/index.ts';
import { CALLER, type TestTenant, testTenant } from '../../../../support/management/management.ts';

const NOW = Date.UTC(2026, 10, 21);
const GLOBAL = 'projects/p/locations/global';
const DEFAULT = { name: `${GLOBAL}/buckets/_Default`, retentionDays: 30 };
const REQUIRED = { name: `${GLOBAL}/buckets/_Required`, retentionDays: 400 };
const SALT = 'test-salt-of-one-tenant';

let tenant: TestTenant;
beforeEach(() => {
  tenant = testTenant();
});

/** What one call hands to the store of entries. */
function handed<Do extends EntryOrder['do']>(does: Do, method: string, sent: Parameters<TestTenant['ok']>[1] = {}) {
  tenant.handed.length = 0;
  tenant.ok(method, sent);
  const [order] = tenant.handed;
  if (order?.do !== does || tenant.handed.length !== 1) throw new Error(`${method} handed ${order?.do ?? 'nothing'}`);
  return order as Extract<EntryOrder, { do: Do }>;
}

describe('entries.write', () => {
  const METHOD = 'logging.entries.write';
  const write = (body: JsonObject, sent = {}) => handed('write', METHOD, { body, ...sent });
  const brief = (body: JsonObject) =>
    logging.brief?.[METHOD]?.({ method: METHOD, path: {}, query: {}, body, caller: CALLER }).body;

  test('is planned by the containers of its log names, without its entries', () => {
    expect(
      brief({
        logName: 'projects/p/logs/whole',
        labels: { a: 'b' },
        entries: [
          { textPayload: 'x'.repeat(1_000) },
          { logName: 'folders/1/logs/a%2Fb' },
          { logName: 'folders/1/logs/a/c' },
          { logName: 'projects/q' },
          { logName: 'things/1/logs/l' },
          { logName: '' },
          'no entry',
        ],
      }),
    ).toEqual({ containers: ['projects/p', 'folders/1'] });
    expect(brief({ containers: ['projects/foreign'], entries: [{}] })).toEqual({ containers: [] });
  });

  test('hands the routes of each container, and the buckets that they lead to', () => {
    expect(write({ containers: ['projects/p'] })).toEqual({
      do: 'write',
      nowMs: NOW,
      routes: {
        'projects/p': [
          {
            sink: 'projects/p/sinks/_Default',
            filter: expect.stringContaining('NOT LOG_ID("cloudaudit.googleapis.com/activity")'),
            exclusions: [],
            target: { kind: 'bucket', bucket: DEFAULT.name },
          },
          {
            sink: 'projects/p/sinks/_Required',
            filter: expect.stringContaining('LOG_ID("cloudaudit.googleapis.com/activity") OR'),
            exclusions: [],
            target: { kind: 'bucket', bucket: REQUIRED.name },
          },
        ],
      },
      buckets: [DEFAULT, REQUIRED],
    });
  });

  test('follows a sink to another project, once', () => {
    const sink = (parent: string, to: string) =>
      tenant.ok('logging.projects.sinks.create', {
        path: { parent },
        body: { name: 'on', destination: `logging.googleapis.com/${to}` },
      });
    sink('projects/p', 'projects/q');
    sink('projects/q', 'projects/r');
    const { routes, buckets } = write({ containers: ['projects/p'] });
    expect(Object.keys(routes)).toEqual(['projects/p', 'projects/q']);
    expect(buckets.map(({ name }) => name)).toEqual([
      DEFAULT.name,
      REQUIRED.name,
      'projects/q/locations/global/buckets/_Default',
      'projects/q/locations/global/buckets/_Required',
    ]);
  });

  test('leaves out a sink whose bucket is not there', () => {
    const body = { name: 'lost', destination: 'logging.googleapis.com/projects/q/locations/global/buckets/none' };
    tenant.ok('logging.projects.sinks.create', { path: { parent: 'projects/p' }, body });
    const { routes } = write({ containers: ['projects/p'] });
    expect(routes['projects/p']?.map(({ sink }) => sink)).toEqual([
      'projects/p/sinks/_Default',
      'projects/p/sinks/_Required',
    ]);
  });

  test.each<JsonObject>([{}, { entries: [] }])('hands nothing on for %j', (body) => {
    expect(tenant.ok(METHOD, { body: brief(body) ?? {} })).toEqual({});
    expect(tenant.ok(METHOD, { body })).toEqual({});
    expect(tenant.handed).toEqual([]);
  });

  test('K2: says what the service wrote itself', () => {
    expect(write({ containers: [] }, { isOwn: true }).isOwn).toBe(true);
    expect(write({ containers: [] })).not.toHaveProperty('isOwn');
  });
});

describe('entries.list and entries.tail', () => {
  const list = (body: JsonObject) => handed('list', 'logging.entries.list', { body });
  const makeView = () => {
    tenant.ok('logging.projects.locations.buckets.create', {
      path: { parent: GLOBAL },
      query: { bucketId: 'b' },
      body: { retentionDays: 7 },
    });
    const view = { path: { parent: `${GLOBAL}/buckets/b` }, query: { viewId: 'v' }, body: { filter: 'LOG_ID("a")' } };
    tenant.ok('logging.projects.locations.buckets.views.create', view);
  };

  test('a container is read in all its buckets', () => {
    expect(list({ resourceNames: ['projects/p'] })).toEqual({
      do: 'list',
      nowMs: NOW,
      salt: SALT,
      sources: [{ bucket: DEFAULT.name }, { bucket: REQUIRED.name }],
      buckets: [DEFAULT, REQUIRED],
    });
  });

  test('a view is read as its filter says, with and without its container', () => {
    makeView();
    const view = `${GLOBAL}/buckets/b/views/v`;
    const bucket = { name: `${GLOBAL}/buckets/b`, retentionDays: 7 };
    expect(list({ resourceNames: [view] })).toMatchObject({
      sources: [{ bucket: bucket.name, filter: 'LOG_ID("a")' }],
      buckets: [bucket],
    });
    expect(list({ resourceNames: [view, 'projects/p'] }).buckets).toHaveLength(3);
  });

  test('the older projectIds are containers too', () => {
    expect(list({ projectIds: ['q', 'projects/r'] }).sources.map(({ bucket }) => bucket)).toEqual([
      'projects/q/locations/global/buckets/_Default',
      'projects/q/locations/global/buckets/_Required',
      'projects/r/locations/global/buckets/_Default',
      'projects/r/locations/global/buckets/_Required',
    ]);
  });

  test('tail reads the same', () => {
    const body = { resourceNames: ['projects/p'], filter: 'severity>=ERROR', bufferWindow: '1s' };
    expect(handed('tail', 'logging.entries.tail', { body }).sources).toEqual(list(body).sources);
  });

  test.each<[string, JsonObject, RegExp]>([
    ['no resources', {}, /^400 required: .*resourceNames/],
    ['no resources in a list', { resourceNames: [] }, /^400 required: .*resourceNames/],
    ['101 resources', { resourceNames: Array.from({ length: 101 }, (_, at) => `projects/p${at}`) }, /at most 100/],
    ['what is no container', { resourceNames: ['things/1'] }, /^400 invalid/],
    ['a bucket', { resourceNames: [`${GLOBAL}/buckets/_Default`] }, /^400 invalid/],
    ['a view that is not there', { resourceNames: [`${GLOBAL}/buckets/_Default/views/none`] }, /^404 notFound/],
    ['a filter that is none', { resourceNames: ['projects/p'], filter: 'a AND' }, /Unparseable filter/],
    ['a filter of 20,001 characters', { resourceNames: ['projects/p'], filter: 'a'.repeat(20_001) }, /20000/],
    [
      'a filter nested 1,000 deep',
      { resourceNames: ['projects/p'], filter: `${'('.repeat(1_000)}a${')'.repeat(1_000)}` },
      /nested/,
    ],
  ])('both refuse %s, and hand nothing on', (_what, body, why) => {
    for (const verb of ['list', 'tail']) expect(tenant.refused(`logging.entries.${verb}`, { body })).toMatch(why);
    expect(tenant.handed).toEqual([]);
  });

  test.each([-1, 1_001])('a page of %d entries is refused', (pageSize) => {
    const body = { resourceNames: ['projects/p'], pageSize };
    expect(tenant.refused('logging.entries.list', { body })).toMatch(/^400 invalid: pageSize/);
  });
});

describe('entries.copy', () => {
  const METHOD = 'logging.entries.copy';
  const BODY = { name: DEFAULT.name, destination: 'storage.googleapis.com/a-bucket', filter: 'severity>=ERROR' };

  test('answers an operation of the place of the bucket, and hands the work on under its name', () => {
    tenant.handed.length = 0;
    const answer = tenant.ok(METHOD, { body: BODY });
    expect(answer).toEqual({
      name: expect.stringMatching(/^projects\/p\/locations\/global\/operations\/[0-9a-f]+$/),
      metadata: expect.objectContaining({
        '@type': 'type.googleapis.com/google.logging.v2.CopyLogEntriesMetadata',
        verb: 'copy',
        source: DEFAULT.name,
        destination: 'storage.googleapis.com/a-bucket',
        startTime: '2026-11-21T00:00:00.000Z',
        state: 'OPERATION_STATE_RUNNING',
      }),
    });
    expect(tenant.handed).toEqual([
      {
        do: 'copy',
        filter: 'severity>=ERROR',
        bucket: 'a-bucket',
        operation: answer['name'],
        nowMs: NOW,
        salt: SALT,
        sources: [{ bucket: DEFAULT.name }],
        buckets: [DEFAULT],
      },
    ]);
  });

  test.each<[string, JsonObject, RegExp]>([
    ['no name', { name: '' }, /^400 required: .*name/],
    ['no destination', { destination: '' }, /^400 required: .*destination/],
    ['a container', { name: 'projects/p' }, /^400 invalid/],
    ['a bucket that is not there', { name: `${GLOBAL}/buckets/none` }, /^404 notFound/],
    ['another kind of destination', { destination: 'https://hooks.example.com/' }, /storage\.googleapis\.com/],
    ['a filter that is none', { filter: 'a AND' }, /Unparseable filter/],
  ])('refuses %s', (_what, body, why) => {
    expect(tenant.refused(METHOD, { body: { ...BODY, ...body } })).toMatch(why);
    expect(tenant.handed).toEqual([]);
  });
});

describe('logs', () => {
  test.each(['logging.logs.list', 'logging.projects.logs.list'])(
    '%s looks into the buckets of the parent',
    (method) => {
      expect(handed('logs', method, { path: { parent: 'projects/p' } })).toEqual({
        do: 'logs',
        containers: ['projects/p'],
        nowMs: NOW,
        salt: SALT,
        sources: [{ bucket: DEFAULT.name }, { bucket: REQUIRED.name }],
        buckets: [DEFAULT, REQUIRED],
      });
    },
  );

  test('a view, as parent or resource, shows the logs of any container', () => {
    const view = `${GLOBAL}/buckets/_Default/views/_AllLogs`;
    const method = 'logging.projects.locations.buckets.views.logs.list';
    expect(handed('logs', method, { path: { parent: view } })).toMatchObject({
      containers: [],
      sources: [{ bucket: DEFAULT.name }],
      buckets: [DEFAULT],
    });
    const query = { resourceNames: [view] };
    const both = handed('logs', 'logging.projects.logs.list', { path: { parent: 'projects/q' }, query });
    expect([both.containers, both.sources.length]).toEqual([[], 3]);
  });

  test.each(['projects/p/logs/a%2Fb', 'projects/p/logs/a%252Fb', 'projects/p/logs/a/b'])(
    'delete of %s is that of one and the same log',
    (logName) => {
      expect(handed('deleteLog', 'logging.projects.logs.delete', { path: { logName } })).toEqual({
        do: 'deleteLog',
        logName: 'projects/p/logs/a%2Fb',
        buckets: [DEFAULT, REQUIRED],
      });
    },
  );

  test('delete refuses what is no log name', () => {
    const path = { logName: 'projects/p/logs/a b' };
    expect(tenant.refused('logging.projects.logs.delete', { path })).toMatch(/^400 invalid: logName/);
  });
});
