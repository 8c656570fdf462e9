import { withoutTrailingDot } from '../../net/address.ts';

/** Longest host that is read, in characters: a name of 253, a dot and a port. */
const MAX_HOST_CHARS = 260;
const MAX_NAME_CHARS = 253;

/** What a URL's host may hold to be a key: the letters of domain names, or an address in brackets. */
const NAME = /^[a-z0-9_-][a-z0-9._-]*$/;
const ADDRESS = /^\[[0-9a-f:.]+\]$/;
/** Marks that end a host in a URL, stand before one, or are read as other characters. */
const NOT_OF_A_HOST = /[\s/\\?#@%]/;

/**
 * The one key under which what is published of a site is kept: its host in lower case, without a trailing dot, and its
 * port unless that is 443. A site read by http is another site than the one behind https of the same name: who may say
 * how a host is read must not choose the worse door for it (rule X5). So `http://example.com/` is `example.com:80`.
 * @returns undefined for what is no http or https URL with a host that can be a name.
 */
export function siteKeyOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  const name = withoutTrailingDot(hostname);
  if (name.length > MAX_NAME_CHARS || name.includes('..') || !(NAME.test(name) || ADDRESS.test(name))) return undefined;
  const known = port === '' ? (protocol === 'http:' ? ':80' : '') : `:${port}`;
  return `${name}${known === ':443' ? '' : known}`;
}

/**
 * The key that a host in an address of ours stands for, e.g. of `Example.COM`, `example.com.`, `bücher.example` or
 * `[::1]:8787`; undefined for everything that is not a host name with an optional port: user names, paths, percent signs.
 */
export function siteKeyFrom(text: string): string | undefined {
  if (text.length > MAX_HOST_CHARS || NOT_OF_A_HOST.test(text)) return undefined;
  return siteKeyOf(`https://${text}/`);
}

/** The address of the site that a key stands for. */
export const siteUrlOf = (key: string): string =>
  key.endsWith(':80') ? `http://${key.slice(0, -3)}/` : `https://${key}/`;
