import { formatJsonPointer } from '../../../src/lib/json.ts';
import { readBearerToken } from '../../../src/authorization/oauth/tokens.ts';
import { parseJsonBody, readBodyBytes, readMediaType } from '../../../src/net/request-body.ts';
import { normaliseHost } from '../../../src/ownership/proof.ts';
import { describeBodyLimit } from '../../../src/problems/common.ts';
import { MAX_COUNTS_BYTES, parseCounts } from '../../../src/traffic/edge/counts-body.ts';
import { bindHostCounts } from '../bindings/host-counts.ts';
import { type AppContext, type AppOptions, fail, failWith } from '../context.ts';
import { buildTooManyFreeProblem, countFreeRequest, countHostRequest } from '../free-guard.ts';

const RETRY_S = 3_600;

/**
 * `POST /api/hosts/{host}/counts`: one minute of counts of the Worker of a site's owner. A token that is not good says
 * nothing of the host, and no object is asked about a made-up one. Senders share addresses, so those with a token of ours
 * are limited by their host.
 */
export async function takeCounts(c: AppContext, options: AppOptions): Promise<Response> {
  const counts = bindHostCounts(c.env, c.get('settings'), options);
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
