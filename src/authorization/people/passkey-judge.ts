import { loadOnce } from '../../lib/concurrency.ts';
import type { PasskeyJudge } from './passkeys.ts';

/** With the first passkey: most requests know none. */
const loadVerifier = /* @__PURE__ */ loadOnce(() => import('./passkey-verifier.ts'));

/** Judges passkeys where it is called, with the WebAuthn library in the caller's bundle. */
export const passkeyJudge: PasskeyJudge = {
  judgeAssertion: async (asked) => (await loadVerifier()).judgeAssertion(asked),
  judgeAttestation: async (asked) => (await loadVerifier()).judgeAttestation(asked),
};
