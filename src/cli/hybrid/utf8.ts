import type { Refused } from '../../hybrid/core/migration.ts';
import { placesOf } from '../../hybrid/core/places.ts';
import { type Place, problem } from '../../hybrid/core/problem.ts';

/** The text of the bytes, a byte order mark as U+FEFF; undefined: they are no UTF-8. */
export function decoded(bytes: Uint8Array, isBeginning = false): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isBeginning });
  } catch {
    return undefined; // The only thing that a fatal decoder throws for.
  }
}

/** What is said of a file whose bytes are no UTF-8, in place of what its text would give. */
export const notUtf8 = (bytes: Uint8Array): Refused => ({
  ok: false,
  version: 'unknown',
  isFragment: false,
  problems: [problem('not-utf8', firstWrong(bytes), 'The bytes here are no UTF-8.')],
});

/** Where the text ends that can be read. */
function firstWrong(bytes: Uint8Array): Place {
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (decoded(bytes.subarray(0, middle), true) === undefined) bad = middle;
    else good = middle;
  }
  const text = decoded(bytes.subarray(0, good), true) ?? '';
  return placesOf(text)(text.length);
}
