import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { google } from '../../conformance/packages/googleapis.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ControlStack, startControlStack } from '../../conformance/support/control-stack.ts';
import type { Json } from '../../../src/lib/json.ts';

const SECRET = 'S3cretOfTheCollector';

type Received = { url: string; headers: IncomingHttpHeaders; body: string };
const received: Received[] = [];
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    received.push({ url: request.url ?? '', headers: request.headers, body });
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  });
});
const logs: string[] = [];
let stack: ControlStack;

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  stack = await startControlStack({
    bindings: { TELEMETRY: 'control' },
    controlBindings: {
      TELEMETRY: 'control',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${SECRET}`,
    },
    log: (_level, message) => void logs.push(message),
  });
});
afterAll(async () => {
  await stack?.stop();
  receiver.closeAllConnections();
  receiver.close();
});

const servicesOf = (path: string): string[] =>
  received
    .filter(({ url }) => url === path)
    .flatMap(({ body }) => [...body.matchAll(/"sightline-(?:api|control)"/g)].map(([name]) => name));

test('logs and spans of the Workers go to the address of the settings, and can be sent on to our own', async () => {
  const { world, api } = stack;
  expect((await fetch(`${api}/api/agent/index`)).status).toBe(200);
  const users = await fetch(`${world.url}/admin/directory/v1/users?customer=my_customer`, {
    headers: { authorization: `Bearer ${world.token}` },
  });
  expect(users.status).toBe(200);
  const traceId = users.headers.get('x-request-id') ?? '';
  for (const path of ['/v1/logs', '/v1/traces'])
    await expect
      .poll(() => new Set(servicesOf(path)), { timeout: 20_000 })
      .toEqual(new Set(['"sightline-api"', '"sightline-control"']));
  expect(received.every(({ headers }) => headers.authorization === `Bearer ${SECRET}`)).toBe(true);
  await expect
    .poll(() => received.some(({ url, body }) => url === '/v1/traces' && body.includes(traceId)), { timeout: 20_000 })
    .toBe(true);
  expect(JSON.stringify([received.map(({ body }) => body), logs])).not.toMatch(new RegExp(`${SECRET}|${world.token}`));

  const body = received.find((each) => each.url === '/v1/traces' && each.body.includes(traceId))?.body ?? '';
  const project = 'sent-on';
  const answer = await fetch(`${world.url}/v1/traces`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(withProject(JSON.parse(body) as Json, project)),
  });
  expect([answer.status, await answer.json()]).toEqual([200, {}]);
  const auth = new google.auth.OAuth2();
  auth.setCredentials({ access_token: world.token });
  const { data } = await google
    .cloudtrace({ version: 'v1', rootUrl: `${world.url}/`, auth })
    .projects.traces.get({ projectId: project, traceId });
  const sent = data.spans?.find(({ kind }) => kind === 'RPC_SERVER');
  expect(sent).toMatchObject({
    name: 'GET /admin/directory/v1/users',
    labels: { 'service.name': 'sightline-control', 'http.response.status_code': '200' },
  });
});

/** The same export with another project: the service's own spans are changed by no one. */
function withProject(value: Json, project: string): Json {
  if (Array.isArray(value)) return value.map((each) => withProject(each, project));
  if (typeof value !== 'object' || value === null) return value;
  if (value['key'] === 'gcp.project_id') return { key: 'gcp.project_id', value: { stringValue: project } };
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withProject(each, project)]));
}
