import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { importPKCS8, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { type Stack, startStack } from '../../../local/stack.ts';
import type { KeyFile } from '../../../src/authorization/service-accounts/shapes.ts';
import { stackSchema } from '../../../src/cli/buy/wallet.ts';

const OVERRIDES = new URL('../../hybrid/data/in-1.2/01-ahr-small-1.2.yaml', import.meta.url);
const CLI = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));
const PAGE = readFileSync(new URL('../../../docs/operate/operators-and-clients.md', import.meta.url), 'utf8');
/** What the page says to run for a fresh token, and for one of another resource. */
const FRESH_TOKEN = /`sightline (token --key) \.local\/operator-key\.json`/;
const TOKEN_ELSEWHERE =
  /`sightline (token --key) \.local\/operator-key\.json (--resource) http:\/\/localhost:8787(\/[\w-]+)`/;
const VENDOR_TOKEN_URL = 'https://oauth2.googleapis.com/token';
const operatorSchema = stackSchema.required({ operator: true }).shape.operator;

let stack: Stack;
let operator: z.infer<typeof operatorSchema>;
let keyFile: KeyFile;
let logged = '';

beforeAll(async () => {
  stack = await startStack({ log: (_level, message) => (logged += message) });
  operator = operatorSchema.parse(stack.file.operator);
  keyFile = JSON.parse(readFileSync(operator.keyFile, 'utf8')) as KeyFile;
});

afterAll(() => stack.stop());

const rpc = (token?: string): Promise<Response> =>
  fetch(`${stack.api.url}/mcp-account`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    }),
  });

const customer = (token?: string): Promise<Response> =>
  fetch(`${stack.file.control}/admin/directory/v1/customers/my_customer`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });

const bearer = async (audience: string, claims: Record<string, unknown> = {}) => {
  const nowS = Math.floor(Date.now() / 1000);
  const assertion = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: keyFile.private_key_id })
    .setIssuer(keyFile.client_email)
    .setAudience(audience)
    .setIssuedAt(nowS)
    .setExpirationTime(nowS + 3600)
    .sign(await importPKCS8(keyFile.private_key, 'RS256'));
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const answer = await fetch(keyFile.token_uri, {
    method: 'POST',
    body: new URLSearchParams({ grant_type, assertion }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

test('the stack has a ready operator: names of the tenant, a private key file, and a token that opens the management interfaces', async () => {
  expect(operator).toMatchObject({ customerId: 'C00000001', domain: 'example.com', project: 'local' });
  expect(statSync(operator.keyFile).mode & 0o777).toBe(0o600);
  expect(keyFile).toMatchObject({
    type: 'service_account',
    project_id: 'local',
    token_uri: `${stack.api.url}/oauth/token`,
  });
  expect((await customer()).status).toBe(401);
  expect((await customer(`${operator.token}x`)).status).toBe(401);
  expect((await customer(operator.token)).status).toBe(200);
  expect((await rpc(operator.token)).status).toBe(401); // A token is for one resource.
});

/** Runs the command line, and gives the token that it prints. */
async function runToken(args: readonly string[]): Promise<string> {
  const out = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [CLI, ...args], (error, text) => (error ? reject(error) : resolve(text)));
  });
  expect(out).toMatch(/^slm_[A-Za-z0-9_-]{43}\.[0-9a-f]{4}[A-Za-z0-9_-]{22}\n$/);
  expect(out.trim()).not.toBe(operator.token);
  return out.trim();
}

test('the command that the page of operators gives for a fresh token makes one for the control Worker', async () => {
  const [, command = ''] = FRESH_TOKEN.exec(PAGE) ?? [];
  const token = await runToken([...command.split(' '), operator.keyFile]);
  expect((await customer(token)).status).toBe(200);
  expect((await rpc(token)).status).toBe(401);
});

test('and the one for another resource makes a token that opens the protected MCP endpoint', async () => {
  expect((await rpc()).status).toBe(401);
  const [, command = '', option = '', path = ''] = TOKEN_ELSEWHERE.exec(PAGE) ?? [];
  const token = await runToken([...command.split(' '), operator.keyFile, option, `${stack.api.url}${path}`]);
  expect((await rpc(token)).status).toBe(200);
  expect((await customer(token)).status).toBe(401);
});

test('the token checks, migrates and plans the upgrade of an overrides file', async () => {
  const overrides = readFileSync(OVERRIDES, 'utf8').replace('org: $ORG', 'org: S3cretOrg');
  const ask = (verb: string, more: object = {}, token = operator.token): Promise<Response> =>
    fetch(`${stack.file.control}/v1/hybrid:${verb}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ overrides, ...more }),
    });
  expect((await ask('check', {}, 'nonsense')).status).toBe(401);
  expect(await (await ask('check')).json()).toMatchObject({ version: '1.2', ok: true });
  const migrated = (await (await ask('migrate')).json()) as { overrides: string };
  expect(migrated).toMatchObject({ changed: true, environmentGroups: [{ group: 'default' }] });
  expect(await (await ask('check', { overrides: migrated.overrides })).json()).toMatchObject({
    version: '1.3',
    ok: true,
  });
  expect(await (await ask('plan', { kubectl: '1.18' })).json()).toMatchObject({ org: 'S3cretOrg', dryRun: 'client' });
  expect(logged).not.toContain('S3cretOrg');
});

test('A2: in the local stack an assertion may name the token URL of the vendor, as its libraries do, and no other', async () => {
  const scope = 'https://www.googleapis.com/auth/cloud-platform https://www.googleapis.com/auth/admin.directory.user';
  expect(await bearer(VENDOR_TOKEN_URL, { scope })).toMatchObject({ status: 200, body: { scope } });
  for (const other of ['https://oauth2.googleapis.com/', 'https://accounts.google.com/o/oauth2/token'])
    expect(await bearer(other)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});

test('a token that a library of the vendor asks for, with the vendor’s scopes only, opens the management interfaces', async () => {
  const scope = 'https://www.googleapis.com/auth/admin.directory.customer';
  const { body } = await bearer(VENDOR_TOKEN_URL, { scope });
  const answer = await customer(String(body['access_token']));
  expect([answer.status, await answer.json()]).toMatchObject([200, { id: 'C00000001', customerDomain: 'example.com' }]);
});

test('A2: an assertion with an id works once, however many present it at the same time', async () => {
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => bearer(keyFile.token_uri, { jti: 'five at once' })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('neither key nor token nor secret is logged', () => {
  expect(logged).toContain('operator_action');
  for (const secret of [operator.token, ...keyFile.private_key.split('\n').slice(1, -2)])
    expect(logged).not.toContain(secret);
});

test('without an operator secret the stack has no operator, and /operator and its sign-in are not there', async () => {
  const without = await startStack({ bindings: { OPERATOR_SECRET: '' } });
  try {
    expect(without.file.operator).toBeUndefined();
    expect((await fetch(`${without.api.url}/operator/clients`)).status).toBe(404);
    const signIn = await fetch(`${without.api.url}/signin/operator`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret: '' }),
    });
    expect(signIn.status).toBe(404);
  } finally {
    await without.stop();
  }
});

test('the key file goes with the stack', async () => {
  await stack.stop();
  expect(existsSync(operator.keyFile)).toBe(false);
});
