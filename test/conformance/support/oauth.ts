import * as oauth from 'oauth4webapi';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import * as z from 'zod';
import { type Browser, newBrowser, type Page } from './browser.ts';
import { fromFreshCaller } from './caller.ts';
import { decide, signIn } from './person.ts';

/** The local stack speaks http on loopback; everything else of the client stays as strict as it is. */
export const insecure = () => ({ [oauth.allowInsecureRequests]: true as const, headers: fromFreshCaller() });

/** A client's redirect URI. Nobody listens: the browser of the tests stops before it leaves the service. */
export const REDIRECT_URI = 'http://127.0.0.1:41999/callback';

/** Another resource of the same authorization server: CONTROL_URL of the stack. */
export const SIBLING = 'https://control.sightline.test';

/** What the judges know of one authorization server and the resource it protects, all of it from discovery. */
export type World = {
  base: string;
  resource: string;
  metadata: oauth.ResourceServer;
  as: oauth.AuthorizationServer;
};

/** Discovers as a client must: protected resource metadata (RFC 9728), then authorization server metadata (RFC 8414). */
export async function discover(base: string): Promise<World> {
  const challenge = await fetch(`${base}/mcp-account`, { method: 'POST', body: '{}' });
  const told = /resource_metadata="([^"]+)"/.exec(challenge.headers.get('www-authenticate') ?? '')?.[1];
  if (told === undefined) throw new Error(`no resource_metadata in the challenge of ${base}/mcp-account`);
  const resource = `${base}/mcp-account`;
  const metadata = await oauth.processResourceDiscoveryResponse(
    new URL(resource),
    await oauth.resourceDiscoveryRequest(new URL(resource), insecure()),
  );
  const [first] = metadata.authorization_servers ?? [];
  if (first === undefined) throw new Error('the metadata names no authorization server');
  const issuer = new URL(first);
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...insecure(), algorithm: 'oauth2' }),
  );
  return { base, resource, metadata, as };
}

let clients = 0;

/** Registers a public client dynamically. Each has a name of its own, so that none is another one again. */
export async function register(world: World, changes: Partial<oauth.Client> = {}): Promise<oauth.Client> {
  clients += 1;
  const metadata: Partial<oauth.Client> = {
    client_name: `Judge ${clients} of ${process.pid}`,
    redirect_uris: [REDIRECT_URI],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...changes,
  };
  const answer = await oauth.dynamicClientRegistrationRequest(world.as, metadata, insecure());
  return oauth.processDynamicClientRegistrationResponse(answer);
}

/** The secret of a confidential client. */
export const secretOf = (client: oauth.Client): string => z.string().parse(client['client_secret']);

/** An authorization request under way: the URL to open, and what only its client knows. */
export type Started = { url: URL; state: string; verifier: string };

/** `changes` over the parameters of a correct request; undefined leaves one out. */
export async function start(
  world: World,
  client: oauth.Client,
  changes: Record<string, string | undefined> = {},
): Promise<Started> {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(world.as.authorization_endpoint ?? '');
  const parameters: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: REDIRECT_URI,
    scope: 'audit:run',
    resource: world.resource,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...changes,
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return { url, state, verifier };
}

/** A browser whose person has signed in with a fresh Ethereum account. */
export async function signedInBrowser(base: string): Promise<Browser> {
  const browser = newBrowser(base);
  const answer = await signIn(browser, privateKeyToAccount(generatePrivateKey()));
  if (!answer.ok) throw new Error(`sign-in answered ${answer.status}: ${await answer.text()}`);
  return browser;
}

/** Opens the request, clicks Allow, and gives the page that the browser is sent to. */
export async function allow(
  browser: Browser,
  started: Started,
  changes: Record<string, string | undefined> = {},
): Promise<Page> {
  return decide(browser, await browser.open(started.url.href), 'allow', changes);
}

/** The authorization response, as `oauth4webapi` lets it through: state and `iss` are right (RFC 9207). */
export const responseOf = (world: World, client: oauth.Client, started: Started, page: Page): URLSearchParams =>
  oauth.validateAuthResponse(world.as, client, new URL(page.url), started.state);

export type Grant = { client: oauth.Client; tokens: oauth.TokenEndpointResponse };

/** The whole flow: register, consent, code, tokens. */
export async function grant(
  world: World,
  browser: Browser,
  changes: { client?: oauth.Client; scope?: string; cap_usd?: string } = {},
): Promise<Grant> {
  const client = changes.client ?? (await register(world));
  const started = await start(world, client, { scope: changes.scope ?? 'audit:run' });
  const page = await allow(browser, started, changes.cap_usd === undefined ? {} : { cap_usd: changes.cap_usd });
  const response = await redeem(world, client, started, responseOf(world, client, started, page));
  return { client, tokens: await oauth.processAuthorizationCodeResponse(world.as, client, response) };
}

/** Redeems a code once as the specification says. */
export const redeem = (
  world: World,
  client: oauth.Client,
  { verifier }: Pick<Started, 'verifier'>,
  parameters: URLSearchParams,
  changes: { resource?: string; redirectUri?: string } = {},
): Promise<Response> =>
  oauth.authorizationCodeGrantRequest(
    world.as,
    client,
    oauth.None(),
    parameters,
    changes.redirectUri ?? REDIRECT_URI,
    verifier,
    { ...insecure(), additionalParameters: { resource: changes.resource ?? world.resource } },
  );

export const refresh = (world: World, client: oauth.Client, token: string, additional: Record<string, string> = {}) =>
  oauth.refreshTokenGrantRequest(world.as, client, oauth.None(), token, {
    ...insecure(),
    additionalParameters: { resource: world.resource, ...additional },
  });
