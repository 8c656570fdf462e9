import { PRODUCT, VERSION } from '../lib/product.ts';
import { KEY_DIRECTORY_PATH } from './key-directory.ts';

/** Paths of what the auditor says of itself. */
export const BOT_PATH = '/bot';
export const BOT_CARD_PATH = '/bot/card.json';
export const BOT_ADDRESSES_PATH = '/bot/addresses.json';

/** The name that a group of robots.txt and a rule of a firewall go by. */
export const BOT_TOKEN = `${PRODUCT}Bot`;

/** What the pages need to know of the deployment. */
export type BotFacts = {
  baseUrl: string;
  /** Whether requests are signed. */
  isSigning: boolean;
  contactEmail: string | undefined;
  /** Prefixes that audits come from, where the deployment has addresses of its own. */
  addresses: readonly string[];
};

/**
 * The card of the auditor: who it is and what it does, for registries of bots.
 * @see https://datatracker.ietf.org/doc/html/draft-meunier-webbotauth-registry-04
 */
export function buildBotCard({ baseUrl, isSigning, contactEmail }: BotFacts): Record<string, unknown> {
  const at = (path: string): string => new URL(path, baseUrl).href;
  return {
    client_id: at(BOT_CARD_PATH),
    client_name: BOT_TOKEN,
    client_uri: at(BOT_PATH),
    ...(contactEmail === undefined ? {} : { contacts: [`mailto:${contactEmail}`] }),
    ...(isSigning ? { jwks_uri: at(KEY_DIRECTORY_PATH) } : {}),
    web_bot_auth: {
      'expected-user-agent': `${BOT_TOKEN}/*`,
      'rfc9309-product-token': BOT_TOKEN,
      // Audits judge robots.txt and are asked for by a person; monitors stop where it disallows them.
      'rfc9309-compliance': false,
      trigger: 'fetcher',
      purpose: 'monitoring, SEO',
      'targeted-content': 'SEO analysis',
      'rate-control': `a group for ${BOT_TOKEN} in robots.txt; 429 or 503 with Retry-After`,
      'rate-expectation': 'at most 60 requests an audit, six at a time',
      'known-urls': ['/', '/robots.txt', '/sitemap.xml', '/llms.txt', '/.well-known/*'],
      ips_uri: at(BOT_ADDRESSES_PATH),
    },
  };
}

/** Where audits come from, in the form that the vendors of crawlers use; empty where the addresses are shared with others. */
export function buildBotAddresses({ addresses }: BotFacts, nowMs: number): Record<string, unknown> {
  return {
    creationTime: new Date(nowMs).toISOString(),
    prefixes: addresses.map((prefix) => (prefix.includes(':') ? { ipv6Prefix: prefix } : { ipv4Prefix: prefix })),
  };
}

/** What the owner of a site reads at `/bot`. */
export function renderBotPage({ baseUrl, isSigning, contactEmail, addresses }: BotFacts): string {
  const at = (path: string): string => new URL(path, baseUrl).href;
  const sections = [
    `${BOT_TOKEN} reads a website when someone asks for its audit at ${baseUrl}.`,
    `It makes at most 60 requests per audit, six at a time, sends "Via: 1.1 sightline", keeps no cookies and never submits forms.
It reads robots.txt to judge it; it is not a crawler and follows no site beyond the pages of one audit.
It belongs to the kind "monitoring" or "SEO" in registries of bots. It feeds no search engine and trains no model.
For the check "AI search fetchers get the same page as a browser" it repeats one request with the published names of AI fetchers.
Such requests are never signed, and come from the same addresses.`,
    `How to know it
User-Agent: ${BOT_TOKEN}/${VERSION.split('.', 2).join('.')} (+${at(BOT_PATH)})
${describeSignature(isSigning, at(KEY_DIRECTORY_PATH))}
${describeAddresses(addresses, at(BOT_ADDRESSES_PATH))}
Card for registries of bots: ${at(BOT_CARD_PATH)}`,
    `How to allow it
${describeAllowing(isSigning, new URL(baseUrl).origin)} Where your host blocks bots by category, allow "monitoring" or "SEO".`,
    `How to refuse it
robots.txt:
  User-agent: ${BOT_TOKEN}
  Disallow: /
This stops monitors of your site at once, unless you have proven that the site is yours and set them up yourself. An audit that
someone asks for once still reads your robots.txt to judge it, and the public pages that it is about. To refuse those as well,
answer its User-Agent with 403: an audit ends then, and says that your site refused it.`,
    contactEmail === undefined ? '' : `Questions: ${contactEmail}`,
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

const describeSignature = (isSigning: boolean, directory: string): string =>
  isSigning
    ? `Signature: Web Bot Auth (RFC 9421, Ed25519), good for a minute and for your host alone. Keys: ${directory}`
    : 'Signature: this deployment does not sign its requests.';

const describeAllowing = (isSigning: boolean, origin: string): string =>
  isSigning
    ? `Allow verified requests by their signature (tag "web-bot-auth", Signature-Agent "${origin}") in your firewall, or
its User-Agent where you do not verify signatures.`
    : 'Allow its User-Agent in your firewall.';

const describeAddresses = (addresses: readonly string[], uri: string): string =>
  addresses.length > 0
    ? `Addresses: ${uri}`
    : 'Addresses: it runs on a platform whose outgoing addresses are shared with others, so an address proves nothing about it.';
