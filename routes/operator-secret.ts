import { epochOf } from '../src/authorization/operator-epoch.ts';
import { givenSecretHash, isOperatorSecret, isUsableSecret } from '../src/authorization/operator-sign-in.ts';
import type { GivenSecret } from '../src/authorization/sign-in.ts';

/** What the store gets to know of a secret that somebody gave: never the secret itself. */
export async function knownSecret(given: string, operatorSecret: string | undefined): Promise<GivenSecret> {
  const isRoot = isUsableSecret(operatorSecret) && (await isOperatorSecret(given, operatorSecret));
  return {
    hash: await givenSecretHash(given),
    provenEpoch: isRoot ? await epochOf(operatorSecret) : undefined,
  };
}
