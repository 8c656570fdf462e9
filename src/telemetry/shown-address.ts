/** What comes after the scheme of an address, of any scheme, in a JSON text: its slashes may be escaped there. */
export const ADDRESS = /:\\{0,4}\/\\{0,4}\/(?:[^\s"\\<>]|\\[\\/])*/g;

/** Longest text that may be a host with its port: a DNS name has 253 characters. */
const MAX_HOST_CHARS = 260;
const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
/** What stands after an address in a sentence. */
const PUNCTUATION = ".,;:!)]}'`";
const HIDDEN = '...';

/**
 * An address tells its origin; its user and password, path, query and fragment may be bearers of something. What is no
 * plain host is not shown at all.
 * @param found what `ADDRESS` finds
 */
export function shownAddress(found: string): string {
  const text = found.replace(/^:[\\/]{2,12}/, '');
  const end = text.search(/[/?#\\]/);
  if (end === -1) return `://${shownHost(text)}`;
  const rest = text.slice(end);
  if (rest.includes('@')) return `://${HIDDEN}`; // A password may have a slash in it.
  return `://${shownHost(text.slice(0, end))}/${HIDDEN}`;
}

function shownHost(authority: string): string {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  let end = host.length;
  while (end > 0 && PUNCTUATION.includes(host.charAt(end - 1))) end -= 1;
  const bare = host.slice(0, host.charAt(end) === ']' && host.startsWith('[') ? end + 1 : end);
  return bare.length <= MAX_HOST_CHARS && HOST.test(bare) ? `${bare}${host.slice(bare.length)}` : HIDDEN;
}
