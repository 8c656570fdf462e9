import { getJsonLd } from '../../audit/structured-data/facts/json-ld.ts';
import { parseIsoDay, listStatedDates } from '../../audit/text/facts/dates.ts';
import { findBestOrganization } from '../../audit/structured-data/facts/organization.ts';
import { findByline } from '../../audit/page/facts/byline.ts';
import type { PageFacts } from '../../audit/page/facts/page-facts.ts';
import { getMetaContent } from '../../audit/page/facts/page.ts';
import {
  listPropertyNodes,
  listNodesOfType,
  listPropertyTexts,
} from '../../audit/structured-data/facts/schema-nodes.ts';
import type { Audited } from '../files/generated-file.ts';
import { readSiteIdentity } from '../files/site-identity.ts';
import { cleanFirstText, cleanSiteText, normaliseOwnUrl, normaliseSafeUrl } from '../files/safe-site.ts';

/**
 * What the site says of itself, cleaned for generated files; undefined where it says nothing. `origin` has no final
 * slash; `pageUrl` is the audited page without fragment and campaign parameters.
 */
export type SiteWords = {
  origin: string;
  pageUrl: string;
  /** What the site calls itself and says it is: by its start page, whichever page was audited. */
  name: string | undefined;
  about: string | undefined;
  heading: string | undefined;
  title: string | undefined;
  description: string | undefined;
  /** The first paragraphs of the main text. */
  lead: readonly string[];
  logo: string | undefined;
  image: string | undefined;
  profiles: readonly string[];
  email: string | undefined;
  telephone: string | undefined;
  byline: string | undefined;
  bylineUrl: string | undefined;
  published: string | undefined;
  modified: string | undefined;
  links: Readonly<Record<'about' | 'contact' | 'pricing' | 'docs' | 'licence', string | undefined>>;
};

const NAME_CHARS = 100;
const HEADING_CHARS = 200;
const TEXT_CHARS = 600;
const MAX_LEADS = 3;
const MAX_PROFILES = 10;
/** A paragraph with fewer words is a label, a date or a byline. */
const LEAD_WORDS = 12;

/** Reads them from the start page; without a page only the addresses are known. */
export function readSiteWords({ site, snapshot }: Audited, page: PageFacts | undefined): SiteWords {
  const answer = snapshot.exchanges.find(({ role }) => role === 'page')?.answer;
  const pageUrl = normalisePlainUrl(answer?.ok === true ? answer.url : site.start.href, site.start);
  const origin = findPublicOrigin(page, site.local) ?? site.start.origin;
  const identity = readSiteIdentity({ snapshot });
  const none = { origin, pageUrl, lead: [], profiles: [], links: NO_LINKS };
  if (!page) return { ...NOTHING, ...none, name: getFirstText(identity.name), about: getFirstText(identity.summary) };
  const dates = listOwnDates(page);
  return {
    ...none,
    ...readIdentity(page),
    name: getFirstText(identity.name),
    about: getFirstText(identity.summary),
    ...readContact(page, site.start),
    heading: getFirstText(
      cleanFirstText(
        page.headings.filter(({ level, hidden }) => level === 1 && !hidden).map(({ text }) => text),
        HEADING_CHARS,
      ),
    ),
    title: getFirstText(cleanFirstText(page.titles, HEADING_CHARS)),
    description: getFirstText(cleanSiteText(getMetaContent(page, 'description'), TEXT_CHARS)),
    lead: listLeads(page),
    image: findImage(page),
    published: readMetaDay(page, 'article:published_time') ?? dates.toSorted()[0],
    modified: readMetaDay(page, 'article:modified_time') ?? dates.toSorted().at(-1),
  };
}

/** Days that a byline names: published and updated. More of them are those of events, or of other pages. */
const MAX_BYLINE_DAYS = 2;

/**
 * Days that the page states as its own: in its metadata, else in a byline. A time element within a sentence may say when
 * something else happened, and a page that has many lists other pages: neither is taken for the date of this one.
 */
function listOwnDates(page: PageFacts): readonly string[] {
  const stated = listStatedDates(page).map(({ text, from }) => ({ day: text.slice(0, 10), from }));
  const structured = stated.filter(({ from }) => from !== 'time').map(({ day }) => day);
  if (structured.length > 0) return structured;
  const sentences = page.paragraphs.filter(({ words }) => words >= LEAD_WORDS);
  const days = page.times
    .filter(({ hidden, text }) => !hidden && !sentences.some((sentence) => sentence.text.includes(text)))
    .flatMap(({ datetime }) => (parseIsoDay(datetime) === undefined ? [] : [datetime.trim().slice(0, 10)]));
  return new Set(days).size > MAX_BYLINE_DAYS ? [] : days;
}

/** The first text that fits, else undefined. */
export const getFirstText = (text: string): string | undefined => (text === '' ? undefined : text);

const NO_LINKS = { about: undefined, contact: undefined, pricing: undefined, docs: undefined, licence: undefined };

const NOTHING = {
  name: undefined,
  about: undefined,
  heading: undefined,
  title: undefined,
  description: undefined,
  logo: undefined,
  image: undefined,
  email: undefined,
  telephone: undefined,
  byline: undefined,
  bylineUrl: undefined,
  published: undefined,
  modified: undefined,
} as const;

/** Parameters that say where a visitor came from, not what the page is. */
const CAMPAIGN = /^(?:utm_\w{1,40}|gclid|fbclid|msclkid)$/i;

function normalisePlainUrl(href: string, start: URL): string {
  const url = new URL(normaliseOwnUrl(href, start) ?? start.href);
  for (const name of Array.from(url.searchParams.keys())) if (CAMPAIGN.test(name)) url.searchParams.delete(name);
  url.hash = '';
  return url.href;
}

/**
 * On a private host the page's canonical link names the public one, unless the page says otherwise elsewhere: a canonical
 * link to a host that nothing else names may be a fault.
 */
function findPublicOrigin(page: PageFacts | undefined, local: boolean): string | undefined {
  const canonical = local && page ? normaliseSafeUrl(page.canonicals[0]?.href ?? '') : undefined;
  if (canonical === undefined || !page) return undefined;
  const { origin } = new URL(canonical);
  const { graph } = getJsonLd(page);
  const nodes = [...listNodesOfType(graph, 'WebSite'), ...listNodesOfType(graph, 'Organization')];
  const others = [...(page.openGraph['url'] ?? []), ...nodes.flatMap((node) => listPropertyTexts(graph, node, 'url'))];
  return others.every((href) => URL.parse(href)?.origin === origin) ? origin : undefined;
}

function readIdentity(page: PageFacts) {
  const { graph } = getJsonLd(page);
  const organization = findBestOrganization(graph);
  const logo = organization ? listPropertyTexts(graph, organization.node, 'logo')[0] : undefined;
  const icon = page.linkTags.find(({ rels }) => rels.includes('apple-touch-icon') || rels.includes('icon'));
  const pictured = page.images.find(({ src, alt }) => /logo/i.test(alt ?? '') || /\blogo\b[^/]{0,60}$/i.test(src));
  const byline = cleanFirstText(
    [findArticleAuthor(page), findByline(page).replace(/^(?:by|written by)\s/i, '')],
    NAME_CHARS,
  );
  return {
    logo: normaliseSafeUrl(logo ?? '') ?? normaliseSafeUrl(pictured?.src ?? '') ?? normaliseSafeUrl(icon?.href ?? ''),
    byline: getFirstText(byline),
    bylineUrl: normaliseSafeUrl(page.anchors.find(({ rels }) => rels.includes('author'))?.href ?? ''),
  };
}

function findArticleAuthor(page: PageFacts): string | undefined {
  const { graph } = getJsonLd(page);
  const authors = listNodesOfType(graph, 'Article').flatMap((article) => listPropertyNodes(graph, article, 'author'));
  return authors.flatMap((author) => listPropertyTexts(graph, author, 'name'))[0];
}

/** Places where an organisation has a page of its own; a link for sharing is none. */
const PROFILE_HOSTS =
  /(?:^|\.)(?:wikidata\.org|wikipedia\.org|linkedin\.com|crunchbase\.com|github\.com|gitlab\.com|x\.com|twitter\.com|facebook\.com|instagram\.com|youtube\.com|mastodon\.social|bsky\.app|orcid\.org|opencorporates\.com)$/i;
const SHARE_PATHS = /^\/?$|\/(?:share|sharer|intent|sharing|shareArticle|search|hashtag|watch|status)\b/i;

function readContact(page: PageFacts, start: URL) {
  const profiles = page.anchors.flatMap(({ href, region, rels }) => {
    const safe = normaliseSafeUrl(href);
    if (safe === undefined || (region !== 'footer' && region !== 'header' && !rels.includes('me'))) return [];
    const url = new URL(safe);
    return PROFILE_HOSTS.test(url.hostname) && !SHARE_PATHS.test(url.pathname) ? [safe] : [];
  });
  return {
    profiles: [...new Set(profiles)].slice(0, MAX_PROFILES),
    email:
      findSchemeValue(page, /^mailto:([\w.+-]{1,64}@[\w.-]{1,190}\.[a-z]{2,24})(?:\?|$)/i) ??
      findStatedValue(page, 'email', EMAIL),
    telephone: findSchemeValue(page, /^tel:(\+?[\d().\s-]{5,24})$/i) ?? findStatedValue(page, 'telephone', TELEPHONE),
    links: {
      about: findLink(
        page,
        start,
        /\/(?:about(?:-us)?|company|ueber-uns|uber-uns|a-propos|acerca|chi-siamo|over-ons)(?:\.html?)?\/?$/i,
      ),
      contact: findLink(page, start, /\/(?:contact(?:-us)?|kontakt|contacto|contatti|contato)(?:\.html?)?\/?$/i),
      pricing: findLink(page, start, /\/(?:pricing|prices|plans|preise|tarifs|precios)(?:\.html?)?\/?$/i),
      docs: findLink(page, start, /\/(?:docs?|documentation|api|developers?|reference)(?:\.html?)?\/?$/i),
      licence: normaliseSafeUrl(page.anchors.find(({ rels }) => rels.includes('license'))?.href ?? ''),
    },
  };
}

const EMAIL = /^[\w.+-]{1,64}@[\w.-]{1,190}\.[a-z]{2,24}$/i;
const TELEPHONE = /^\+?[\d().\s-]{5,24}$/;

/** What the structured data says of the organisation or its contact point. */
function findStatedValue(page: PageFacts, property: string, form: RegExp): string | undefined {
  const { graph } = getJsonLd(page);
  const nodes = [...listNodesOfType(graph, 'Organization'), ...listNodesOfType(graph, 'ContactPoint')];
  return nodes
    .flatMap((node) => listPropertyTexts(graph, node, property))
    .map((text) => text.replace(/^(?:mailto|tel):/i, '').trim())
    .find((text) => form.test(text));
}

const findSchemeValue = (page: PageFacts, pattern: RegExp): string | undefined =>
  page.anchors.flatMap(({ rawHref }) => pattern.exec(rawHref.trim())?.[1] ?? [])[0];

function findLink(page: PageFacts, start: URL, path: RegExp): string | undefined {
  return page.anchors
    .flatMap(({ href }) => normaliseOwnUrl(href, start) ?? [])
    .find((href) => path.test(new URL(href).pathname));
}

function listLeads(page: PageFacts): readonly string[] {
  return page.paragraphs
    .filter(({ words, hidden, region }) => words >= LEAD_WORDS && !hidden && (region === 'main' || region === 'none'))
    .slice(0, 2 * MAX_LEADS)
    .map(({ text }) => cleanSiteText(text, TEXT_CHARS))
    .filter((text) => text !== '')
    .slice(0, MAX_LEADS);
}

function findImage(page: PageFacts): string | undefined {
  const named = page.openGraph['image']?.[0] ?? '';
  const shown = page.images.find(({ decorative, inContent, hidden }) => !decorative && inContent && !hidden);
  return (named === '' ? undefined : normaliseSafeUrl(named, page.baseUrl)) ?? normaliseSafeUrl(shown?.src ?? '');
}

function readMetaDay(page: PageFacts, name: string): string | undefined {
  return /^\d{4}-\d{2}-\d{2}/.exec(getMetaContent(page, name))?.[0];
}
