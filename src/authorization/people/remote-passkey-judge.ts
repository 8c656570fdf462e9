import { callWithTimeout } from '../../lib/concurrency.ts';
import type { PasskeyJudge } from './passkeys.ts';

/** To judge a passkey takes some milliseconds: this is for a Worker that hangs. */
const JUDGE_MS = 5_000;

/** Passkeys, judged by the Worker that has the WebAuthn library. What it did not say is not known, and no refusal. */
export function createRemotePasskeyJudge(service: PasskeyJudge | undefined): PasskeyJudge {
  const ask = async <T>(judge: (by: PasskeyJudge) => Promise<T>): Promise<T | { verdict: 'unknown' }> => {
    if (service === undefined) return { verdict: 'unknown' };
    const called = await callWithTimeout(() => judge(service), JUDGE_MS);
    return called.ok ? called.value : { verdict: 'unknown' };
  };
  return {
    judgeAssertion: (asked) => ask((by) => by.judgeAssertion(asked)),
    judgeAttestation: (asked) => ask((by) => by.judgeAttestation(asked)),
  };
}
