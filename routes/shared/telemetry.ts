import type { Context } from 'hono';
import { routePath } from 'hono/route';
import { toHex } from '../../src/lib/digest.ts';
import { recordBuffer, type TelemetryBatchContent } from '../../src/telemetry/buffer.ts';
import {
  type RequestAnswerFacts,
  createRecorder,
  type Task,
  createUnfailingRecorder,
} from '../../src/telemetry/recorder.ts';
import { type Arrived, createSampler } from '../../src/telemetry/request-span.ts';
import { type Carrier, createShipping } from '../../src/telemetry/shipping.ts';
import { createQueuePort, type TelemetryQueue } from '../../src/telemetry/messages.ts';
import type { ServiceName, SpanKind, TelemetryPort } from '../../src/telemetry/wire.ts';

/** A batch that is not taken in this time is given up. */
const WRITE_TIMEOUT_MS = 5_000;
/** Shortest time between two console lines about lost batches. */
const COMPLAINT_MS = 60_000;
const INSTANCE_BYTES = 4;
const ID_BYTES = 8;
const NOTHING: TelemetryBatchContent = { lines: [], spans: [], dropped: { lines: 0, spans: 0 } };

const generateRandomBytes = (bytes: number): Uint8Array => crypto.getRandomValues(new Uint8Array(bytes));
const getNowMs = (): number => Date.now();

/** Memory of this isolate: plain data, which any of its invocations may send. */
const buffer = recordBuffer();
let complainedMs = -Infinity;
let instance = '';

/**
 * Collects lines and spans of this isolate. It stores nothing before an invocation has somewhere to write to, and a
 * fault in it fails no other work.
 */
export const recording = createUnfailingRecorder(
  createRecorder({
    buffer,
    ship: createShipping({ buffer, now: getNowMs, wait: (ms) => scheduler.wait(ms), failed: complain }),
    now: getNowMs,
    random: generateRandomBytes,
    mayKeep: createSampler(getNowMs),
  }),
  (error) => complain(error, NOTHING),
);

/** To the console alone: telemetry says nothing of itself by telemetry. */
function complain(error: unknown, { lines, spans }: TelemetryBatchContent): void {
  if (getNowMs() - complainedMs < COMPLAINT_MS) return;
  complainedMs = getNowMs();
  const name = error instanceof Error ? error.name : typeof error;
  console.log(JSON.stringify({ event: 'telemetry_not_sent', name, lines: lines.length, spans: spans.length }));
}

/** Where an invocation writes its telemetry; undefined port: nowhere. */
export type TelemetryTarget = {
  service: ServiceName;
  port: TelemetryPort | undefined;
  waitUntil: (promise: Promise<unknown>) => void;
};

const ports = new WeakMap<TelemetryQueue, TelemetryPort>();

/** The port of an environment: its queue to the control Worker, where TELEMETRY says so. */
export function selectTelemetryPort(
  telemetry: 'none' | 'control' | undefined,
  queue: TelemetryQueue | undefined,
): TelemetryPort | undefined {
  if (telemetry !== 'control' || queue === undefined) return undefined;
  const known = ports.get(queue);
  if (known !== undefined) return known;
  const port = createQueuePort(queue, { now: getNowMs, randomHex: () => toHex(generateRandomBytes(ID_BYTES)) });
  ports.set(queue, port);
  return port;
}

/** A request in the log and in the trace of its caller. Undefined: nothing is kept of it. It never fails the request. */
export type Observed = { answered: (facts: () => RequestAnswerFacts) => void } | undefined;

/** Begins the span of a request; its end makes the request's log entry. `baseUrl`: our own origin. */
export function observeRequest(
  request: Request,
  requestId: string,
  baseUrl: string,
  telling: TelemetryTarget,
): Observed {
  if (telling.port === undefined) return undefined;
  try {
    const { answered } = recording.arrived(
      readArrival(request, requestId, baseUrl),
      createCarrier(telling, telling.port),
    );
    return { answered: (facts) => runSafely(() => answered(facts())) };
  } catch (error) {
    complain(error, NOTHING); // A bug of ours, but no reason to answer otherwise.
    return undefined;
  }
}

function runSafely(work: () => void): void {
  try {
    work();
  } catch (error) {
    complain(error, NOTHING);
  }
}

const readArrival = ({ method, headers, url }: Request, requestId: string, baseUrl: string): Arrived => ({
  requestId,
  traceparent: headers.get('traceparent'),
  method,
  scheme: url.slice(0, url.indexOf(':')),
  serverAddress: getOwnHostname(baseUrl),
});

/** Does the work of a queue's batch or of a cron tick, with a span of its own. Without a context nothing is kept. */
export function observeTask<T>(
  task: Task,
  telling: Omit<TelemetryTarget, 'waitUntil'>,
  context: Pick<ExecutionContext, 'waitUntil'> | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const { port } = telling;
  if (context === undefined || port === undefined) return work();
  const waitUntil = (promise: Promise<unknown>): void => context.waitUntil(promise);
  // A queue delivers no further batch before this one's invocation is over.
  const isAwaited = task.kind === 'CONSUMER';
  return recording.task(task, { ...createCarrier({ ...telling, waitUntil }, port), isAwaited }, work);
}

/** A batch of a queue, as OpenTelemetry's messaging conventions have it. */
export const queueTask = ({ queue, messages }: Pick<MessageBatch, 'queue' | 'messages'>): Task => ({
  name: `process ${queue}`,
  kind: 'CONSUMER',
  attributes: {
    'messaging.system': 'cloudflare_queues',
    'messaging.destination.name': queue,
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.batch.message_count': messages.length,
  },
});

export const CRON_TASK: Task = { name: 'cron', kind: 'INTERNAL', attributes: { 'faas.trigger': 'timer' } };

/** Does one step of a request's work, as a child of its span. */
export const traceStep = <T>(requestId: string, name: string, kind: SpanKind, work: () => Promise<T>): Promise<T> =>
  recording.timed(requestId, { name, kind }, work);

function createCarrier({ service, waitUntil }: Omit<TelemetryTarget, 'port'>, port: TelemetryPort): Carrier {
  if (instance === '') instance = toHex(generateRandomBytes(INSTANCE_BYTES)); // Nothing is random before the first request.
  return { write: (taken) => awaitInTime(port.write({ service, instance, ...taken })), waitUntil };
}

async function awaitInTime(writing: Promise<unknown>): Promise<unknown> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TelemetryLate()), WRITE_TIMEOUT_MS);
  try {
    return await Promise.race([writing, late]);
  } finally {
    clearTimeout(timer);
  }
}

class TelemetryLate extends Error {
  override readonly name = 'TelemetryLate';
}

let own: { baseUrl: string; host: string } | undefined;

function getOwnHostname(baseUrl: string): string {
  if (own?.baseUrl !== baseUrl) own = { baseUrl, host: new URL(baseUrl).hostname };
  return own.host;
}

/** The template of the route that answered, as OpenTelemetry writes it: `/api/agent/{capability}`; '' where none did. */
export function formatRouteTemplate(c: Context): string {
  const path = routePath(c);
  if (path === '*' || path === '/*') return '';
  return path.split('/').map(formatTemplatePart).join('/');
}

/** `:file{...}`, with the expression that it must match, is `{file}`. */
const formatTemplatePart = (part: string): string =>
  part.startsWith(':') ? `{${/^\w+/.exec(part.slice(1))?.[0] ?? ''}}` : part;

/** One JSON line to the log, and to the service's own telemetry. Callers never pass payment headers, secrets or full URLs. */
export function logLine(event: Record<string, unknown>): void {
  const text = JSON.stringify(event);
  console.log(text);
  recording.line(text, event['request_id']);
}
