import { afterAll, expect, test } from 'vitest';
import {
  emailsOf,
  killEmulators,
  LIST_USERS,
  startEmulator,
  type StartedEmulator,
  userBody,
  USERS,
} from '../../support/stack/emulator.ts';

afterAll(killEmulators);

const second = 'C00000002';
const bo = userBody('bo', 'c00000002.example.com');
const entry = { logName: 'projects/local/logs/app', resource: { type: 'global' }, textPayload: 'by a part' };

type Part = { line: string; token?: string; body?: object };

const formatPart = ({ line, token, body }: Part): string =>
  [
    '--b',
    'Content-Type: application/http',
    '',
    `${line} HTTP/1.1`,
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    'Content-Type: application/json',
    '',
    body === undefined ? '' : JSON.stringify(body),
    '',
  ].join('\r\n');

/** Sends a batch, which says itself who calls only by `headers`. @returns the statuses of its parts */
async function sendBatch(
  origin: string,
  parts: readonly Part[],
  { headers = {}, zip = false }: { headers?: Record<string, string>; zip?: boolean } = {},
): Promise<readonly number[]> {
  const plain = new Blob([`${parts.map(formatPart).join('')}--b--\r\n`]);
  const body = zip ? await new Response(plain.stream().pipeThrough(new CompressionStream('gzip'))).blob() : plain;
  const answer = await fetch(`${origin}/batch`, {
    method: 'POST',
    headers: {
      'content-type': 'multipart/mixed; boundary=b',
      ...(zip ? { 'content-encoding': 'gzip' } : {}),
      ...headers,
    },
    body,
  });
  expect(answer.status).toBe(200);
  return [...(await answer.text()).matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
}

const listEntries = async (emulator: StartedEmulator, headers: Record<string, string>): Promise<unknown[]> =>
  (await emulator.call('/v2/entries:list', { body: { resourceNames: ['projects/local'] }, headers })).body.entries ??
  [];

test.each([false, true])(
  'a tenant that only parts name is reset, and its calls are its own (gzip: %s)',
  async (zip) => {
    const emulator = await startEmulator();
    const token = `any:${second}`;
    const parts = [
      { line: `POST ${USERS}`, token, body: bo },
      { line: `POST ${emulator.control}${USERS}`, body: userBody('ada') },
    ];
    expect(await sendBatch(emulator.control, parts, { zip, headers: { authorization: 'Bearer any' } })).toEqual([
      200, 200,
    ]);
    const { calls } = (await emulator.call('/v1/calls')).body;
    expect(calls).toMatchObject([
      { method: 'conventions.batch', tenant: 'C00000001' },
      { method: 'directory.users.insert', tenant: second, batch: calls[0].number },
      { method: 'directory.users.insert', tenant: 'C00000001', batch: calls[0].number },
    ]);
    expect((await emulator.call('/v1/reset', { method: 'POST' })).body.tenants).toEqual(['C00000001', second]);
    expect(emailsOf((await emulator.call(LIST_USERS, { headers: { 'x-emulator-tenant': second } })).body)).toEqual([]);
    await emulator.stop();
  },
);

test('log entries of a part with a token are gone after a reset, whether or not the batch has one too', async () => {
  const emulator = await startEmulator([]);
  const headers = { authorization: `Bearer ${emulator.token}` };
  const write = { line: 'POST /v2/entries:write', body: { entries: [entry] } };
  for (const [part, outer] of [
    [{ ...write, token: emulator.token }, {}],
    [write, headers],
  ] as const) {
    expect(await sendBatch(emulator.control, [part], { headers: outer })).toEqual([200]);
    // No call but the batch comes before the reset.
    expect((await emulator.call('/v1/reset', { method: 'POST', headers })).status).toBe(200);
    expect(await listEntries(emulator, headers)).toEqual([]);
  }
  expect(await sendBatch(emulator.control, [{ ...write, token: 'another' }])).toEqual([401]);
  expect((await emulator.call('/v1/calls?status=401', { headers })).body.calls).toMatchObject([{ tenant: null }]);
  await emulator.stop();
});

test('parts may write the address in full by each name of this machine', async () => {
  const emulator = await startEmulator();
  const { port } = new URL(emulator.control);
  const listed = (origin: string) => ({ line: `GET ${origin}${LIST_USERS}` });
  const names = ['localhost', '127.0.0.1', '[::1]'].map((name) => `http://${name}:${port}`);
  const others = [`http://example.com:${port}`, `http://localhost:${Number(port) - 1}`, `https://localhost:${port}`];
  for (const origin of [`http://localhost:${port}`, emulator.control])
    expect(await sendBatch(origin, [...names, ...others].map(listed))).toEqual([200, 200, 200, 400, 400, 400]);
  expect((await emulator.call('/v1/calls?method=directory.users.list')).body.calls).toHaveLength(6);
  await emulator.stop();
});
