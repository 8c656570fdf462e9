import { classifyHost, withoutTrailingDot } from '../../net/address.ts';

/** Longest host that is read, in characters: a name of 253, a dot and a port. */
const MAX_HOST_CHARS = 260;
const MAX_NAME_CHARS = 253;

/** What a URL's host may hold to be a key: the letters of domain names, or an address in brackets. */
const NAME = /^[a-z0-9_-][a-z0-9._-]*$/;
const ADDRESS = /^\[[0-9a-f:.]+\]$/;
/** Marks that end a host in a URL, precede one, or are read as other characters. */
const NOT_OF_A_HOST = /[\s/\\?#@%]/;

const HTTP_PORT = '80';

/**
 * The one key under which what is published of a site is kept: its host in lower case, without a trailing dot, and its
 * port unless that is the one of https. A key is one site behind one scheme: a server that speaks https answers http on
 * the same port with an error, and who may say how a host is read must not choose the worse door for it (rule X5). So a
 * public host is read by https on any port but 80, or by http on port 80, and a host inside, as in the local stack, by
 * http on any port: `http://example.com/` is `example.com:80`, `http://example.com:443/` is no site of ours.
 * @returns undefined for every other URL, and for a host that can be no name.
 */
export function getSiteKey(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  const name = withoutTrailingDot(hostname);
  if (name.length > MAX_NAME_CHARS || name.includes('..') || !(NAME.test(name) || ADDRESS.test(name))) return undefined;
  const isHttp = protocol === 'http:';
  const known = port === '' && isHttp ? HTTP_PORT : port;
  if (isHttp !== isReadByHttp(name, known)) return undefined;
  return known === '' ? name : `${name}:${known}`;
}

const isReadByHttp = (name: string, port: string): boolean =>
  port === HTTP_PORT || classifyHost(name).kind !== 'public';

/**
 * The key that a host in an address of ours means, e.g. of `Example.COM`, `example.com.`, `bücher.example` or
 * `[::1]:8787`; undefined for everything that is not a host name with an optional port: user names, paths, percent
 * signs. Without a port it is the one of the scheme that the host is read by.
 */
export function parseSiteKey(text: string): string | undefined {
  if (text.length > MAX_HOST_CHARS || NOT_OF_A_HOST.test(text)) return undefined;
  return getSiteKey(`https://${text}/`) ?? getSiteKey(`http://${text}/`);
}

/** The address of the site that a key means: of the two schemes, the one that leads back to it. */
export const formatSiteUrl = (key: string): string =>
  new URL(getSiteKey(`https://${key}/`) === key ? `https://${key}/` : `http://${key}/`).href;
