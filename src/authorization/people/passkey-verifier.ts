import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeBase64url, encodeBase64url } from '../../lib/base64url.ts';
import { type AssertionAsked, type AttestationAsked, PASSKEY_ALGORITHMS, type PasskeyJudge } from './passkeys.ts';

// Verifies what authenticators signed, by a WebAuthn library that weighs as much as a small Worker: it is in the Worker of
// models, which judges for the api Worker, and in the local stack. It asks no one and stores nothing.

export async function judgeAssertion({
  assertion: { response, ...about },
  publicKey,
  challenge,
  terms,
}: AssertionAsked): ReturnType<PasskeyJudge['judgeAssertion']> {
  const key = decodeBase64url(publicKey);
  if (key === undefined) throw new Error('a passkey without a key');
  const judged = await judge(() =>
    verifyAuthenticationResponse({
      response: { ...about, response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: terms.origin,
      expectedRPID: terms.rpId,
      credential: { id: about.id, publicKey: key, counter: 0 },
      requireUserVerification: false,
    }),
  );
  if (judged?.verified !== true) return { verdict: 'bad' };
  const { newCounter, credentialBackedUp } = judged.authenticationInfo;
  return { verdict: 'good', counter: newCounter, isSynced: credentialBackedUp };
}

export async function judgeAttestation({
  attestation: { response, ...about },
  challenge,
  terms,
}: AttestationAsked): ReturnType<PasskeyJudge['judgeAttestation']> {
  const judged = await judge(() =>
    verifyRegistrationResponse({
      response: {
        ...about,
        response: { clientDataJSON: response.clientDataJSON, attestationObject: response.attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: terms.origin,
      expectedRPID: terms.rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
    }),
  );
  if (judged?.verified !== true) return { verdict: 'bad' };
  const { credential, credentialBackedUp } = judged.registrationInfo;
  return {
    verdict: 'good',
    id: credential.id,
    publicKey: encodeBase64url(credential.publicKey),
    counter: credential.counter,
    isSynced: credentialBackedUp,
  };
}

/** The library says no by throwing; nothing else of it can fail, since it asks no one. */
async function judge<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}
