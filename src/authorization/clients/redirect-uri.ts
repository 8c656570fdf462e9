/** Longest redirect URI. */
export const MAX_REDIRECT_URI_CHARS = 2_048;

/** Schemes that run or read something where they are opened. */
const DANGEROUS_SCHEMES = [
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'intent:',
  'javascript:',
  'mailto:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
];
const PRINTABLE = /^[\x21-\x7e]+$/;
const LOOPBACK_IPV4 = /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;

/** What a redirect URI of a client is: one we send codes to, one it may list for other servers, or one to refuse. */
export type RedirectUriVerdict = 'usable' | 'listed' | 'refused';

/**
 * Judges a redirect URI that a client registers (OAuth 2.1, section 2.3): `usable` are https and http on loopback.
 * A scheme of an app is `listed`: clients name one address for all servers, and no code ever goes there. Refused are
 * remote http, schemes that run code, wildcards, user names, fragments and anything that is not a plain URL.
 */
export function judgeRedirectUri(text: string): RedirectUriVerdict {
  if (text.length > MAX_REDIRECT_URI_CHARS || !PRINTABLE.test(text) || !URL.canParse(text)) return 'refused';
  const url = new URL(text);
  if (/[#*\\]/.test(text) || url.username !== '' || url.password !== '') return 'refused';
  if (url.protocol === 'https:') return 'usable';
  if (url.protocol === 'http:') return isLoopback(url) ? 'usable' : 'refused';
  return DANGEROUS_SCHEMES.includes(url.protocol) ? 'refused' : 'listed';
}

/** The machine of the person who consents (RFC 8252, section 7.3). */
const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || LOOPBACK_IPV4.test(hostname);

/** An http URL on loopback, its port apart. Only dotted decimals are an IPv4 address here: `127.1` is some other text. */
const ON_LOOPBACK = /^(http:\/\/(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|localhost))(?::\d{1,5})?((?:[/?].*)?)$/;

/**
 * Whether the redirect URI of a request is the registered one: the same text, but for the port of an http URL on loopback,
 * which an app learns only when it starts to listen.
 * @see https://www.rfc-editor.org/rfc/rfc8252#section-7.3 and OAuth 2.1, section 2.3.1
 */
export function isSameRedirectUri(given: string, registered: string): boolean {
  if (given === registered) return true;
  const [left, right] = [ON_LOOPBACK.exec(given), ON_LOOPBACK.exec(registered)];
  return left !== null && right !== null && left[1] === right[1] && left[2] === right[2];
}
