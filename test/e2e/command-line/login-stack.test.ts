import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../../local/stack.ts';
import { newBrowser } from '../../conformance/support/browser.ts';
import { decide, signIn } from '../../conformance/support/person.ts';
import { sightlineIn } from '../../support/stack/login-cli.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

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

/** Signs in with the demo buyer's account, then allows what the page at `url` asks for, and goes where that leads. */
async function allow(url: URL): Promise<void> {
  const browser = newBrowser(stack.api.url);
  await signIn(browser, stack.buyer.account);
  const left = await decide(browser, await browser.open(url.href), 'allow');
  await fetch(left.url);
}

const sightline = (args: readonly string[]) => sightlineIn(folder, args, allow);

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
