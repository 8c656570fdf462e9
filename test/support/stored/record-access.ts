import * as z from 'zod';
import { newBrowser } from '../../conformance/support/browser.ts';
import { discover, grant, register } from '../../conformance/support/oauth.ts';
import { decide, postJson, signIn } from '../../conformance/support/person.ts';
import { sightlineIn } from '../stack/login-cli.ts';
import type { Recording } from './recording.ts';
import { ask, ORIGINS } from './stack.ts';

/** The buyer signs in, and lets a client that registered itself act: its tokens, and those that the command line keeps. */
export async function recordPerson({ stack, cli, facts, secrets, tokens }: Recording): Promise<void> {
  const browser = newBrowser(ORIGINS.api);
  const signedIn = await signIn(browser, stack.buyer.account);
  if (!signedIn.ok) throw new Error(`sign-in answers ${signedIn.status}`);
  const world = await discover(ORIGINS.api);
  const client = await register(world, { client_name: 'Stored client' });
  const { tokens: given } = await grant(world, browser, { client, scope: 'audit:run credits:use', cap_usd: '1' });
  tokens.person = given.access_token;
  secrets.refreshToken = given.refresh_token ?? '';
  secrets.client = client;
  secrets.waiting = {
    open: await register(world, { client_name: 'Waiting client' }),
    confidential: await register(world, { token_endpoint_auth_method: 'client_secret_basic' }),
  };
  secrets.cookies = [...browser.cookies];
  facts.person = { address: stack.buyer.address, clientId: client.client_id };

  const login = await sightlineIn(cli, ['login', '--base', ORIGINS.api, '--no-browser'], async (url) => {
    const own = newBrowser(ORIGINS.api);
    await signIn(own, stack.buyer.account);
    const left = await decide(own, await own.open(url.href), 'allow');
    await fetch(left.url);
  });
  if (login.status !== 0) throw new Error(`login ended with ${login.status}: ${login.err}`);
}

const csrfSchema = z.looseObject({ csrf: z.string() });

/** A named operator, and a client for programs. */
export async function recordOperator({ facts, secrets }: Recording, rootSecret: string): Promise<void> {
  const browser = newBrowser(ORIGINS.api);
  const { csrf } = csrfSchema.parse(await (await postJson(browser, '/signin/operator', { secret: rootSecret })).json());
  const make = async <T>(path: string, body: object, schema: z.ZodType<T>): Promise<T> => {
    const answer = await browser.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', 'x-csrf-token': csrf },
      body: JSON.stringify(body),
    });
    return schema.parse(await answer.json());
  };
  const named = await make(
    '/operator/operators',
    { name: 'Grace' },
    z.looseObject({ operator: z.looseObject({ id: z.string() }), secret: z.string() }),
  );
  facts.operator = { id: named.operator.id, name: 'Grace' };
  secrets.operatorSecret = named.secret;
  const machine = await make(
    '/operator/clients',
    { grant: 'client_credentials', name: 'Stored program', scopes: ['audit:run'] },
    z.looseObject({ client: z.looseObject({ id: z.string() }), secret: z.string() }),
  );
  facts.machineClientId = machine.client.id;
  secrets.machineClientSecret = machine.secret;
}

/** A session of the older MCP revisions. */
export async function recordMcpSession({ secrets }: Recording): Promise<void> {
  const answer = await ask({
    at: 'api',
    call: 'POST /mcp',
    headers: { accept: 'application/json, text/event-stream' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'stored', version: '1' } },
    },
  });
  await answer.text();
  secrets.mcpSession = answer.headers.get('mcp-session-id') ?? '';
  if (secrets.mcpSession === '') throw new Error(`no MCP session: ${answer.status}`);
}
