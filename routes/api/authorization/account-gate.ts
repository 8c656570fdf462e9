import type { Context, MiddlewareHandler } from 'hono';
import { BASE_SCOPE } from '../../../src/authorization/oauth/scopes.ts';
import { getCallerAddress } from '../../../src/rate-limits/caller-counts.ts';
import {
  buildUnauthenticatedHeaders,
  judgeCredential,
  type TokenJudgement,
} from '../../../src/rate-limits/token-gate.ts';
import { getTokenRouter } from '../bindings/token-router.ts';
import { type AppContext, type AppEnv, fail } from '../context.ts';
import { createProtectedResource, type ProtectedEnv, type ResourceAuth } from './protected.ts';

/** `askedAtMs`: when the token was found good; what is revoked after that counts as revoked (rule A5). */
export type AccountAdmission =
  | { ok: true; accountId: string; auth: ResourceAuth; askedAtMs: number }
  | { ok: false; response: Response };

export type AccountGate = {
  /** Serves the metadata document of the resource (RFC 9728). */
  serveMetadata: MiddlewareHandler<AppEnv>;
  /** Whose account a request speaks for, or the refusal as a problem. */
  admit: (c: AppContext) => Promise<AccountAdmission>;
};

/** Admits calls by an access token of an account that is good for exactly one resource. */
export function createAccountGate(getResource: (baseUrl: string) => string): AccountGate {
  const judgements = new WeakMap<Request, Extract<TokenJudgement, { kind: 'valid' }>>();
  const resourceOf = (c: Context<AppEnv>): string => getResource(c.get('settings').BASE_URL);
  const guard = createProtectedResource<AppEnv>({
    resource: resourceOf,
    issuer: (c) => c.get('settings').BASE_URL,
    requiredScopes: [BASE_SCOPE],
    validate: (c) => async () => judgements.get(c.req.raw)?.valid ?? null,
  });
  return {
    serveMetadata: guard,
    async admit(c) {
      const credential = await judgeCredential(c.req.header('authorization') ?? null, {
        judge: getTokenRouter(c.env),
        url: resourceOf(c),
        caller: getCallerAddress(c.req.raw),
        mayRecall: c.req.method === 'GET', // Never for what spends.
      });
      if (credential.kind === 'unreachable') return refuse(fail(c, 'sign_in_unavailable', { retryAfterS: 1 }));
      if (credential.kind === 'wait') return refuse(fail(c, 'rate_limited', { retryAfterS: credential.retryAfterS }));
      if ('allowance' in credential && !credential.allowance.isAllowed) {
        c.set('rateHeaders', buildUnauthenticatedHeaders(credential.allowance));
        return refuse(fail(c, 'rate_limited', { retryAfterS: credential.allowance.retryAfterS }));
      }
      if (credential.kind === 'valid') judgements.set(c.req.raw, credential);
      let isAdmitted = false;
      const refused = await guard(c, async () => {
        isAdmitted = true;
      });
      if (!isAdmitted) return refuse(explainRefusal(c, refused ?? new Response(null, { status: 401 })));
      const auth = (c as unknown as Context<ProtectedEnv>).get('auth'); // The middleware put it there.
      if (auth.userId === undefined) throw new Error('a token without a subject');
      return { ok: true, accountId: auth.userId, auth, askedAtMs: judgements.get(c.req.raw)?.askedAtMs ?? 0 };
    },
  };
}

const refuse = (response: Response): AccountAdmission => ({ ok: false, response });

/** The words of the library as a problem; its challenge stays. */
function explainRefusal(c: AppContext, refused: Response): Response {
  const challenge = refused.headers.get('www-authenticate');
  const headers = challenge === null ? {} : { 'www-authenticate': challenge };
  if (refused.status === 403) return fail(c, 'insufficient_scope', { headers });
  return fail(c, 'token_required', { headers, ...(refused.status === 400 ? { status: refused.status } : {}) });
}
