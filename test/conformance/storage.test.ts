import { google, type logging_v2, type storage_v1 } from 'googleapis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { joinControlStack } from './support/control-stack.ts';

const PROJECT = 'projects/files';
const PARENT = `${PROJECT}/locations/global`;

type Clients = { logging: logging_v2.Logging; storage: storage_v1.Storage };

let stack: Awaited<ReturnType<typeof joinControlStack>>;
let ours: Clients;

beforeAll(async () => {
  stack = await joinControlStack();
  ours = clientsOf(stack.world.token);
});
afterAll(async () => stack?.stop());

/** The official clients of logging and storage. */
function clientsOf(token: string): Clients {
  const auth = new google.auth.OAuth2();
  auth.setCredentials({ access_token: token });
  const at = { rootUrl: `${stack.world.url}/`, auth };
  return { logging: google.logging({ version: 'v2', ...at }), storage: google.storage({ version: 'v1', ...at }) };
}

/** Yesterday by UTC: `2026-11-20`. */
const DAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const at = (minute: number): string => `${DAY}T03:${String(minute % 60).padStart(2, '0')}:00Z`;
/** The file of a log of what `at` says. */
const fileOf = (log: string): string => `${log}/${DAY.replaceAll('-', '/')}/03:00:00_03:59:59_S0.json`;

const write = (log: string, texts: readonly string[]) =>
  ours.logging.entries.write({
    requestBody: {
      logName: `${PROJECT}/logs/${encodeURIComponent(log)}`,
      resource: { type: 'global' },
      entries: texts.map((textPayload, minute) => ({
        textPayload,
        timestamp: at(minute),
        insertId: `${log} ${textPayload}`,
      })),
    },
  });

const names = async ({ storage }: Clients, bucket: string, more: object = {}): Promise<unknown[]> =>
  ((await storage.objects.list({ bucket, ...more })).data.items ?? []).map(({ name }) => name);

/** The entries of a file, as the storage client downloads it. */
async function linesOf(bucket: string, object: string): Promise<unknown[]> {
  const { data } = await ours.storage.objects.get({ bucket, object, alt: 'media' }, { responseType: 'text' });
  const lines = z.string().parse(data).split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => JSON.parse(line) as unknown);
}

const copy = async (destination: string, filter = ''): Promise<string> => {
  const name = `${PARENT}/buckets/_Default`;
  const { data } = await ours.logging.entries.copy({ requestBody: { name, destination, filter } });
  return data.name ?? '';
};
const operation = async (name: string) => (await ours.logging.projects.locations.operations.get({ name })).data;

async function ended(name: string) {
  await expect.poll(async () => (await operation(name)).done, { timeout: 20_000 }).toBe(true);
  return operation(name);
}

const statusSchema = z.object({ response: z.object({ status: z.number() }) });
const statusOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: unknown) => statusSchema.parse(error).response.status,
  );

test('what a sink sends to storage is listed and read by the storage client, an entry a line', async () => {
  const requestBody = {
    name: 'archive',
    destination: 'storage.googleapis.com/sink-files',
    filter: 'log_id("app/web")',
  };
  await ours.logging.projects.sinks.create({ parent: PROJECT, requestBody });
  await write('app/web', ['one', 'two']);
  await write('other', ['elsewhere']);
  await write('app/web', ['one', 'two', 'three']);
  const name = fileOf('app/web');
  expect(await names(ours, 'sink-files')).toEqual([name]);
  expect(await linesOf('sink-files', name)).toMatchObject([
    { textPayload: 'one', logName: `${PROJECT}/logs/app%2Fweb` },
    { textPayload: 'two' },
    { textPayload: 'one' },
    { textPayload: 'two' },
    { textPayload: 'three' },
  ]);
  const place = { bucket: 'sink-files', object: name };
  const { data } = await ours.storage.objects.get(place);
  const { data: text } = await ours.storage.objects.get({ ...place, alt: 'media' }, { responseType: 'text' });
  expect(data).toMatchObject({
    kind: 'storage#object',
    name,
    bucket: 'sink-files',
    contentType: 'application/json',
    size: String(z.string().parse(text).length),
  });
});

test('entries that are copied are files, and the operation says how many they are', async () => {
  await write('copied', ['a', 'b', 'c']);
  await write('copied/too', ['d']);
  const name = await copy('storage.googleapis.com/copied-files', 'log_id("copied") OR log_id("copied/too")');
  const done = await ended(name);
  expect(done).toMatchObject({
    metadata: { state: 'OPERATION_STATE_SUCCEEDED' },
    response: { logEntriesCopiedCount: '4' },
  });
  expect(await linesOf('copied-files', fileOf('copied'))).toMatchObject(
    ['a', 'b', 'c'].map((textPayload) => ({ textPayload })),
  );
  const { data } = await ours.logging.projects.locations.operations.list({ name: PARENT, filter: `name="${name}"` });
  expect(data.operations).toEqual([done]);
});

test('files are listed by pages, by what they begin with, and by folders', async () => {
  for (const log of ['x/1', 'x/2', 'y']) await write(`listed/${log}`, ['entry']);
  await ended(await copy('storage.googleapis.com/listed-files', 'logName:"listed"'));
  const [first, second, third] = ['x/1', 'x/2', 'y'].map((log) => fileOf(`listed/${log}`));
  const bucket = 'listed-files';
  const page = await ours.storage.objects.list({ bucket, maxResults: 2 });
  expect(page.data.items?.map(({ name }) => name)).toEqual([first, second]);
  expect(await names(ours, bucket, { maxResults: 2, pageToken: page.data.nextPageToken })).toEqual([third]);
  expect(await names(ours, bucket, { prefix: 'listed/x/' })).toEqual([first, second]);
  const { data } = await ours.storage.objects.list({ bucket, prefix: 'listed/', delimiter: '/' });
  expect(data).toEqual({ kind: 'storage#objects', prefixes: ['listed/x/', 'listed/y/'] });
});

test('a copy that is cancelled while others run before it copies nothing, and is listed so', async () => {
  const texts = Array.from({ length: 900 }, (_, n) => `entry ${n}`);
  for (let batch = 0; batch < 8; batch += 1) await write(`many/${batch}`, texts);
  const others: string[] = [];
  for (let n = 0; n < 3; n += 1) others.push(await copy(`storage.googleapis.com/other-files-${n}`, 'logName:"many"'));
  const name = await copy('storage.googleapis.com/cancelled-files', 'logName:"many"');
  await ours.logging.projects.locations.operations.cancel({ name, requestBody: {} });
  const done = await operation(name);
  expect(done).toMatchObject({ done: true, error: { code: 1 }, metadata: { state: 'OPERATION_STATE_CANCELLED' } });
  for (const other of others) expect(await ended(other)).toMatchObject({ response: { logEntriesCopiedCount: '7200' } });
  expect(await statusOf(ours.storage.objects.list({ bucket: 'cancelled-files' }))).toBe(404); // Nothing was written to it.
  expect(await operation(name)).toEqual(done);
  const { data } = await ours.logging.projects.locations.operations.list({ name: PARENT });
  expect(data.operations).toContainEqual(done);
});

test('K1: the bucket of that name of another tenant is another one', async () => {
  const theirs = clientsOf(await stack.anotherToken('C00000002'));
  const object = fileOf('app/web');
  expect(await statusOf(theirs.storage.objects.list({ bucket: 'sink-files' }))).toBe(404);
  expect(await statusOf(theirs.storage.objects.get({ bucket: 'sink-files', object }))).toBe(404);
  expect(await statusOf(theirs.storage.objects.get({ bucket: 'sink-files', object, alt: 'media' }))).toBe(404);
  expect(await names(ours, 'sink-files')).toEqual([object]);
});
