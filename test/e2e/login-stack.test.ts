import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createSiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { type Stack, startStack } from '../../local/stack.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

let stack: Stack;
let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-login-'));
  stack = await startStack();
});
afterAll(async () => {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A browser of one person: cookies, and nothing followed by itself. */
function browser() {
  const cookies = new Map<string, string>();
  return async (url: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
}

const nonceSchema = z.object({
  nonce: z.string(),
  domain: z.string(),
  uri: z.string(),
  version: z.literal('1'),
  chain_id: z.number(),
  statement: z.string(),
});

/** Signs in with the demo buyer's account, then allows what the page at `url` asks for. */
async function allow(url: URL): Promise<void> {
  const visit = browser();
  const json = (path: string, body: unknown): Promise<Response> =>
    visit(`${stack.api.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const { account } = stack.buyer;
  const { chain_id: chainId, ...terms } = nonceSchema.parse(await (await json('/signin/siwe/nonce', {})).json());
  const message = createSiweMessage({ ...terms, chainId, address: account.address, issuedAt: new Date() });
  await json('/signin/siwe', { message, signature: await account.signMessage({ message }) });
  const page = await (await visit(url.href)).text();
  const hidden = (name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';
  const scopes = [...page.matchAll(/name="scope" value="([^"]*)"/g)].map((match): [string, string] => [
    'scope',
    match[1] ?? '',
  ]);
  const fields: [string, string][] = [
    ['csrf', hidden('csrf')],
    ['handle', hidden('handle')],
    ['cap_usd', '5'],
    ['decision', 'allow'],
  ];
  const decided = await visit(`${stack.api.url}/authorize`, {
    method: 'POST',
    headers: { origin: 'null', 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams([...fields, ...scopes]),
  });
  await fetch(decided.headers.get('location') ?? '');
}

type Ended = { status: number | null; out: string; err: string };

function sightline(args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { XDG_CONFIG_HOME: folder };
    const child = spawn(process.execPath, [CLI, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err, isOpened] = ['', '', false];
    child.stdout.on('data', (text: Buffer) => void (out += text.toString()));
    child.stderr.on('data', (text: Buffer) => {
      err += text.toString();
      const [, address] = /Sign in at\n {2}(\S+)\n/.exec(err) ?? [];
      if (address === undefined || isOpened) return;
      isOpened = true;
      void allow(new URL(address));
    });
    child.on('close', (status) => resolve({ status, out, err }));
  });
}

test('sightline login signs in to the local stack, and its token opens the protected endpoint over stdio', async () => {
  const login = await sightline(['login', '--base', stack.api.url, '--no-browser', '--scope', 'credits:use']);
  expect(login).toMatchObject({ status: 0, out: '' });
  expect(login.err).toContain(`Logged in to ${stack.api.url}/mcp-account with the scopes audit:run credits:use.`);
  const printed = await sightline(['token', '--base', stack.api.url]);
  expect(printed).toMatchObject({ status: 0, err: '' });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [CLI, 'mcp', '--base', stack.api.url],
      env: { SIGHTLINE_TOKEN: printed.out.trim() },
      cwd: folder,
    }),
  );
  try {
    const index = await client.callTool({ name: 'index', arguments: {} });
    expect(index.structuredContent).toMatchObject({ capabilities: { full_audit: { available: true } } });
    const unpaid = await client.callTool({ name: 'check_health', arguments: { url: `${stack.sites.good}/` } });
    expect(unpaid.isError).toBe(true);
    expect(JSON.stringify(unpaid)).not.toMatch(/token_refused|service_unreachable/);
    expect(JSON.stringify(unpaid)).not.toContain(printed.out.trim());
  } finally {
    await client.close();
  }
});
