import { type cloudtrace_v1, type cloudtrace_v2, type cloudtrace_v2beta1, google } from 'googleapis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { methods } from '../../src/management/core/table/method-row.ts';
import { type ControlStack, startControlStack } from './support/control-stack.ts';
import { statusRefusal } from './support/status-refusal.ts';

/** The official clients of the three versions, in a project of their own. */
type Trace = {
  v1: cloudtrace_v1.Cloudtrace;
  v2: cloudtrace_v2.Cloudtrace;
  v2beta1: cloudtrace_v2beta1.Cloudtrace;
  projectId: string;
};
type Case = { method: string; right: (trace: Trace) => Promise<void>; wrong: (trace: Trace) => Promise<void> };

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = '00f067aa0ba902b7';
const DECIMAL = '67667974448284343';

const nameOf = (projectId: string, spanId = SPAN): string => `projects/${projectId}/traces/${TRACE}/spans/${spanId}`;
const spanOf = (projectId: string, spanId = SPAN, more: object = {}): cloudtrace_v2.Schema$Span => ({
  name: nameOf(projectId, spanId),
  spanId,
  displayName: { value: 'POST /v1/audits' },
  startTime: '2026-11-21T00:00:00Z',
  endTime: '2026-11-21T00:00:01.5Z',
  ...more,
});
const write = ({ v2, projectId }: Trace, ...spans: cloudtrace_v2.Schema$Span[]) =>
  v2.projects.traces.batchWrite({ name: `projects/${projectId}`, requestBody: { spans } });
const read = async ({ v1, projectId }: Trace) =>
  (await v1.projects.traces.get({ projectId, traceId: TRACE })).data.spans ?? [];
const DESTINATION = 'bigquery.googleapis.com/projects/local/datasets/traces';

async function sinkOf({ v2beta1, projectId }: Trace): Promise<string> {
  const name = `projects/${projectId}/traceSinks/all`;
  const requestBody = { name, outputConfig: { destination: DESTINATION } };
  await v2beta1.projects.traceSinks.create({ parent: `projects/${projectId}`, requestBody });
  return name;
}

const spanCases: readonly Case[] = [
  {
    method: 'cloudtrace.projects.traces.batchWrite',
    right: async (trace) => {
      const child = spanOf(trace.projectId, '00f067aa0ba902b8', {
        parentSpanId: SPAN,
        attributes: { attributeMap: { 'http.status': { intValue: '200' } } },
      });
      expect((await write(trace, spanOf(trace.projectId, SPAN, { spanKind: 'SERVER' }), child)).data).toEqual({});
      const [root, second] = await read(trace);
      expect(root).toEqual({
        spanId: DECIMAL,
        kind: 'RPC_SERVER',
        name: 'POST /v1/audits',
        startTime: '2026-11-21T00:00:00Z',
        endTime: '2026-11-21T00:00:01.5Z',
        labels: {},
      });
      expect(second).toMatchObject({ parentSpanId: DECIMAL, labels: { 'http.status': '200' } });
    },
    wrong: async (trace) => {
      const spans = [spanOf(trace.projectId), spanOf(trace.projectId, '0'.repeat(16))];
      expect(await statusRefusal(write(trace, ...spans))).toBe('400 INVALID_ARGUMENT');
      expect((await trace.v1.projects.traces.list({ projectId: trace.projectId })).data).toEqual({});
    },
  },
  {
    method: 'cloudtrace.projects.traces.spans.createSpan',
    right: async (trace) => {
      const { v2, projectId } = trace;
      const requestBody = spanOf(projectId, SPAN, { displayName: { value: 'x'.repeat(130) } });
      const { data } = await v2.projects.traces.spans.createSpan({ name: nameOf(projectId), requestBody });
      expect(data).toEqual({ ...requestBody, displayName: { value: 'x'.repeat(128), truncatedByteCount: 2 } });
      expect(await read(trace)).toHaveLength(1);
    },
    wrong: async ({ v2, projectId }) => {
      const { endTime: _left, ...requestBody } = spanOf(projectId);
      const call = v2.projects.traces.spans.createSpan({ name: nameOf(projectId), requestBody });
      expect(await statusRefusal(call)).toBe('400 INVALID_ARGUMENT');
    },
  },
];

const sinkCases: readonly Case[] = [
  {
    method: 'cloudtrace.projects.traceSinks.create',
    right: async (trace) => {
      const name = await sinkOf(trace);
      const { data } = await trace.v2beta1.projects.traceSinks.get({ name });
      expect(data).toMatchObject({ name, outputConfig: { destination: DESTINATION } });
      expect(data.writerIdentity).toMatch(/@\d+\.iam\.gserviceaccount\.com$/);
    },
    wrong: async (trace) => {
      await sinkOf(trace);
      expect(await statusRefusal(sinkOf(trace))).toBe('409 ALREADY_EXISTS');
    },
  },
  {
    method: 'cloudtrace.projects.traceSinks.get',
    right: async (trace) => {
      const name = await sinkOf(trace);
      expect((await trace.v2beta1.projects.traceSinks.get({ name })).data.name).toBe(name);
    },
    wrong: async ({ v2beta1, projectId }) => {
      const call = v2beta1.projects.traceSinks.get({ name: `projects/${projectId}/traceSinks/none` });
      expect(await statusRefusal(call)).toBe('404 NOT_FOUND');
    },
  },
  {
    method: 'cloudtrace.projects.traceSinks.list',
    right: async (trace) => {
      const name = await sinkOf(trace);
      const { data } = await trace.v2beta1.projects.traceSinks.list({ parent: `projects/${trace.projectId}` });
      expect(data.sinks?.map((sink) => sink.name)).toEqual([name]);
    },
    wrong: async ({ v2beta1, projectId }) => {
      const call = v2beta1.projects.traceSinks.list({ parent: `projects/${projectId}`, pageToken: 'x' });
      expect(await statusRefusal(call)).toBe('400 INVALID_ARGUMENT');
    },
  },
  {
    method: 'cloudtrace.projects.traceSinks.patch',
    right: async (trace) => {
      const name = await sinkOf(trace);
      const outputConfig = { destination: `${DESTINATION}_2` };
      const requestBody = { name, outputConfig };
      await trace.v2beta1.projects.traceSinks.patch({ name, updateMask: 'output_config', requestBody });
      expect((await trace.v2beta1.projects.traceSinks.get({ name })).data.outputConfig).toEqual(outputConfig);
    },
    wrong: async (trace) => {
      const name = await sinkOf(trace);
      const call = trace.v2beta1.projects.traceSinks.patch({
        name,
        requestBody: { outputConfig: { destination: DESTINATION } },
      });
      expect(await statusRefusal(call)).toBe('400 INVALID_ARGUMENT');
    },
  },
  {
    method: 'cloudtrace.projects.traceSinks.delete',
    right: async (trace) => {
      const name = await sinkOf(trace);
      expect((await trace.v2beta1.projects.traceSinks.delete({ name })).data).toEqual({});
      expect((await trace.v2beta1.projects.traceSinks.list({ parent: `projects/${trace.projectId}` })).data).toEqual(
        {},
      );
    },
    wrong: async ({ v2beta1, projectId }) => {
      const call = v2beta1.projects.traceSinks.delete({ name: `projects/${projectId}/traceSinks/none` });
      expect(await statusRefusal(call)).toBe('404 NOT_FOUND');
    },
  },
];

const readCases: readonly Case[] = [
  {
    method: 'cloudtrace.v1.projects.traces.list',
    right: async (trace) => {
      const { v1, projectId } = trace;
      const other = TRACE.replace('0af', '1af');
      const second = {
        ...spanOf(projectId),
        name: nameOf(projectId).replace(TRACE, other),
        displayName: { value: 'GET /' },
      };
      await write(trace, spanOf(projectId), spanOf(projectId, '00f067aa0ba902b8', { parentSpanId: SPAN }), second);
      const query = { projectId, view: 'COMPLETE', orderBy: 'name', pageSize: 1 };
      const { data } = await v1.projects.traces.list(query);
      expect(data.traces?.map(({ traceId }) => traceId)).toEqual([other]);
      const next = await v1.projects.traces.list({ ...query, pageToken: data.nextPageToken ?? '' });
      expect(next.data.traces).toMatchObject([
        { traceId: TRACE, spans: [{ spanId: DECIMAL }, { parentSpanId: DECIMAL }] },
      ]);
      expect(next.data.nextPageToken).toBeUndefined();
      const filtered = await v1.projects.traces.list({ projectId, filter: 'latency:1s +root:"POST /v1/audits"' });
      expect(filtered.data).toEqual({ traces: [{ projectId, traceId: TRACE }] });
    },
    wrong: async ({ v1, projectId }) => {
      expect(await statusRefusal(v1.projects.traces.list({ projectId, filter: '"' }))).toBe('400 INVALID_ARGUMENT');
    },
  },
  {
    method: 'cloudtrace.v1.projects.traces.get',
    right: async (trace) => {
      await write(trace, spanOf(trace.projectId));
      expect(await read(trace)).toMatchObject([{ spanId: DECIMAL }]);
    },
    wrong: async (trace) => {
      expect(await statusRefusal(read(trace))).toBe('404 NOT_FOUND');
    },
  },
  {
    method: 'cloudtrace.v1.projects.patchTraces',
    right: async (trace) => {
      const { v1, projectId } = trace;
      const spans = [{ spanId: DECIMAL, kind: 'RPC_CLIENT', labels: { a: 'b' } }];
      await write(trace, spanOf(projectId));
      await v1.projects.patchTraces({ projectId, requestBody: { traces: [{ projectId, traceId: TRACE, spans }] } });
      expect(await read(trace)).toMatchObject([{ ...spans[0], name: 'POST /v1/audits' }]);
    },
    wrong: async ({ v1, projectId }) => {
      const requestBody = { traces: [{ projectId: 'local', traceId: TRACE }] };
      expect(await statusRefusal(v1.projects.patchTraces({ projectId, requestBody }))).toBe('400 INVALID_ARGUMENT');
    },
  },
];

const cases = [...spanCases, ...sinkCases, ...readCases];
const rows = methods.filter((row) => row.interface === 'tracing');

let stack: ControlStack;
let projects = 0;

beforeAll(async () => {
  stack = await startControlStack();
});
afterAll(async () => stack?.stop());

function clients(token = stack.world.token, project?: string): Trace {
  const auth = new google.auth.OAuth2();
  auth.setCredentials({ access_token: token });
  const at = { rootUrl: `${stack.world.url}/`, auth };
  return {
    v1: google.cloudtrace({ version: 'v1', ...at }),
    v2: google.cloudtrace({ version: 'v2', ...at }),
    v2beta1: google.cloudtrace({ version: 'v2beta1', ...at }),
    projectId: project ?? `traced-${(projects += 1)}`,
  };
}

test('every row of the seed, 7 of them, and 3 beyond it are called by the official client here', () => {
  expect(rows.filter(({ inSeed }) => inSeed)).toHaveLength(7);
  expect(rows).toHaveLength(10);
  expect(cases.map(({ method }) => method).toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
});

describe.each(cases)('$method', ({ right, wrong }) => {
  test('does what it says, as another method shows', async () => {
    await right(clients());
  });

  test('refuses what the vendor refuses, in its words', async () => {
    await wrong(clients());
  });
});

test('K1: spans, sinks and traces of another tenant’s project answer 403, and so do names in bodies', async () => {
  const mine = clients();
  await write(mine, spanOf(mine.projectId));
  const theirs = clients(await stack.anotherToken('C00000002'), mine.projectId);
  const own = clients(await stack.anotherToken('C00000002'));
  const requestBody = {
    name: `projects/${own.projectId}/traceSinks/all`,
    outputConfig: { destination: `bigquery.googleapis.com/projects/${mine.projectId}/datasets/d` },
  };
  const calls = [
    () => write(theirs, spanOf(mine.projectId)),
    () => write(own, spanOf(mine.projectId)),
    () => read(theirs),
    () => theirs.v1.projects.traces.list({ projectId: mine.projectId }),
    () => sinkOf(theirs),
    () => own.v2beta1.projects.traceSinks.create({ parent: `projects/${own.projectId}`, requestBody }),
  ];
  for (const call of calls) expect(await statusRefusal(call())).toBe('403 PERMISSION_DENIED');
  expect(await read(mine)).toHaveLength(1);
});
