import { beforeEach, describe, expect, test } from 'vitest';
import type { Route } from '../../../../../src/management/log-store/order.ts';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { isBelow, getNameContainer } from '../../../../../src/management/log-store/log-name.ts';
import { listAncestorRoutes, listSinkRoutes } from '../../../../../src/management/interfaces/logging/sinks/rows.ts';
import { formatServiceAgent } from '../../../../../src/management/interfaces/logging/rows.ts';
import { sinkAsks } from '../../../../../src/management/interfaces/logging/sinks/handlers.ts';
import { toTextOrEmpty } from '../../../../../src/management/interfaces/logging/schemas.ts';
import { requireDestination } from '../../../../../src/management/interfaces/logging/sinks/destination.ts';
import { readWatchSettings } from '../../../../../src/management/watch/settings.ts';
import { allowLoopbackExcept } from '../../../../../src/net/address-policy.ts';
import { CALLER, type TestTenant, testTenant } from '../../../../support/management/management.ts';

const P = 'projects/p';
const BUCKET = 'logging.googleapis.com/projects/q/locations/global/buckets/b';
const FIRST = '2026-11-21T00:00:00.000Z';

let tenant: TestTenant;
beforeEach(() => {
  tenant = testTenant();
});

const rowOf = (parent: string, verb: string): string => `logging.${parent.split('/')[0]}.sinks.${verb}`;
const create = (body: JsonObject, parent = P, query = {}): JsonObject =>
  tenant.ok(rowOf(parent, 'create'), { path: { parent }, body, query });
const refusedCreate = (body: JsonObject, parent = P, query = {}): string =>
  tenant.refused(rowOf(parent, 'create'), { path: { parent }, body, query });
const sink = (name: string, parent = P) => ({ path: { sinkName: `${parent}/sinks/${name}` } });
/** The sinks of a container, and those above that reach it. */
const routes = (container: string): readonly Route[] => {
  const context = tenant.context('logging.sinks.get');
  const above = listAncestorRoutes(context).filter((route) => isBelow(container, getNameContainer(route.sink)));
  return [...listSinkRoutes(container, context), ...above];
};
const routeOf = (container: string, name: string): Route | undefined =>
  routes(container).find((route) => route.sink === name);
const namesIn = (answer: JsonObject): unknown[] => (answer['sinks'] as JsonObject[]).map(({ name }) => name);

describe('the two sinks that every container has', () => {
  test.each(['projects/p', 'folders/1', 'organizations/2', 'billingAccounts/0A-1'])('%s lists them', (parent) => {
    const { sinks } = tenant.ok(rowOf(parent, 'list'), { path: { parent } });
    expect(sinks).toEqual([
      {
        name: '_Default',
        resourceName: `${parent}/sinks/_Default`,
        destination: `logging.googleapis.com/${parent}/locations/global/buckets/_Default`,
        filter:
          'NOT LOG_ID("cloudaudit.googleapis.com/activity") AND NOT LOG_ID("externalaudit.googleapis.com/activity")' +
          ' AND NOT LOG_ID("cloudaudit.googleapis.com/system_event")' +
          ' AND NOT LOG_ID("externalaudit.googleapis.com/system_event")' +
          ' AND NOT LOG_ID("cloudaudit.googleapis.com/access_transparency")' +
          ' AND NOT LOG_ID("externalaudit.googleapis.com/access_transparency")',
      },
      {
        name: '_Required',
        resourceName: `${parent}/sinks/_Required`,
        destination: `logging.googleapis.com/${parent}/locations/global/buckets/_Required`,
        filter:
          'LOG_ID("cloudaudit.googleapis.com/activity") OR LOG_ID("externalaudit.googleapis.com/activity")' +
          ' OR LOG_ID("cloudaudit.googleapis.com/system_event") OR LOG_ID("externalaudit.googleapis.com/system_event")' +
          ' OR LOG_ID("cloudaudit.googleapis.com/access_transparency")' +
          ' OR LOG_ID("externalaudit.googleapis.com/access_transparency")',
      },
    ]);
  });

  test('_Default can be disabled and changed, and is not there twice', () => {
    const query = { updateMask: 'disabled,filter' };
    const body = { disabled: true, filter: 'severity>=ERROR' };
    const changed = tenant.ok('logging.projects.sinks.patch', { ...sink('_Default'), query, body });
    expect(changed).toMatchObject({ name: '_Default', disabled: true, filter: 'severity>=ERROR', updateTime: FIRST });
    expect(namesIn(tenant.ok('logging.projects.sinks.list', { path: { parent: P } }))).toEqual([
      '_Default',
      '_Required',
    ]);
    expect(routes(P).map((route) => route.sink)).toEqual(['projects/p/sinks/_Required']);
  });

  test('_Required stays as it is, and neither can be deleted nor made anew', () => {
    const update = { ...sink('_Required'), query: { updateMask: 'disabled' }, body: { disabled: true } };
    expect(tenant.refused('logging.projects.sinks.patch', update)).toBe(
      '400 failedPrecondition: The sink _Required cannot be changed.',
    );
    for (const name of ['_Required', '_Default'])
      expect(tenant.refused('logging.projects.sinks.delete', sink(name))).toBe(
        `400 failedPrecondition: The sink ${name} cannot be deleted.`,
      );
    expect(refusedCreate({ name: '_Default', destination: BUCKET })).toContain('400 invalid: Invalid name "_Default"');
  });

  test("an organization's settings make its _Default sink", () => {
    const path = { name: 'organizations/2' };
    const query = { updateMask: 'disableDefaultSink' };
    tenant.ok('logging.organizations.updateSettings', { path, query, body: { disableDefaultSink: true } });
    expect(tenant.ok('logging.organizations.sinks.get', sink('_Default', 'organizations/2'))['disabled']).toBe(true);
    expect(routes('organizations/2').map((route) => route.sink)).toEqual(['organizations/2/sinks/_Required']);
  });
});

describe('create', () => {
  test('answers the whole sink, and get and list show the same', () => {
    const body = {
      name: 'errors.to-q_1',
      destination: BUCKET,
      filter: 'severity>=ERROR',
      description: 'Errors',
      exclusions: [{ name: 'probes', filter: 'textPayload:probe' }],
    };
    const made = create(body);
    expect(made).toEqual({
      ...body,
      resourceName: 'projects/p/sinks/errors.to-q_1',
      exclusions: [{ name: 'probes', filter: 'textPayload:probe', createTime: FIRST, updateTime: FIRST }],
      writerIdentity: 'serviceAccount:cloud-logs@system.gserviceaccount.com',
      createTime: FIRST,
      updateTime: FIRST,
    });
    expect(tenant.ok('logging.projects.sinks.get', sink('errors.to-q_1'))).toEqual(made);
    expect(tenant.ok('logging.sinks.get', sink('errors.to-q_1'))).toEqual(made);
    expect(namesIn(tenant.ok('logging.sinks.list', { path: { parent: P } }))).toEqual([
      '_Default',
      '_Required',
      'errors.to-q_1',
    ]);
  });

  test.each([
    'logging.googleapis.com/projects/q',
    'logging.googleapis.com/projects/q/locations/eu/buckets/_Default',
    'logging.googleapis.com/folders/1/locations/global/buckets/b',
    'storage.googleapis.com/a-bucket',
    'bigquery.googleapis.com/projects/q/datasets/d_1',
    'pubsub.googleapis.com/projects/q/topics/t-1',
    'https://hooks.example.com/in?key=1',
    'https://hooks.example.com:8443/in',
    'https://hooks.sightline.example.net/in',
  ])('takes the destination %s', (destination) => {
    expect(create({ name: 's', destination })['destination']).toBe(destination);
  });

  test.each([
    ['', '400 required: Missing required field: destination'],
    ['logging.googleapis.com/accounts/1', 'none of the forms'],
    ['logging.googleapis.com/projects/q/locations/global/buckets/', 'none of the forms'],
    ['LOGGING.googleapis.com/projects/q', 'none of the forms'],
    ['storage.googleapis.com/Upper', 'none of the forms'],
    ['pubsub.googleapis.com/t', 'none of the forms'],
    ['logging.googleapis.com/projects/p', 'cannot send to the project'],
    ['http://hooks.example.com/', 'is not https'],
    ['https://127.0.0.1/in', '127.0.0.1'],
    ['https://[::1]/in', 'private'],
    ['https://10.0.0.1/in', 'not public'],
    ['https://169.254.169.254/latest', 'not public'],
    ['https://localhost/in', 'localhost'],
    ['https://user:pass@hooks.example.com/', 'credentials'],
    ['https://hooks.example.com:22/', 'port 22'],
    ['https://sightline.example.net/v1/audits', 'one of this service'],
    ['https://WEBHOOK.sightline.example.net.:8443/', 'one of this service'],
    ['ftp://hooks.example.com/', 'none of the forms'],
    [`https://hooks.example.com/${'a'.repeat(2_100)}`, '2,048'],
    [`storage.googleapis.com/${'a'.repeat(2_100)}`, 'too long'],
  ])('F5: refuses the destination %s', (destination, why) => {
    const said = refusedCreate({ name: 's', destination });
    expect(said).toMatch(/^400 /);
    if (destination !== 'https://[::1]/in') expect(said).toContain(why);
    expect(tenant.refused('logging.projects.sinks.get', sink('s'))).toMatch(/^404 /);
  });

  test.each<[string, JsonObject, RegExp]>([
    ['no name', {}, /^400 invalid: Invalid name/],
    ['a name of 101 characters', { name: 'a'.repeat(101) }, /^400 invalid: Invalid name/],
    ['a name that begins with a dash', { name: '-a' }, /^400 invalid: Invalid name/],
    ['a name with a slash', { name: 'a/b' }, /^400 invalid: Invalid name/],
    ['a filter that is none', { name: 's', filter: 'severity>=(' }, /^400 invalid: Unparseable filter/],
    ['a filter of 20,001 characters', { name: 's', filter: 'a'.repeat(20_001) }, /more than 20000 characters/],
    ['a long description', { name: 's', description: 'a'.repeat(8_001) }, /^400 invalid: .*8000/],
    ['children of a project', { name: 's', includeChildren: true }, /Only sinks of organizations and folders/],
    [
      '51 exclusions',
      { name: 's', exclusions: Array.from({ length: 51 }, (_, at) => ({ name: `e${at}`, filter: 'a' })) },
      /at most 50/,
    ],
    [
      'two exclusions of a name',
      {
        name: 's',
        exclusions: [
          { name: 'e', filter: 'a' },
          { name: 'e', filter: 'b' },
        ],
      },
      /same name/,
    ],
    ['an exclusion without a filter', { name: 's', exclusions: [{ name: 'e' }] }, /^400 required: .*filter/],
    ['an exclusion with a bad filter', { name: 's', exclusions: [{ name: 'e', filter: 'a AND' }] }, /Unparseable/],
    ['a restricted name of an exclusion', { name: 's', exclusions: [{ name: '_e', filter: 'a' }] }, /Invalid name/],
  ])('refuses %s', (_what, body, why) => {
    expect(refusedCreate({ destination: BUCKET, ...body })).toMatch(why);
  });

  test('refuses a name that is taken, and a 201st sink', () => {
    create({ name: 's', destination: BUCKET });
    expect(refusedCreate({ name: 's', destination: BUCKET })).toBe(
      '409 duplicate: Resource already exists: projects/p/sinks/s',
    );
    for (let at = 1; at < 200; at += 1) create({ name: `s${at}`, destination: BUCKET });
    expect(refusedCreate({ name: 'more', destination: BUCKET })).toMatch(/^429 /);
    create({ name: 'more', destination: BUCKET }, 'projects/other');
  });

  test('the generic rows take the four real parents only', () => {
    for (const parent of ['things/1', 'accounts/pub-1'])
      expect(
        tenant.refused('logging.sinks.create', { path: { parent }, body: { name: 's', destination: BUCKET } }),
      ).toMatch(/^400 invalid: /);
    tenant.ok('logging.sinks.create', { path: { parent: P }, body: { name: 's', destination: BUCKET } });
    expect(tenant.ok('logging.projects.sinks.get', sink('s'))['name']).toBe('s');
  });

  test('F5: at most five sinks of a tenant deliver to one host, and deleting one makes room', () => {
    const to = (path: string) => `https://hooks.example.com/${path}`;
    for (let at = 0; at < 5; at += 1) create({ name: `s${at}`, destination: to(`${at}`) }, `projects/p${at}`);
    expect(refusedCreate({ name: 'sixth', destination: to('x') })).toBe(
      '429 limitExceeded: At most 5 sinks may deliver to hooks.example.com',
    );
    create({ name: 'elsewhere', destination: 'https://other.example.com/' });
    const move = { ...sink('elsewhere'), body: { destination: to('y') }, query: { updateMask: 'destination' } };
    expect(tenant.refused('logging.projects.sinks.patch', move)).toMatch(/^429 /);
    tenant.ok('logging.projects.sinks.delete', sink('s0', 'projects/p0'));
    tenant.ok('logging.projects.sinks.patch', move);
    expect(refusedCreate({ name: 'sixth', destination: to('x') })).toMatch(/^429 /);
  });

  test('a page has as many as asked for, and a token for the rest', () => {
    for (const name of ['b', 'A', 'a']) create({ name, destination: BUCKET });
    const first = tenant.ok('logging.projects.sinks.list', { path: { parent: P }, query: { pageSize: 3 } });
    expect(namesIn(first)).toEqual(['A', '_Default', '_Required']);
    const query = { pageSize: 3, pageToken: toTextOrEmpty(first['nextPageToken']) };
    const rest = tenant.ok('logging.projects.sinks.list', { path: { parent: P }, query });
    expect(namesIn(rest)).toEqual(['a', 'b']);
    expect(rest['nextPageToken']).toBeUndefined();
  });
});

describe('writer identities', () => {
  const UNIQUE = { uniqueWriterIdentity: true };

  test.each([
    ['projects/p', {}, 'serviceAccount:cloud-logs@system.gserviceaccount.com'],
    ['projects/p', UNIQUE, formatServiceAgent('projects/p')],
    ['folders/7', {}, 'serviceAccount:service-folder-7@gcp-sa-logging.iam.gserviceaccount.com'],
    ['organizations/8', {}, 'serviceAccount:service-org-8@gcp-sa-logging.iam.gserviceaccount.com'],
    ['billingAccounts/0A-1', UNIQUE, 'serviceAccount:service-billing-0a-1@gcp-sa-logging.iam.gserviceaccount.com'],
  ])('a sink of %s made with %j writes as %s', (parent, query, expected) => {
    expect(create({ name: 's', destination: BUCKET }, parent, query)['writerIdentity']).toBe(expected);
  });

  test('a service agent has the form of the vendor', () => {
    expect(formatServiceAgent('projects/p')).toMatch(
      /^serviceAccount:service-\d{12,16}@gcp-sa-logging\.iam\.gserviceaccount\.com$/,
    );
    expect(formatServiceAgent('projects/q')).not.toBe(formatServiceAgent('projects/p'));
  });

  test('a sink to a bucket of its own project has none', () => {
    const destination = 'logging.googleapis.com/projects/p/locations/global/buckets/b';
    expect(create({ name: 's', destination }, P, UNIQUE)['writerIdentity']).toBeUndefined();
  });

  test('a shared identity becomes a unique one, and never again a shared one', () => {
    create({ name: 's', destination: BUCKET });
    const update = { ...sink('s'), query: { updateMask: 'description' }, body: { description: 'd' } };
    const query = { ...update.query, ...UNIQUE };
    const changed = tenant.ok('logging.projects.sinks.patch', { ...update, query });
    expect(changed['writerIdentity']).toBe(formatServiceAgent('projects/p'));
    for (const sent of [{}, { uniqueWriterIdentity: false }])
      expect(
        tenant.refused('logging.projects.sinks.update', { ...update, query: { ...update.query, ...sent } }),
      ).toMatch(/^400 invalid: The sink has a unique writer identity/);
    tenant.ok('logging.projects.sinks.update', { ...update, query });
  });

  test('a caller may name one for a bucket of another project, and only there', () => {
    const query = { customWriterIdentity: 'serviceAccount:me@x.example' };
    expect(create({ name: 's', destination: BUCKET }, P, query)['writerIdentity']).toBe('serviceAccount:me@x.example');
    const kept = tenant.ok('logging.projects.sinks.patch', {
      ...sink('s'),
      query: { updateMask: 'description' },
      body: { description: 'd' },
    });
    expect(kept['writerIdentity']).toBe('serviceAccount:me@x.example');
    const refused = (destination: string, customWriterIdentity: string): string =>
      refusedCreate({ name: 't', destination }, P, { customWriterIdentity });
    expect(refused('storage.googleapis.com/bbb', 'serviceAccount:me@x.example')).toMatch(/^400 invalid: /);
    expect(refused(BUCKET, 'user:me@x.example')).toMatch(/^400 invalid: /);
  });
});

describe('update', () => {
  beforeEach(() => {
    create({ name: 's', destination: BUCKET, filter: 'severity>=ERROR', description: 'Before' });
  });

  test.each(['logging.projects.sinks.update', 'logging.projects.sinks.patch', 'logging.sinks.update'])(
    '%s without a mask replaces destination, filter and includeChildren, and nothing else',
    (method) => {
      tenant.later(1_000);
      const body = { destination: 'storage.googleapis.com/a-bucket', description: 'After', disabled: true };
      const changed = tenant.ok(method, { ...sink('s'), body });
      expect(changed).toMatchObject({
        destination: 'storage.googleapis.com/a-bucket',
        description: 'Before',
        createTime: FIRST,
        updateTime: '2026-11-21T00:00:01.000Z',
      });
      expect([changed['filter'], changed['disabled']]).toEqual([undefined, undefined]);
    },
  );

  test('a mask takes what it names, and the rest need not be sent', () => {
    const query = { updateMask: 'description,exclusions' };
    const body = { description: 'After', exclusions: [{ name: 'e', filter: 'a' }], filter: 'b' };
    const changed = tenant.ok('logging.projects.sinks.update', { ...sink('s'), query, body });
    expect(changed).toMatchObject({ destination: BUCKET, filter: 'severity>=ERROR', description: 'After' });
    expect(changed['exclusions']).toEqual([{ name: 'e', filter: 'a', createTime: FIRST, updateTime: FIRST }]);
  });

  test('the name stays, and what only the server sets is ignored', () => {
    const query = { updateMask: '*' };
    const body = {
      name: 't',
      destination: BUCKET,
      writerIdentity: 'serviceAccount:x@y',
      createTime: '2000-01-01T00:00:00Z',
    };
    const changed = tenant.ok('logging.projects.sinks.patch', { ...sink('s'), query, body });
    expect(changed).toMatchObject({ name: 's', createTime: FIRST });
    expect(changed['writerIdentity']).toBe('serviceAccount:cloud-logs@system.gserviceaccount.com');
    expect(changed['description']).toBeUndefined();
  });

  test.each([
    [{}, {}, '400 required: Missing required field: destination'],
    [{ updateMask: 'destination' }, {}, '400 required: Missing required field: destination'],
    [{ updateMask: 'filter' }, { filter: '(' }, '400 invalid: Unparseable filter'],
    [{ updateMask: 'nonsense' }, {}, '400 invalid: Invalid field mask'],
    [{ updateMask: 'includeChildren' }, { includeChildren: true }, '400 invalid: Only sinks'],
  ])('with %j and %j is refused, and nothing changes', (query, body, why) => {
    const before = tenant.ok('logging.projects.sinks.get', sink('s'));
    expect(tenant.refused('logging.projects.sinks.patch', { ...sink('s'), query, body })).toContain(why);
    expect(tenant.ok('logging.projects.sinks.get', sink('s'))).toEqual(before);
  });

  test('a sink that is not there is neither changed nor made nor deleted', () => {
    for (const verb of ['get', 'delete']) expect(tenant.refused(rowOf(P, verb), sink('t'))).toMatch(/^404 notFound/);
    const body = { destination: BUCKET };
    expect(tenant.refused('logging.projects.sinks.update', { ...sink('t'), body })).toBe(
      '404 notFound: Resource not found: projects/p/sinks/t',
    );
  });

  test('a deleted sink is gone', () => {
    expect(tenant.ok('logging.projects.sinks.delete', sink('s'))).toEqual({});
    expect(tenant.refused('logging.projects.sinks.get', sink('s'))).toMatch(/^404/);
    expect(routeOf(P, 'projects/p/sinks/s')).toBeUndefined();
  });
});

describe('routes', () => {
  test('are the enabled sinks with what they leave out; what only the vendor has is left out', () => {
    create({
      name: 'a',
      destination: BUCKET,
      exclusions: [
        { name: 'e', filter: 'x' },
        { name: 'off', filter: 'y', disabled: true },
      ],
    });
    create({ name: 'b', destination: 'logging.googleapis.com/projects/q', filter: 'z' });
    create({ name: 'c', destination: 'https://hooks.example.com/in' });
    create({ name: 'd', destination: 'storage.googleapis.com/a-bucket' });
    create({ name: 'e', destination: 'pubsub.googleapis.com/projects/q/topics/t' });
    create({ name: 'f', destination: BUCKET, disabled: true });
    expect(routes(P).slice(2)).toEqual([
      {
        sink: 'projects/p/sinks/a',
        filter: '',
        exclusions: ['x'],
        target: { kind: 'bucket', bucket: 'projects/q/locations/global/buckets/b' },
      },
      {
        sink: 'projects/p/sinks/b',
        filter: 'z',
        exclusions: [],
        target: { kind: 'container', container: 'projects/q' },
      },
      {
        sink: 'projects/p/sinks/c',
        filter: '',
        exclusions: [],
        target: { kind: 'webhook', url: 'https://hooks.example.com/in' },
      },
      { sink: 'projects/p/sinks/d', filter: '', exclusions: [], target: { kind: 'storage', bucket: 'a-bucket' } },
    ]);
  });

  test('sinks of organizations and folders that include children reach what is below them', () => {
    const body = { name: 's', destination: BUCKET, includeChildren: true };
    create(body, 'organizations/2');
    create(body, 'folders/1');
    create({ ...body, name: 'own', includeChildren: false }, 'folders/1');
    const above = (container: string) =>
      routes(container)
        .map((route) => route.sink)
        .filter((name) => !name.startsWith(container));
    expect(above('projects/p')).toEqual(['folders/1/sinks/s', 'organizations/2/sinks/s']);
    expect(above('folders/1')).toEqual(['organizations/2/sinks/s']);
    expect(above('billingAccounts/3')).toEqual(['organizations/2/sinks/s']);
    expect(above('organizations/9')).toEqual([]);
  });

  test('an intercepting sink says so, and is listed as one above', () => {
    const body = {
      name: 'take',
      destination: 'logging.googleapis.com/projects/audit',
      filter: 'severity>=ERROR',
      includeChildren: true,
      interceptChildren: true,
      exclusions: [{ name: 'e', filter: 'textPayload:probe' }],
    };
    create(body, 'organizations/2');
    expect(routeOf(P, 'organizations/2/sinks/take')).toEqual({
      sink: 'organizations/2/sinks/take',
      filter: 'severity>=ERROR',
      exclusions: ['textPayload:probe'],
      target: { kind: 'container', container: 'projects/audit' },
      intercepts: true,
    });
    expect(routeOf(P, 'projects/p/sinks/_Default')?.exclusions).toEqual([]);
    const list = (filter: string) =>
      namesIn(tenant.ok('logging.projects.sinks.list', { path: { parent: P }, query: { filter } }));
    expect(list('in_scope("ANCESTOR")')).toEqual(['take']);
    expect(list('in_scope("ALL")')).toEqual(['take', '_Default', '_Required']);
    expect(list('in_scope("DEFAULT")')).toEqual(['_Default', '_Required']);
  });

  test.each<[JsonObject, RegExp]>([
    [{ interceptChildren: true }, /must include them/],
    [{ includeChildren: true, interceptChildren: true }, /must send to a project/],
  ])('an intercepting sink with %j is refused', (body, why) => {
    expect(refusedCreate({ name: 's', destination: BUCKET, ...body }, 'folders/1')).toMatch(why);
  });

  test('a list in another scope is refused', () => {
    const query = { filter: 'in_scope("NONE")' };
    expect(tenant.refused('logging.projects.sinks.list', { path: { parent: P }, query })).toMatch(/^400 invalid/);
  });
});

test('a webhook is told by the key of the tenant, which stays as long as it is a webhook', () => {
  const destination = 'https://hooks.example.com/in';
  const method = 'logging.projects.sinks.create';
  const key = { known: { webhookIdentity: 'whpk_abc' } };
  const made = tenant.ok(method, { path: { parent: P }, body: { name: 's', destination }, ...key });
  expect(made['writerIdentity']).toBe('whpk_abc');
  const update = { ...sink('s'), query: { updateMask: 'description' }, body: { description: 'd' } };
  expect(tenant.ok('logging.projects.sinks.patch', update)['writerIdentity']).toBe('whpk_abc');
  const move = { ...sink('s'), query: { updateMask: 'destination' }, body: { destination: BUCKET } };
  expect(tenant.ok('logging.projects.sinks.patch', move)['writerIdentity']).toBe(
    'serviceAccount:cloud-logs@system.gserviceaccount.com',
  );
});

test.each([
  ['logging.projects.sinks.create', 'https://hooks.example.com/in', true],
  ['logging.sinks.update', 'https://hooks.example.com/in', true],
  ['logging.folders.sinks.patch', BUCKET, false],
])('the key is asked for by %s to %s: %s', (method, destination, expected) => {
  const call = { method, path: {}, query: {}, body: { destination }, caller: CALLER };
  expect(sinkAsks[method]?.(call)).toBe(expected);
});

test('F5: on a machine of its own a stack sends to any port but its own', () => {
  const settings = readWatchSettings({ CONTROL_URL: 'http://127.0.0.1:8788' });
  const rules = { settings, policy: allowLoopbackExcept([]), nowMs: 0 };
  expect(() => requireDestination('http://127.0.0.1:8788/in', rules)).toThrow('Invalid destination');
  expect(requireDestination('http://127.0.0.1:9000/in', rules)).toEqual({
    kind: 'webhook',
    url: 'http://127.0.0.1:9000/in',
  });
});
