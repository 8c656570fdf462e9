import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { startStack, type Stack } from '../../../local/stack.ts';
import { requestTokenByKey } from '../../../src/cli/login/key-token.ts';
import { HOUR_MS } from '../../../src/lib/time.ts';
import { runCli } from '../../support/runner/run-cli.ts';
import { type SignedReceiver, startSignedReceiver } from '../../support/stack/signed-receiver.ts';

const GONE = 410;
const WAIT = { timeout: 30_000, interval: 250 };

const reportSchema = z.strictObject({
  status: z.enum(['pass', 'fail', 'unknown']),
  checked_at: z.iso.datetime(),
  addresses: z.strictObject({ api: z.string(), control: z.string().optional(), webhook: z.string().optional() }),
  counts: z.strictObject({ pass: z.int(), warn: z.int(), fail: z.int(), unknown: z.int() }),
  results: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      status: z.enum(['pass', 'warn', 'fail', 'unknown']),
      detail: z.string(),
      next: z.string().optional(),
    }),
  ),
});
type Report = z.infer<typeof reportSchema>;

let stack: Stack;
let receiver: SignedReceiver;
let folder: string;

beforeAll(async () => {
  receiver = await startSignedReceiver();
  stack = await startStack({ webhookBindings: { DESTINATIONS: JSON.stringify([receiver.destination]) } });
  folder = mkdtempSync(join(tmpdir(), 'sightline-doctor-'));
  mkdirSync(join(folder, '.local'));
  writeFileSync(join(folder, '.local', 'stack.json'), JSON.stringify(stack.file));
});
afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The runtime on this machine sends no `Date`, which Cloudflare adds. */
const WITHOUT_DATE = ['unknown clock.api', 'unknown clock.control', 'unknown clock.webhook'];

type Examined = { status: number; report: Report; text: string };

async function examine(args: readonly string[], env: Record<string, string> = {}): Promise<Examined> {
  const { status, out, err } = await runCli(['doctor', ...args, '--json'], { cwd: folder, env });
  if (out === '') throw new Error(`no report: ${err}`);
  return { status, report: reportSchema.parse(JSON.parse(out)), text: out };
}

/** `<status> <id>` of what did not pass. */
const listOpen = ({ results }: Report): readonly string[] =>
  results.filter(({ status }) => status !== 'pass').map(({ id, status, detail }) => `${status} ${id}: ${detail}`);
const statusOf = ({ results }: Report, id: string) => results.find((result) => result.id === id)?.status;

/** Something between the doctor and the api Worker that changes what is answered. */
async function startLiar(change: (path: string, headers: Headers, body: string) => string): Promise<Server> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
    const method = request.method ?? 'GET';
    const answer = await fetch(`${stack.file.api}${request.url}`, {
      method,
      headers: headers as Record<string, string>,
      redirect: 'manual',
      ...(method === 'GET' ? {} : { body: Buffer.concat(chunks) }),
    });
    const changed = new Headers(answer.headers);
    const body = change(request.url ?? '', changed, await answer.text());
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) changed.delete(name);
    response.writeHead(answer.status, [...changed].flat());
    response.end(body);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return server;
}

const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function throughLiar(
  change: Parameters<typeof startLiar>[0],
  task: (base: string) => Promise<void>,
): Promise<void> {
  const server = await startLiar(change);
  try {
    await task(urlOf(server));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('a deployment in order', () => {
  test('every check passes, with the push worked and a purchase delivered', async () => {
    const { status, report, text } = await examine(['--buy']);
    expect(listOpen(report)).toEqual(WITHOUT_DATE.map((id) => `${id}: The answer has no Date`));
    expect([status, report.status]).toEqual([0, 'pass']);
    expect(report.addresses).toEqual({
      api: stack.file.api,
      control: stack.file.control,
      webhook: stack.file.webhook,
    });
    for (const id of ['terms.price', 'mcp.tools', 'oauth.resource.control', 'operator.token', 'push.self', 'purchase'])
      expect([id, statusOf(report, id)]).toEqual([id, 'pass']);
    expect(text).not.toContain(stack.file.operator?.secret);
  });

  test('the other Workers are found by what the api Worker names, and nothing of the checks stays', async () => {
    const { api, control, webhook, operator } = stack.file;
    rmSync(join(folder, '.local', 'stack.json'));
    try {
      const secret = operator?.secret ?? '';
      const { status, report } = await examine(['--base', api], { SIGHTLINE_OPERATOR_SECRET: secret });
      expect([status, report.addresses]).toEqual([0, { api, control, webhook }]);
      expect(statusOf(report, 'version.workers')).toBe('pass');
    } finally {
      writeFileSync(join(folder, '.local', 'stack.json'), JSON.stringify(stack.file));
    }
    expect(await listClients()).toEqual([]);
  });

  test('without a secret what only an operator sees is unknown, and no failure', async () => {
    rmSync(join(folder, '.local', 'stack.json'));
    try {
      const { status, report } = await examine(['--base', stack.file.api]);
      expect([status, report.status]).toEqual([0, 'pass']);
      expect(listOpen(report).map((line) => line.split(':')[0])).toEqual([
        ...WITHOUT_DATE,
        'unknown operator.sign_in',
        'unknown version.workers',
      ]);
    } finally {
      writeFileSync(join(folder, '.local', 'stack.json'), JSON.stringify(stack.file));
    }
  });

  test('for a person it prints one line for each check and what was summed up', async () => {
    const { status, out } = await runCli(['doctor'], { cwd: folder });
    expect(status).toBe(0);
    expect(out).toContain('✓ A notification is acknowledged with 200, and then worked');
    expect(out).toMatch(/\d+ passed, 0 warnings, 0 failed, 3 could not be checked/);
  });
});

/** Machine clients of the deployment, as an operator lists them. */
async function listClients(): Promise<unknown> {
  const { api, operator } = stack.file;
  const signedIn = await fetch(`${api}/signin/operator`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret: operator?.secret }),
  });
  const { csrf } = (await signedIn.json()) as { csrf: string };
  const cookie = signedIn.headers.getSetCookie().at(-1)?.split(';', 1)[0] ?? '';
  const answer = await fetch(`${api}/operator/clients`, { headers: { cookie, 'x-csrf-token': csrf } });
  return ((await answer.json()) as { clients: unknown }).clients;
}

describe('a deployment that is not', () => {
  test('a clock that lies is seen, and both it and this machine are named', async () => {
    const lie = (_path: string, headers: Headers, body: string): string => {
      headers.set('date', new Date(Date.now() + HOUR_MS).toUTCString());
      return body;
    };
    await throughLiar(lie, async (base) => {
      const { status, report } = await examine(['--base', base]);
      expect([status, statusOf(report, 'clock.api')]).toEqual([1, 'fail']);
      expect(report.results.find(({ id }) => id === 'clock.api')?.detail).toMatch(/3(?:599|600) s ahead/);
    });
  });

  test.each([
    ['another payee', '"payTo":"0x', '"payTo":"0x0', 'terms.payee'],
    ['a price that is not listed', '"amount":"', '"amount":"9', 'terms.price'],
    ['a network that is none', '"network":"eip155:8453"', '"network":"eip155:1"', 'terms.network'],
    ['another token', '"asset":"0x833589', '"asset":"0x123456', 'terms.network'],
  ])('terms with %s are wrong', async (_, said, lied, id) => {
    const lie = (path: string, headers: Headers, body: string): string => {
      const terms = headers.get('payment-required');
      if (terms === null || path === '/api/agent/index') return body;
      const text = Buffer.from(terms, 'base64').toString();
      headers.set('payment-required', Buffer.from(text.replaceAll(said, lied)).toString('base64'));
      return body;
    };
    await throughLiar(lie, async (base) => {
      const { status, report } = await examine(['--base', base]);
      expect([status, statusOf(report, id)]).toEqual([1, 'fail']);
      expect(statusOf(report, 'purchase')).toBeUndefined();
    });
  });

  test('a payee or a network that the operator does not expect', async () => {
    const other = `0x${'ab'.repeat(20)}`;
    const { status, report } = await examine(['--pay-to', other, '--network', 'eip155:84532', '--buy']);
    expect([status, statusOf(report, 'terms.payee'), statusOf(report, 'terms.network')]).toEqual([1, 'fail', 'fail']);
    expect(statusOf(report, 'purchase')).toBe('unknown');
  });

  test('an issuer that is another origin', async () => {
    await throughLiar(
      (_path, _headers, body) => body,
      async (base) => {
        const { report } = await examine(['--base', base]);
        expect(statusOf(report, 'oauth.server')).toBe('fail');
      },
    );
  });

  test('a secret that is not the operator’s', async () => {
    await throughLiar(
      (_path, _headers, body) => body,
      async (base) => {
        const { report } = await examine(['--base', base], { SIGHTLINE_OPERATOR_SECRET: 'x'.repeat(43) });
        expect(statusOf(report, 'operator.sign_in')).toBe('fail');
      },
    );
  });

  test('nothing that answers is unknown with status 3, and never a failure', async () => {
    const { status, report } = await examine(['--base', 'http://127.0.0.1:9']);
    expect([status, report.status, report.counts.fail]).toEqual([3, 'unknown', 0]);
  });

  test('messages that were given up, with how to work them again', async () => {
    await makeDeadMessage();
    const { status, report } = await examine([]);
    expect(status).toBe(1);
    const dead = report.results.find(({ id }) => id === 'dead_letters.webhook');
    expect(dead).toMatchObject({
      status: 'fail',
      next: expect.stringContaining('sightline channels replay') as string,
    });
    expect(report.results.filter((result) => result.status === 'fail').map(({ id }) => id)).toEqual([
      'dead_letters.webhook',
    ]);
  });
});

/** A change of a user whose receiver wants it never again. */
async function makeDeadMessage(): Promise<void> {
  const { webhook = '', control = '', operator } = stack.file;
  const keyFile = readFileSync(operator?.keyFile ?? '', 'utf8');
  const token = await requestTokenByKey({ keyFile, resource: webhook }, fetch, Date.now());
  if (!token.ok) throw new Error(token.detail);
  const send = async (url: string, bearer: string, body?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
    const answer = await fetch(
      url,
      body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
    );
    if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const readStatus = async () =>
    z
      .looseObject({ dead: z.number(), last_resync_at: z.string().nullable() })
      .parse(await send(`${webhook}/status`, token.accessToken));
  await send(`${webhook}/channels`, token.accessToken, {});
  await expect.poll(async () => (await readStatus()).last_resync_at, WAIT).not.toBeNull();
  receiver.refuseUsers(GONE);
  await send(`${control}/admin/directory/v1/users`, operator?.token ?? '', {
    primaryEmail: `dead@${operator?.domain}`,
    name: { givenName: 'A', familyName: 'B' },
    password: 'a long password',
  });
  await expect.poll(async () => (await readStatus()).dead, WAIT).toBe(1);
}

describe('what is refused', () => {
  test.each([
    [['--base', 'http://audits.example'], {}, 'https'],
    [['--base', 'https://audits.example/path'], {}, 'origin'],
    [['--resolve', 'a.example=http://127.0.0.1:1'], {}, '--api-base'],
    [['--api-base', 'https://api.example'], {}, 'on this machine'],
    [['--api-base', 'http://127.0.0.1:1', '--resolve', 'a.example=https://b.example'], {}, 'on this machine'],
    [[], { CLOUDFLARE_API_BASE_URL: 'https://api.example' }, 'CLOUDFLARE_API_BASE_URL'],
    [['--api-base', 'http://127.0.0.1:1'], { CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:2' }, 'two addresses'],
  ] as const)('%j with %j', async (args, env, words) => {
    const { status, out, err } = await runCli(['doctor', ...args], { cwd: folder, env });
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain(words);
  });
});
