import { createHash } from 'node:crypto';

/** Of the beginning and of the end. */
const READ_CHARS = 16_384;

/** What two logs with the same lines have in common: length, beginning and end. */
export type Fingerprint = { add: (text: string) => void; compute: () => string };

/** Takes a log in pieces of any size; cheaper than a hash of all of it, since a log of a year has gigabytes. */
export function createFingerprint(): Fingerprint {
  let length = 0;
  let first = '';
  let last = '';
  return {
    add: (text) => {
      length += text.length;
      if (first.length < READ_CHARS) first += text.slice(0, READ_CHARS - first.length);
      last = text.length >= READ_CHARS ? text.slice(-READ_CHARS) : `${last}${text}`.slice(-READ_CHARS);
    },
    compute: () => createHash('sha256').update(`${length} ${first} ${last}`, 'latin1').digest('base64'),
  };
}
