import { LoggingBunyan } from '@google-cloud/logging-bunyan';
import { type Entry, Logging } from '@google-cloud/logging';
import {
  LOGGING_SAMPLED_KEY,
  LOGGING_SPAN_KEY,
  LOGGING_TRACE_KEY,
  LoggingWinston,
} from '@google-cloud/logging-winston';
import { createGcpLoggingPinoConfig } from '@google-cloud/pino-logging-gcp-config';
import { createLogger } from 'bunyan';
import { google } from 'googleapis';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as winston from 'winston';
import { joinControlStack } from '../support/control-stack.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
/** For hangs only. */
const FOUND_WITHIN = { timeout: 20_000, interval: 50 };

let stack: Awaited<ReturnType<typeof joinControlStack>>;
/** Where a client writes and as whom; each transport has classes of its own for the last. */
let options: {
  projectId: string;
  fallback: boolean;
  protocol: string;
  apiEndpoint: string;
  port: number;
  authClient: never;
};
let logging: Logging;

beforeAll(async () => {
  process.env['METADATA_SERVER_DETECTION'] = 'none'; // Else the clients look for the vendor's machines first.
  stack = await joinControlStack();
  const { hostname, port } = new URL(stack.world.url);
  const authClient = new google.auth.OAuth2();
  authClient.setCredentials({ access_token: stack.world.token });
  const projectId = `logged-${stack.world.customer.toLowerCase()}`;
  const where = {
    projectId,
    fallback: true,
    protocol: 'http',
    apiEndpoint: hostname,
    port: Number(port),
    authClient: authClient as never,
  };
  options = where;
  logging = new Logging(where);
});
afterAll(async () => stack?.stop());

/** What the log has once it has so many entries, oldest first, without the one that the client writes of itself. */
async function readLog(name: string, count: number): Promise<Entry[]> {
  return vi.waitFor(async () => {
    const filter = `-jsonPayload."logging.googleapis.com/diagnostic":*`;
    const [entries] = await logging.log(name).getEntries({ filter, orderBy: 'timestamp asc' });
    expect(entries).toHaveLength(count);
    return entries;
  }, FOUND_WITHIN);
}

const messageOf = (entry: Entry | undefined): unknown => (entry?.data as { message?: unknown } | undefined)?.message;

describe('winston', () => {
  const loggerOf = (logName: string, more: object = {}) =>
    winston.createLogger({
      level: 'debug',
      transports: [
        new LoggingWinston({ ...options, logName, level: 'debug', resource: { type: 'global', labels: {} }, ...more }),
      ],
    });

  test('writes messages with their levels as severities', async () => {
    const logger = loggerOf('winston-levels');
    for (const level of ['debug', 'info', 'warn', 'error'] as const) logger[level](`at ${level}`);
    const entries = await readLog('winston-levels', 4);
    const found = Object.fromEntries(entries.map((entry) => [messageOf(entry), entry.metadata.severity]));
    expect(found).toEqual({ 'at debug': 'DEBUG', 'at info': 'INFO', 'at warn': 'WARNING', 'at error': 'ERROR' });
  });

  test('writes metadata, labels, requests and traces where the vendor has them', async () => {
    const logger = loggerOf('winston-whole', { labels: { module: 'audit' }, prefix: 'judge' });
    logger.info('asked', {
      count: 3,
      httpRequest: { requestMethod: 'GET', status: 200 },
      labels: { run: 'one' },
      [LOGGING_TRACE_KEY]: `projects/p/traces/${TRACE}`,
      [LOGGING_SPAN_KEY]: SPAN,
      [LOGGING_SAMPLED_KEY]: true,
    });
    const [entry] = await readLog('winston-whole', 1);
    expect(entry?.data).toMatchObject({ message: '[judge] asked', metadata: { count: 3 } });
    expect(entry?.metadata).toMatchObject({
      httpRequest: { requestMethod: 'GET', status: 200 },
      labels: { module: 'audit', run: 'one' },
      trace: `projects/p/traces/${TRACE}`,
      spanId: SPAN,
      traceSampled: true,
    });
  });

  test('an error brings its stack and the service that it is of', async () => {
    loggerOf('winston-errors', { serviceContext: { service: 'judge', version: '1' } }).error(
      new Error('warp nacelles offline'),
    );
    const [entry] = await readLog('winston-errors', 1);
    expect(entry?.metadata.severity).toBe('ERROR');
    expect(entry?.data).toMatchObject({ serviceContext: { service: 'judge', version: '1' } });
    expect(messageOf(entry)).toContain('warp nacelles offline\n    at ');
  });

  test('what the server refuses comes to the default callback', async () => {
    const refused = vi.fn<(error: Error | null) => void>();
    const logger = loggerOf('winston-refused', { defaultCallback: refused });
    logger.info('too many labels', {
      labels: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`l${n}`, 'x'])),
    });
    await vi.waitFor(() => expect(refused).toHaveBeenCalled(), FOUND_WITHIN);
    expect(refused.mock.calls[0]?.[0]).toMatchObject({ code: 3 });
    expect(await readLog('winston-refused', 0)).toEqual([]);
  });
});

describe('bunyan', () => {
  const loggerOf = (logName: string, more: object = {}) => {
    const stream = new LoggingBunyan({ ...options, logName, resource: { type: 'global', labels: {} }, ...more });
    return createLogger({ name: 'judge', streams: [stream.stream('debug')] });
  };

  test('writes messages with their levels as severities', async () => {
    const logger = loggerOf('bunyan-levels');
    for (const level of ['debug', 'info', 'warn', 'error', 'fatal'] as const) logger[level](`at ${level}`);
    const entries = await readLog('bunyan-levels', 5);
    const found = Object.fromEntries(entries.map((entry) => [messageOf(entry), entry.metadata.severity]));
    expect(found).toEqual({
      'at debug': 'DEBUG',
      'at info': 'INFO',
      'at warn': 'WARNING',
      'at error': 'ERROR',
      'at fatal': 'CRITICAL',
    });
  });

  test('writes fields, labels, requests and traces where the vendor has them', async () => {
    loggerOf('bunyan-whole').warn(
      {
        count: 3,
        httpRequest: { requestMethod: 'GET', status: 404 },
        labels: { run: 'one' },
        [LOGGING_TRACE_KEY]: `projects/p/traces/${TRACE}`,
        [LOGGING_SPAN_KEY]: SPAN,
        [LOGGING_SAMPLED_KEY]: true,
      },
      'asked',
    );
    const [entry] = await readLog('bunyan-whole', 1);
    expect(entry?.data).toMatchObject({ message: 'asked', name: 'judge', count: 3 });
    expect(entry?.metadata).toMatchObject({
      httpRequest: { requestMethod: 'GET', status: 404 },
      labels: { run: 'one' },
      trace: `projects/p/traces/${TRACE}`,
      spanId: SPAN,
      traceSampled: true,
    });
  });

  test('an error brings its stack and the service that it is of', async () => {
    loggerOf('bunyan-errors', { serviceContext: { service: 'judge' } }).error(new Error('shields down'));
    const [entry] = await readLog('bunyan-errors', 1);
    expect(entry?.data).toMatchObject({ serviceContext: { service: 'judge' } });
    expect(messageOf(entry)).toContain('shields down\n    at ');
  });
});

/** What an agent makes of a line of structured logging: fields with a meaning leave the payload (vendor's page of them). */
function readAsAgent(line: string): [metadata: object, payload: object] {
  const { severity, timestamp, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const {
    'logging.googleapis.com/insertId': insertId,
    'logging.googleapis.com/trace': trace,
    'logging.googleapis.com/spanId': spanId,
    'logging.googleapis.com/trace_sampled': traceSampled,
    ...payload
  } = rest;
  const metadata = { severity, timestamp, insertId, trace, spanId, traceSampled };
  const known = Object.entries(metadata).filter(([, value]) => value !== undefined);
  return [{ resource: { type: 'global' }, ...Object.fromEntries(known) }, payload];
}

describe('pino', () => {
  const record = (run: (logger: pino.Logger) => void): string[] => {
    const lines: string[] = [];
    const config = createGcpLoggingPinoConfig(
      {
        serviceContext: { service: 'judge', version: '1' },
        traceGoogleCloudProjectId: 'p',
        inihibitDiagnosticMessage: true,
      },
      { level: 'debug' },
    );
    run(pino(config, { write: (line: string) => void lines.push(line) }));
    return lines;
  };

  test('its lines are entries with severity, time and order as an agent reads them', async () => {
    const lines = record((logger) => {
      logger.debug('first');
      logger.warn({ count: 3 }, 'second');
      logger.fatal('third');
    });
    const log = logging.log('pino-lines');
    await log.write(lines.map(readAsAgent).map(([metadata, payload]) => log.entry(metadata, payload)));
    const entries = await readLog('pino-lines', 3);
    const found = entries.map((entry) => [messageOf(entry), entry.metadata.severity]);
    expect(found).toEqual([
      ['first', 'DEBUG'],
      ['second', 'WARNING'],
      ['third', 'CRITICAL'],
    ]);
    expect(entries[1]?.data).toMatchObject({ count: 3 });
  });

  test('a trace of OpenTelemetry and an error come to their fields', async () => {
    const [line = ''] = record((logger) =>
      logger.error({ trace_id: TRACE, span_id: SPAN, trace_flags: '01', err: new Error('engine stopped') }, 'failed'),
    );
    const log = logging.log('pino-errors');
    const [metadata, payload] = readAsAgent(line);
    await log.write(log.entry(metadata, payload));
    const [entry] = await readLog('pino-errors', 1);
    expect(entry?.metadata).toMatchObject({
      severity: 'ERROR',
      trace: `projects/p/traces/${TRACE}`,
      spanId: SPAN,
      traceSampled: true,
    });
    expect(entry?.data).toMatchObject({ message: 'failed', serviceContext: { service: 'judge', version: '1' } });
    expect(JSON.stringify(entry?.data)).toContain('engine stopped');
  });
});
