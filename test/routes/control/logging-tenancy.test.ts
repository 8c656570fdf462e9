import { listDurableObjectIds } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { tokenFor } from '../../support/workers/control-tokens.ts';
import { call, json, objectsOfTenants } from './world.ts';

const OURS = 'C00000001';
const THEIRS = 'C0000foreign';
const foreigner = tokenFor({ tenant: THEIRS });
const FOREIGN = 'projects/theirs';
const OWN = 'projects/ours';
const VIEW = '/locations/global/buckets/_Default/views/_AllLogs';
const BUCKET = '/locations/global/buckets/_Default';

const DENIED = { error: { code: 403, message: 'The caller does not have permission', status: 'PERMISSION_DENIED' } };

const post = (path: string, body: unknown, token = tokenFor()) => call(path, { method: 'POST', body, token });
const write = (logName: string, text: string, token?: string) =>
  post('/v2/entries:write', { logName, resource: { type: 'global' }, entries: [{ textPayload: text }] }, token);
const texts = async (resourceNames: readonly string[], token?: string): Promise<unknown[]> => {
  const answer = await json<{ entries?: { textPayload: string }[] }>(
    post('/v2/entries:list', { resourceNames }, token),
  );
  return (answer.entries ?? []).map(({ textPayload }) => textPayload);
};

/** Each of the two has a project with one entry. */
async function start(): Promise<void> {
  const registry = env.TENANT_REGISTRY.getByName('tenants');
  // The Worker remembers whose they are, while the registry is empty again.
  for (const [tenant, container] of [
    [OURS, OWN],
    [THEIRS, FOREIGN],
  ] as const) {
    await registry.tenant(tenant, 'sandbox');
    expect(await registry.claim(tenant, container)).toBe('own');
  }
  expect((await write(`${FOREIGN}/logs/a`, 'theirs', foreigner)).status).toBe(200);
  expect((await write(`${OWN}/logs/a`, 'ours')).status).toBe(200);
}

beforeEach(start);

const bodies = (
  container: string,
): readonly (readonly [slot: string, method: string, path: string, body: unknown])[] => [
  [
    'the log name of a write',
    'POST',
    '/v2/entries:write',
    { logName: `${container}/logs/a`, entries: [{ textPayload: 'x' }] },
  ],
  [
    'the log name of one entry',
    'POST',
    '/v2/entries:write',
    {
      logName: `${OWN}/logs/a`,
      partialSuccess: true,
      entries: [{ textPayload: 'x' }, { textPayload: 'x', logName: `${container}/logs/a` }],
    },
  ],
  ['a container of a list', 'POST', '/v2/entries:list', { resourceNames: [OWN, container] }],
  ['a view of a list', 'POST', '/v2/entries:list', { resourceNames: [`${container}${VIEW}`] }],
  ['an older project of a list', 'POST', '/v2/entries:list', { projectIds: [container.replace('projects/', '')] }],
  ['a container of a tail', 'POST', '/v2/entries:tail', { resourceNames: [container] }],
  ['a view of a tail', 'POST', '/v2/entries:tail', { resourceNames: [OWN, `${container}${VIEW}`] }],
  [
    'the bucket of a copy',
    'POST',
    '/v2/entries:copy',
    { name: `${container}${BUCKET}`, destination: 'storage.googleapis.com/bbb' },
  ],
  [
    'the project that a sink sends to',
    'POST',
    `/v2/${OWN}/sinks`,
    { name: 's', destination: `logging.googleapis.com/${container}` },
  ],
  [
    'the bucket that a sink sends to',
    'POST',
    `/v2/${OWN}/sinks`,
    { name: 's', destination: `logging.googleapis.com/${container}${BUCKET}` },
  ],
  [
    'the topic that a sink sends to',
    'POST',
    `/v2/${OWN}/sinks`,
    { name: 's', destination: `pubsub.googleapis.com/${container}/topics/t` },
  ],
  [
    'the destination of a changed sink',
    'PUT',
    `/v2/${OWN}/sinks/_Default`,
    { destination: `logging.googleapis.com/${container}` },
  ],
  [
    'a project of a log scope',
    'POST',
    `/v2/${OWN}/locations/global/logScopes?logScopeId=s`,
    { resourceNames: [OWN, container] },
  ],
  [
    'a view of a log scope',
    'POST',
    `/v2/${OWN}/locations/global/logScopes?logScopeId=s`,
    { resourceNames: [`${container}${VIEW}`] },
  ],
  ['a resource of a list of logs', 'GET', `/v2/${OWN}/logs?resourceNames=${container}${VIEW}`, undefined],
  ['the parent of views', 'GET', `/v2/${container}${BUCKET}/views`, undefined],
  ['the view of a policy', 'POST', `/v2/${container}${VIEW}:getIamPolicy`, {}],
  ['the log of a delete', 'DELETE', `/v2/${container}/logs/a`, undefined],
  ['the parent of a generic row', 'GET', `/v2/${container}/sinks`, undefined],
];

test.each(bodies(FOREIGN).map(([slot], at) => [slot, at] as const))(
  "K1: another tenant's project as %s is refused like a name that nobody can have, and no object is made",
  async (_slot, at) => {
    const before = [await objectsOfTenants(), (await listDurableObjectIds(env.ENTRY_STORE)).length];
    for (const container of [FOREIGN, 'projects/no!name']) {
      const [, method, path, body] = bodies(container)[at] ?? [];
      const answer = await call(path ?? '', {
        ...(method !== undefined && { method }),
        ...(body !== undefined && { body }),
      });
      expect([answer.status, await answer.json()]).toEqual([403, DENIED]);
    }
    expect([await objectsOfTenants(), (await listDurableObjectIds(env.ENTRY_STORE)).length]).toEqual(before);
    expect(await texts([FOREIGN], foreigner)).toEqual(['theirs']);
    expect(await texts([OWN])).toEqual(['ours']);
    const sinks = await json<{ sinks: { name: string }[] }>(call(`/v2/${OWN}/sinks`));
    expect(sinks.sinks.map(({ name }) => name)).toEqual(['_Default', '_Required']);
  },
);

test('K1: the first tenant that uses a name owns it', async () => {
  expect((await call('/v2/projects/fresh/sinks')).status).toBe(200);
  expect((await call('/v2/projects/fresh/sinks', { token: foreigner })).status).toBe(403);
  expect((await call('/v2/projects/fresh2/sinks', { token: foreigner })).status).toBe(200);
  expect((await call('/v2/projects/fresh2/sinks')).status).toBe(403);
});

test('a sink sends the entries of one project to the bucket of another, and no further', async () => {
  const sink = (project: string, to: string) =>
    post(`/v2/projects/${project}/sinks`, { name: 'on', destination: `logging.googleapis.com/projects/${to}` });
  expect([(await sink('a', 'b')).status, (await sink('b', 'c')).status]).toEqual([200, 200]);
  expect((await write('projects/a/logs/l', 'from a')).status).toBe(200);
  expect(await texts(['projects/a'])).toEqual(['from a']);
  expect(await texts(['projects/b'])).toEqual(['from a']);
  expect(await texts(['projects/c'])).toEqual([]);
});

test('an exclusion keeps entries out of the _Default bucket, and a disabled sink takes none', async () => {
  expect((await post('/v2/projects/x/exclusions', { name: 'probes', filter: 'textPayload:probe' })).status).toBe(200);
  await write('projects/x/logs/l', 'a probe');
  await write('projects/x/logs/l', 'a call');
  expect(await texts(['projects/x'])).toEqual(['a call']);
  const query = 'updateMask=disabled';
  const patched = await call(`/v2/projects/x/sinks/_Default?${query}`, { method: 'PATCH', body: { disabled: true } });
  expect(patched.status).toBe(200);
  await write('projects/x/logs/l', 'a second call');
  expect(await texts(['projects/x'])).toEqual(['a call']);
});

test('a/b, a%2Fb and a%252Fb are one log: written, listed and deleted', async () => {
  for (const id of ['a/b', 'a%2Fb', 'a%252Fb']) expect((await write(`projects/n/logs/${id}`, id)).status).toBe(200);
  const logs = () => json<{ logNames?: string[] }>(call('/v2/projects/n/logs'));
  expect(await logs()).toEqual({ logNames: ['projects/n/logs/a%2Fb'] });
  const deleted = await call('/v2/projects/n/logs/a%252Fb', { method: 'DELETE' });
  expect([deleted.status, await deleted.json()]).toEqual([200, {}]);
  expect(await logs()).toEqual({});
  expect((await call('/v2/projects/n/logs/a%2Fb', { method: 'DELETE' })).status).toBe(404);
});

test('a metric with a slash in its name is read by either form', async () => {
  const made = await post('/v2/projects/m/metrics', { name: 'nginx/requests', filter: 'severity>=ERROR' });
  expect(made.status).toBe(200);
  for (const id of ['nginx%2Frequests', 'nginx%252Frequests'])
    expect((await json<{ name: string }>(call(`/v2/projects/m/metrics/${id}`))).name).toBe('nginx/requests');
});

test('what entries:list was asked is a recent query of the caller', async () => {
  await post('/v2/entries:list', { resourceNames: ['projects/r'], filter: 'severity>=ERROR' });
  const path = '/v2/projects/r/locations/global/recentQueries';
  const { recentQueries } = await json<{ recentQueries: { loggingQuery: unknown }[] }>(call(path));
  expect(recentQueries.map(({ loggingQuery }) => loggingQuery)).toEqual([{ filter: 'severity>=ERROR' }]);
});
