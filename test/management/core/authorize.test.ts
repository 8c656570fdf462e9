import { describe, expect, test } from 'vitest';
import { authorize, extractMentionedNames, type ResourceName } from '../../../src/management/core/authorize.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { requireMethod, methods } from '../../../src/management/core/table/method-row.ts';
import { CALLER } from '../../support/management/management.ts';

const containersIn = (
  method: string,
  mentions: { path?: Record<string, string>; body?: JsonObject },
): readonly string[] =>
  extractMentionedNames(requireMethod(method), { path: {}, query: {}, body: {}, ...mentions }).map((name) =>
    name.kind === 'container' ? name.container : name.key,
  );

describe('K1: every resource name of a call is found', () => {
  test.each(methods.filter(({ interface: name }) => name === 'directory'))(
    'the customers in path and query of $id',
    (row) => {
      const slots = Object.entries(row.parameters).filter(([name]) => /^customer(?:Id|Key)?$/.test(name));
      const given = (where: string) =>
        Object.fromEntries(slots.filter(([, { in: at }]) => at === where).map(([name]) => [name, `C-${name}`]));
      const names = extractMentionedNames(row, { path: given('path'), query: given('query'), body: {} });
      expect(names).toEqual(slots.map(([name]) => ({ kind: 'customer', key: `C-${name}` })));
    },
  );

  test.each<[string, string, string[]]>([
    ['logging.projects.sinks.list', 'projects/p', ['projects/p']],
    ['logging.folders.sinks.list', 'folders/1', ['folders/1']],
    ['logging.projects.sinks.list', 'projects/p/locations/global/buckets/b', ['projects/p']],
    ['logging.projects.sinks.list', 'accounts/pub-7/mediationGroups/1', ['accounts/pub-7']],
    ['logging.projects.sinks.list', 'tagValues/1', []],
  ])('%s of %s names %j', (method, parent, expected) => {
    const row = methods.find(({ id }) => id === method) ?? requireMethod('logging.entries.list');
    expect(containersIn(row.id, { path: { parent } })).toEqual(expected);
  });

  test.each<[string, JsonObject, string[]]>([
    [
      'a log name of a request and of an entry',
      { logName: 'projects/a/logs/l', entries: [{ logName: 'folders/b/logs/l' }] },
      ['projects/a', 'folders/b'],
    ],
    [
      'a list of names',
      { resourceNames: ['projects/a', 'organizations/2', 'projects/a/locations/l'] },
      ['projects/a', 'organizations/2'],
    ],
    [
      'the destination of a sink behind its host',
      { destination: 'logging.googleapis.com/projects/a/locations/l/buckets/b' },
      ['projects/a'],
    ],
    [
      'a destination with slashes before its host',
      { destination: '//pubsub.googleapis.com/projects/a/topics/t' },
      ['projects/a'],
    ],
    [
      'names of spans',
      { spans: [{ name: 'projects/a/traces/t/spans/s' }, { name: 'projects/b/traces/t/spans/s' }] },
      ['projects/a', 'projects/b'],
    ],
    [
      'text that only looks like a name',
      { entries: [{ textPayload: 'projects/x', jsonPayload: { name: 'projects/y' } }] },
      [],
    ],
    [
      'mappings of a mediation line, by ad unit',
      {
        mediationGroupLines: {
          '-1': { id: '-1', adUnitMappings: { 'ca-app-pub-1/2': 'accounts/pub-8/adUnits/2/adUnitMappings/3', x: 'y' } },
        },
      },
      ['accounts/pub-8'],
    ],
    [
      'mappings of the lines of an experiment',
      {
        treatmentMediationLines: [
          { mediationGroupLine: { adUnitMappings: { 'ca-app-pub-1/2': 'accounts/pub-9/adUnits/2/adUnitMappings/3' } } },
        ],
      },
      ['accounts/pub-9'],
    ],
    [
      'parents of a batch of ad unit mappings, and no values that they are made of',
      {
        requests: [
          { parent: 'accounts/pub-1/adUnits/1', adUnitMapping: { adUnitConfigurations: { name: 'accounts/pub-5/x' } } },
          { parent: 'accounts/pub-2/adUnits/1' },
        ],
      },
      ['accounts/pub-1', 'accounts/pub-2'],
    ],
    [
      'a list under the name of that map',
      { adUnitMappings: [{ name: 'accounts/pub-3/adUnits/1' }] },
      ['accounts/pub-3'],
    ],
    ['a destination without a container', { destination: 'storage.googleapis.com/bucket' }, []],
  ])('%s in a body', (_what, body, expected) => {
    expect(containersIn('logging.entries.write', { body })).toEqual(expected);
  });

  test('an account of a path that holds nothing else', () => {
    expect(containersIn('autorag.rags.search', { path: { account_id: 'abc', id: 'projects-1' } })).toEqual([
      'accounts/abc',
    ]);
    // What else a call of AI Search names is inside of the account, however it looks.
    const path = { account_id: 'abc', name: 'projects/a', id: 'projects/b' };
    expect(containersIn('aisearch.namespaces.instances.read', { path, body: { name: 'projects/c' } })).toEqual([
      'accounts/abc',
    ]);
  });

  test('a body of mediation makes no name anybody’s, and what only the server sets is no name', () => {
    const names = extractMentionedNames(requireMethod('admob.accounts.mediationGroups.patch'), {
      path: { name: 'accounts/pub-1/mediationGroups/2' },
      query: {},
      body: {
        name: 'projects/victim',
        mediationGroupLines: {
          '3': {
            name: ['folders/victim'],
            adUnitMappings: {
              a: 'accounts/pub-1/adUnits/2/adUnitMappings/3',
              b: 'accounts/pub-2/adUnits/2/adUnitMappings/3',
              c: 'projects/p/x',
            },
          },
        },
        requests: [{ parent: 'accounts/pub-3/adUnits/1', adUnitMapping: { name: 'organizations/victim' } }],
      },
    });
    expect(names).toEqual([
      { kind: 'container', container: 'accounts/pub-1' },
      { kind: 'container', container: 'accounts/pub-2', isKnown: true },
      { kind: 'container', container: 'projects/p', isKnown: true },
      { kind: 'container', container: 'accounts/pub-3', isKnown: true },
    ]);
  });

  test.each(['accounts/7', 'accounts/PUB-7', 'accounts/pub-x', 'accounts/pub-', `accounts/pub-${'1'.repeat(31)}`])(
    'but no call of mediation names %s: it is refused before it is anybody’s',
    (parent) => {
      expect(() => containersIn('admob.accounts.apps.list', { path: { parent } })).toThrow(
        'A publisher must be accounts/pub-[PUBLISHER_DIGITS]',
      );
    },
  );

  test.each([
    ['admob.accounts.get', { name: 'accounts/pub-7' }],
    ['admob.accounts.mediationGroups.patch', { name: 'accounts/pub-7/mediationGroups/1' }],
    ['admob.accounts.adUnits.adUnitMappings.list', { parent: 'accounts/pub-7/adUnits/1' }],
  ])('%s names the publisher of %j', (method, path) => {
    expect(containersIn(method, { path })).toEqual(['accounts/pub-7']);
  });

  test('more than a hundred containers are refused', () => {
    const resourceNames = Array.from({ length: 101 }, (_, at) => `projects/p${at}`);
    expect(() => containersIn('logging.entries.list', { body: { resourceNames } })).toThrow(/at most 100/);
    expect(containersIn('logging.entries.list', { body: { resourceNames: resourceNames.slice(1) } })).toHaveLength(100);
  });
});

test.each<[string, Record<string, string>, Record<string, string>, string[]]>([
  ['directory.customers.get', { customerKey: 'example.com' }, {}, []],
  ['directory.customers.get', { customerKey: 'C00000002' }, {}, ['C00000002']],
  ['directory.users.list', {}, { customer: 'theirs.example.com' }, ['theirs.example.com']],
  ['directory.orgunits.list', { customerId: 'theirs.example.com' }, {}, ['theirs.example.com']],
  ['directory.domains.list', { customer: 'theirs.example.com' }, {}, ['theirs.example.com']],
])('K1: %s with %j and %j names %j: a domain is a key of the customer itself only', (method, path, query, keys) => {
  const names = extractMentionedNames(requireMethod(method), { path, query, body: {} });
  expect(names).toEqual(keys.map((key) => ({ kind: 'customer', key })));
});

describe('K1: a name of another tenant and one that no one has are refused alike', () => {
  const foreign = new Set(['projects/theirs']);
  const claimed: string[] = [];
  const claim = async (tenant: string, container: string): Promise<'own' | 'foreign'> => {
    claimed.push(`${tenant} ${container}`);
    return foreign.has(container) ? 'foreign' : 'own';
  };
  const customer = (key: string): ResourceName => ({ kind: 'customer', key });
  const container = (name: string): ResourceName => ({ kind: 'container', container: name });

  test.each(['C00000002', 'C0000none', 'c00000001', 'my_Customer', '', '*', '../C00000001', 'constructor'])(
    'the customer "%s"',
    async (key) => {
      expect(await authorize(CALLER, customer(key), claim)).toMatchObject({
        status: 403,
        reason: 'forbidden',
        message: 'Not Authorized to access this resource/api',
      });
    },
  );

  test.each(['my_customer', 'C00000001'])('but not the customer "%s"', async (key) => {
    expect(await authorize(CALLER, customer(key), claim)).toBeUndefined();
  });

  test('the container of another tenant, and one with an endless name that is not even looked up', async () => {
    claimed.length = 0;
    const refusals = await Promise.all(
      ['projects/theirs', `projects/${'x'.repeat(10_000)}`].map((name) => authorize(CALLER, container(name), claim)),
    );
    expect(refusals[0]).toMatchObject({ status: 403, message: 'The caller does not have permission' });
    expect(refusals[1]).toEqual(refusals[0]);
    expect(claimed).toEqual(['C00000001 projects/theirs']);
    expect(await authorize(CALLER, container('projects/mine'), claim)).toBeUndefined();
  });
});
