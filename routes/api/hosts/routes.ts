import type { Hono } from 'hono';
import * as z from 'zod';
import { getHostsResource } from '../../../src/authorization/oauth/resources.ts';
import { readBearerToken } from '../../../src/authorization/oauth/tokens.ts';
import { formatJsonPointer } from '../../../src/lib/json.ts';
import { formatIsoTimestamp } from '../../../src/lib/time.ts';
import { HOSTS_METADATA_PATH, hostOperations as rows } from '../../../src/openapi/host-operations.ts';
import { formatHost } from '../../../src/ownership/host-wire.ts';
import type { Owners } from '../../../src/ownership/owners.ts';
import { type HostProof, MAX_HOST_CHARS, normaliseHost } from '../../../src/ownership/proof.ts';
import { MAX_HOSTS_OF_ACCOUNT } from '../../../src/ownership/protocol.ts';
import { parseJsonBody, readBodyBytes, readMediaType } from '../../../src/net/request-body.ts';
import { describeBodyLimit } from '../../../src/problems/common.ts';
import { MAX_COUNTS_BYTES, parseCounts } from '../../../src/traffic/edge/counts-body.ts';
import { parseDayRange } from '../../../src/traffic/edge/crawler-report.ts';
import type { HostCounts } from '../../../src/traffic/edge/host-counts.ts';
import { createAccountGate } from '../authorization/account-gate.ts';
import { createWorkerHostCounts, createWorkerOwners } from '../bindings/owners.ts';
import { type AppContext, type AppEnv, type AppOptions, fail, failWith } from '../context.ts';
import { buildTooManyFreeProblem, countFreeRequest, countHostRequest, guardFreeRoute } from '../free-guard.ts';
import { readJson, sendJson } from '../monitors/answers.ts';

/** One call of an admitted account. */
type HostCall = { c: AppContext; accountId: string; owners: Owners; counts: HostCounts };
type HostHandler = (call: HostCall) => Promise<Response>;

const gate = createAccountGate(getHostsResource);

/**
 * `/api/hosts`: hosts of an account, by an access token for this resource. Counts come by a token of their host, which
 * opens nothing else.
 */
export function registerHostRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  app.get(HOSTS_METADATA_PATH, guardFreeRoute, gate.serveMetadata);
  const { counts: countsRow, ...ownRows } = rows;
  app.on(countsRow.method, countsRow.route, (c) => takeCounts(c, options));
  for (const [name, { method, route }] of Object.entries(ownRows)) {
    const handle = handlers[name as keyof typeof ownRows];
    app.on(method, route, guardFreeRoute, async (c) => {
      const admitted = await gate.admit(c);
      if (!admitted.ok) return admitted.response;
      const [env, settings] = [c.env, c.get('settings')];
      return handle({
        c,
        accountId: admitted.accountId,
        owners: createWorkerOwners(env, settings, options),
        counts: createWorkerHostCounts(env, settings, options),
      });
    });
  }
  for (const route of new Set(Object.values(rows).map((row) => row.route)))
    app.all(route, (c) => refuseOtherMethod(c, route));
}

function refuseOtherMethod(c: AppContext, route: string): Response {
  const methods = Object.values(rows).flatMap((row) => (row.route === route ? [row.method] : []));
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return fail(c, 'method_not_allowed', { detail: `Allowed here: ${allow}`, headers: { allow } });
}

const claimBody = z.strictObject({
  host: z
    .string()
    .min(1)
    .max(MAX_HOST_CHARS + 'https://'.length),
});

const handlers: Readonly<Record<Exclude<keyof typeof rows, 'counts'>, HostHandler>> = {
  claim,
  list: async ({ accountId, owners }) => {
    const proofs = await owners.list(accountId);
    return sendJson({ hosts: proofs.map((proof) => formatHost(proof, Date.now())) });
  },
  read: (call) => withHost(call, (proof) => sendHost(call, proof)),
  look: (call) => withHost(call, (proof) => lookNow(call, proof)),
  drop: (call) =>
    withHost(call, async ({ host }) => {
      await call.owners.drop(call.accountId, host);
      return new Response(null, { status: 204 });
    }),
  token: (call) => withHost(call, ({ host }) => issueToken(call, host)),
  crawlers: (call) => withHost(call, ({ host }) => readCrawlers(call, host)),
};

/** A host that another account claims is one that is not there. */
async function withHost(
  { c, accountId, owners }: HostCall,
  run: (proof: HostProof) => Promise<Response>,
): Promise<Response> {
  const proof = await owners.find(accountId, c.req.param('host') ?? '');
  return proof === undefined ? fail(c, 'host_not_claimed') : run(proof);
}

async function sendHost({ accountId, counts }: HostCall, proof: HostProof, more: object = {}): Promise<Response> {
  const tokenMs = await counts.tokenTime(accountId, proof.host);
  const since = tokenMs === undefined ? null : formatIsoTimestamp(tokenMs);
  return sendJson({ ...formatHost(proof, Date.now()), counts_token_since: since, ...more });
}

const NAME_A_HOST = { pointer: '/host', message: 'is no host name with a dot, such as www.example.com' };

async function claim({ c, accountId, owners }: HostCall): Promise<Response> {
  const body = await readJson(c);
  if (!body.ok) return body.response;
  const parsed = claimBody.safeParse(body.value);
  if (!parsed.success) return fail(c, 'invalid_body', { errors: [NAME_A_HOST] });
  const claimed = await owners.claim(accountId, parsed.data.host);
  if (claimed.ok) return sendJson(formatHost(claimed.proof, Date.now()), 201);
  if (claimed.reason === 'invalid_host') return fail(c, 'invalid_body', { errors: [NAME_A_HOST] });
  const detail =
    claimed.reason === 'too_many_hosts'
      ? `An account has at most ${MAX_HOSTS_OF_ACCOUNT} hosts`
      : 'Too many accounts claim this host';
  return fail(c, 'limit_reached', { detail });
}

async function lookNow(call: HostCall, { host }: HostProof): Promise<Response> {
  const { c, accountId, owners } = call;
  const answer = await owners.look(accountId, host);
  if (answer.ok) {
    const { look } = answer;
    return sendHost(call, answer.proof, {
      look: look.state === 'found' ? { state: look.state, place: look.place } : look,
    });
  }
  if (answer.reason === 'not_claimed') return fail(c, 'host_not_claimed');
  return fail(c, 'rate_limited', {
    detail: 'The proof of a host is looked for once a minute',
    retryAfterS: answer.retryAfterS,
  });
}

async function issueToken({ c, accountId, counts }: HostCall, host: string): Promise<Response> {
  const answer = await counts.issueToken(accountId, host);
  if (!answer.ok) return fail(c, answer.reason === 'not_proven' ? 'host_not_proven' : 'not_configured');
  const sendTo = `${getHostsResource(c.get('settings').BASE_URL)}/${host}/counts`;
  return sendJson({ host, token: answer.token, send_to: sendTo });
}

async function readCrawlers({ c, accountId, counts }: HostCall, host: string): Promise<Response> {
  const range = parseDayRange({ from: c.req.query('from'), to: c.req.query('to') }, Date.now());
  if (!range.ok) return fail(c, 'invalid_range', { detail: `The range of from and to ${range.message}` });
  return sendJson(await counts.read(accountId, host, range.range));
}

const RETRY_S = 3_600;

/**
 * `POST /api/hosts/{host}/counts`: one minute of counts of the Worker of a site's owner. A token that is not good says
 * nothing of the host, and no object is asked about a made-up one. Senders share addresses, so those with a token of ours
 * are limited by their host.
 */
async function takeCounts(c: AppContext, options: AppOptions): Promise<Response> {
  const counts = createWorkerHostCounts(c.env, c.get('settings'), options);
  const host = normaliseHost(c.req.param('host') ?? '');
  const token = readBearerToken(c.req.header('authorization') ?? null);
  if (host === undefined || token === undefined || !(await counts.isTokenOf(host, token))) {
    const free = await countFreeRequest(c);
    return free.isAllowed ? refuseToken(c) : failWith(c, buildTooManyFreeProblem(free));
  }
  const allowed = await countHostRequest(c, host);
  if (!allowed.isAllowed)
    return fail(c, 'rate_limited', {
      detail: 'Too many batches of this host: send one a minute',
      retryAfterS: allowed.retryAfterS,
    });
  const read = await readBatch(c);
  if (!read.ok) return read.response;
  const answer = await counts.accept(host, token, read.batch);
  if (answer.ok) return c.json({ counted: answer.isNew, rows: read.batch.rows.length }, 202);
  if (answer.reason === 'wrong_token') return refuseToken(c);
  if (answer.reason === 'ended') return fail(c, 'host_not_proven');
  return fail(c, 'rate_limited', { detail: 'The batches of this day are used up', retryAfterS: RETRY_S });
}

const refuseToken = (c: AppContext): Response =>
  fail(c, 'counts_token_wrong', { headers: { 'www-authenticate': 'Bearer realm="sightline"' } });

async function readBatch(c: AppContext) {
  const refuse = (response: Response) => ({ ok: false, response }) as const;
  if (readMediaType(c.req.raw) !== 'application/json')
    return refuse(fail(c, 'unsupported_media_type', { detail: 'Send the body as application/json' }));
  const bytes = await readBodyBytes(c.req.raw, MAX_COUNTS_BYTES);
  if (bytes === undefined) return refuse(fail(c, 'body_too_large', { detail: describeBodyLimit(MAX_COUNTS_BYTES) }));
  const json = parseJsonBody(bytes);
  if (!json.ok) return refuse(fail(c, 'invalid_json'));
  const parsed = parseCounts(json.value, Date.now());
  if (parsed.ok) return parsed;
  const errors = parsed.issues.map(({ path, message }) => ({ pointer: formatJsonPointer(path), message }));
  return refuse(fail(c, 'invalid_body', { errors }));
}
