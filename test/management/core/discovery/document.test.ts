import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { google } from '../../../conformance/packages/googleapis.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type DiscoveryApi, apis } from '../../../../src/management/core/discovery/apis.ts';
import { buildDiscoveryDocument, buildDiscoveryList } from '../../../../src/management/core/discovery/document.ts';
import { methods } from '../../../../src/management/core/table/method-row.ts';

const ORIGIN = 'https://control.test';

function apiOf(name: string): DiscoveryApi {
  const api = apis.find((each) => each.name === name);
  if (api === undefined) throw new Error(`No API ${name}`);
  return api;
}

const idsOf = ({ interface: { name, version } }: DiscoveryApi): string[] =>
  methods.filter((row) => row.interface === name && row.version === version).map(({ id }) => id);

type Method = { id: string; path: string; parameters: Record<string, { location: string; required?: true }> };
type Resource = { methods?: Record<string, Method>; resources?: Record<string, Resource> };

const methodsIn = ({ methods: own = {}, resources = {} }: Resource): Method[] => [
  ...Object.values(own),
  ...Object.values(resources).flatMap(methodsIn),
];

describe('K6: a discovery document', () => {
  test.each(apis.map((api) => [`${api.name}:${api.version}`, api] as const))('%s lists the rows served', (id, api) => {
    const document = buildDiscoveryDocument(api, ORIGIN, idsOf(api));
    expect(document).toMatchObject({ id, rootUrl: `${ORIGIN}/`, servicePath: '', batchPath: 'batch' });
    const listed = methodsIn(document as Resource).map((method) => method.id);
    const vendors = methods.filter((row) => idsOf(api).includes(row.id)).map((row) => row.vendorId ?? row.id);
    expect(listed.toSorted()).toEqual(vendors.toSorted());
  });

  test('names nothing that is not served: no method, scope or schema', () => {
    const document = buildDiscoveryDocument(apiOf('reseller'), ORIGIN, ['reseller.customers.get']);
    expect(document['resources']).toEqual({
      customers: { methods: { get: expect.objectContaining({ id: 'reseller.customers.get' }) } },
    });
    expect(Object.keys(document['schemas'] as object)).toEqual(['Address', 'Customer', 'PrimaryAdmin']);
    expect(document['auth']).toEqual({
      oauth2: {
        scopes: {
          'https://www.googleapis.com/auth/apps.order': { description: 'apps.order' },
          'https://www.googleapis.com/auth/apps.order.readonly': { description: 'apps.order.readonly' },
        },
      },
    });
    expect(buildDiscoveryDocument(apiOf('reseller'), ORIGIN, [])).not.toHaveProperty('resources');
  });

  test.each(apis)('K5: $name:$version has no parameter that carries a token or a script', (api) => {
    const document = buildDiscoveryDocument(api, ORIGIN, idsOf(api));
    const standard = Object.keys(document['parameters'] as object);
    expect(standard).toEqual(['$.xgafv', 'alt', 'fields', 'key', 'prettyPrint', 'quotaUser']);
    const own = methodsIn(document as Resource).flatMap(({ parameters }) => Object.keys(parameters));
    expect(own.filter((name) => ['access_token', 'oauth_token', 'callback'].includes(name))).toEqual([]);
  });

  test('says of a method what a client must know', () => {
    const document = buildDiscoveryDocument(apiOf('admin'), ORIGIN, idsOf(apiOf('admin')));
    const { users, orgunits } = (document as Resource).resources ?? {};
    expect(users?.methods?.['list']).toEqual({
      id: 'directory.users.list',
      httpMethod: 'GET',
      path: 'admin/directory/v1/users',
      parameters: expect.objectContaining({
        maxResults: {
          type: 'integer',
          format: 'int32',
          minimum: '1',
          maximum: '500',
          default: '100',
          location: 'query',
        },
        orderBy: { type: 'string', enum: ['email', 'familyName', 'givenName'], location: 'query' },
      }),
      parameterOrder: [],
      response: { $ref: 'Users' },
      scopes: [
        'https://www.googleapis.com/auth/admin.directory.user',
        'https://www.googleapis.com/auth/admin.directory.user.readonly',
        'https://www.googleapis.com/auth/cloud-platform',
      ],
    });
    expect(orgunits?.methods?.['get']).toMatchObject({
      path: 'admin/directory/v1/customer/{customerId}/orgunits/{+orgUnitPath}',
      parameterOrder: ['customerId', 'orgUnitPath'],
    });
  });

  test('says of a field what a client must know', () => {
    const document = buildDiscoveryDocument(apiOf('admin'), ORIGIN, idsOf(apiOf('admin')));
    expect(document['schemas']).toMatchObject({
      User: {
        id: 'User',
        type: 'object',
        properties: {
          creationTime: { type: 'string', format: 'date-time', readOnly: true },
          aliases: { type: 'array', items: { type: 'string' }, readOnly: true },
          customSchemas: { type: 'object', additionalProperties: { type: 'object' } },
          name: { $ref: 'UserName', annotations: { required: ['directory.users.insert'] } },
          emails: { type: 'any' },
        },
      },
      Users: { properties: { users: { type: 'array', items: { $ref: 'User' } } } },
      RoleAssignment: { properties: { assigneeType: { type: 'string', enum: ['user', 'group'] } } },
    });
  });

  test.each([
    ['cloudtrace', 'v1', ['projects', 'traces'], 'cloudtrace.projects.traces.list'],
    [
      'cloudquotas',
      'v1beta',
      ['projects', 'locations', 'quotaPreferences'],
      'cloudquotas.projects.locations.quotaPreferences.list',
    ],
    [
      'cloudquotas',
      'v1',
      ['projects', 'locations', 'quotaPreferences'],
      'cloudquotas.projects.locations.quotaPreferences.list',
    ],
    ['logging', 'v2', ['projects', 'sinks'], 'logging.projects.sinks.list'],
  ])('%s:%s has its list methods where the vendor has them: below %j', (name, version, way, id) => {
    const api = apis.find((each) => each.name === name && each.version === version) ?? apiOf(name);
    const document = buildDiscoveryDocument(api, ORIGIN, idsOf(api)) as Resource;
    const holder = way.reduce((at: Resource, each) => at.resources?.[each] ?? {}, document);
    expect(holder.methods?.['list']?.id).toBe(id);
  });

  test('nests the settings of any parent below v2, as the vendor does, with ids that do not say so', () => {
    const document = buildDiscoveryDocument(apiOf('logging'), ORIGIN, idsOf(apiOf('logging'))) as Resource;
    const { v2 } = document.resources ?? {};
    const ids = Object.entries(v2?.methods ?? {}).map(([name, { id }]) => [name, id]);
    expect(Object.fromEntries(ids)).toEqual({
      getCmekSettings: 'logging.getCmekSettings',
      getSettings: 'logging.getSettings',
      updateCmekSettings: 'logging.updateCmekSettings',
      updateSettings: 'logging.updateSettings',
    });
  });

  test('turns the pattern of a name into a template and a pattern that clients know', () => {
    const api: DiscoveryApi = {
      ...apiOf('drive'),
      name: 'logging',
      version: 'v2',
      interface: { name: 'logging', version: 'v2' },
    };
    const document = buildDiscoveryDocument(api, ORIGIN, ['logging.folders.logs.delete']);
    const [method] = methodsIn(document);
    expect(method).toMatchObject({
      path: 'v2/{+logName}',
      parameters: { logName: { location: 'path', required: true, pattern: '^folders/[^/]+/logs/[^/]+$' } },
    });
  });
});

describe('the official client builds itself', () => {
  type Requested = { method: string; url: string; body: string };

  /** Serves the documents, and answers every other request with what it was. */
  async function serve(): Promise<{ origin: string; requests: Requested[] }> {
    const requests: Requested[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        const { method = '', url = '' } = request;
        const api = apis.find(({ name, version }) => url === `/discovery/v1/apis/${name}/${version}/rest`);
        if (api === undefined) requests.push({ method, url, body });
        const list = url === '/discovery/v1/apis' ? buildDiscoveryList(origin()) : { id: '1' };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(api === undefined ? list : buildDiscoveryDocument(api, origin(), idsOf(api))));
      });
    });
    const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void server.close());
    return { origin: origin(), requests };
  }

  type Client = Record<string, Record<string, (params: object) => Promise<{ data: unknown }>>>;

  test('from one document, and calls what the document says', async () => {
    const { origin, requests } = await serve();
    const built = await google.discoverAPI(`${origin}/discovery/v1/apis/admin/directory_v1/rest`);
    const client = built as unknown as Client; // Its methods come from the document.
    await client['users']?.['get']?.({ userKey: 'a/b@example.com', projection: 'full' });
    await client['orgunits']?.['patch']?.({
      customerId: 'my_customer',
      orgUnitPath: 'a/b c',
      requestBody: { name: 'd' },
    });
    expect(requests).toEqual([
      { method: 'GET', url: '/admin/directory/v1/users/a%2Fb%40example.com?projection=full', body: '' },
      { method: 'PATCH', url: '/admin/directory/v1/customer/my_customer/orgunits/a/b%20c', body: '{"name":"d"}' },
    ]);
  });

  test('from the list of all documents', async () => {
    const { origin } = await serve();
    await google.discover(`${origin}/discovery/v1/apis`);
    const documents = buildDiscoveryList(origin)['items'];
    expect(documents).toEqual(
      apis.map(({ name, version }) =>
        expect.objectContaining({
          name,
          version,
          discoveryRestUrl: `${origin}/discovery/v1/apis/${name}/${version}/rest`,
        }),
      ),
    );
  });
});
