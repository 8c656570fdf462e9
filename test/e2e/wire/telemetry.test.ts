import { Logging } from '../../conformance/packages/cloud-logging.ts';
import { google } from '../../conformance/packages/googleapis.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Stack, startStack } from '../../../local/stack.ts';
import { present, presentUntilDecided, sign } from '../../support/stack/presenting.ts';
import { PLANTED, secretsIn } from '../../conformance/support/secretlint.ts';

const TIMEOUT_MS = 60_000;

let stack: Stack;
let logging: Logging;
let auth: InstanceType<typeof google.auth.OAuth2>;
const printed: string[] = [];

beforeAll(async () => {
  process.env['METADATA_SERVER_DETECTION'] = 'none'; // Else the client looks for the vendor's machines first.
  process.env['TELEMETRY'] = 'control'; // The other stacks of these tests go without.
  stack = await startStack({ log: (_level, message) => void printed.push(message) });
  const { operator, control } = stack.file;
  const { hostname, port } = new URL(control ?? '');
  auth = new google.auth.OAuth2();
  auth.setCredentials({ access_token: operator?.token ?? '' });
  const options = {
    projectId: operator?.project ?? '',
    fallback: true,
    protocol: 'http',
    apiEndpoint: hostname,
    port: Number(port),
    authClient: auth,
  };
  logging = new Logging(options);
});
afterAll(async () => stack?.stop());

type Read = { log: string; trace: string; route: string; status: number; data: Record<string, unknown> };

/** Entries of the service's own logs by a filter, the oldest first. */
async function entries(filter: string): Promise<readonly Read[]> {
  const [found] = await logging.getEntries({ filter, orderBy: 'timestamp asc', pageSize: 1_000 });
  return found.map(({ metadata, data }) => ({
    log: String(metadata.logName),
    trace: metadata.trace ?? '',
    route: metadata.httpRequest?.requestUrl ?? '',
    status: metadata.httpRequest?.status ?? 0,
    data: data as Record<string, unknown>,
  }));
}

const spansOf = async (traceId: string) => {
  const { data } = await google
    .cloudtrace({ version: 'v1', rootUrl: stack.file.control ?? '', auth })
    .projects.traces.get({ projectId: stack.file.operator?.project ?? '', traceId });
  return data.spans ?? [];
};

describe("the service's own logs and traces, read with the official clients", () => {
  test(
    'a paid call is found by its request id: its sale, its answer, and a trace of its steps',
    async () => {
      const answer = await presentUntilDecided(stack, {}, await sign(stack, stack.buyer));
      expect(answer.status).toBe(200);
      const requestId = answer.headers.get('x-request-id') ?? '';
      const filter = `logName="projects/local/logs/sightline-api" AND labels.request_id="${requestId}"`;
      await expect.poll(async () => (await entries(filter)).length, { timeout: TIMEOUT_MS }).toBe(2);
      const found = await entries(filter);
      expect(found.map(({ data }) => data['event'])).toEqual(['sold', 'request']);
      expect(found[1]).toMatchObject({
        trace: `projects/local/traces/${requestId}`,
        route: '/api/agent/{capability}',
        status: 200,
      });
      const spans = await spansOf(requestId);
      expect(spans.map(({ name }) => String(name)).toSorted((a, b) => a.localeCompare(b))).toEqual([
        'claim',
        'parse',
        'POST check_health',
        'settle',
        'verify',
        'work',
      ]);
      const server = spans.find(({ kind }) => kind === 'RPC_SERVER');
      expect(server?.labels).toMatchObject({
        'http.route': '/api/agent/{capability}',
        'sightline.capability': 'check_health',
        'sightline.payer': stack.buyer.address.slice(0, 6).toLowerCase(),
      });
      expect(spans.filter(({ parentSpanId }) => parentSpanId === server?.spanId)).toHaveLength(5);
    },
    TIMEOUT_MS * 2,
  );

  test(
    "every Worker's requests are in a log of its own",
    async () => {
      await fetch(`${stack.file.webhook}/openapi.json`);
      await fetch(`${stack.file.control}/admin/directory/v1/customers/my_customer`);
      const logs = async () => (await logging.getLogs())[0].map(({ name }) => name).toSorted();
      await expect
        .poll(logs, { timeout: TIMEOUT_MS })
        .toEqual(['sightline-api', 'sightline-control', 'sightline-webhook']);
    },
    TIMEOUT_MS,
  );

  test(
    'a trace that a caller began goes on in the service',
    async () => {
      const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
      const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
      await fetch(`${stack.api.url}/api/agent/index`, { headers: { traceparent } });
      const spans = () => spansOf(traceId).catch(() => []);
      await expect
        .poll(spans, { timeout: TIMEOUT_MS })
        .toMatchObject([
          { name: 'GET /api/agent/index', parentSpanId: String(0x00f067aa0ba902b7n), kind: 'RPC_SERVER' },
        ]);
    },
    TIMEOUT_MS,
  );

  test(
    'X9: nothing that a caller sent is in any entry or printed line',
    async () => {
      const mark = 'S3cretMark';
      // What secretlint knows as secrets comes in the same ways, before what the test waits for.
      for (const [, secret] of PLANTED)
        await fetch(`${stack.api.url}/reports/${encodeURIComponent(secret)}?key=${encodeURIComponent(secret)}`, {
          headers: { authorization: `Bearer ${secret}`, cookie: secret },
        });
      await fetch(`${stack.api.url}/reports/${mark}?key=${mark}`, { headers: { authorization: `Bearer ${mark}` } });
      await fetch(`${stack.file.webhook}/channels/${mark}`, { headers: { cookie: mark } });
      await fetch(`${stack.file.control}/admin/directory/v1/users/${mark}?fields=${mark}`);
      await present(stack, {}, btoa(JSON.stringify({ mark })));
      const all = async () => entries('logName:"projects/local/logs/sightline-"');
      await expect
        .poll(async () => (await all()).some(({ route, status }) => route === '/channels/{id}' && status === 404), {
          timeout: TIMEOUT_MS,
        })
        .toBe(true);
      const lines = [...(await all()).map((entry) => JSON.stringify(entry)), ...printed];
      const captured = lines.join('\n');
      for (const secret of [mark, stack.file.operator?.token ?? '-', btoa(JSON.stringify({ mark }))])
        expect(captured).not.toContain(secret);
      expect(lines.length).toBeGreaterThan(5);
      expect(await secretsIn(lines)).toEqual([]);
      // The judge sees a secret where there is one: each planted, in a line as they are captured.
      const planted = PLANTED.map(([rule, secret]) => [rule, JSON.stringify({ route: secret })] as const);
      expect(await secretsIn([...lines, ...planted.map(([, line]) => line)])).toEqual(planted.map(([rule]) => rule));
    },
    TIMEOUT_MS,
  );

  test('telemetry is never told by telemetry: no entry names a write of the service itself', async () => {
    const own = await entries('jsonPayload.method="logging.entries.write" OR jsonPayload.method:"batchWrite"');
    expect(own).toEqual([]);
    const read = await entries('jsonPayload.method="logging.entries.list"');
    expect(read.length).toBeGreaterThan(0); // A reader's own requests are.
  });
});
