import { Refusal, type RefusalData } from '../../../lib/refusal.ts';

/** What a judgement of something sent comes to. */
export type JudgementOutcome<T> = { ok: true; value: T } | { ok: false; refusal: RefusalData };

export const acceptValue = <T>(value: T): JudgementOutcome<T> => ({ ok: true, value });

export const rejectWith = (refusal: RefusalData): { ok: false; refusal: RefusalData } => ({ ok: false, refusal });

/** Runs a judgement that throws what it refuses. @throws anything that is no Refusal: a bug */
export function captureOutcome<T>(judge: () => T): JudgementOutcome<T> {
  try {
    return acceptValue(judge());
  } catch (error) {
    if (error instanceof Refusal) return rejectWith(error.data);
    throw error;
  }
}
