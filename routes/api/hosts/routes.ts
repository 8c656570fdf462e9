import type { Hono } from 'hono';
import * as z from 'zod';
import { getHostsResource } from '../../../src/authorization/oauth/resources.ts';
import { formatIsoTimestamp } from '../../../src/lib/time.ts';
import { HOSTS_METADATA_PATH, hostOperations as rows } from '../../../src/openapi/host-operations.ts';
import { formatHost } from '../../../src/ownership/host-wire.ts';
import type { Owners } from '../../../src/ownership/owners.ts';
import { type HostProof, MAX_HOST_CHARS } from '../../../src/ownership/proof.ts';
import { MAX_HOSTS_OF_ACCOUNT } from '../../../src/ownership/protocol.ts';
import { parseDayRange } from '../../../src/traffic/edge/crawler-report.ts';
import type { HostCounts } from '../../../src/traffic/edge/host-counts.ts';
import { createAccountGate } from '../authorization/account-gate.ts';
import { bindHostCounts } from '../bindings/host-counts.ts';
import { bindOwners } from '../bindings/owners.ts';
import { type AppContext, type AppEnv, type AppOptions, fail } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { readJson, sendJson } from '../monitors/answers.ts';
import { takeCounts } from './counts.ts';

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
        owners: bindOwners(env, settings, options),
        counts: bindHostCounts(env, settings, options),
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
  list: async ({ c, accountId, owners }) => {
    const proofs = await owners.list(accountId);
    return sendJson(c, { hosts: proofs.map((proof) => formatHost(proof, Date.now())) });
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

async function sendHost({ c, accountId, counts }: HostCall, proof: HostProof, more: object = {}): Promise<Response> {
  const tokenMs = await counts.tokenTime(accountId, proof.host);
  const since = tokenMs === undefined ? null : formatIsoTimestamp(tokenMs);
  return sendJson(c, { ...formatHost(proof, Date.now()), counts_token_since: since, ...more });
}

const NAME_A_HOST = { pointer: '/host', message: 'is no host name with a dot, such as www.example.com' };

async function claim({ c, accountId, owners }: HostCall): Promise<Response> {
  const body = await readJson(c);
  if (!body.ok) return body.response;
  const parsed = claimBody.safeParse(body.value);
  if (!parsed.success) return fail(c, 'invalid_body', { errors: [NAME_A_HOST] });
  const claimed = await owners.claim(accountId, parsed.data.host);
  if (claimed.ok) return sendJson(c, formatHost(claimed.proof, Date.now()), 201);
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
  return fail(c, 'rate_limited', { detail: 'A host is looked at once a minute', retryAfterS: answer.retryAfterS });
}

async function issueToken({ c, accountId, counts }: HostCall, host: string): Promise<Response> {
  const answer = await counts.issueToken(accountId, host);
  if (!answer.ok) return fail(c, answer.reason === 'not_proven' ? 'host_not_proven' : 'not_configured');
  const sendTo = `${getHostsResource(c.get('settings').BASE_URL)}/${host}/counts`;
  return sendJson(c, { host, token: answer.token, send_to: sendTo });
}

async function readCrawlers({ c, accountId, counts }: HostCall, host: string): Promise<Response> {
  const range = parseDayRange({ from: c.req.query('from'), to: c.req.query('to') }, Date.now());
  if (!range.ok) return fail(c, 'invalid_range', { detail: `The range of from and to ${range.message}` });
  return sendJson(c, await counts.read(accountId, host, range.range));
}
