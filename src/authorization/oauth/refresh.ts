import { computeSha256Hex } from '../../lib/digest.ts';
import { formatGrantRowKey } from './kv-facade.ts';
import type { OAuthProvider } from './provider.ts';
import type { StoreTools } from './rows.ts';
import { buildOAuthError, openSealed, seal, type Sealed, type WireAnswer } from './store-protocol.ts';
import { REFRESH_TOKEN_S } from './tokens.ts';

/** A request that is repeated this soon gets the answer of the first: its client may have lost it, or raced itself. */
export const REPEAT_WINDOW_MS = 30_000;
/** Rotations of one grant in its 30 days: every 21 minutes, of tokens that last an hour. Beyond it the grant ends. */
export const MAX_ROTATIONS = 2_000;

const USED = 'own:refresh:used:';
const ANSWER = 'own:refresh:answer:';
const MAX_TOKEN_CHARS = 512;

export type RefreshRequest = {
  form: URLSearchParams;
  authorization: string | null;
  /** Hands the request to the provider library. */
  run: () => Promise<WireAnswer>;
};

type GrantRecord = { value: string };
type Grant = { scope: string[]; refreshTokenId?: string; previousRefreshTokenId?: string };
type Presented = { token: string; userId: string; grantId: string; hash: string };

/**
 * Makes the rotation of refresh tokens: each works once. The same request again within 30 seconds gets the same bytes;
 * after that, presenting a used token ends the whole grant, for one of the two presenters is a thief (RFC
 * 9700, section 4.14.2). Each call must run alone.
 */
export function createRefreshRotation(tools: StoreTools, provider: Pick<OAuthProvider, 'revokeGrant'>) {
  const { rows, now } = tools;
  return async ({ form, authorization, run }: RefreshRequest): Promise<WireAnswer> => {
    const presented = await readToken(form.get('refresh_token'));
    if (presented === undefined) return run(); // The library says what is wrong with it.
    const { userId, grantId, hash } = presented;
    const request = await computeSha256Hex(JSON.stringify([authorization, [...form].toSorted(compareParameterNames)]));
    const used = `${USED}${userId}:${grantId}:`;
    if (rows.get(used + hash) !== undefined) return repeated(presented, request);
    const grant = grantOf(presented);
    if (grant === undefined) return run(); // Forged, or of an ended grant: it can end nothing, and costs no count.
    if (isAskingForMore(grant, form.get('scope'))) return invalidScope;
    if (rows.count(used) >= MAX_ROTATIONS) return endGrant(presented);
    const answer = await run();
    if (answer.status !== 200) return answer;
    const sealed = await seal(answer, { secret: presented.token, request, random: tools.random });
    rows.put(used + hash, true, now() + REFRESH_TOKEN_S * 1000);
    rows.put(ANSWER + hash, sealed, now() + REPEAT_WINDOW_MS);
    return answer;
  };

  async function repeated(presented: Presented, request: string): Promise<WireAnswer> {
    const sealed = rows.get<Sealed>(ANSWER + presented.hash);
    if (sealed === undefined) return endGrant(presented);
    const answer = await openSealed(sealed, { secret: presented.token, request });
    const alive = rows.get(formatGrantRowKey(presented.userId, presented.grantId)) !== undefined;
    return answer !== undefined && alive ? answer : invalidGrant;
  }

  async function endGrant({ grantId, userId }: Presented): Promise<WireAnswer> {
    await provider.revokeGrant(grantId, userId);
    return invalidGrant;
  }

  /** The living grant that this very token refreshes: by its newest refresh token, or the one before that. */
  function grantOf({ userId, grantId, hash }: Presented): Grant | undefined {
    const row = rows.get<GrantRecord>(formatGrantRowKey(userId, grantId));
    if (row === undefined) return undefined;
    const grant = JSON.parse(row.value) as Grant; // Written by the library.
    return [grant.refreshTokenId, grant.previousRefreshTokenId].includes(hash) ? grant : undefined;
  }
}

/** RFC 6749, section 6: no scope beyond the grant. */
const isAskingForMore = (grant: Grant, scope: string | null): boolean =>
  (scope ?? '').split(' ').some((part) => part !== '' && !grant.scope.includes(part));

const invalidGrant = buildOAuthError(400, 'invalid_grant', 'The refresh token is not valid');
const invalidScope = buildOAuthError(400, 'invalid_scope', 'The scope goes beyond what was granted');

const compareParameterNames = ([left]: [string, string], [right]: [string, string]): number =>
  Number(left > right) - Number(left < right);

/** The parts of a refresh token in the library's form; undefined for anything else. */
async function readToken(token: string | null): Promise<Presented | undefined> {
  if (token === null || token.length > MAX_TOKEN_CHARS) return undefined;
  const [userId, grantId, secret, ...rest] = token.split(':');
  if (!userId || !grantId || !secret || rest.length > 0) return undefined;
  return { token, userId, grantId, hash: await computeSha256Hex(token) };
}
