/** The key of a line: its id, or a placeholder for a new one. */
const LINE_ID = /^\d{1,19}$/;
const NEGATIVE = /^-[1-9]\d*$/;
/** The least negative integer that a key can be: that of int64. */
const LEAST_KEY = -9_223_372_036_854_775_808n;
/** No integer of int64 is written longer. */
const MAX_KEY_CHARS = String(LEAST_KEY).length;

/** Whether a key of `mediationGroupLines` asks for a new line: a negative integer of int64, in its one spelling. */
export const isPlaceholder = (key: string): boolean =>
  key.length <= MAX_KEY_CHARS && NEGATIVE.test(key) && BigInt(key) >= LEAST_KEY;

/** Whether a key of `mediationGroupLines` can be one in an update. */
export const isLineKey = (key: string): boolean => isPlaceholder(key) || LINE_ID.test(key);

/** What is wrong with a key that is none. @param isNew all lines are, so that no key is the id of one */
export function keyFault(key: string, isNew = false): string {
  if (NEGATIVE.test(key)) return `is below ${LEAST_KEY}`;
  return isNew ? 'is no negative integer' : 'is no id of a line, nor a negative integer';
}
