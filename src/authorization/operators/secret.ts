import { epochOf } from './secret-version.ts';
import { givenSecretHash, isOperatorSecret, isUsableSecret } from './sign-in.ts';
import type { GivenSecret } from '../people/sign-in.ts';

/** What the store gets to know of a secret that somebody gave: never the secret itself. */
export async function knownSecret(given: string, operatorSecret: string | undefined): Promise<GivenSecret> {
  const isRoot = isUsableSecret(operatorSecret) && (await isOperatorSecret(given, operatorSecret));
  return {
    hash: await givenSecretHash(given),
    provenEpoch: isRoot ? await epochOf(operatorSecret) : undefined,
  };
}
