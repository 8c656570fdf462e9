const FNV_OFFSET = 0xcbf2_9ce4_8422_2325n;
const FNV_PRIME = 0x100_0000_01b3n;
/** Longer text is hashed by its head: a log line is not worth more. */
const MAX_HASHED_CHARS = 4_096;

/**
 * What a log may hold of a URL: its origin and a hash of path and query (rule F11), as `https://example.com/#0f3a…`.
 * Credentials, tokens in a query and control characters never appear. The hash (FNV-1a, 64 bits) joins log lines of
 * one URL; it hides nothing from someone who can guess the URL.
 */
export function formatLoggableUrl(url: string | URL): string {
  const text = String(url);
  if (!URL.canParse(text)) return `unparsable:#${hashPath(text)}`;
  const { origin, protocol, pathname, search } = new URL(text);
  const start = protocol === 'http:' || protocol === 'https:' ? `${origin}/` : protocol;
  return `${start}#${hashPath(pathname + search)}`;
}

function hashPath(text: string): string {
  const bytes = new TextEncoder().encode(text.slice(0, MAX_HASHED_CHARS));
  const hash = bytes.reduce((value, byte) => BigInt.asUintN(64, (value ^ BigInt(byte)) * FNV_PRIME), FNV_OFFSET);
  return hash.toString(16).padStart(16, '0');
}
