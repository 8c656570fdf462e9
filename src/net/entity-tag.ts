/** Hexadecimal digits of a hash that a tag has. */
const TAG_CHARS = 32;
/** Tags of an If-None-Match that are read. */
const MAX_TAGS = 20;

/** A strong entity tag from the SHA-256 (hex) of what is sent (RFC 9110, section 8.8.3). */
export const formatEntityTag = (hash: string): string => `"${hash.slice(0, TAG_CHARS)}"`;

/** Whether the client has what the tag names, by its If-None-Match: the answer is 304 then. */
export const isKnownTag = (ifNoneMatch: string | undefined, tag: string): boolean =>
  (ifNoneMatch ?? '')
    .split(',', MAX_TAGS)
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === '*' || one === tag);
