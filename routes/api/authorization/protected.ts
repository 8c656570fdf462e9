import { insufficientScope, type OAuthResourceAuth, OAuthResourceServer } from '@cloudflare/workers-oauth-provider';
import type { Context, Env as HonoEnv, MiddlewareHandler } from 'hono';
import type { TokenProps, ValidToken } from '../../../src/authorization/oauth/tokens.ts';

/** What a route behind the middleware knows about its caller, as `c.var.auth`. */
export type ResourceAuth = OAuthResourceAuth & { props: TokenProps };
export type ProtectedEnv = { Variables: { auth: ResourceAuth } };

export type ProtectedOptions<E extends HonoEnv> = {
  /** The resource's canonical URI: https (http on loopback), with a path, without trailing slash (RFC 8707). */
  resource: (c: Context<E>) => string;
  /** The authorization server whose tokens are taken. */
  issuer: (c: Context<E>) => string;
  /** What every call needs. */
  requiredScopes: readonly string[];
  /** Asks the authorization server about a token: `Authorization.validate` over a service binding. */
  validate: (c: Context<E>) => (token: string, resource: string) => Promise<ValidToken | null>;
};

type Validate = (token: string, resource: string) => Promise<ValidToken | null>;
type TokenAdmission = { props: TokenProps; auth: OAuthResourceAuth };
type Server = OAuthResourceServer<Validate>;

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const METADATA_CACHE = 'public, max-age=3600';
const BEARER = /^bearer(?:[\t ]|$)/i;
const ONE_BEARER = /^bearer[\t ]+[^\s,]+$/i;

/**
 * Makes the middleware of a protected resource (RFC 6750, RFC 9728): it serves the resource's metadata document, lets
 * a call to the resource or below it pass with a token that is good for exactly this resource, as `c.var.auth`, and
 * answers 401, 403 or 400 otherwise. Everything else goes on untouched. A token counts in the `Authorization` header only.
 */
export function createProtectedResource<E extends HonoEnv>(options: ProtectedOptions<E>): MiddlewareHandler<E> {
  const serverOf = createServers(options.requiredScopes);
  return async (c, next) => {
    const resource = options.resource(c);
    const { pathname: root } = new URL(resource);
    const server = serverOf(resource, options.issuer(c));
    if (c.req.path === `${WELL_KNOWN}${root === '/' ? '' : root}`) return serveMetadata(server, c.req.raw);
    if (c.req.path !== root && !c.req.path.startsWith(root === '/' ? root : `${root}/`)) return next();
    const problem = refuseMalformed(c.req.raw);
    if (problem !== undefined) return problem;
    const call = { waitUntil: () => undefined, passThroughOnException: () => undefined } as unknown as ExecutionContext;
    const answer = await server.fetch(c.req.raw, options.validate(c), call);
    const { props, auth } = call as unknown as Partial<TokenAdmission>; // Put there by the library, for what it admits.
    if (props === undefined || auth === undefined) return explainRefusal(answer);
    const missing = options.requiredScopes.filter((scope) => !auth.scope.includes(scope));
    if (missing.length > 0) return insufficientScope(auth, [...options.requiredScopes], 'The token lacks a scope');
    (c as unknown as Context<ProtectedEnv>).set('auth', { ...auth, props });
    return next();
  };
}

/** One server for each resource: its options are checked when it is made. */
function createServers(requiredScopes: readonly string[]) {
  let made: { key: string; server: Server } | undefined;
  return (resource: string, issuer: string): Server => {
    const key = `${issuer} ${resource}`;
    if (made?.key !== key) {
      const server = new OAuthResourceServer<Validate>({
        resourceMetadata: { resource, authorization_servers: [issuer] },
        requiredScopes: [...requiredScopes],
        validateToken: (validate) => (canonical, token) => validate(token, canonical),
        handler: { fetch: async () => new Response(null) }, // Never seen: the route answers.
      });
      made = { key, server };
    }
    return made.server;
  };
}

async function serveMetadata(server: Server, request: Request): Promise<Response> {
  const answer = await server.fetch(request, async () => null, {} as ExecutionContext);
  const headers = new Headers(answer.headers);
  if (answer.ok) headers.set('cache-control', METADATA_CACHE);
  headers.delete('pragma');
  return new Response(answer.body, { status: answer.status, headers });
}

/** RFC 6750, section 3.1: a broken credential or two of them is a bad request, not a missing one. */
function refuseMalformed(request: Request): Response | undefined {
  const header = request.headers.get('authorization');
  if (header === null || !BEARER.test(header)) return undefined;
  if (!ONE_BEARER.test(header)) return refuseBadRequest('Send one token as `Authorization: Bearer <token>`');
  return new URL(request.url).searchParams.has('access_token')
    ? refuseBadRequest('Send the token once, in the header')
    : undefined;
}

const refuseBadRequest = (description: string): Response =>
  Response.json(
    { error: 'invalid_request', error_description: description },
    { status: 400, headers: { 'cache-control': 'no-store', 'www-authenticate': 'Bearer error="invalid_request"' } },
  );

/** The library's refusal with a body that says why. */
function explainRefusal(answer: Response): Response {
  if (answer.status !== 401) return answer;
  const invalid = answer.headers.get('www-authenticate')?.includes('invalid_token') ?? false;
  const headers = new Headers(answer.headers);
  headers.set('content-type', 'application/json');
  const body = invalid
    ? { error: 'invalid_token', error_description: 'The token is expired, revoked, unknown or for another resource' }
    : { error: 'token_required', error_description: 'Send a token as `Authorization: Bearer <token>`' };
  return new Response(JSON.stringify(body), { status: 401, headers });
}
