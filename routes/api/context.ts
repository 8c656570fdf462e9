import type { Context, MiddlewareHandler, Next } from 'hono';
import type { PasskeyJudge } from '../../src/authorization/people/passkeys.ts';
import type { AnswerEngine } from '../../src/models/port.ts';
import type { Engines } from '../../src/models/registry.ts';
import type { AddressPolicy } from '../../src/net/address-policy.ts';
import type { JudgeCardEvent } from '../../src/payment/cards/webhook.ts';
import { type ApiProblemCode, buildProblem, type ProblemDetails } from '../../src/problems/codes.ts';
import {
  type DeprecatedThing,
  findDeprecated,
  formatDeprecationHeaders,
} from '../../src/openapi/deprecations/deprecations.ts';
import { buildProblemResponse, type ProblemInput } from '../../src/problems/problem.ts';
import { getCurrentLimits, type ServiceLimits } from '../../src/rate-limits/service-limits.ts';
import { formatRateHeaders } from '../../src/rate-limits/rate-counts.ts';
import { logLine, observeRequest, selectTelemetryPort, formatRouteTemplate } from '../shared/telemetry.ts';
import type { ClassifyAnswer } from '../../src/visibility/run/consume.ts';
import { readLanguage } from '../shared/language.ts';
import { judgeHost } from '../shared/own-host.ts';
import type { Html } from '../../src/web/design/shell.tsx';
import { listCapabilityPaths } from '../../src/web/capability/address.ts';
import type { SoldFacts } from '../../src/telemetry/request-span.ts';
import type { PageLanguage } from '../../src/web/language/language.ts';
import type { ApiWorkerSettings } from '../../src/sales/settings.ts';
import { type Env, readSettings } from './bindings/env.ts';
import { getLimitsReader } from './bindings/stored-limits.ts';

/**
 * Paths whose answers depend on the browser's cookie: no page of another site may read them, so they carry no CORS headers
 * (rule A11). The pages of capabilities look whether someone is signed in; only our own page may start an audit at `/audit`
 * (rule F6), and on the local stack all of them hold the token of its demo buyer (rule F3). `/language` sets a cookie, and
 * `/buy` spends the credits of the person who is signed in.
 */
const COOKIE_PATHS = [
  '/signin',
  '/signout',
  '/authorize',
  '/account',
  '/console',
  '/operator',
  '/language',
  '/buy',
  ...listCapabilityPaths(),
];

/** Whether a path is one of ours that cookies open. */
export const isCookiePath = (path: string): boolean =>
  COOKIE_PATHS.some((own) => path === own || path.startsWith(`${own}/`));

/** Free and unpaid answers of a caller in a minute, as `FREE_LIMIT` of `wrangler.toml` has it (a test compares them). */
export const FREE_REQUESTS = 300;

/** The operator's own limits, as far as a preference sets them. */
export function getChosenLimits(c: AppContext): ServiceLimits {
  const reader = c.get('settings').TELEMETRY === 'control' ? getLimitsReader(c.env) : undefined;
  return getCurrentLimits(reader, Date.now(), (promise) => c.executionCtx.waitUntil(promise));
}

/** What an answer says of our limits: the one that its request was counted against, or else the one of free answers. */
function buildPolicyHeaders(c: AppContext, isMcp: boolean): Readonly<Record<string, string>> {
  const counted = c.get('rateHeaders');
  if (counted !== undefined) return counted;
  const { mcp, free = FREE_REQUESTS } = getChosenLimits(c);
  return isMcp && mcp !== undefined ? formatRateHeaders('mcp', mcp) : formatRateHeaders('free', free);
}

/** `secretPlace`: where the person at this machine finds the operator's secret. */
export type DemoOffer = { token: string; secretPlace: string };

/** What the entries decide and no variable can: which addresses may be fetched, and whether this is the local stack. */
export type AppOptions = {
  /** Answer engines by the names that ANSWER_ENGINE may take. */
  engines: Engines<AnswerEngine>;
  /** Says whether a text of an engine is an answer; without it the Worker of models does. */
  classify?: ClassifyAnswer;
  /** Judges passkeys; without it the Worker of models does. */
  passkeyJudge?: PasskeyJudge;
  /** Judges signatures of Stripe's events; without it the Worker of models does. */
  judgeCardEvent?: JudgeCardEvent;
  policy: (env: Env) => AddressPolicy;
  local: boolean;
  /** What pages need to buy with the demo buyer of the local stack: only its entry has one (rules F3, P8). */
  demoBuyer?: (env: Env) => DemoOffer | undefined;
  /** Where the page is on which cards pay: only the entry of the local stack has another than Stripe's. */
  cardPage?: (env: Env) => string | undefined;
  /** Where the mails are shown that were sent nowhere: only the entry of the local stack has it. */
  mailsPage?: string;
  /** The page of all parts of the pages: only the entry of the local stack has it. */
  renderDesign?: (language: PageLanguage) => Html;
};

export type AppEnv = {
  Bindings: Env;
  Variables: {
    requestId: string;
    settings: ApiWorkerSettings;
    /** Of the pages for people. */
    language: PageLanguage;
    /** What the request is to buy, for telemetry. */
    sold?: SoldFacts;
    /** Resolves when the call of a tool ends, whose outcome the record of the request names. */
    calling?: Promise<void>;
    /** What the limit that the request was counted against says of itself. */
    rateHeaders?: Readonly<Record<string, string>>;
  };
};

export type AppContext = Context<AppEnv>;

/** Headers that let browsers call us from anywhere. Routes that take cookies go without them. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'PAYMENT-REQUIRED, PAYMENT-RESPONSE, Payment-Receipt, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, ETag, Link, WWW-Authenticate, Mcp-Session-Id, A2A-Extensions, X-A2A-Extensions',
} as const;

const PREFLIGHT = {
  ...corsHeaders,
  'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers':
    'authorization, content-type, if-match, if-none-match, prefer, payment-signature, payer-proof, accept-payment, idempotency-key, sign-in-with-x, access-control-expose-headers, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id, a2a-version, a2a-extensions, x-a2a-extensions',
  'access-control-max-age': '86400',
} as const;

const MCP_PATH = /^\/mcp(?:-account)?$/;

/**
 * Gives a request its settings, refuses a Host that is not ours (rule A10), and answers preflights. Every answer
 * states our limit (draft-ietf-httpapi-ratelimit-headers), and the service's own log records the outcome.
 */
export const requestContext: MiddlewareHandler<AppEnv> = async (c, next) => {
  const requestId = c.get('requestId');
  const settings = readSettings(c.env);
  c.set('settings', settings);
  c.set('language', readLanguage(c));
  const observing = observeRequest(c.req.raw, requestId, settings.BASE_URL, {
    service: 'api',
    port: selectTelemetryPort(settings.TELEMETRY, c.env.TELEMETRY_QUEUE),
    waitUntil: (promise) => c.executionCtx.waitUntil(promise),
  });
  const early = await handleInContext(c, next, requestId, settings);
  const { headers } = early ?? c.res;
  const policy = buildPolicyHeaders(c, MCP_PATH.test(c.req.path));
  for (const [name, value] of Object.entries(policy)) headers.set(name, value);
  if (observing === undefined) return early;
  const { status } = early ?? c.res;
  const route = formatRouteTemplate(c);
  const answered = (): void => observing.answered(() => ({ status, route, sold: c.get('sold') }));
  const calling = c.get('calling');
  if (calling === undefined) answered();
  else c.executionCtx.waitUntil(calling.then(answered));
  return early;
};

async function handleInContext(
  c: AppContext,
  next: Next,
  requestId: string,
  settings: ApiWorkerSettings,
): Promise<Response | undefined> {
  const host = c.req.path === '/health' ? 'own' : judgeHost(c.req.raw, settings.BASE_URL);
  if (host === 'broken') return withoutCors(fail(c, 'invalid_host'));
  if (host === 'foreign') return refuseWrongHost(c);
  if (c.req.method === 'OPTIONS')
    return new Response(null, {
      status: 204,
      headers: { ...(isCookiePath(c.req.path) ? {} : PREFLIGHT), 'x-request-id': requestId },
    });
  await next();
  const { headers } = c.res;
  headers.set('x-request-id', requestId);
  headers.set('x-content-type-options', 'nosniff');
  if (isCookiePath(c.req.path)) return undefined;
  for (const [name, value] of Object.entries(corsHeaders)) headers.set(name, value);
  return undefined;
}

/** No page may read this: a browser comes here when a name was rebound to us, for which MCP asks for 403 (rule R12). */
function refuseWrongHost(c: AppContext): Response {
  return withoutCors(fail(c, 'wrong_host', MCP_PATH.test(c.req.path) ? { status: 403 } : {}));
}

function withoutCors(answer: Response): Response {
  for (const name of Object.keys(corsHeaders)) answer.headers.delete(name);
  return answer;
}

/** Answers with the problem of a code. What is special about this occurrence is in `details`. */
export const fail = (c: AppContext, code: ApiProblemCode, details?: ProblemDetails): Response =>
  failWith(c, buildProblem(code, details));

/** A problem response for this request, with one log line that names the route template and never the path (rule X9). */
export function failWith(c: AppContext, input: ProblemInput): Response {
  const requestId = c.get('requestId');
  logLine({ event: 'refused', request_id: requestId, status: input.status, code: input.code });
  const settings = c.get('settings') as ApiWorkerSettings | undefined;
  return buildProblemResponse(requestId, settings?.BASE_URL ?? '', {
    ...input,
    headers: { ...(isCookiePath(c.req.path) ? {} : corsHeaders), 'x-request-id': requestId, ...input.headers },
  });
}

/** Where browsers may read the headers of a deprecation. */
const EXPOSED = 'access-control-expose-headers';

/**
 * Announces on each answer what deprecated route or parameter its request used. Before `requestContext`, so that it sees the
 * answer as it leaves.
 */
export const announceDeprecations =
  (things: readonly DeprecatedThing[]): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    await next();
    const { method, path } = c.req;
    const used = findDeprecated(things, { method, path, hasParameter: (name) => c.req.query(name) !== undefined });
    const settings = c.get('settings') as AppEnv['Variables']['settings'] | undefined; // Absent where they are broken.
    const headers = formatDeprecationHeaders(used, settings?.BASE_URL ?? '');
    if (headers === undefined) return;
    c.header('deprecation', headers.deprecation);
    if (headers.sunset !== undefined) c.header('sunset', headers.sunset);
    c.header('link', headers.link, { append: true });
    const exposed = c.res.headers.get(EXPOSED);
    if (exposed !== null) c.header(EXPOSED, `${exposed}, Deprecation, Sunset`);
  };
