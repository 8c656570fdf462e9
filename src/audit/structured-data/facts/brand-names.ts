import type { PageFacts } from '../../page/facts/page-facts.ts';
import { toOneLine } from '../../language/words.ts';
import { getMetaContent } from '../../page/facts/page.ts';
import { getRegistrableDomain } from '../../../net/registrable-domain.ts';
import type { JsonLd } from './json-ld.ts';
import { listNodesOfType, listPropertyNodes, listPropertyTexts } from './schema-nodes.ts';

/** A name of the brand and the place that gives it. */
export type BrandName = { from: string; name: string };

const MAX_NAME_CHARS = 100;
const LEGAL_SUFFIX =
  /(?<![\s,])[\s,]+(?:inc|incorporated|llc|ltd|limited|plc|corp|corporation|company|co|gmbh|mbh|ag|kg|ug|se|sarl|sas|sa|srl|spa|bv|nv|ab|oy|as|aps|kk|pty|pte|ev|eg|kgaa|media|ооо|зао|株式会社|有限公司)$/iu;
const MAX_SUFFIXES = 4;
const COPYRIGHT =
  /(?:©|\(c\)|copyright)\s{0,3}(?:(?:©|\(c\))\s{0,3})?(?:(?:19|20)\d\d(?:\s?[-–—]\s?(?:(?:19|20)?\d\d|present|heute))?[\s,]{0,3})?(?:by\s)?([^\n©|•·]{2,80})/giu;
const RIGHTS =
  /(?<![.,;\s])[.,;\s]*(?:all rights reserved|alle rechte vorbehalten|tous droits réservés|todos los derechos|tutti i diritti|(?:19|20)\d\d)/iu;

const RIGHTS_FIRST =
  /^(?:all rights reserved|alle rechte vorbehalten|tous droits réservés|todos los derechos reservados|tutti i diritti riservati)[.,;:\s-]{0,5}(?:by\s)?/iu;

/** News sites end a title with its date. */
const DATE =
  /^(?:\p{L}{3,10}\.?\s\d{1,2},?\s(?:19|20)\d\d|\d{1,2}\.?\s\p{L}{3,10}\.?\s(?:19|20)\d\d|(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2})$/u;

/** One spelling for comparison: no accents nor umlauts (`ö`, `oe` and `o` are one), lower case, no legal forms, no `www.` nor top-level domain, letters and digits only. */
export function normaliseBrandName(name: string): string {
  let plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .normalize('NFKC')
    .replaceAll('ß', 'ss')
    .replace(/([aou])e/giu, '$1')
    .trim()
    .slice(0, MAX_NAME_CHARS)
    .toLowerCase()
    .replace(/^(?:https?:\/\/)?(?:www\.)?/, '')
    .replace(/^([\p{L}\p{N}-]{2,60})\.(?:com|net|org|info|de|at|ch|fr|es|it|nl|pl|ru|co\.uk|uk|eu|io|tv|us)\/?$/u, '$1')
    .replace(/\.(?=\s|$)/g, '')
    .replace(/(?<=\p{L})\.(?=\p{L}(?:\s|$))/gu, '');
  for (let cut = 0; cut < MAX_SUFFIXES; cut += 1) {
    const shorter = plain.replace(LEGAL_SUFFIX, '');
    if (shorter === plain) break;
    plain = shorter;
  }
  return plain.replace(/^(?:the|der|die|das|la|le|el|los|il)\s/u, '').replace(/[^\p{L}\p{N}]/gu, '');
}

/** A shorter key is too common a part of other names. */
const MIN_CONTAINED = 3;

/** Whether two names are one brand: the same key, or one that contains the other. */
export function isSameBrand(one: string, other: string): boolean {
  const [a, b] = [normaliseBrandName(one), normaliseBrandName(other)];
  if (a === '' || b === '') return false;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return a === b || (short.length >= MIN_CONTAINED && long.includes(short));
}

const MAX_ABBREVIATION = 6;

/** Whether one of two names is made of the initials of the other: `LBN`, `Lampen-Bund Nord`. */
export function isAbbreviation(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length > MAX_ABBREVIATION || !/^\p{Lu}[\p{L}&.]*\p{Lu}/u.test(short)) return false;
  const initials = [...long.replace(LEGAL_SUFFIX, '').matchAll(/\p{Lu}(?=\p{Ll})/gu)].map(([letter]) => letter);
  const letters = normaliseBrandName(short);
  return (
    initials.length > 1 &&
    hasInOrder(short, initials.join('')) &&
    letters[0] === normaliseBrandName(long)[0] &&
    hasInOrder(normaliseBrandName(long), letters)
  );
}

/** Whether all letters of `part` stand in `text`, in their order. */
function hasInOrder(text: string, part: string): boolean {
  let at = -1;
  return Array.from(part).every((letter) => (at = text.indexOf(letter, at + 1)) >= 0);
}

/** The brand's name as the page gives it: in structured data and metadata, title, logo and copyright line. */
export function listBrandNames(page: PageFacts, jsonLd: JsonLd): readonly BrandName[] {
  const hosts = listHostNames(page.url);
  // Content systems fill in the title of the page; on a start page it is the name of the site.
  const isTitle = (name: string): boolean => new URL(page.url).pathname !== '/' && name === page.titles[0];
  const stated = listStatedNames(page, jsonLd, hosts).filter(
    ({ from, name }) =>
      normaliseBrandName(name) !== '' && !NO_NAME.test(name.trim()) && !(from === 'application-name' && isTitle(name)),
  );
  const copyright = extractCopyrightName(page.text, hosts);
  const named = [...stated.map(({ name }) => name), copyright].filter((name) => normaliseBrandName(name) !== '');
  const logos = [...listHomeTexts(page), ...listLogoTexts(page)];
  const title = extractTitleName(page, [...named, ...hosts, ...logos, ...listFeedNames(page)]);
  const titled = title === '' ? [] : [{ from: 'title', name: title }];
  // Such links and pictures say other things too.
  const known = [...hosts, ...titled.map(({ name }) => name), ...named];
  const logo = logos.find((text) => known.some((name) => isSameBrand(text, name))) ?? '';
  const shown = normaliseBrandName(copyright) === '' ? [] : [{ from: COPYRIGHT_PLACE, name: copyright }];
  return [...titled, ...stated, ...(logo === '' ? [] : [{ from: 'logo', name: logo }]), ...shown];
}

/** What a generator writes as long as the site has no name. */
const NO_NAME = /^(?:home ?page|home|start|startseite|accueil|inicio|my (?:blog|site|website)|website|untitled)$/iu;

const COPYRIGHT_PLACE = 'footer ©';

/** The names that should be one: of a copyright line only where it has the brand; else it names the owner behind the site. */
export function listComparableNames(page: PageFacts, jsonLd: JsonLd): readonly BrandName[] {
  const names = listBrandNames(page, jsonLd);
  const others = names.filter(({ from }) => from !== COPYRIGHT_PLACE);
  if (others.length === 0) return names;
  const hasBrand = ({ name }: BrandName): boolean =>
    others.some((other) => isSameBrand(other.name, name) || isAbbreviation(other.name, name));
  return names.filter((one) => one.from !== COPYRIGHT_PLACE || hasBrand(one));
}

/** The name of the host, and of what its owner registered. */
function listHostNames(url: string): readonly string[] {
  const host = new URL(url).hostname.replace(/^www\./, '');
  return [host, getRegistrableDomain(host).split('.', 1)[0] ?? ''].filter((name) => name.length >= MIN_CONTAINED);
}

function listStatedNames(page: PageFacts, { graph }: JsonLd, hosts: readonly string[]): readonly BrandName[] {
  const [webSite] = listNodesOfType(graph, 'WebSite').flatMap((node) => listPropertyTexts(graph, node, 'name'));
  const publishers = ['Article', 'WebPage', 'WebSite']
    .flatMap((type) => listNodesOfType(graph, type))
    .flatMap((node) => listPropertyNodes(graph, node, 'publisher'))
    .filter(({ types }) => types.length > 0 && !types.includes('Person'))
    .flatMap((node) => listPropertyTexts(graph, node, 'name'));
  const places = [...hosts, page.titles[0] ?? '', page.openGraph['site_name']?.[0] ?? ''];
  // Two things with one @id have one node, and the author's name may be the first of it.
  const publisher = publishers.find((name) => places.some((place) => isSameBrand(name, place))) ?? publishers[0];
  const organizations = listNodesOfType(graph, 'Organization');
  // Several organisations are those that the page writes about.
  const only = organizations.length === 1 ? organizations : [];
  const organization = only.flatMap((node) => listPropertyTexts(graph, node, 'name'))[0];
  return [
    { from: 'og:site_name', name: page.openGraph['site_name']?.[0] ?? '' },
    { from: 'application-name', name: getMetaContent(page, 'application-name') },
    { from: 'citation_journal_title', name: getMetaContent(page, 'citation_journal_title') },
    { from: 'WebSite.name', name: webSite ?? '' },
    publisher === undefined
      ? { from: 'Organization.name', name: organization ?? '' }
      : { from: 'publisher.name', name: publisher },
  ];
}

const MAX_LOGO_CHARS = 80;
const HOME_PATH = /^\/(?:(?:index|home|start|default)(?:\.(?:html?|php|aspx))?|[a-z]{2}(?:[-_][a-z]{2})?)?\/?$/i;
/** What a link to the start page and a logo say beside the name. */
const LOGO_WORDS = /(?<!\p{L})(?:logo|homepage|home|startseite|link)(?!\p{L})/giu;

const readLogo = (text: string): string => toOneLine(text.replace(LOGO_WORDS, ' ')).replace(/^[\s:|–-]{1,9}/, '');
const hasNameLength = (text: string): boolean => text.length >= MIN_CONTAINED && text.length <= MAX_LOGO_CHARS;

/** Texts of links to the start page, outside of the footer. */
function listHomeTexts(page: PageFacts): readonly string[] {
  const own = new URL(page.url).hostname.replace(/^www\./, '');
  return page.anchors
    .filter(({ href, rawHref, region }) => {
      if (region === 'footer' || rawHref.startsWith('#') || !/^https?:/.test(href)) return false;
      const { hostname, pathname } = new URL(href);
      return hostname.replace(/^www\./, '') === own && HOME_PATH.test(pathname);
    })
    .map(({ text }) => readLogo(text))
    .filter(hasNameLength);
}

/** Alternative texts of pictures that are called a logo, outside of the main content. */
const listLogoTexts = (page: PageFacts): readonly string[] =>
  page.images
    .filter(({ src, alt, inContent, region }) => {
      if (alt === null || (inContent && region !== 'header')) return false;
      return /logo/i.test(src) || /logo/i.test(alt);
    })
    .map(({ alt }) => readLogo(alt ?? ''))
    .filter(hasNameLength);

const FEED_TYPES = new Set(['application/rss+xml', 'application/atom+xml', 'application/feed+json']);

/** Such a feed has the title of its article. */
const COMMENTS = /comment|kommentar|comentario|commentaire/i;

/** Parts of the titles of feeds: `Lamps » Feed`. */
const listFeedNames = (page: PageFacts): readonly string[] =>
  page.linkTags
    .filter(({ rels, type, title }) => rels.includes('alternate') && FEED_TYPES.has(type) && !COMMENTS.test(title))
    .flatMap(({ title }) => title.split(TITLE_PARTS))
    .map((part) => part.replace(/\b(?:rss|atom|feed)\b/gi, ' ').trim())
    .filter(hasNameLength);

const TITLE_PARTS = /\s(?:[|–—·•:»«›/-]|\/\/|::)\s|\s?[|»«]\s?|:\s/;

/** The part of a title that is the brand: one that another place names too. */
function extractTitleName(page: PageFacts, others: readonly string[]): string {
  const parts = (page.titles[0] ?? '')
    .split(TITLE_PARTS)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !DATE.test(part));
  const site = normaliseBrandName(page.openGraph['site_name']?.[0] ?? '');
  // A first headline that leads to the start page is the name of the site.
  const homes = new Set(listHomeTexts(page).map(normaliseBrandName));
  const headline = page.headings
    .filter(({ level }) => level === 1)
    .map(({ text }) => normaliseBrandName(text))
    .find((text) => !homes.has(text) && text !== site);
  const subject = (page.openGraph['title'] ?? []).map(normaliseBrandName).find((name) => name !== site);
  // A title in one part may be a headline that speaks of the brand.
  const isNamed = (part: string, name: string): boolean =>
    parts.length > 1 ? isSameBrand(part, name) : normaliseBrandName(part) === normaliseBrandName(name);
  const known = parts
    .filter((part) => ![headline, subject].includes(normaliseBrandName(part)))
    .findLast((part) => others.some((name) => isNamed(part, name)));
  return known ?? '';
}

/** Whose picture it is follows the sign too: only a line of its own near the end of the page names the owner. */
const NEAR_END_CHARS = 3000;
const CREDIT = /[/]|\b(?:foto|photo|getty|reuters|dpa|afp|imago|picture|bild)\b/iu;

function extractCopyrightName(text: string, hosts: readonly string[]): string {
  const tail = text.slice(-NEAR_END_CHARS);
  const last = [...tail.matchAll(COPYRIGHT)].at(-1)?.[1] ?? '';
  const said = last.replace(RIGHTS_FIRST, '');
  const name = said
    .slice(0, RIGHTS.exec(said)?.index ?? said.length)
    .replace(/^[\s–-]{1,5}/, '')
    .trim();
  const isCredit = CREDIT.test(name) && !hosts.some((host) => isSameBrand(host, name));
  return isCredit || name.split(/\s+/).length > MAX_COPYRIGHT_WORDS ? '' : name;
}

/** A longer text behind the sign is a sentence. */
const MAX_COPYRIGHT_WORDS = 7;
