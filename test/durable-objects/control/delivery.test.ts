import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EntryStore } from '../../../durable-objects/entry-store.ts';
import { call as callAs, json, refusal } from '../../routes/control/world.ts';
import { tokenFor } from '../../support/workers/control-tokens.ts';
import type { Sent } from '../../support/stack/send-to-worker.ts';

/** Of this file alone: the Worker remembers tenants and projects longer than the registry of a test. */
const TENANT = 'C0000hook';
const PROJECT = 'projects/hooked';
const HOOK = 'https://hooks.example.net/logs';

type Posted = { url: string; headers: Headers; body: string };

let posted: Posted[] = [];
let status = 200;

/** The clock of the tests is ahead of the machine's: alarms ring when a test rings them, and never by themselves. */
const AHEAD_MS = 3_600_000;

beforeEach(() => {
  [posted, status] = [[], 200];
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + AHEAD_MS });
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    posted.push({ url: request.url, headers: request.headers, body: await request.text() });
    return new Response('answer', { status });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const store = () => env.ENTRY_STORE.getByName(TENANT) as DurableObjectStub<EntryStore>;
const alarm = () => runDurableObjectAlarm(store());
/** Takes a time off everything that waits: as if it had gone by. */
const pass = (ms: number) =>
  runInDurableObject(store(), (_object, { storage }) =>
    storage.sql.exec('UPDATE delivery_sink SET due_ms = due_ms - ?', ms).toArray(),
  );
const call = (path: string, sent: Sent = {}) => callAs(path, { token: tokenFor({ tenant: TENANT }), ...sent });
const post = (path: string, body: object) => call(path, { method: 'POST', body });
const write = async (...texts: string[]): Promise<void> => {
  const entries = texts.map((textPayload) => ({ textPayload, severity: 'ERROR' }));
  const answer = await post('/v2/entries:write', {
    logName: `${PROJECT}/logs/app`,
    resource: { type: 'global' },
    entries,
  });
  expect([answer.status, await answer.json()]).toEqual([200, {}]);
};
const hook = (destination = HOOK, name = 'hook') =>
  post(`/v2/${PROJECT}/sinks`, { name, destination, filter: 'severity>=ERROR' });
const texts = (): unknown[] =>
  posted.map(({ body }) =>
    (JSON.parse(body) as { entries: { textPayload: string }[] }).entries.map(({ textPayload }) => textPayload),
  );

/** As a receiver does that has nothing but the writer identity of the sink. */
async function isSigned({ headers, body }: Posted, identity: string): Promise<boolean> {
  const bytes = (text: string) => Uint8Array.from(atob(text), (char) => char.codePointAt(0) ?? 0);
  const key = await crypto.subtle.importKey('raw', bytes(identity.replace(/^whpk_/, '')), 'Ed25519', false, ['verify']);
  const signed = `${headers.get('webhook-id')}.${headers.get('webhook-timestamp')}.${body}`;
  const signature = bytes((headers.get('webhook-signature') ?? '').replace(/^v1a,/, ''));
  return crypto.subtle.verify('Ed25519', key, signature, new TextEncoder().encode(signed));
}

test('a sink to a web address posts what it takes, signed with the key that is its writer identity', async () => {
  const sink = await json<{ writerIdentity: string }>(hook());
  expect(sink.writerIdentity).toMatch(/^whpk_/);
  await write('one', 'two');
  await alarm();
  expect(texts()).toEqual([['one', 'two']]);
  const [first] = posted;
  expect([first?.url, first?.headers.get('via')]).toEqual([HOOK, '1.1 sightline']);
  expect(first && (await isSigned(first, sink.writerIdentity))).toBe(true);
  const kept = await json<{ writerIdentity: string }>(call(`/v2/${PROJECT}/sinks/hook`));
  expect(kept.writerIdentity).toBe(sink.writerIdentity);
});

test('what the sink does not take is not posted', async () => {
  await hook();
  await post('/v2/entries:write', {
    logName: `${PROJECT}/logs/app`,
    resource: { type: 'global' },
    entries: [{ textPayload: 'quiet', severity: 'INFO' }],
  });
  await alarm();
  expect(posted).toEqual([]);
});

test('nothing is lost where a receiver fails: the same batch comes again, and then what was written meanwhile', async () => {
  await hook();
  status = 503;
  await write('one');
  await alarm();
  await write('two');
  status = 200;
  await pass(60_000);
  await alarm();
  await pass(60_000);
  await alarm();
  expect(texts()).toEqual([['one'], ['one'], ['two']]);
  const [failed, again, other] = posted.map(({ headers }) => headers.get('webhook-id'));
  expect([failed === again, again === other]).toEqual([true, false]);
});

test('an alarm is set while something waits', async () => {
  await hook();
  await write('one');
  const setMs = await runInDurableObject(store(), (_object, { storage }) => storage.getAlarm());
  expect(setMs).not.toBeNull();
  expect((setMs ?? 0) - Date.now()).toBeLessThan(5_000);
});

test.each([
  ['deleted', 'DELETE', '', undefined],
  ['disabled', 'PATCH', '?updateMask=disabled', { disabled: true }],
  ['sent elsewhere', 'PATCH', '?updateMask=destination', { destination: 'https://other.example.net/logs' }],
])('nothing that waits is posted once its sink is %s', async (_what, method, query, body) => {
  await hook();
  await write('one');
  const path = `/v2/${PROJECT}/sinks/hook${query}`;
  expect((await call(path, { method, ...(body !== undefined && { body }) })).status).toBe(200);
  await pass(60_000);
  await alarm();
  expect(posted).toEqual([]);
});

test('a refused call leaves nothing to send', async () => {
  await hook();
  expect((await post('/v2/entries:write', { logName: 'nothing', entries: [{ textPayload: 'x' }] })).status).not.toBe(
    200,
  );
  await alarm();
  expect(posted).toEqual([]);
});

test.each([
  'http://hooks.example.net/',
  'https://10.0.0.1/',
  'https://127.0.0.1/',
  'https://me:secret@hooks.example.net/',
])('F5: a sink to %s is refused', async (destination) => {
  expect(await refusal(hook(destination))).toMatch(/^400 INVALID_ARGUMENT/);
});

test('F5: five sinks of a tenant may send to one host', async () => {
  for (let n = 0; n < 5; n += 1) expect((await hook(`${HOOK}/${n}`, `hook-${n}`)).status).toBe(200);
  expect(await refusal(hook(`${HOOK}/5`, 'hook-5'))).toMatch(/^429 RESOURCE_EXHAUSTED/);
});

test('a copy goes to files, and its operation tells how many entries it has', async () => {
  await write('one', 'two', 'three');
  const begun = await json<{ name: string; done?: boolean }>(
    post('/v2/entries:copy', {
      name: `${PROJECT}/locations/global/buckets/_Default`,
      destination: 'storage.googleapis.com/my-archive',
      filter: 'textPayload:t',
    }),
  );
  expect(begun.done).toBeUndefined();
  expect(await json(call(`/v2/${begun.name}`))).toMatchObject({ metadata: { state: 'OPERATION_STATE_RUNNING' } });
  await alarm();
  expect(await json(call(`/v2/${begun.name}`))).toMatchObject({
    name: begun.name,
    done: true,
    metadata: { state: 'OPERATION_STATE_SUCCEEDED', progress: 100, destination: 'storage.googleapis.com/my-archive' },
    response: { logEntriesCopiedCount: '2' },
  });
  const files = await runInDurableObject(store(), (_object, { storage }) =>
    storage.sql.exec('SELECT bucket, name, lines FROM stored_file').toArray(),
  );
  expect(files).toEqual([
    {
      bucket: 'my-archive',
      name: expect.stringMatching(/^app\/\d{4}\/\d\d\/\d\d\/(\d\d):00:00_\1:59:59_S0\.json$/),
      lines: 2,
    },
  ]);
});
