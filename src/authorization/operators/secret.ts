import { computeSecretEpoch } from './secret-version.ts';
import { hashOperatorSecret, isOperatorSecret, isUsableSecret } from './sign-in.ts';
import type { SecretEvidence } from '../people/sign-in.ts';

/** What the store gets to know of a secret that someone gave: never the secret itself. */
export async function identifySecret(given: string, operatorSecret: string | undefined): Promise<SecretEvidence> {
  const isRoot = isUsableSecret(operatorSecret) && (await isOperatorSecret(given, operatorSecret));
  return {
    hash: await hashOperatorSecret(given),
    provenEpoch: isRoot ? await computeSecretEpoch(operatorSecret) : undefined,
  };
}
