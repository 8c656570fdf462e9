import { toHex, computeHmacSha256 } from '../../lib/digest.ts';

/** No other text that is signed with this secret begins so. */
const LABEL = 'sightline publish token, version 1:';

/**
 * The key with which the buyer of a report publishes it and takes that back: 64 hex digits that only the secret's holder
 * can compute from the report id, so that it is stored nowhere and every legitimate repeat of the purchase has it again.
 */
export const derivePublishToken = async (secret: string, reportId: string): Promise<string> =>
  toHex(await computeHmacSha256(secret, `${LABEL}${reportId}`));
