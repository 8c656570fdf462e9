import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, sendJson, startHttpServer } from '../../../local/http-server.ts';

/** How a fake service with its authorization server differs from one that keeps every rule. */
export type Scene = {
  /** The WWW-Authenticate of the 401; null sends none. */
  challenge?: (origin: string) => string | null;
  /** Documents by path that replace or add to the usual ones; null answers 404. */
  documents?: (origin: string) => Record<string, unknown>;
  /** Members of the server metadata that differ; undefined leaves one out. */
  metadata?: (origin: string) => Record<string, unknown>;
  /** Changes the parameters of the answer that goes back through the browser. */
  answer?: (params: URLSearchParams, origin: string) => void;
  /** Members of the token answer that differ. */
  token?: Record<string, unknown>;
  /** Scopes that the endpoint wants of a token, one challenge after the other. */
  wants?: readonly string[];
  /** Paths that redirect. */
  redirects?: Record<string, string>;
  /** Statuses of paths that answer with nothing else. */
  statuses?: Record<string, number>;
};

export type Seen = {
  method: string;
  path: string;
  query: URLSearchParams;
  form: URLSearchParams;
  body: string;
  bearer?: string;
};

export type FakeService = {
  origin: string;
  seen: Seen[];
  /** Requests of one path. */
  of: (path: string) => readonly Seen[];
  /** Does what a browser does at the authorization endpoint, and says how the loopback page answered. */
  browse: (url: URL) => Promise<{ status: number; text: string }>;
  stop: () => Promise<void>;
};

export const ENDPOINT = '/mcp-account';

/** Starts a protected MCP endpoint and an authorization server at one loopback origin. */
export async function startFakeService(scene: Scene = {}): Promise<FakeService> {
  const seen: Seen[] = [];
  const state: State = { codes: new Map(), refreshes: new Map(), scopes: new Map() };
  const server = await startHttpServer(async (request, response) => {
    const one = await read(request);
    seen.push(one);
    await answer(one, { scene, state, origin: server.url }, response);
  });
  return {
    origin: server.url,
    seen,
    of: (path) => seen.filter((one) => one.path === path),
    browse: async (url) => {
      const page = await fetch(url, { redirect: 'manual' });
      const back = await fetch(page.headers.get('location') ?? '');
      return { status: back.status, text: await back.text() };
    },
    stop: server.stop,
  };
}

type Grant = { challenge: string; redirect: string; resource: string; scope: string; client: string };
type State = { codes: Map<string, Grant>; refreshes: Map<string, Grant>; scopes: Map<string, string> };
type Fake = { scene: Scene; state: State; origin: string };

async function read(request: IncomingMessage): Promise<Seen> {
  const url = new URL(request.url ?? '/', 'http://fake');
  const body = await readBody(request);
  const [, bearer] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
  const form = new URLSearchParams(body);
  const { method = 'GET' } = request;
  return {
    method,
    path: url.pathname,
    query: url.searchParams,
    form,
    body,
    ...(bearer === undefined ? {} : { bearer }),
  };
}

async function answer(one: Seen, fake: Fake, response: ServerResponse): Promise<void> {
  const { scene, origin } = fake;
  const location = scene.redirects?.[one.path];
  if (location !== undefined) return void response.writeHead(302, { location }).end();
  const status = scene.statuses?.[one.path];
  if (status !== undefined) return void response.writeHead(status).end('<h1>Something else</h1>');
  const document = { ...documentsOf(fake), ...scene.documents?.(origin) }[one.path];
  if (document !== undefined && document !== null) return sendJson(response, 200, document);
  if (one.path === ENDPOINT) return endpoint(one, fake, response);
  if (one.path === '/authorize') return authorize(one, fake, response);
  if (one.path === '/register' && one.method === 'POST') return register(one, response);
  if (one.path === '/token' && one.method === 'POST') return token(one, fake, response);
  return sendJson(response, 404, { error: 'not_found' });
}

const documentsOf = ({ scene, origin }: Fake): Record<string, unknown> => ({
  [`/.well-known/oauth-protected-resource${ENDPOINT}`]: {
    resource: `${origin}${ENDPOINT}`,
    authorization_servers: [origin],
    scopes_supported: ['from:metadata'],
  },
  '/.well-known/oauth-authorization-server': { ...honestMetadata(origin, origin), ...scene.metadata?.(origin) },
});

/** Metadata of a server that keeps every rule; its endpoints are at `origin`. */
export const honestMetadata = (issuer: string, origin: string): Record<string, unknown> => ({
  issuer,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  authorization_response_iss_parameter_supported: true,
});

function endpoint({ bearer }: Seen, { scene, state, origin }: Fake, response: ServerResponse): void {
  const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource${ENDPOINT}"`;
  const granted = bearer === undefined ? undefined : state.scopes.get(bearer);
  if (granted === undefined) {
    const header = scene.challenge === undefined ? `Bearer ${metadata}, scope="audit:run"` : scene.challenge(origin);
    return void response.writeHead(401, header === null ? {} : { 'www-authenticate': header }).end('{}');
  }
  const missing = scene.wants?.find((scope) => !granted.split(' ').includes(scope));
  if (missing === undefined) return sendJson(response, 200, { jsonrpc: '2.0', id: 1, result: { tools: [] } });
  const header = `Bearer error="insufficient_scope", scope="${missing}", ${metadata}`;
  return void response.writeHead(403, { 'www-authenticate': header }).end('{}');
}

function register({ body }: Seen, response: ServerResponse): void {
  sendJson(response, 201, { ...(JSON.parse(body) as object), client_id: `client-${randomUUID()}` });
}

function authorize({ query }: Seen, { scene, state, origin }: Fake, response: ServerResponse): void {
  const code = randomUUID();
  const of = (name: string): string => query.get(name) ?? '';
  state.codes.set(code, {
    challenge: of('code_challenge'),
    redirect: of('redirect_uri'),
    resource: of('resource'),
    scope: of('scope'),
    client: of('client_id'),
  });
  const params = new URLSearchParams({ code, state: of('state'), iss: origin });
  scene.answer?.(params, origin);
  response.writeHead(302, { location: `${of('redirect_uri')}?${params.toString()}` }).end();
}

function token({ form }: Seen, { scene, state, origin }: Fake, response: ServerResponse): void {
  const grant = redeemed(form, state);
  if (grant?.resource !== form.get('resource') || grant.resource !== `${origin}${ENDPOINT}`)
    return sendJson(response, 400, { error: 'invalid_grant' });
  const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
  state.scopes.set(access, grant.scope);
  state.refreshes.set(refresh, grant);
  return sendJson(response, 200, {
    access_token: access,
    refresh_token: refresh,
    token_type: 'Bearer',
    expires_in: 3600,
    scope: grant.scope,
    ...scene.token,
  });
}

/** The grant of a code with its verifier, or of a refresh token; each works once. */
function redeemed(form: URLSearchParams, { codes, refreshes }: State): Grant | undefined {
  const code = form.get('code');
  const kept = code === null ? refreshes : codes;
  const name = code ?? form.get('refresh_token') ?? '';
  const grant = kept.get(name);
  kept.delete(name);
  if (grant === undefined || grant.client !== form.get('client_id')) return undefined;
  const verifier = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const isBound = verifier === grant.challenge && form.get('redirect_uri') === grant.redirect;
  return code === null || isBound ? grant : undefined;
}
