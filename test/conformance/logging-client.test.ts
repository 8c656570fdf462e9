import { Logging } from '@google-cloud/logging';
import { google } from 'googleapis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinControlStack } from './support/control-stack.ts';

const PROJECT = 'by-client';

let stack: Awaited<ReturnType<typeof joinControlStack>>;
let logging: Logging;

beforeAll(async () => {
  process.env['METADATA_SERVER_DETECTION'] = 'none'; // Else the client looks for the vendor's machines first.
  stack = await joinControlStack();
  const { hostname, port } = new URL(stack.world.url);
  const authClient = new google.auth.OAuth2();
  authClient.setCredentials({ access_token: stack.world.token });
  const options = {
    projectId: PROJECT,
    fallback: true,
    protocol: 'http',
    apiEndpoint: hostname,
    port: Number(port),
    authClient,
  };
  logging = new Logging(options);
});
afterAll(async () => stack?.stop());

test('writes entries and reads them, newest first, with the filter that it adds itself', async () => {
  const log = logging.log('my/log');
  const metadata = { resource: { type: 'global' }, labels: { run: 'one' } };
  await log.write([
    log.entry({ ...metadata, severity: 'INFO' }, 'first'),
    log.entry({ ...metadata, severity: 'ERROR' }, { message: 'second', count: 2 }),
  ]);
  const [entries] = await log.getEntries({ filter: 'labels.run="one"' });
  expect(entries.map(({ data }) => data)).toEqual([{ message: 'second', count: 2 }, 'first']);
  expect(entries.map((entry) => entry.metadata.severity)).toEqual(['ERROR', 'INFO']);
  expect(entries[0]?.metadata).toMatchObject({
    logName: `projects/${PROJECT}/logs/my%2Flog`,
    resource: { type: 'global', labels: { project_id: PROJECT } },
  });
  const [errors] = await logging.getEntries({ filter: 'severity>=ERROR AND jsonPayload.count=2' });
  expect(errors.map(({ data }) => data)).toEqual([{ message: 'second', count: 2 }]);
});

test('pages through entries by itself', async () => {
  const log = logging.log('paged');
  const entries = Array.from({ length: 7 }, (_, at) => log.entry({ resource: { type: 'global' } }, `entry ${at}`));
  await log.write(entries);
  const read: unknown[] = [];
  for await (const entry of log.getEntriesStream({
    pageSize: 3,
    orderBy: 'timestamp asc',
    filter: 'textPayload:"entry"',
  }))
    read.push((entry as { data: unknown }).data);
  expect(read).toEqual(Array.from({ length: 7 }, (_, at) => `entry ${at}`));
});

test('lists logs, and deletes one', async () => {
  const log = logging.log('short-lived');
  await log.write(log.entry({ resource: { type: 'global' } }, 'here'));
  const names = async () => (await logging.getLogs())[0].map(({ name }) => name);
  expect(await names()).toContain('short-lived');
  await log.delete();
  expect(await names()).not.toContain('short-lived');
});

test('makes a sink, changes it, finds it and deletes it', async () => {
  const destination = `logging.googleapis.com/projects/${PROJECT}/locations/global/buckets/_Default`;
  const [sink] = await logging.createSink('errors', { destination, filter: 'severity>=ERROR' });
  await sink.setMetadata({ filter: 'severity>=CRITICAL' });
  const [metadata] = await sink.getMetadata();
  expect(metadata).toMatchObject({ name: 'errors', destination, filter: 'severity>=CRITICAL' });
  const [sinks] = await logging.getSinks();
  expect(sinks.map(({ name }) => name)).toEqual(expect.arrayContaining(['errors', '_Default', '_Required']));
  await sink.delete();
  await expect(sink.getMetadata()).rejects.toMatchObject({ code: 5 });
});

test('what it may not do is the error that it knows', async () => {
  await expect(logging.getEntries({ filter: 'severity>=' })).rejects.toMatchObject({ code: 3 });
  const log = logging.log('large');
  const entry = log.entry({ resource: { type: 'global' } }, 'x'.repeat(300 * 1024));
  await expect(log.write(entry)).rejects.toMatchObject({ code: 3 });
});
