import { getRegistrableDomain } from '../../../net/registrable-domain.ts';
import type { Anchor, PageFacts } from '../../page/facts/page-facts.ts';

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
    'adnxs.com shareasale.com awin1.com cj.com linksynergy.com impact.com skimresources.com'
  ).split(' '),
);

/**
 * Distinct links in the page's prose to another registrable domain: not share buttons, adverts, store badges, consent
 * forms, or the organisation's own other addresses (`ownUrls`, from `sameAs`).
 */
export function findCitedSources(
  page: Pick<PageFacts, 'anchors' | 'url' | 'contentText'>,
  ownUrls: readonly string[],
): readonly CitedSource[] {
  const own = buildOwnPlaces(page.url, ownUrls);
  const inLandmark = page.contentText !== '';
  const found = new Map<string, CitedSource>();
  for (const anchor of page.anchors) {
    const source = isCitationPlace(anchor, inLandmark) ? toSource(anchor, own) : undefined;
    if (source && !found.has(source.href)) found.set(source.href, source);
    if (found.size >= MAX_SOURCES) break;
  }
  return [...found.values()];
}

function isCitationPlace(anchor: Anchor, inLandmark: boolean): boolean {
  const aside =
    anchor.region === 'nav' || anchor.region === 'header' || anchor.region === 'footer' || anchor.region === 'aside';
  return (
    anchor.inProse && !aside && (anchor.inContent || !inLandmark) && anchor.hidden === undefined && anchor.text !== ''
  );
}

type Own = { domains: ReadonlySet<string>; urls: ReadonlySet<string> };

/** A bare `sameAs` host is the organisation's own domain; a path on a shared host is only that page. */
function buildOwnPlaces(pageUrl: string, sameAs: readonly string[]): Own {
  const domains = new Set([getRegistrableDomain(new URL(pageUrl).hostname)]);
  const urls = new Set<string>();
  for (const raw of sameAs) {
    if (!URL.canParse(raw)) continue;
    const url = new URL(raw);
    if (url.pathname === '/' && url.search === '') domains.add(getRegistrableDomain(url.hostname));
    else urls.add(withoutTail(url));
  }
  return { domains, urls };
}

const withoutTail = (url: URL): string => `${url.host}${url.pathname.replace(/\/$/, '')}`.toLowerCase();

function toSource(anchor: Anchor, own: Own): CitedSource | undefined {
  if (!/^https?:/i.test(anchor.href) || anchor.rels.includes('sponsored')) return undefined;
  const url = new URL(anchor.href);
  const domain = getRegistrableDomain(url.hostname);
  if (own.domains.has(domain) || own.urls.has(withoutTail(url))) return undefined;
  if (ADVERTS.has(domain) || STORES.has(url.hostname) || SHARE.test(url.pathname)) return undefined;
  if (SOCIAL.has(domain) && !POST.test(url.pathname)) return undefined;
  url.hash = '';
  return { href: url.href, text: anchor.text, domain, line: anchor.line };
}
