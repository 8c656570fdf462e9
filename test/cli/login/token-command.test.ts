import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeJwt, decodeProtectedHeader, generateKeyPair, exportPKCS8 } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpServer, readBody, sendJson, startHttpServer } from '../../../local/http-server.ts';
import type { KeyFile } from '../../../src/authorization/service-accounts/shapes.ts';
import { machineWorld, type MachineWorld, serviceWithKey } from '../../support/management/machine-world.ts';
import { type Ended, runCli } from '../../support/runner/run-cli.ts';

const CLI = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sightline-key-'));
const keyPath = join(folder, 'key.json');

let server: HttpServer;
let world: MachineWorld;
let file: KeyFile;
let assertions: string[] = [];

beforeAll(async () => {
  server = await startHttpServer(async (request, response) => {
    if (request.url === '/moved') {
      response.writeHead(307, { location: `${server.url}/oauth/token` }).end();
      return;
    }
    if (request.url === '/page') return sendJson(response, 200, { hello: 'world' });
    const form = new URLSearchParams(await readBody(request));
    assertions.push(form.get('assertion') ?? '');
    const { status, body } = await world.machine.token({ form, authorization: request.headers.authorization ?? null });
    return sendJson(response, status, JSON.parse(body));
  });
  world = machineWorld(
    { issuer: server.url, tokenEndpoint: `${server.url}/oauth/token`, resources: [`${server.url}/mcp-account`] },
    Date.now(),
  );
  ({ file } = await serviceWithKey(world));
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const sightline = (...args: readonly string[]): Promise<Ended> => runCli(['token', ...args], { cwd: folder });

/** The same as a program of its own; the token endpoint is served by this process, so it must not block. */
const started = (...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, [CLI, 'token', ...args], { cwd: folder }, (error, out, err) =>
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });

function keep(changes: Record<string, unknown> = {}, mode = 0o600): string {
  writeFileSync(keyPath, JSON.stringify({ ...file, ...changes }), { mode });
  chmodSync(keyPath, mode);
  return keyPath;
}

test('sightline token --key prints an access token that is good for the default resource, and nothing else', async () => {
  assertions = [];
  const { status, out, err } = await sightline('--key', keep());
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(out).toMatch(/^slm_[A-Za-z0-9_-]{43}\n$/);
  expect(await world.machine.validate(out.trim(), `${server.url}/mcp-account`)).toMatchObject({
    scope: ['audit:run', 'https://www.googleapis.com/auth/admin.directory.user'],
  });
  const [assertion = ''] = assertions;
  expect(decodeProtectedHeader(assertion)).toEqual({ alg: 'RS256', typ: 'JWT', kid: file.private_key_id });
  const { iss, aud, iat = 0, exp = 0, jti } = decodeJwt(assertion);
  expect({ iss, aud, life: exp - iat }).toEqual({ iss: file.client_email, aud: file.token_uri, life: 300 });
  expect(jti).toMatch(/^[0-9a-f-]{36}$/);
});

test('as a program it prints the same and ends with the same status', async () => {
  const { status, out, err } = await started('--key', keep());
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(out).toMatch(/^slm_[A-Za-z0-9_-]{43}\n$/);
  expect(await started('--key', keep(), '--scope', 'operator')).toMatchObject({ status: 1, out: '' });
});

test('--scope and --resource are asked for, and --json prints the whole answer', async () => {
  const asked = ['--scope', 'audit:run operator', '--resource', `${server.url}/mcp-account`];
  const { status, out } = await sightline('--key', keep(), '--json', ...asked);
  expect({ status, answer: JSON.parse(out) as unknown }).toEqual({
    status: 0,
    answer: {
      access_token: expect.stringMatching(/^slm_/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'audit:run',
    },
  });
});

test('a key file that others may read is used with a warning on stderr', async () => {
  const { status, out, err } = await sightline('--key', keep({}, 0o644));
  expect(status).toBe(0);
  expect(out).toMatch(/^slm_\S+\n$/);
  expect(err).toContain('chmod 600');
});

test.each<[string, readonly string[], string]>([
  ['an unknown resource', ['--resource', 'https://elsewhere.test'], 'invalid_target'],
  ['a scope that the account has not', ['--scope', 'operator'], 'invalid_scope'],
])('%s exits 1 and says what the server said', async (_what, args, reason) => {
  const { status, out, err } = await sightline('--key', keep(), ...args);
  expect({ status, out }).toEqual({ status: 1, out: '' });
  expect(err).toContain(reason);
});

test.each<[string, () => Record<string, unknown>, number, string]>([
  ['of a revoked key', () => ({ private_key_id: 'f'.repeat(40) }), 1, 'invalid_grant'],
  ['whose token endpoint moved', () => ({ token_uri: `${server.url}/moved` }), 1, 'redirected'],
  ['whose token endpoint is a page', () => ({ token_uri: `${server.url}/page` }), 1, 'token_refused'],
  [
    'whose token endpoint is plain http elsewhere',
    () => ({ token_uri: 'http://192.0.2.1/token' }),
    2,
    'token_uri_refused',
  ],
  ['whose token endpoint holds credentials', () => ({ token_uri: 'https://a:b@x.test/' }), 2, 'token_uri_refused'],
  ['whose token endpoint is no web address', () => ({ token_uri: 'file:///etc/passwd' }), 2, 'token_uri'],
  ['whose token endpoint does not answer', () => ({ token_uri: 'http://127.0.0.1:1/token' }), 3, 'service_unreachable'],
  ['of a user', () => ({ type: 'authorized_user' }), 2, 'see type'],
  ['without a key', () => ({ private_key: '' }), 2, 'see private_key'],
  ['with a broken key', () => ({ private_key: '-----BEGIN PRIVATE KEY-----\nAAAA' }), 2, 'PKCS #8'],
])('a key file %s is refused', async (_what, changes, exitStatus, reason) => {
  const { status, out, err } = await sightline('--key', keep(changes()));
  expect({ status, out }).toEqual({ status: exitStatus, out: '' });
  expect(err).toContain(reason);
});

test('no refusal quotes the key', async () => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const lines = [file.private_key, await exportPKCS8(privateKey)].flatMap((pem) => pem.split('\n').slice(1, -2));
  const refusals = [
    await sightline('--key', keep({ private_key: await exportPKCS8(privateKey) })),
    await sightline('--key', keep({ token_uri: `${server.url}/page` })),
    await sightline('--key', keep({ private_key_id: 'x' })),
  ];
  for (const { status, out, err } of refusals) {
    expect(status).not.toBe(0);
    for (const line of lines) expect(out + err).not.toContain(line);
  }
});

test.each<[string, readonly string[], string]>([
  ['a file that is not there', ['--key', 'absent.json'], 'ENOENT'],
  ['a folder', ['--key', '.'], 'EISDIR'],
  ['--base with a key file', ['--key', 'key.json', '--base', 'https://x.test'], '--base goes without --key'],
  ['--scope without a key file', ['--scope', 'audit:run'], 'go with --key'],
  ['an unknown option', ['--secret', 'x'], 'Unknown option --secret'],
])('%s is wrong usage', async (_what, args, reason) => {
  const { status, out, err } = await sightline(...args);
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toContain(reason);
});

test('a file larger than a key file can be is not read', async () => {
  writeFileSync(keyPath, ' '.repeat(64 * 1024 + 1), { mode: 0o600 });
  expect(await sightline('--key', keyPath)).toMatchObject({ status: 2, err: expect.stringContaining('larger') });
});

test.each([
  [['--monitors', '--hosts', '--base', 'https://service.example'], 'exclude each other'],
  [['--monitors', '--key', 'account.json'], 'go without --key'],
])('%j is refused', async (args, why) => {
  expect(await sightline(...args)).toMatchObject({ status: 2, out: '', err: expect.stringContaining(why) });
});

test.each(['--monitors', '--hosts'])('without a token for it, %s names the way to one', async (name) => {
  const { status, err } = await sightline(name, '--base', 'https://service.example');
  expect({ status, err }).toMatchObject({ status: 1, err: expect.stringContaining(`Run sightline login ${name}.`) });
});
