import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPLogExporter as JsonLogs } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtobufLogs } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufTraces } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { BatchSpanProcessor, type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace';
import { google } from 'googleapis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { joinControlStack } from './support/control-stack.ts';

const PROJECT = 'by-exporter';

let stack: Awaited<ReturnType<typeof joinControlStack>>;

beforeAll(async () => {
  stack = await joinControlStack();
});
afterAll(async () => stack?.stop());

const exporters = [
  { name: 'JSON', Traces: JsonTraces, Logs: JsonLogs, compression: 'none' },
  { name: 'JSON in gzip', Traces: JsonTraces, Logs: JsonLogs, compression: 'gzip' },
  { name: 'protobuf', Traces: ProtobufTraces, Logs: ProtobufLogs, compression: 'none' },
  { name: 'protobuf in gzip', Traces: ProtobufTraces, Logs: ProtobufLogs, compression: 'gzip' },
] as const;

type Exporter = (typeof exporters)[number];
const resource = resourceFromAttributes({
  'service.name': 'shop',
  'service.instance.id': 'i-1',
  'service.version': '1.2.3',
  'gcp.project_id': PROJECT,
});
const optionsOf = (path: string, { compression }: Pick<Exporter, 'compression'>, token = stack.world.token) =>
  ({ url: `${stack.world.url}${path}`, headers: { Authorization: `Bearer ${token}` }, compression }) as never; // An enum of a package that no one imports.

const auth = () => {
  const client = new google.auth.OAuth2();
  client.setCredentials({ access_token: stack.world.token });
  return { rootUrl: `${stack.world.url}/`, auth: client };
};

describe.each(exporters)("the SDK's exporters of $name", (exporter) => {
  test('spans with all that they can say are read by the tracing interface', async () => {
    const provider = new TracerProvider({
      resource,
      spanProcessors: [new BatchSpanProcessor({ exporter: new exporter.Traces(optionsOf('/v1/traces', exporter)) })],
    });
    const tracer = provider.getTracer('cart', '2.0.0');
    const root = tracer.startSpan('POST /cart', {
      kind: SpanKind.SERVER,
      attributes: { 'http.route': '/cart', items: 3, ok: true, ratio: 0.5, tags: ['a', 'b'] },
    });
    const child = tracer.startSpan(
      'SELECT',
      { kind: SpanKind.CLIENT, links: [{ context: root.spanContext(), attributes: { why: 'test' } }] },
      trace.setSpan(context.active(), root),
    );
    child.addEvent('retry', { attempt: 2 });
    child.recordException(new Error('gone'));
    child.setStatus({ code: SpanStatusCode.ERROR, message: 'gone' });
    child.end();
    root.end();
    await provider.forceFlush();
    await provider.shutdown();

    const { traceId } = root.spanContext();
    const { data } = await google
      .cloudtrace({ version: 'v1', ...auth() })
      .projects.traces.get({ projectId: PROJECT, traceId });
    // Both may have begun in the same moment: their order says nothing.
    const first = data.spans?.find(({ name }) => name === 'POST /cart');
    const second = data.spans?.find(({ name }) => name === 'SELECT');
    expect(first).toMatchObject({
      name: 'POST /cart',
      kind: 'RPC_SERVER',
      labels: {
        'service.name': 'shop',
        'http.route': '/cart',
        items: '3',
        ok: 'true',
        ratio: '0.5',
        tags: '["a","b"]',
        'otel.scope.name': 'cart',
        'otel.scope.version': '2.0.0',
      },
    });
    expect(first?.spanId).toBe(BigInt(`0x${root.spanContext().spanId}`).toString());
    expect(second).toMatchObject({ name: 'SELECT', kind: 'RPC_CLIENT', parentSpanId: first?.spanId });
    const took = (root as unknown as ReadableSpan).endTime;
    expect(first?.endTime).toBe(
      `${new Date(took[0] * 1_000).toISOString().slice(0, 19)}.${String(took[1]).padStart(9, '0')}Z`,
    );
  });

  test('log records are read by the logging interface', async () => {
    const run = `run of ${exporter.name}`;
    const provider = new LoggerProvider({
      resource,
      processors: [new BatchLogRecordProcessor({ exporter: new exporter.Logs(optionsOf('/v1/logs', exporter)) })],
    });
    const logger = provider.getLogger('cart', '2.0.0');
    const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: '00f067aa0ba902b7', traceFlags: 1 };
    logger.emit({
      severityNumber: 17,
      severityText: 'ERROR',
      body: { message: 'no stock', left: 0, list: [1, 'two', true], nested: { deep: null } },
      attributes: { run, attempt: 2, bytes: new Uint8Array([0, 1, 2]) },
      eventName: 'cart.failed',
      context: trace.setSpanContext(context.active(), span),
    });
    logger.emit({ severityNumber: 9, body: 'plain', attributes: { run } });
    await provider.forceFlush();
    await provider.shutdown();

    const { data } = await google.logging({ version: 'v2', ...auth() }).entries.list({
      requestBody: { resourceNames: [`projects/${PROJECT}`], filter: `labels.run="${run}"`, orderBy: 'timestamp asc' },
    });
    expect(data.entries).toHaveLength(2);
    const failed = data.entries?.find(({ severity }) => severity === 'ERROR');
    expect(failed).toMatchObject({
      logName: `projects/${PROJECT}/logs/shop`,
      resource: { type: 'generic_task', labels: { project_id: PROJECT, job: 'shop', task_id: 'i-1' } },
      jsonPayload: { message: 'no stock', left: 0, list: [1, 'two', true], nested: { deep: null } },
      labels: {
        run,
        attempt: '2',
        bytes: 'AAEC',
        'event.name': 'cart.failed',
        'service.version': '1.2.3',
        'otel.scope.name': 'cart',
      },
      trace: `projects/${PROJECT}/traces/${span.traceId}`,
      spanId: span.spanId,
      traceSampled: true,
    });
    expect(data.entries?.find(({ severity }) => severity === 'INFO')).toMatchObject({ textPayload: 'plain' });
  });

  test('the SDK hears of a token that may not write, and does not try again', async () => {
    const exporting = new exporter.Traces(optionsOf('/v1/traces', exporter, `slm_${'x'.repeat(43)}`));
    const provider = new TracerProvider({ resource });
    const span = provider.getTracer('t').startSpan('s');
    span.end();
    const { code, error } = await new Promise<{ code: number; error?: Error & { code?: number } }>((resolve) => {
      exporting.export([span as unknown as ReadableSpan], resolve);
    });
    expect(code).toBe(1);
    expect(error).toMatchObject({ code: 401 });
    await exporting.shutdown();
  });
});
