import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOperatorAccess } from '../../../local/operator.ts';
import { reservePort } from '../../../local/ports.ts';
import { startWorkers, type StackWorkers } from '../../../local/stack-workers.ts';

/** What a Worker has not answered by then it will not answer. */
const HANG_MS = 20_000;
const WORKERS = ['api', 'control', 'webhook'] as const;
type Name = (typeof WORKERS)[number];

const folder = mkdtempSync(join(tmpdir(), 'sightline-raw-'));
const logs: string[] = [];
const ports: Record<Name, number> = { api: 0, control: 0, webhook: 0 };
const tokens: Record<Name, string> = { api: '', control: '', webhook: '' };
let workers: StackWorkers;

beforeAll(async () => {
  for (const name of WORKERS) ports[name] = await reservePort(0, name, '--port');
  const secret = randomBytes(32).toString('base64url');
  workers = await startWorkers({
    ports,
    persistTo: join(folder, 'state'),
    blockedPorts: [],
    bindings: { OPERATOR_SECRET: secret },
    log: (_level, line) => void logs.push(line),
  });
  for (const name of ['control', 'webhook'] as const) {
    const order = { secret, keyFile: join(folder, `${name}.json`), resource: origin(name) };
    const made = await createOperatorAccess(workers.api.url, order);
    tokens[name] = made?.access.token ?? '';
  }
});

afterAll(async () => {
  await workers.api.stop();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  logs.length = 0;
});

const origin = (name: Name): string => `http://127.0.0.1:${ports[name]}`;

/** A row that reads a body, by Worker. */
const ROWS: Readonly<Record<Name, string>> = {
  api: '/mcp',
  control: '/admin/directory/v1/groups',
  webhook: '/channels',
};

type Leaving = 'half' | 'gone';

/** Sends these bytes and returns what came back until the other side closed. `half`: then ends its side; `gone`: resets. */
function raw(name: Name, text: string, leaving?: Leaving): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(ports[name], '127.0.0.1');
  const hang = setTimeout(() => reject(new Error(`no end of: ${text.slice(0, 80)}`)), HANG_MS);
  let answer = '';
  socket.on('data', (bytes: Buffer) => {
    answer += bytes.toString('latin1');
    if (/^HTTP\/1\.1 \d/.test(answer) && answer.includes('\r\n\r\n')) setTimeout(() => socket.destroy(), 100);
  });
  socket.on('error', () => undefined); // A reset is an end too.
  socket.on('close', () => {
    clearTimeout(hang);
    resolve(answer);
  });
  socket.write(text, 'latin1', () => {
    if (leaving === 'half') setTimeout(() => socket.end(), 100);
    if (leaving === 'gone') setTimeout(() => socket.resetAndDestroy(), 100);
  });
  return promise;
}

const head = (name: Name, more: readonly string[], host = `127.0.0.1:${ports[name]}`): string =>
  [
    `POST ${ROWS[name]} HTTP/1.1`,
    `Host: ${host}`,
    'Content-Type: application/json',
    ...(tokens[name] === '' ? [] : [`Authorization: Bearer ${tokens[name]}`]),
    ...more,
    '',
    '',
  ].join('\r\n');

const statusOf = (answer: string): number => Number(answer.slice(9, 12));

/** Lines that tell an operator of a fault of ours. */
const faults = (): string[] =>
  logs.filter((line) => /"event":"(?:bug|management_failed|webhook_failed|notification_not_kept)"/.test(line));

const CHUNKED = 'Transfer-Encoding: chunked';
const BROKEN: [string, string[], string, Leaving?][] = [
  ['a chunk size that is none', [CHUNKED], 'ZZ\r\nhello\r\n0\r\n\r\n'],
  ['a chunk that is longer than it says', [CHUNKED], '5\r\nhelloXX\r\n0\r\n\r\n'],
  ['a chunk size beyond all numbers', [CHUNKED], 'ffffffffffffffffff\r\nhello\r\n0\r\n\r\n'],
  ['both a length and chunks that are broken', ['Content-Length: 5', CHUNKED], '{"a":1}\r\n0\r\n\r\n'],
  ['fewer bytes than its length says', ['Content-Length: 100'], '{"a":', 'half'],
  ['no last chunk', [CHUNKED], '5\r\nhello', 'half'],
];

describe.each(WORKERS)('B11.2: a broken request to the %s Worker', (name) => {
  test.each(BROKEN)('with %s is 400, and no fault of ours', async (_what, headers, body, leaving) => {
    const answer = await raw(name, `${head(name, headers)}${body}`, leaving);
    expect([statusOf(answer), /body_?broken_?off/i.test(answer)]).toEqual([400, true]);
    expect(faults()).toEqual([]);
  });

  test('whose client leaves while it sends is no fault of ours', async () => {
    for (const headers of [['Content-Length: 100000'], [CHUNKED]])
      await raw(name, `${head(name, headers)}50\r\n{"a":`, 'gone');
    await expect.poll(() => health(name)).toBe(200); // The Worker has seen the end of both by then, or goes on well.
    expect(faults()).toEqual([]);
  });

  test.each([
    ['two Host headers', (own: string) => `${own}\r\nHost: evil.example`],
    ['a Host with a blank', () => 'a b:xx'],
    ['a Host with a path', (own: string) => `${own}/x?`],
    ['a Host with a name in front', (own: string) => `user@${own}`],
    ['a Host that is no address', () => '[::zz]'],
  ])('with %s is 400, and no fault of ours', async (_what, change) => {
    const host = change(`127.0.0.1:${ports[name]}`);
    const answer = await raw(name, `${head(name, ['Content-Length: 2'], host)}{}`);
    expect([statusOf(answer), /invalid_?host/i.test(answer)]).toEqual([400, true]);
    expect(faults()).toEqual([]);
  });

  test.each([
    '/',
    '/openapi.json',
    '/discovery/v1/apis',
    '/.well-known/oauth-protected-resource',
    '/nothing',
    '/assets/site.css',
  ])('B11.3: for another host is refused with 421 at %s', async (path) => {
    const answer = await raw(name, `GET ${path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`);
    expect([statusOf(answer), /wrong_?host/i.test(answer)]).toEqual([421, true]);
  });

  test('B11.3: for its health is answered under any host', async () => {
    const answer = await raw(name, 'GET /health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n');
    expect(statusOf(answer)).toBe(200);
  });

  test('B2: no token, no body: is answered before its body comes', async () => {
    if (name === 'api') return; // Its rows that take bodies take payments, not tokens; /mcp-account is below.
    const bare = `POST ${ROWS[name]} HTTP/1.1\r\nHost: 127.0.0.1:${ports[name]}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`;
    expect(statusOf(await raw(name, bare))).toBe(name === 'control' ? 401 : 404);
  });
});

test('B2: no token, no body: /mcp-account answers before the body comes', async () => {
  const bare = `POST /mcp-account HTTP/1.1\r\nHost: 127.0.0.1:${ports.api}\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n`;
  expect(statusOf(await raw('api', bare))).toBe(401);
});

const health = async (name: Name): Promise<number> => (await fetch(`${origin(name)}/health`)).status;
