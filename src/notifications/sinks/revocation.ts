import type { Sink } from './sink.ts';

/**
 * What the api Worker answers about a directory user who is gone or suspended (rule W6): `none` of its operators is that
 * user, its operator's access `ended` (now or before), or it is the `last_operator`, who keeps it.
 */
export type RevocationOutcome = 'none' | 'ended' | 'last_operator';

/** The `RevocationService` entrypoint of the api Worker. */
export type RevocationService = { directoryUserGone: (directoryUserId: string) => Promise<RevocationOutcome> };

/**
 * Ends the access of an operator whose directory user is gone or suspended; archived counts as suspended (rule W6). It
 * matches the immutable user id, never an e-mail address. With the note `last_operator` the access stays: the caller
 * raises the alert.
 */
export function createRevocationSink(revocation: RevocationService): Sink {
  return {
    name: 'revocation',
    wants: (effect) => effect.type === 'user' && effect.seen.state !== 'active',
    async tell(effect) {
      if (effect.type !== 'user') return { ok: true, note: 'none' };
      try {
        return { ok: true, note: await revocation.directoryUserGone(effect.userId) };
      } catch (error) {
        const name = error instanceof Error ? error.name : 'unknown error'; // Its message may hold anything.
        return { ok: false, outcome: 'again', detail: `the authorization server does not answer (${name})` };
      }
    },
  };
}
