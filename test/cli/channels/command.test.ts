import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type HttpServer, readBody, sendJson, startHttpServer } from '../../../local/http-server.ts';
import { askChannels } from '../../../src/cli/channels/client.ts';
import { type MachineWorld, machineWorld, serviceWithKey } from '../../support/management/machine-world.ts';
import { channel, message, status } from './views.ts';
import { type Ended, runCli } from '../../support/runner/run-cli.ts';

const CLI = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sightline-channels-'));
const KEY_FILE = 'key.json';

type Seen = { call: string; token: string; body: unknown };
type Answer = { status: number; body: unknown; location?: string };

/** The webhook Worker and, beside it, the token endpoint. */
let worker: HttpServer;
/** A place that is no webhook Worker of ours, where tokens must not go. */
let elsewhere: HttpServer;
let world: MachineWorld;
let seen: Seen[] = [];
let seenElsewhere: Seen[] = [];
let answer: Answer;

beforeAll(async () => {
  worker = await startHttpServer(async (request, response) => {
    const text = await readBody(request);
    if (request.url === '/oauth/token') {
      world.store.advance(Date.now() - world.store.now()); // The command signs by the real clock.
      const form = new URLSearchParams(text);
      const token = await world.machine.token({ form, authorization: request.headers.authorization ?? null });
      return sendJson(response, token.status, JSON.parse(token.body));
    }
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    seen.push({ call: `${request.method} ${request.url}`, token: request.headers.authorization ?? '', body });
    if (answer.location !== undefined) return void response.writeHead(307, { location: answer.location }).end();
    return sendJson(response, answer.status, answer.body);
  });
  elsewhere = await startHttpServer((request, response) => {
    seenElsewhere.push({ call: request.url ?? '', token: request.headers.authorization ?? '', body: undefined });
    sendJson(response, 200, { channels: [] });
  });
  const endpoints = { issuer: worker.url, tokenEndpoint: `${worker.url}/oauth/token`, resources: [worker.url] };
  world = machineWorld(endpoints, Date.now());
  const { file } = await serviceWithKey(world, { scopes: ['channels:read', 'channels:write'] });
  writeFileSync(join(folder, KEY_FILE), JSON.stringify(file), { mode: 0o600 });
  const { file: weak } = await serviceWithKey(world, { scopes: ['channels:read'] });
  writeFileSync(join(folder, 'weak.json'), JSON.stringify(weak), { mode: 0o600 });
});

afterAll(async () => {
  await Promise.all([worker.stop(), elsewhere.stop()]);
  rmSync(folder, { recursive: true });
});

beforeEach(() => {
  seen = [];
  seenElsewhere = [];
  answer = { status: 200, body: { channels: [channel] } };
  rmSync(join(folder, '.local'), { recursive: true, force: true });
});

const sightline = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> => {
  const { PATH = '', HOME = '' } = process.env;
  return runCli(['channels', ...args], { cwd: folder, env: { PATH, HOME, ...env } });
};

/** The same as a program of its own; the Workers are served by this process, so it must not block. */
const started = (args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const { PATH = '', HOME = '' } = process.env;
    execFile(process.execPath, [CLI, 'channels', ...args], { cwd: folder, env: { PATH, HOME } }, (error, out, err) =>
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });

test('as a program it prints the same and ends with the same status', async () => {
  const args = ['list', '--base', worker.url, '--key', KEY_FILE];
  expect(await started(args)).toEqual(await sightline(args));
  expect(await started(['unknown'])).toMatchObject({ status: 2, out: '' });
});

const withKey = (...args: readonly string[]): Promise<Ended> =>
  sightline([...args, '--base', worker.url, '--key', KEY_FILE]);

/** What `npm start` leaves while it runs. */
function keepStack(webhook: string, changes: object = {}): void {
  const address = `0x${'a'.repeat(40)}`;
  const stack = {
    api: worker.url,
    webhook,
    rpc: worker.url,
    facilitator: worker.url,
    sites: { good: worker.url, poor: worker.url },
    buyer: { address, privateKey: `0x${'1'.repeat(64)}` },
    seller: { address },
    operator: {
      token: 't',
      keyFile: join(folder, KEY_FILE),
      secret: 's',
      customerId: 'C1',
      domain: 'example.com',
      project: 'local',
    },
    ...changes,
  };
  mkdirSync(join(folder, '.local'), { recursive: true });
  writeFileSync(join(folder, '.local', 'stack.json'), JSON.stringify(stack));
}

const tokenOf = ({ token }: Seen): string => token.replace(/^Bearer /, '');

test('by a key file: a token for this Worker with the one scope that is needed, then the table', async () => {
  const { status: ended, out, err } = await withKey('list', '--state', 'active', '--limit', '5');
  expect({ ended, err }).toEqual({ ended: 0, err: '' });
  expect(out).toContain('active  C01live   example.com  all');
  const [asked] = seen;
  if (!asked) throw new Error('nothing was asked');
  expect(asked.call).toBe('GET /channels?state=active&page_size=5');
  expect(await world.machine.validate(tokenOf(asked), worker.url)).toMatchObject({ scope: ['channels:read'] });
});

test('what changes something is asked for with channels:write, and sent as JSON', async () => {
  answer = { status: 201, body: { ...channel, state: 'pending' } };
  const { status: ended, out } = await withKey('create', '--domain', 'example.com', '--ttl', '7200');
  expect(ended).toBe(0);
  expect(out).toContain('state        pending\n');
  const [asked] = seen;
  if (!asked) throw new Error('nothing was asked');
  expect(asked).toMatchObject({ call: 'POST /channels', body: { domain: 'example.com', ttl_s: 7200 } });
  expect(await world.machine.validate(tokenOf(asked), worker.url)).toMatchObject({ scope: ['channels:write'] });
});

test.each<[readonly string[], string, Answer['body'], string]>([
  [['show', channel.id], `GET /channels/${channel.id}`, channel, 'watch        w7Qm2xkP'],
  [['renew', channel.id], `POST /channels/${channel.id}:renew`, channel, 'state        active'],
  [['stop', 'w7Qm2xkP'], 'POST /channels/w7Qm2xkP:stop', { ...channel, state: 'stopping' }, 'state        stopping'],
  [['messages', '--state', 'dead'], 'GET /messages?state=dead', { messages: [message] }, '236440'],
  [['replay', '--message', '41'], 'POST /messages:replay', { replayed: 1, more: false }, '1 message is worked again.'],
  [['status'], 'GET /status', status, 'ERROR dead_letter 41'],
])('%j asks %s and prints the answer', async (args, call, body, text) => {
  answer = { status: 200, body };
  const { status: ended, out, err } = await withKey(...args, ...(args[0] === 'messages' ? ['--json'] : []));
  expect({ ended, err }).toEqual({ ended: 0, err: '' });
  expect(seen.map((one) => one.call)).toEqual([call]);
  expect(out).toContain(text);
});

test('--json prints the answer as it came', async () => {
  answer = { status: 200, body: { channels: [channel], next_page_token: 'abc', newer: true } };
  const { out } = await withKey('list', '--json');
  expect(JSON.parse(out)).toEqual(answer.body);
});

test('--json escapes what would steer a terminal, and the value stays the same', async () => {
  const hostile = 'a\u009b31m\u202Eb\u2066\u200b\u00ad\u2028\u007f\u{E0041}\u0007"\\\n';
  answer = { status: 200, body: { channels: [{ ...channel, last_error: hostile, resource_id: hostile }] } };
  const { status: ended, out } = await withKey('list', '--json');
  expect(ended).toBe(0);
  expect(JSON.parse(out)).toEqual(answer.body);
  expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(out).toContain('a\\u009b31m\\u202eb');
  expect(out).toContain('\\udb40\\udc41');
});

test.each<[string, object, number]>([
  ['create', { ...channel, state: 'active' }, 0],
  ['create', { ...channel, state: 'pending' }, 0],
  ['create', { ...channel, state: 'failed', last_error: 'the directory answers 401' }, 1],
  ['create', { ...channel, state: 'of a newer Worker' }, 1],
  ['renew', { ...channel, state: 'renewing' }, 0],
  ['renew', { ...channel, state: 'expired' }, 1],
  ['show', { ...channel, state: 'failed' }, 0],
])('%s that answers %j exits %i, and prints it', async (action, body, exitStatus) => {
  answer = { status: action === 'create' ? 201 : 200, body };
  const { status: ended, out } = await withKey(action, ...(action === 'create' ? [] : [channel.id]));
  expect(ended).toBe(exitStatus);
  expect(out).toContain(channel.id);
});

test('without options the local stack is asked, with its operator’s key; the token of the environment is not', async () => {
  keepStack(worker.url);
  const { status: ended } = await sightline(['list'], { SIGHTLINE_TOKEN: 'of-something-else' });
  expect(ended).toBe(0);
  const [asked] = seen;
  expect(asked && (await world.machine.validate(tokenOf(asked), worker.url))).toMatchObject({
    scope: ['channels:read'],
  });
});

test('the key of the local stack goes to that stack alone', async () => {
  keepStack(worker.url);
  const { status: ended, err } = await sightline(['list', '--base', elsewhere.url]);
  expect({ ended, err }).toEqual({
    ended: 2,
    err: `Give a token for ${elsewhere.url}: --key <key file of a service account>, or SIGHTLINE_TOKEN.\n`,
  });
  expect([...seen, ...seenElsewhere]).toEqual([]);
});

test('the token of the environment goes to no Worker that only a file of the current folder names', async () => {
  const env = { SIGHTLINE_TOKEN: 'slm_given' };
  keepStack(elsewhere.url, { operator: undefined });
  for (const base of [[], ['--base', elsewhere.url]]) {
    const { status: ended, err } = await sightline(['list', ...base], env);
    expect({ ended, err }).toEqual({
      ended: 2,
      err: `Give a token for ${elsewhere.url}: --key <key file of a service account>.\n`,
    });
  }
  keepStack(elsewhere.url, { operator: undefined });
  expect(await sightline(['list'], { ...env, SIGHTLINE_WEBHOOK_URL: worker.url })).toMatchObject({ status: 0 });
  expect(seen).toMatchObject([{ token: 'Bearer slm_given' }]);
  expect(seenElsewhere).toEqual([]);
});

test.each(['https://webhook.example.com', 'http://192.0.2.1:8788'])(
  'a stack file that names %s, not this machine, names no Worker',
  async (webhook) => {
    keepStack(webhook);
    const { status: ended, err } = await sightline(['list'], { SIGHTLINE_TOKEN: 'slm_given' });
    expect(ended).toBe(2);
    expect(err).toContain('Name the webhook Worker with --base');
  },
);

test('SIGHTLINE_WEBHOOK_URL and SIGHTLINE_TOKEN name another Worker', async () => {
  const env = { SIGHTLINE_WEBHOOK_URL: worker.url, SIGHTLINE_TOKEN: 'slm_given' };
  expect(await sightline(['list'], env)).toMatchObject({ status: 0 });
  expect(seen).toMatchObject([{ token: 'Bearer slm_given' }]);
});

test('a redirect is not followed: the token stays here', async () => {
  answer = { status: 307, body: undefined, location: `${elsewhere.url}/channels` };
  const { status: ended, err } = await withKey('list');
  expect(ended).toBe(1);
  expect(err).toContain('redirected');
  expect(seenElsewhere).toEqual([]);
});

const problem = (code: string, more: object = {}) => ({ type: `/problems/${code}`, title: 'Title', code, ...more });

test.each<[number, object, number, readonly string[]]>([
  [401, problem('invalid_token'), 1, ['invalid_token: Title', '--key <key file>']],
  [403, problem('insufficient_scope'), 1, ['insufficient_scope', 'channels:write']],
  [404, problem('not_found'), 1, ['not_found', 'not that of the webhook Worker']],
  [409, problem('already_watched', { detail: 'C01 is watched by w1' }), 1, ['C01 is watched by w1', 'channels list']],
  [409, problem('limit_reached'), 1, ['Stop a channel']],
  [409, problem('not_open'), 1, ['channels create']],
  [
    422,
    problem('invalid_query', { errors: [{ pointer: '/customer', message: 'Invalid\u001b[31m string' }] }),
    1,
    ['invalid_query', '  customer: Invalid[31m string'],
  ],
  [503, problem('unavailable'), 3, ['unavailable', 'Try again']],
  [500, problem('internal_error'), 3, ['internal_error: Title']],
  [502, { not: 'a problem' }, 3, ['http_502']],
  [404, problem('toString'), 1, ['toString: Title']],
  [204, {}, 1, ['http_204']],
])('the answer %i %j is exit status %i, and says what to do', async (answered, body, exitStatus, texts) => {
  answer = { status: answered, body };
  const access = { ok: true, origin: worker.url, token: 'x' } as const;
  const refused = await askChannels(access, { method: 'GET', path: '/channels', query: {} }, fetch);
  if (refused.ok) throw new Error('nothing was refused');
  expect(refused.exitStatus).toBe(exitStatus);
  for (const text of texts) expect(refused.detail).toContain(text);
  expect(refused.detail.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});

test.each<[number, object, number, string]>([
  [409, problem('not_open'), 1, 'not_open: Title\nIt has ended; sightline channels create opens another.\n'],
  [503, problem('unavailable'), 3, 'unavailable: Title\nTry again in a moment.\n'],
  [200, { hello: 'world' }, 1, 'check --base.\n'],
])('a refusal goes to stderr: %i %j exits %i', async (answered, body, exitStatus, text) => {
  answer = { status: answered, body };
  const { status: ended, out, err } = await withKey('list');
  expect({ ended, out }).toEqual({ ended: exitStatus, out: '' });
  expect(err).toContain(text);
});

test('an account without the scope gets no token, and is told which one it needs', async () => {
  const { status: ended, err } = await sightline(['stop', 'w1', '--base', worker.url, '--key', 'weak.json']);
  expect(ended).toBe(1);
  expect(err).toContain('token_refused');
  expect(err).toContain('needs the scope channels:write');
  expect(seen).toEqual([]);
});

test.each<[string, readonly string[], Record<string, string>, number, string]>([
  ['no action', [], {}, 2, 'one of list, show, create, renew, stop, messages, replay, status'],
  ['an unknown action', ['delete'], {}, 2, 'takes one of list'],
  ['an action of all objects', ['constructor'], {}, 2, 'takes one of list'],
  ['an unknown option', ['list', '--everything'], {}, 2, 'Unknown option --everything'],
  ['an option of another action', ['list', '--domain', 'x.test'], {}, 2, 'Unknown option --domain'],
  ['no id', ['show'], {}, 2, '<id> is missing'],
  ['no Worker', ['list'], {}, 2, 'SIGHTLINE_WEBHOOK_URL, or run npm start'],
  ['plain http elsewhere', ['list', '--base', 'http://webhook.example.com'], {}, 2, 'not_https'],
  ['a URL with a path', ['list', '--base', 'https://webhook.example.com/channels'], {}, 2, 'more than an origin'],
  ['no token', ['list', '--base', 'https://webhook.example.com'], {}, 2, '--key <key file'],
  ['a token that is none', ['list', '--base', 'http://127.0.0.1:1'], { SIGHTLINE_TOKEN: 'a\nb' }, 2, 'holds no token'],
  ['a key file that is not there', ['list', '--base', 'http://127.0.0.1:1', '--key', 'no.json'], {}, 2, 'ENOENT'],
  ['a Worker that does not run', ['list', '--base', 'http://127.0.0.1:1'], { SIGHTLINE_TOKEN: 'x' }, 3, 'unreachable'],
])('%s: exits and says why', async (_what, args, env, exitStatus, reason) => {
  const { status: ended, out, err } = await sightline(args, env);
  expect({ ended, out }).toEqual({ ended: exitStatus, out: '' });
  expect(err).toContain(reason);
  expect(seen).toEqual([]);
});
