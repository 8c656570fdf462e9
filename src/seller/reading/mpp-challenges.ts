import { parseChallenges } from '../../audit/mcp/facts/www-authenticate.ts';
import type { JsonObject } from '../../lib/json.ts';
import { decodeJson } from '../../payment/rails/mpp/encoding.ts';
import { MAX_JUDGED_WAYS } from '../limits.ts';

/** One challenge of the scheme `Payment`. `request` is undefined where it is no base64url of a JSON object. */
export type MppChallenge = { params: ReadonlyMap<string, string>; request: JsonObject | undefined };

export type MppReading = { state: 'read'; challenges: readonly MppChallenge[] } | { state: 'none' };

/** The challenges of `Payment` among those of a WWW-Authenticate header (RFC 9110, section 11.6.1). */
export function readMppChallenges(header: string | undefined): MppReading {
  const challenges = parseChallenges(header ?? '')
    .filter(({ scheme }) => scheme === 'payment')
    .slice(0, MAX_JUDGED_WAYS)
    .map(({ params }) => ({ params, request: decodeJson(params.get('request') ?? '') }));
  return challenges.length === 0 ? { state: 'none' } : { state: 'read', challenges };
}
