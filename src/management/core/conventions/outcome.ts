import { Refusal, type RefusalData } from '../../../lib/refusal.ts';

/** What a judgement of something sent comes to. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; refusal: RefusalData };

export const accepted = <T>(value: T): Outcome<T> => ({ ok: true, value });

export const refused = (refusal: RefusalData): { ok: false; refusal: RefusalData } => ({ ok: false, refusal });

/** Runs a judgement that throws what it refuses. @throws anything that is no Refusal: a bug */
export function outcomeOf<T>(judge: () => T): Outcome<T> {
  try {
    return accepted(judge());
  } catch (error) {
    if (error instanceof Refusal) return refused(error.data);
    throw error;
  }
}
