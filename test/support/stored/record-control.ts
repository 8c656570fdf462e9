import * as z from 'zod';
import { newGroup, newMapping, publisherOf } from '../../conformance/mediation/publisher.ts';
import { at, type Json, type Recording, until } from './recording.ts';
import { ORIGINS } from './stack.ts';

const DIRECTORY = '/admin/directory/v1';
const CUSTOMER = `${DIRECTORY}/customer/my_customer`;
const PROJECT = 'projects/local';
const GLOBAL = `${PROJECT}/locations/global`;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PNG = 'iVBORw0KGgo_-w**';
const text = (row: Json, name: string): string => z.string().parse(row[name]);

/** People, groups, units and things of the local tenant; a user of another one. */
export async function recordDirectory(recording: Recording): Promise<void> {
  const { make, read } = at(recording, 'control', 'control');
  await make(`POST ${CUSTOMER}/orgunits`, { name: 'Harbour', parentOrgUnitPath: '/', description: 'By the sea' });
  await make(`POST ${CUSTOMER}/orgunits`, { name: 'Pilots', parentOrgUnitPath: '/Harbour' });
  const size = { fieldName: 'size', fieldType: 'INT64', displayName: 'Size' };
  await make(`POST ${CUSTOMER}/schemas`, { schemaName: 'Boots', displayName: 'Boots', fields: [size] });
  const user = (name: string, more: object = {}) => ({
    primaryEmail: `${name}@example.com`,
    name: { givenName: name, familyName: 'Lovelace' },
    password: 'correct horse',
    ...more,
  });
  await make(
    `POST ${DIRECTORY}/users`,
    user('ada', {
      orgUnitPath: '/Harbour/Pilots',
      phones: [{ value: '+1 555 0100', type: 'work' }],
      customSchemas: { Boots: { size: '42' } },
    }),
  );
  await make(`POST ${DIRECTORY}/users`, user('grace', { suspended: true }));
  await make(`POST ${DIRECTORY}/users/ada@example.com/aliases`, { alias: 'countess@example.com' });
  await make(`PUT ${DIRECTORY}/users/ada@example.com/photos/thumbnail`, { photoData: PNG, mimeType: 'PNG' });
  await make(`POST ${DIRECTORY}/groups`, { email: 'crew@example.com', name: 'Crew', description: 'All aboard' });
  await make(`POST ${DIRECTORY}/groups/crew@example.com/members`, { email: 'ada@example.com', role: 'OWNER' });
  await make(`POST ${CUSTOMER}/resources/buildings`, {
    buildingId: 'light',
    buildingName: 'Lighthouse',
    floorNames: ['B1', '1'],
  });
  const other = at(recording, 'control', 'other');
  const { customerDomain } = await other.make(`GET ${DIRECTORY}/customers/my_customer`);
  await other.make(`POST ${DIRECTORY}/users`, user('other', { primaryEmail: `other@${String(customerDomain)}` }));
  read('users', `GET ${DIRECTORY}/users?customer=my_customer&projection=full&orderBy=email`);
  read('a user by an alias', `GET ${DIRECTORY}/users/countess@example.com?projection=full`);
  read(
    'users by a query',
    `GET ${DIRECTORY}/users?customer=my_customer&query=${encodeURIComponent("orgUnitPath='/Harbour/Pilots'")}`,
  );
  read('a photo', `GET ${DIRECTORY}/users/ada@example.com/photos/thumbnail`);
  read('groups', `GET ${DIRECTORY}/groups?customer=my_customer`);
  read('members', `GET ${DIRECTORY}/groups/crew@example.com/members`);
  read('org units', `GET ${CUSTOMER}/orgunits?type=all`);
  read('a schema', `GET ${CUSTOMER}/schemas/Boots`);
  read('buildings', `GET ${CUSTOMER}/resources/buildings`);
  other.read('users of another tenant', `GET ${DIRECTORY}/users?customer=my_customer`);
}

/** Log entries in a bucket of their own, with everything around them; spans. */
export async function recordLogs(recording: Recording): Promise<void> {
  const { make, read } = at(recording, 'control', 'control');
  await make(`POST /v2/${GLOBAL}/buckets?bucketId=kept`, { retentionDays: 400, description: 'Kept' });
  await make(`POST /v2/${GLOBAL}/buckets/kept/views?viewId=errors`, { filter: 'LOG_ID("app")' });
  await make(`POST /v2/${PROJECT}/sinks`, {
    name: 'errors',
    destination: `logging.googleapis.com/${GLOBAL}/buckets/kept`,
    filter: 'severity>=ERROR',
  });
  await make(`POST /v2/${PROJECT}/sinks`, {
    name: 'files',
    destination: 'storage.googleapis.com/stored-files',
    filter: 'LOG_ID("app")',
  });
  await make(`POST /v2/${PROJECT}/exclusions`, { name: 'noise', filter: 'textPayload="noise"' });
  await make(`POST /v2/${PROJECT}/metrics`, { name: 'errors', filter: 'severity>=ERROR' });
  await make(`POST /v2/${GLOBAL}/savedQueries?savedQueryId=errors`, {
    displayName: 'Errors',
    visibility: 'SHARED',
    loggingQuery: { filter: 'severity>=ERROR' },
  });
  const timestamp = new Date().toISOString();
  await make('POST /v2/entries:write', {
    logName: `${PROJECT}/logs/app`,
    resource: { type: 'global', labels: { project_id: 'local' } },
    entries: [
      { insertId: 'one', timestamp, severity: 'INFO', textPayload: 'The tide comes in', labels: { pier: '7' } },
      {
        insertId: 'two',
        timestamp,
        severity: 'ERROR',
        jsonPayload: { message: 'Adrift', depth: 4.5, boats: ['a', { name: 'b' }] },
        trace: `${PROJECT}/traces/${TRACE}`,
        spanId: '00f067aa0ba902b7',
        httpRequest: { requestMethod: 'GET', requestUrl: '/tides', status: 503 },
      },
    ],
  });
  const entries = (name: string, filter: string, place = PROJECT): void =>
    read(name, 'POST /v2/entries:list', { resourceNames: [place], filter, orderBy: 'timestamp asc' });
  entries('entries', 'LOG_ID("app")');
  entries('entries by a filter', 'jsonPayload.depth>4 AND jsonPayload.message:"adrift"');
  entries('entries of the bucket', '', `${GLOBAL}/buckets/kept/views/errors`);
  for (const [name, path] of [
    ['buckets', `${GLOBAL}/buckets`],
    ['views', `${GLOBAL}/buckets/kept/views`],
    ['sinks', `${PROJECT}/sinks`],
    ['exclusions', `${PROJECT}/exclusions`],
    ['metrics', `${PROJECT}/metrics`],
    ['saved queries', `${GLOBAL}/savedQueries`],
    ['logs', `${PROJECT}/logs`],
  ] as const)
    read(name, `GET /v2/${path}`);
  read('files of a sink', 'GET /storage/v1/b/stored-files/o');
  await make(`POST /v2/${PROJECT}/traces:batchWrite`, {
    spans: ['00f067aa0ba902b7', '00f067aa0ba902b8'].map((spanId, index) => ({
      name: `${PROJECT}/traces/${TRACE}/spans/${spanId}`,
      spanId,
      ...(index === 0 ? { spanKind: 'SERVER' } : { parentSpanId: '00f067aa0ba902b7' }),
      displayName: { value: `Step ${index}` },
      startTime: timestamp,
      endTime: new Date(Date.parse(timestamp) + 1_500).toISOString(),
      attributes: { attributeMap: { 'http.status': { intValue: '200' } } },
    })),
  });
  read('a trace', `GET /v1/${PROJECT}/traces/${TRACE}`);
}

/** A preference, tags with an operation, a customer with a subscription, a file with a comment, a snapshot. */
export async function recordOthers(recording: Recording): Promise<void> {
  const { make, read } = at(recording, 'control', 'control');
  await make(`POST /v1/${GLOBAL}/quotaPreferences?quotaPreferenceId=stored`, {
    service: 'quota.example',
    quotaId: 'Boats',
    quotaConfig: { preferredValue: '48' },
  });
  read('quota preferences', `GET /v1/${GLOBAL}/quotaPreferences`);

  const nameIn = ({ response }: Json): string => z.looseObject({ name: z.string() }).parse(response).name;
  const keyMade = await make('POST /v3/tagKeys', { parent: 'organizations/700', shortName: 'env' });
  const key = nameIn(keyMade);
  const value = nameIn(await make('POST /v3/tagValues', { parent: key, shortName: 'prod' }));
  const resource = '//cloudresourcemanager.googleapis.com/projects/stored-boats';
  await make('POST /v3/tagBindings', { parent: resource, tagValue: value });
  read('a tag key', `GET /v3/${key}`);
  read('tag values', `GET /v3/tagValues?parent=${encodeURIComponent(key)}`);
  read('tag bindings', `GET /v3/tagBindings?parent=${encodeURIComponent(resource)}`);
  read('an operation', `GET /v3/${text(keyMade, 'name')}`);

  const customer = await make('POST /apps/reseller/v1/customers', {
    customerDomain: 'stored.test',
    alternateEmail: 'admin@elsewhere.test',
    phoneNumber: '+16505550100',
    postalAddress: { contactName: 'Ann', organizationName: 'Acme', countryCode: 'US', postalCode: '94043' },
  });
  const path = `/apps/reseller/v1/customers/${text(customer, 'customerId')}`;
  await make(`POST ${path}/subscriptions`, {
    skuId: 'Google-Apps-For-Business',
    plan: { planName: 'FLEXIBLE' },
    seats: { maximumNumberOfSeats: 10 },
  });
  read('a customer', `GET ${path}`);
  read('subscriptions', 'GET /apps/reseller/v1/subscriptions');

  const fileId = text(await make('POST /drive/v3/files', { name: 'Chart', mimeType: 'text/plain' }), 'id');
  await make(`POST /drive/v3/files/${fileId}/comments?fields=*`, { content: 'Mind the rocks' });
  read('files', 'GET /drive/v3/files?fields=*');
  read('comments', `GET /drive/v3/files/${fileId}/comments?fields=*`);
}

/** A publisher's app, unit, mapping and group. */
export async function recordMediation(recording: Recording): Promise<void> {
  const { read } = at(recording, 'control', 'control');
  const publisher = publisherOf(ORIGINS.control, recording.tokens.control ?? '');
  const { client, name } = publisher;
  const app = await client.accounts.apps.create({
    parent: name,
    requestBody: { platform: 'ANDROID', manualAppInfo: { displayName: 'Puzzle' } },
  });
  const adUnit = { appId: app.data.appId ?? '', displayName: 'Banner', adFormat: 'BANNER' };
  await client.accounts.adUnits.create({ parent: name, requestBody: adUnit });
  const mapping = await newMapping(publisher);
  await newGroup(publisher, ['A', 'B']);
  read('mediation: accounts', 'GET /v1beta/accounts');
  for (const list of ['apps', 'adUnits', 'mediationGroups']) read(`mediation: ${list}`, `GET /v1beta/${name}/${list}`);
  read('mediation: mappings', `GET /v1beta/${mapping.split('/').slice(0, -1).join('/')}`);
}

/** An instance with an item that was cut, indexed by words and vectors. */
export async function recordSearch(recording: Recording): Promise<void> {
  const { make, read } = at(recording, 'control', 'control');
  const base = '/client/v4/accounts/stored/ai-search';
  const instance = `${base}/namespaces/team/instances/hours`;
  await make(`POST ${base}/namespaces`, { name: 'team', description: 'Ours' });
  await make(`POST ${base}/namespaces/team/instances`, {
    id: 'hours',
    index_method: { keyword: true, vector: true },
    custom_metadata: [{ field_name: 'team', data_type: 'text' }],
  });
  const form = new FormData();
  const words =
    '# Opening hours\n\nThe shop is open from nine to five.\n\n# Returns\n\nGoods come back within thirty days.';
  form.append('file', new File([words], 'hours.md'));
  form.append('metadata', JSON.stringify({ team: 'shop' }));
  form.append('wait_for_completion', 'true');
  const uploaded = await fetch(`${ORIGINS.control}${instance}/items`, {
    method: 'POST',
    headers: { authorization: `Bearer ${recording.tokens.control}` },
    body: form,
  });
  const answer = (await uploaded.json()) as { result?: { id?: string } };
  const id = answer.result?.id;
  if (id === undefined) throw new Error(`not uploaded: ${JSON.stringify(answer)}`);
  await until(
    'the item is not indexed',
    () => make(`GET ${instance}/items/${id}`),
    ({ result }) => z.looseObject({ status: z.string() }).parse(result).status === 'completed',
  );
  read('search instances', `GET ${base}/namespaces/team/instances`);
  read('search namespaces', `GET ${base}/namespaces`);
  read('search items', `GET ${instance}/items`);
  read('search chunks', `GET ${instance}/items/${id}/chunks`);
  for (const kind of ['keyword', 'vector', 'hybrid'])
    read(`search by ${kind}`, `POST ${instance}/search`, {
      query: 'When is the shop open?',
      ai_search_options: { retrieval: { retrieval_type: kind, filters: { team: 'shop' } } },
    });
}

/** A snapshot of the tenant by the emulator. */
export async function recordSnapshot(recording: Recording): Promise<void> {
  const { make, read } = at(recording, 'control', 'control');
  await make('POST /v1/tenants/C00000001:snapshot', { name: 'before' });
  read('snapshots', 'GET /v1/tenants/C00000001/snapshots');
}
