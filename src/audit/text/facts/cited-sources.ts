import { getRegistrableDomain } from '../../../net/registrable-domain.ts';
import { hasSentenceEnd } from '../../language/words.ts';
import type { Region } from '../../page/facts/element-facts.ts';
import type { Anchor, PageFacts } from '../../page/facts/page-facts.ts';
import {
  NOT_OWN_DOCS,
  OWN_DOCS_LABELS,
  PRIMARY_DOMAINS,
  PRIMARY_SECOND_LEVELS,
  PRIMARY_SUFFIXES,
} from './primary-sources-data.ts';
import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, listNumberedExchanges, type Snapshot } from '../../core/snapshot.ts';

/** A link from the prose of a page to what it rests on. */
export type CitedSource = { href: string; text: string; domain: string; line: number };

const MAX_SOURCES = 300;

/** Networks whose links are profiles and share buttons, unless they name a single post. */
const SOCIAL = new Set(
  (
    'facebook.com fb.com x.com twitter.com t.co linkedin.com instagram.com pinterest.com tiktok.com reddit.com threads.net bsky.app ' +
    'mastodon.social youtube.com youtu.be whatsapp.com wa.me telegram.me t.me vk.com weibo.com discord.com discord.gg tumblr.com ' +
    'xing.com flipboard.com getpocket.com line.me snapchat.com twitch.tv addtoany.com addthis.com buffer.com'
  ).split(' '),
);
const POST = /\/(?:status|posts?|p|pulse|comments|videos?|watch|reel|permalink|shorts)(?:[/?]|$)/i;
const SHARE = /\/(?:share|sharer|intent|submit|sharing|pin\/create|share-offsite|shareArticle|dialog)(?:[/.?]|$)/i;

const STORES = new Set(
  (
    'apps.apple.com itunes.apple.com play.google.com apps.microsoft.com microsoft.com/store chromewebstore.google.com ' +
    'chrome.google.com addons.mozilla.org appgallery.huawei.com f-droid.org'
  ).split(' '),
);
const ADVERTS = new Set(
  (
    'doubleclick.net googleadservices.com googlesyndication.com amazon-adsystem.com amzn.to taboola.com outbrain.com criteo.com ' +
    'adnxs.com shareasale.com awin1.com cj.com linksynergy.com impact.com skimresources.com anrdoezrs.net dpbolvw.net jdoqocy.com ' +
    'tkqlhce.com kqzyfj.com zanox.com tradedoubler.com webgains.com redirectingat.com viglink.com go2jump.org avantlink.com pntra.com ' +
    'partner-ads.com belboon.com affili.net zdbb.net howl.me bit.ly geni.us fave.co hubspot.com hsforms.com mailchi.mp list-manage.com ' +
    'eepurl.com patreon.com paypal.com paypal.me gofundme.com steadyhq.com ko-fi.com buymeacoffee.com'
  ).split(' '),
);
/** Licences, and places whose names under pictures are credits. */
const CREDITS = new Set(
  (
    'creativecommons.org unsplash.com pixabay.com pexels.com shutterstock.com gettyimages.com istockphoto.com flickr.com depositphotos.com ' +
    'stock.adobe.com freepik.com pixelio.de picjumbo.com gravatar.com wordpress.org'
  ).split(' '),
);
/** Shops by their host or path, and the marks of paid links. */
const SHOP_HOST = /^(?:shop|store|tienda|boutique|webshop|tickets?)\./i;
const SHOP_DOMAIN = /^(?:amazon|ebay|walmart|bestbuy|etsy|aliexpress|thalia|zalando|otto)\.[a-z.]{2,6}$/i;
const SHOP_PATH =
  /\/(?:dp|gp\/product|products?|cart|checkout|buy|shop|subscribe|abo)(?:[/.?]|$)|\.(?:mp3|m4a|exe|dmg)$/i;
const PAID_QUERY =
  /^(?:tag|aff|affid|aff_id|affiliate|affiliate_id|gclid|partner|partnerid|clickid|subid|awc|irclickid|ascsubtag)$/i;

/**
 * Distinct links in the page's sentences and lists of sources to another registrable domain: not share buttons, adverts,
 * affiliate links, shops, store badges, licences, credits, or the organisation's own other addresses (`ownUrls`, from
 * `sameAs`).
 */
export function findCitedSources(
  page: Pick<PageFacts, 'anchors' | 'url' | 'contentText' | 'paragraphs' | 'lists' | 'headings'>,
  ownUrls: readonly string[],
): readonly CitedSource[] {
  const own = buildOwnPlaces(page.url, ownUrls);
  const isSaid = createSentenceTest(page);
  const found = new Map<string, CitedSource>();
  for (const anchor of page.anchors) {
    const source = isShown(anchor) && isSaid(anchor) ? toSource(anchor, own) : undefined;
    if (source && !found.has(source.href)) found.set(source.href, source);
    if (found.size >= MAX_SOURCES) break;
  }
  return [...found.values()];
}

const ASIDE: ReadonlySet<Region> = new Set(['nav', 'header', 'footer', 'aside']);

const isShown = ({ region, hidden, text }: Anchor): boolean =>
  !ASIDE.has(region) && hidden === undefined && text !== '' && !CALL.test(text);

/** Headings of lists of sources. */
const SOURCES_HEADING =
  /(?<!\p{L})(?:sources?|references?|bibliography|citations?|notes|footnotes|further reading|quellen?|quellenangaben?|literatur|einzelnachweise|weblinks|fuentes|referencias|bibliografía|références|bibliographie|fonti|bibliografia|fontes|referências|bronnen|źródła|bibliografia|источники|примечания)(?!\p{L})/iu;
/** Characters of a paragraph beside the text of its link from which it is more than that link and its full stop. */
const SENTENCE_CHARS = 4;
/** A link whose text is an address is a note of its source. */
const WRITTEN_ADDRESS = /^(?:https?:\/\/)?(?:[\p{L}\d-]{1,63}\.){1,5}\p{L}{2,20}(?:\/|$)/u;

/** What offers a file, a broadcast or a ticket at the address behind it: `Download: https://...`. */
const OFFER =
  /(?:^|\n|[.!?]\s)(?:listen|download|watch|stream|itunes|apple podcasts?|google play|spotify|tickets?|anhören|hören|herunterladen|ansehen|écouter|télécharger|regarder|billets|escuchar|descargar|entradas|ascolta|scarica|biglietti|ouça|baixar|ingressos|luister)(?!\p{L})[^:\n]{0,20}:\s{0,3}$/iu;
const OFFER_CHARS = 60;

/** Links outside of paragraphs that are looked for in the lines of the main text; each costs a search of it. */
const MAX_LOOSE_LINKS = 200;
/** Characters of a line beside the text of such a link: a line of a menu has fewer. */
const LINE_CHARS = 40;

/**
 * Whether a link is part of a sentence of the main text, or of a list of sources in it or behind it: a link alone on its
 * line is a pointer to somewhere else.
 */
function createSentenceTest({
  paragraphs,
  lists,
  headings,
  contentText,
}: Pick<PageFacts, 'paragraphs' | 'lists' | 'headings' | 'contentText'>): (anchor: Anchor) => boolean {
  const named = headings.filter(({ text }) => SOURCES_HEADING.test(text));
  const sources = new Set(named.map(({ order }) => order));
  // A heading of the first level begins another part of the page.
  const behind = new Set(named.filter(({ level }) => level > 1).map(({ order }) => order));
  const around = new Map<string, number>();
  const noted = new Set<string>();
  for (const { text, links, heading } of paragraphs)
    for (const href of links) {
      around.set(href, Math.max(around.get(href) ?? 0, sources.has(heading) ? Infinity : text.length));
      if (behind.has(heading)) noted.add(href);
    }
  const items = new Set(lists.filter(({ heading }) => !sources.has(heading)).flatMap((list) => list.items));
  const listed = lists.filter(({ heading }) => behind.has(heading)).flatMap((list) => list.items);
  let searches = 0;
  const isInLine = (text: string): boolean => {
    searches += 1;
    return searches <= MAX_LOOSE_LINKS && hasSentenceAround(contentText, text);
  };
  const isOffered = (text: string): boolean => {
    searches += 1;
    const at = searches > MAX_LOOSE_LINKS ? -1 : contentText.indexOf(text);
    return at >= 0 && OFFER.test(contentText.slice(Math.max(0, at - OFFER_CHARS), at));
  };
  return ({ href, text, inProse, inContent }) => {
    if (contentText !== '' && !inContent)
      return inProse && (noted.has(href) || listed.some((item) => item.includes(text)));
    if (!inProse) return isInLine(text);
    if (WRITTEN_ADDRESS.test(text)) return !isOffered(text);
    const chars = around.get(href);
    return chars === undefined ? !items.has(text) : chars >= text.length + SENTENCE_CHARS;
  };
}

/** Whether a text is part of a longer line that holds the end of a sentence. */
function hasSentenceAround(content: string, text: string): boolean {
  const at = content.indexOf(text);
  if (at < 0) return false;
  const end = content.indexOf('\n', at);
  const line = content.slice(content.lastIndexOf('\n', at) + 1, end < 0 ? undefined : end);
  return line.length >= text.length + LINE_CHARS && hasSentenceEnd(line);
}

/** What a link says that asks the reader to do something: it proves nothing. */
const CALL =
  /(?<!\p{L})(?:newsletter|subscribe|sign up|register now|buy now|order now|book now|get started|anmeld(?:en|ung)|abonnieren|jetzt (?:kaufen|bestellen|buchen|anmelden|sichern)|s['’]inscrire|s['’]abonner|suscríb(?:ete|ase)|inscríb(?:ete|ase)|iscriviti|abbonati|inscreva-se|assine|inschrijven)(?!\p{L})/iu;

type Own = { domains: ReadonlySet<string>; urls: ReadonlySet<string>; name: string };

/** The address whose copy an archive of the web keeps, else the address itself. */
const ARCHIVED = /^https?:\/\/web\.archive\.org\/web\/[^/]{1,30}\/(https?:\/\/.{1,2000})$/i;
function parseArchived(href: string): URL {
  const kept = ARCHIVED.exec(href)?.[1];
  return new URL(kept !== undefined && URL.canParse(kept) ? kept : href);
}

/** Shorter names of sites are in other names by chance. */
const MIN_NAME_CHARS = 6;
const getName = (domain: string): string => domain.split('.')[0] ?? '';

/** Whether an address has the site's name in its own: another site of the publisher, or a post of the site's account. */
function hasOwnName(url: URL, domain: string, { name }: Own): boolean {
  if (name.length < MIN_NAME_CHARS) return false;
  const place = SOCIAL.has(domain) ? (url.pathname.split('/')[1] ?? '').toLowerCase() : getName(domain);
  return place.startsWith(name) || place.endsWith(name);
}

/** A bare `sameAs` host is the organisation's own domain; a path on a shared host is only that page. */
function buildOwnPlaces(pageUrl: string, sameAs: readonly string[]): Own {
  const ownDomain = getRegistrableDomain(parseArchived(pageUrl).hostname);
  const domains = new Set([ownDomain]);
  const urls = new Set<string>();
  for (const raw of sameAs) {
    if (!URL.canParse(raw)) continue;
    const url = new URL(raw);
    if (url.pathname === '/' && url.search === '') domains.add(getRegistrableDomain(url.hostname));
    else urls.add(withoutTail(url));
  }
  return { domains, urls, name: getName(ownDomain) };
}

const withoutTail = (url: URL): string => `${url.host}${url.pathname.replace(/\/$/, '')}`.toLowerCase();

function toSource(anchor: Anchor, own: Own): CitedSource | undefined {
  if (!/^https?:/i.test(anchor.href) || anchor.rels.includes('sponsored')) return undefined;
  const url = parseArchived(anchor.href);
  const domain = getRegistrableDomain(url.hostname);
  if (own.domains.has(domain) || own.urls.has(withoutTail(url)) || hasOwnName(url, domain, own)) return undefined;
  if (ADVERTS.has(domain) || CREDITS.has(domain) || STORES.has(url.hostname) || SHARE.test(url.pathname))
    return undefined;
  if (SHOP_HOST.test(url.hostname) || SHOP_DOMAIN.test(domain) || SHOP_PATH.test(url.pathname)) return undefined;
  if (Array.from(url.searchParams.keys()).some((name) => PAID_QUERY.test(name))) return undefined;
  if (SOCIAL.has(domain) && !POST.test(url.pathname)) return undefined;
  const kept = new URL(anchor.href);
  kept.hash = '';
  return { href: kept.href, text: anchor.text, domain, line: anchor.line };
}

const parseWordList = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const SUFFIXES = parseWordList(PRIMARY_SUFFIXES);
const SECOND_LEVELS = parseWordList(PRIMARY_SECOND_LEVELS);
const DOMAINS = parseWordList(PRIMARY_DOMAINS);
const DOCS_LABELS = parseWordList(OWN_DOCS_LABELS);
const NOT_DOCS = parseWordList(NOT_OWN_DOCS);

/** Whether a URL is of a primary source: a public body, a place of research, a standard, a study or a maker's own documentation. */
export function isPrimarySource(url: string): boolean {
  const { hostname } = parseArchived(url);
  const labels = hostname.split('.');
  const [top = '', second = ''] = labels.toReversed();
  if (SUFFIXES.has(top) || (top.length === 2 && labels.length > 2 && SECOND_LEVELS.has(second))) return true;
  if (DOMAINS.has(hostname.replace(/^www\./, '')) || DOMAINS.has(getRegistrableDomain(hostname))) return true;
  return labels.length > 2 && DOCS_LABELS.has(labels[0] ?? '') && !NOT_DOCS.has(hostname);
}

/** Cited links that are followed, and how many of them on one foreign site. */
export const MAX_CITATION_LINKS = 5;
const MAX_PER_DOMAIN = 2;
/** Enough to see that something answers; the text is not read. */
export const CITATION_BYTES = 16 * 1024;

/** Role of the exchanges, with their number behind a colon. */
export const CITATION_ROLE = 'citation';

/** The sources whose links are followed: the first five of the page, at most two of one owner. */
export function selectCitationsToRead(sources: readonly CitedSource[]): readonly CitedSource[] {
  const perDomain = new Map<string, number>();
  const chosen: CitedSource[] = [];
  for (const source of sources) {
    const asked = perDomain.get(source.domain) ?? 0;
    if (asked >= MAX_PER_DOMAIN) continue;
    perDomain.set(source.domain, asked + 1);
    chosen.push(source);
    if (chosen.length === MAX_CITATION_LINKS) break;
  }
  return chosen;
}

/** Artifact `citations`: what the followed links of cited sources answered, in the order of the page. */
export function readCitations(snapshot: Snapshot): Artifact<readonly Exchange[]> {
  return { state: 'ready', value: listNumberedExchanges(snapshot, CITATION_ROLE) };
}

/** `resolves`, `dead` (the resource is said not to be there) or `unknown`: refused to us, out of order, no answer. */
export type LinkVerdict = 'resolves' | 'dead' | 'unknown';

/** Statuses that speak of our request or of the moment, not of the document; LinkedIn refuses crawlers with 999. */
const REFUSALS = new Set([401, 402, 403, 405, 406, 407, 408, 421, 423, 425, 429, 451, 999]);

export function classifyCitationLink({ answer }: Exchange): LinkVerdict {
  if (!answer.ok || answer.status >= 500 || REFUSALS.has(answer.status)) return 'unknown';
  return answer.status >= 400 ? 'dead' : 'resolves';
}
