import { Logging, v2 } from '@google-cloud/logging';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GrpcStack, joinGrpcStack, readProtoMessage } from './support/grpc-stack.ts';

const PROJECT = 'by-grpc';
const PARENT = `projects/${PROJECT}`;
const GLOBAL = { resource: { type: 'global' } };

const nameOf = ({ name }: { name?: string | null }) => name;

let grpc: GrpcStack;
let logging: Logging;
let config: InstanceType<typeof v2.ConfigServiceV2Client>;
let metrics: InstanceType<typeof v2.MetricsServiceV2Client>;
let entries: InstanceType<typeof v2.LoggingServiceV2Client>;

beforeAll(async () => {
  grpc = await joinGrpcStack();
  const options = { projectId: PROJECT, ...grpc.options() } as never; // What the clients' types leave out, their readme names.
  logging = new Logging(options);
  config = new v2.ConfigServiceV2Client(options);
  metrics = new v2.MetricsServiceV2Client(options);
  entries = new v2.LoggingServiceV2Client(options);
});
afterAll(async () => {
  await Promise.all([config?.close(), metrics?.close(), entries?.close()]);
  await grpc?.stop();
});

describe('Logging, by its own transport', () => {
  test('writes entries and reads them by a filter, newest first', async () => {
    const log = logging.log('my/log');
    const request = { requestMethod: 'GET', status: 503, latency: { seconds: 1, nanos: 5e8 }, responseSize: 12 };
    await log.write([
      log.entry({ ...GLOBAL, severity: 'INFO', labels: { run: 'one' } }, 'first'),
      log.entry(
        { ...GLOBAL, severity: 'ERROR', labels: { run: 'one' }, httpRequest: request, timestamp: new Date() },
        { message: 'second', nested: { list: [1, null, 'x'], flag: false } },
      ),
    ]);
    const [read] = await logging.getEntries({ filter: 'labels.run="one"' });
    expect(read.map(({ data }) => data)).toEqual([
      { message: 'second', nested: { list: [1, null, 'x'], flag: false } },
      'first',
    ]);
    expect(read.map(({ metadata }) => metadata.severity)).toEqual(['ERROR', 'INFO']);
    expect(read[0]?.metadata.logName).toBe(`${PARENT}/logs/my%2Flog`);
    expect(read[0]?.metadata.httpRequest).toMatchObject({
      status: 503,
      latency: { seconds: '1', nanos: 500_000_000 },
      responseSize: '12',
    });
    expect(read[0]?.metadata.resource).toMatchObject({ type: 'global' });
  });

  test('streams pages', async () => {
    const log = logging.log('paged');
    await log.write(Array.from({ length: 7 }, (_, at) => log.entry(GLOBAL, `entry ${at}`)));
    const read: unknown[] = [];
    for await (const entry of log.getEntriesStream({
      pageSize: 3,
      orderBy: 'timestamp asc',
      filter: 'textPayload:"entry"',
    }))
      read.push((entry as { data: unknown }).data);
    expect(read).toEqual(Array.from({ length: 7 }, (_, at) => `entry ${at}`));
  });

  test('lists logs and deletes one', async () => {
    const log = logging.log('short-lived');
    await log.write(log.entry(GLOBAL, 'here'));
    const names = async () => (await logging.getLogs())[0].map(({ name }) => name);
    expect(await names()).toContain('short-lived');
    await log.delete();
    expect(await names()).not.toContain('short-lived');
  });

  test('makes, changes, finds and deletes a sink', async () => {
    const destination = `logging.googleapis.com/${PARENT}/locations/global/buckets/_Default`;
    const [sink] = await logging.createSink('errors', { destination, filter: 'severity>=ERROR' });
    await sink.setMetadata({ filter: 'severity>=CRITICAL' });
    expect((await sink.getMetadata())[0]).toMatchObject({ name: 'errors', destination, filter: 'severity>=CRITICAL' });
    expect((await logging.getSinks())[0].map(({ name }) => name)).toEqual(
      expect.arrayContaining(['errors', '_Default', '_Required']),
    );
    await sink.delete();
    await expect(sink.getMetadata()).rejects.toMatchObject({ code: 5 });
  });

  test('follows what is written, until it ends the stream', async () => {
    const log = logging.log('followed');
    const stream = logging.tailEntries({ filter: 'logName:"followed"' });
    const seen: unknown[] = [];
    const ended = new Promise<void>((resolve, reject) => {
      stream.on('data', (response: { entries: { data: unknown }[] }) => {
        seen.push(...response.entries.map(({ data }) => data));
        if (seen.length > 0) stream.end();
      });
      stream.on('end', resolve);
      stream.on('error', reject);
    });
    let written = 0;
    const writing = setInterval(() => void log.write(log.entry(GLOBAL, `line ${(written += 1)}`)), 500);
    await ended.finally(() => clearInterval(writing));
    expect(seen[0]).toMatch(/^line \d+$/);
  });

  test('takes the token of the options of a call, beside insecure credentials', async () => {
    const plain = new Logging({ projectId: PROJECT, ...grpc.anonymous() } as never);
    const gaxOptions = { otherArgs: { headers: { authorization: `Bearer ${grpc.stack.world.token}` } } };
    const log = plain.log('by-options');
    await log.write(log.entry(GLOBAL, 'said'), { gaxOptions });
    const [read] = await plain.getEntries({ filter: 'logName:"by-options"', gaxOptions });
    expect(read.map(({ data }) => data)).toEqual(['said']);
    await expect(plain.getEntries({ pageSize: 1 })).rejects.toMatchObject({ code: 16 });
  });

  test('a filter that is none is the error that it knows', async () => {
    await expect(logging.getEntries({ filter: 'severity>=' })).rejects.toMatchObject({ code: 3 });
  });
});

describe('LoggingServiceV2Client', () => {
  test('audit logs in an Any are read as they were written', async () => {
    const AuditLog = readProtoMessage('google/cloud/audit/audit_log.proto', 'google.cloud.audit.AuditLog');
    const said = {
      serviceName: 'shop.example',
      methodName: 'Cart.Add',
      authenticationInfo: { principalEmail: 'ada@example.com' },
    };
    const protoPayload = {
      type_url: 'type.googleapis.com/google.cloud.audit.AuditLog',
      value: AuditLog.serialize(said),
    };
    const logName = `${PARENT}/logs/audit`;
    await entries.writeLogEntries({ logName, resource: { type: 'global' }, entries: [{ protoPayload }] });
    const [[read]] = await entries.listLogEntries({
      resourceNames: [PARENT],
      filter: 'protoPayload.methodName="Cart.Add"',
    });
    expect(read?.protoPayload?.type_url).toBe(protoPayload.type_url);
    expect(AuditLog.deserialize(Buffer.from(read?.protoPayload?.value as Uint8Array))).toMatchObject(said);
  });

  test('reads payloads of unknown types, and of known ones that do not fit, as REST wrote them', async () => {
    const prefix = 'type.googleapis.com';
    const auditLog = `${prefix}/google.cloud.audit.AuditLog`;
    const payloads = [
      { '@type': auditLog, serviceName: 'x', serviceData: { '@type': `${prefix}/x.Y`, a: 1 } },
      { '@type': auditLog, serviceName: 5 },
      { '@type': `${prefix}/google.appengine.logging.v1.RequestLog`, latency: 'x' },
      { '@type': `${prefix}/google.protobuf.Duration`, value: 'abc' },
    ];
    const logName = `${PARENT}/logs/by-rest`;
    const { url, token } = grpc.stack.world;
    const written = await fetch(`${url}/v2/entries:write`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ logName, ...GLOBAL, entries: payloads.map((protoPayload) => ({ protoPayload })) }),
    });
    expect(written.status).toBe(200);
    const request = { resourceNames: [PARENT], filter: `logName="${logName}"`, orderBy: 'timestamp asc' };
    const [read] = await entries.listLogEntries(request);
    const types = read.map(
      (entry: { protoPayload?: { type_url?: string | null } | null }) => entry.protoPayload?.type_url,
    );
    expect(types).toEqual([auditLog, ...Array.from({ length: 3 }, () => `${prefix}/google.protobuf.Struct`)]);
  });

  test('says with partialSuccess which entries were bad, in the details of the error', async () => {
    const logName = `${PARENT}/logs/partial`;
    const request = {
      logName,
      resource: { type: 'global' },
      partialSuccess: true,
      entries: [{ textPayload: 'good' }, { textPayload: 'x'.repeat(300 * 1024) }],
    };
    await expect(entries.writeLogEntries(request)).rejects.toMatchObject({
      code: 3,
      statusDetails: [{ logEntryErrors: { 1: { code: 3 } } }],
    });
    const [read] = await entries.listLogEntries({ resourceNames: [PARENT], filter: `logName="${logName}"` });
    expect(read.map((entry: { textPayload?: string | null }) => entry.textPayload)).toEqual(['good']);
  });

  test("lists the vendor's monitored resources", async () => {
    const [descriptors] = await entries.listMonitoredResourceDescriptors({});
    expect(descriptors.map((each: { type?: string | null }) => each.type)).toContain('global');
  });
});

describe('ConfigServiceV2Client', () => {
  const location = `${PARENT}/locations/global`;

  test('makes, changes, deletes and undeletes a bucket', async () => {
    const [made] = await config.createBucket({
      parent: location,
      bucketId: 'kept',
      bucket: { retentionDays: 10, description: 'ours' },
    });
    expect(made).toMatchObject({ name: `${location}/buckets/kept`, retentionDays: 10, lifecycleState: 'ACTIVE' });
    expect(Number(made.createTime?.seconds)).toBeGreaterThan(1_700_000_000);
    const bucket = { retentionDays: 20 };
    const [changed] = await config.updateBucket({
      name: made.name ?? '',
      bucket,
      updateMask: { paths: ['retention_days'] },
    });
    expect(changed).toMatchObject({ retentionDays: 20, description: 'ours' });
    await config.deleteBucket({ name: made.name ?? '' });
    expect((await config.getBucket({ name: made.name ?? '' }))[0].lifecycleState).toBe('DELETE_REQUESTED');
    await config.undeleteBucket({ name: made.name ?? '' });
    expect((await config.listBuckets({ parent: location }))[0].map(nameOf)).toContain(made.name);
  });

  test('waits for an operation, whose result is in an Any', async () => {
    const [operation] = await config.createBucketAsync({
      parent: location,
      bucketId: 'waited',
      bucket: { retentionDays: 5 },
    });
    const [bucket] = await operation.promise();
    expect(bucket).toMatchObject({ name: `${location}/buckets/waited`, retentionDays: 5 });
  });

  test('makes and changes a view and an exclusion; a mask clears what is not sent', async () => {
    const bucket = `${location}/buckets/_Default`;
    const [view] = await config.createView({
      parent: bucket,
      viewId: 'errors',
      view: { filter: 'LOG_ID("stdout")', description: 'x' },
    });
    await config.updateView({
      name: view.name ?? '',
      view: { filter: 'LOG_ID("stderr")' },
      updateMask: { paths: ['filter', 'description'] },
    });
    expect((await config.getView({ name: view.name ?? '' }))[0]).toMatchObject({
      filter: 'LOG_ID("stderr")',
      description: '',
    });
    const name = `${PARENT}/exclusions/debug`;
    await config.createExclusion({ parent: PARENT, exclusion: { name: 'debug', filter: 'severity<INFO' } });
    await config.updateExclusion({ name, exclusion: { disabled: true }, updateMask: { paths: ['disabled'] } });
    expect((await config.getExclusion({ name }))[0]).toMatchObject({ filter: 'severity<INFO', disabled: true });
    await config.deleteExclusion({ name });
    await expect(config.getExclusion({ name })).rejects.toMatchObject({ code: 5 });
  });

  test("refuses as the vendor: a name that no path has, a bucket twice, another tenant's project", async () => {
    await expect(config.getBucket({ name: 'buckets/x' })).rejects.toMatchObject({ code: 3 });
    await expect(config.getBucket({ name: `${location}/buckets/..` })).rejects.toMatchObject({ code: 3 });
    await config.createBucket({ parent: location, bucketId: 'twice', bucket: {} });
    await expect(config.createBucket({ parent: location, bucketId: 'twice', bucket: {} })).rejects.toMatchObject({
      code: 6,
    });
    const stranger = new v2.ConfigServiceV2Client(grpc.options(await grpc.stack.anotherToken('C0other')));
    await expect(stranger.listSinks({ parent: PARENT })).rejects.toMatchObject({ code: 7 });
    await stranger.close();
  });

  test('without a token, or with a bad one: UNAUTHENTICATED, with its reason', async () => {
    for (const options of [grpc.anonymous(), grpc.options(`slm_${'x'.repeat(43)}`)]) {
      const client = new v2.ConfigServiceV2Client(options);
      await expect(client.listSinks({ parent: PARENT })).rejects.toMatchObject({
        code: 16,
        reason: expect.stringMatching(/./),
      });
      await client.close();
    }
  });
});

test('MetricsServiceV2Client makes, replaces, lists and deletes a metric with buckets', async () => {
  const metric = {
    name: 'latency',
    filter: 'httpRequest.latency>"0s"',
    valueExtractor: 'EXTRACT(httpRequest.latency)',
    metricDescriptor: { metricKind: 'DELTA' as const, valueType: 'DISTRIBUTION' as const },
    bucketOptions: { exponentialBuckets: { numFiniteBuckets: 64, growthFactor: 2, scale: 1 } },
  };
  const [made] = await metrics.createLogMetric({ parent: PARENT, metric });
  expect(made.bucketOptions).toMatchObject({ exponentialBuckets: { numFiniteBuckets: 64, growthFactor: 2 } });
  expect(made.metricDescriptor).toMatchObject({ metricKind: 'DELTA', valueType: 'DISTRIBUTION' });
  const metricName = `${PARENT}/metrics/latency`;
  await metrics.updateLogMetric({ metricName, metric: { ...metric, description: 'slow ones', disabled: true } });
  expect((await metrics.getLogMetric({ metricName }))[0]).toMatchObject({ description: 'slow ones', disabled: true });
  expect((await metrics.listLogMetrics({ parent: PARENT }))[0].map(nameOf)).toEqual(['latency']);
  await metrics.deleteLogMetric({ metricName });
  await expect(metrics.getLogMetric({ metricName })).rejects.toMatchObject({ code: 5 });
});
