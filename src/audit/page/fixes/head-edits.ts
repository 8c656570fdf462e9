import { detectLanguage } from '../../language/language.ts';
import type { PageFacts } from '../facts/page-facts.ts';
import { getMetaContent } from '../facts/page.ts';
import { getMainText } from '../../text/facts/sample-text.ts';
import { classifyPage } from '../facts/kind.ts';
import { escapeHtml, formatPlainLine } from '../../../lib/safe-text.ts';
import { getKnownOrSlot, formatSlot } from '../../../fixes/core/fix-slots.ts';
import type { FixContext } from '../../../fixes/core/fix-context.ts';
import {
  type ElementEdit,
  hasClosingTags,
  type HeadLine,
  type PageEdit,
  type PageEdits,
} from '../../../fixes/core/page-edits.ts';
import type { SiteWords } from '../../../fixes/core/site-words.ts';

const TITLE_CHARS = { from: 10, to: 70 };
const DESCRIPTION_CHARS = { from: 50, to: 165 };

export const renderMetaLine = (attribute: 'name' | 'property', name: string, content: string): HeadLine => ({
  key: `${attribute}:${name}`,
  html: `<meta ${attribute}="${name}" content="${escapeHtml(content)}">`,
});

export const renderLinkLine = (rel: string, href: string, more: Readonly<Record<string, string>> = {}): HeadLine => ({
  key: `link:${rel}:${more['type'] ?? ''}:${more['hreflang'] ?? ''}`,
  html: `<link rel="${rel}"${Object.entries(more)
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('')} href="${escapeHtml(href)}">`,
});

const setFirst = (selector: string, name: string, value: string): ElementEdit => ({
  selector,
  edit(element, index) {
    if (index === 0) element.setAttribute(name, value);
  },
});

/** One title, made from the h1 and the name of the site, or the present one cut to its bound. */
export const buildTitleEdit: PageEdit = ({ page, words, source }) =>
  page && hasClosingTags(source, ['title']) ? withTitle(page, selectBestTitle(words)) : undefined;

/** A title that holds the words of the h1. An h1 that says "Welcome" would make it worse: that is for its author. */
export const buildTitleFromHeading: PageEdit = ({ page, words, source }) =>
  page && words.heading !== undefined && !GREETING.test(words.heading) && hasClosingTags(source, ['title'])
    ? withTitle(page, selectBestTitle({ ...words, title: undefined }))
    : undefined;

function withTitle(page: PageFacts, wanted: string): PageEdits {
  if (page.titles.length === 0) return { head: [{ key: 'title', html: `<title>${escapeHtml(wanted)}</title>` }] };
  return {
    elements: [
      {
        selector: 'title',
        edit(element, index) {
          if (index > 0) element.remove();
          else if (page.titles[0] !== wanted) element.setInnerContent(wanted);
        },
      },
    ],
  };
}

const isTitleLength = (text: string): boolean => {
  const { length } = Array.from(text);
  return length >= TITLE_CHARS.from && length <= TITLE_CHARS.to;
};

/** One or two short words name no subject: "Home", "Untitled document". */
const GENERIC = /^\p{L}{0,12}(?: \p{L}{0,12})?$/u;

/** Headings that greet, or say which page of a site this is: no title is made of them. */
const GREETING =
  /^(?:welcome|home|home ?page|start|index|hello|willkommen|startseite|bienvenue|accueil|bienvenid[oa]s?|inicio|benvenut[oi]|welkom)[!.]?$/iu;

function selectBestTitle({ title, heading: h1, name, description }: SiteWords): string {
  const heading = h1 === undefined || GREETING.test(h1) ? undefined : h1;
  const subject = title !== undefined && !GENERIC.test(title) ? title : undefined;
  const named = [heading, description].flatMap((text) =>
    text === undefined || name === undefined || text === name ? [] : [`${text} | ${name}`],
  );
  const all = [
    subject,
    ...named,
    heading,
    ...[subject, heading, description].map((text) => text && formatPlainLine(text, TITLE_CHARS.to)),
  ];
  return all.find((text) => text !== undefined && isTitleLength(text)) ?? formatSlot('pageTitle');
}

/** A description of the right length: the present one cut, or the first paragraphs. */
export const buildDescriptionEdit: PageEdit = ({ page, words }) => {
  if (!page) return undefined;
  const wanted = buildBestDescription(words);
  const present = page.metas.some(({ name }) => name === 'description');
  if (!present) return { head: [renderMetaLine('name', 'description', wanted)] };
  return { elements: [setFirst('meta[name="description" i]', 'content', wanted)] };
};

export function buildBestDescription({ description, lead, heading }: SiteWords): string {
  const said = [description, ...lead].filter((text) => text !== undefined);
  const parts = (said.length > 0 || heading === undefined ? said : [heading]).map(closeSentence);
  const long = parts.findIndex((_, index) => parts.slice(0, index + 1).join(' ').length >= DESCRIPTION_CHARS.from);
  if (long === -1) return formatSlot('description');
  return formatPlainLine(parts.slice(0, long + 1).join(' '), DESCRIPTION_CHARS.to);
}

/** A text that ends as a sentence, so that another one can follow. */
const closeSentence = (text: string): string => (/[\p{L}\p{N}"')\]]$/u.test(text) ? `${text}.` : text);

/** Title and description, both in the HTML itself. */
export const buildHeadTagsEdit: PageEdit = (fixing) => {
  const { page } = fixing;
  if (!page) return undefined;
  const title = (page.titles[0] ?? '') === '' ? buildTitleEdit(fixing) : undefined;
  const description = getMetaContent(page, 'description') === '' ? buildDescriptionEdit(fixing) : undefined;
  return {
    head: [...(title?.head ?? []), ...(description?.head ?? [])],
    elements: [...(title?.elements ?? []), ...(description?.elements ?? [])],
  };
};

/** One canonical link that names this very page. */
export const buildCanonicalEdit: PageEdit = ({ page, words }) => {
  if (!page) return undefined;
  if (page.canonicals.length === 0) return { head: [renderLinkLine('canonical', words.pageUrl)] };
  return {
    elements: [
      {
        selector: 'link[rel~="canonical" i]',
        edit(element, index) {
          if (index > 0) element.remove();
          else element.setAttribute('href', words.pageUrl);
        },
      },
    ],
  };
};

/** `lang` of the html element by the language of the text. */
export const buildLangEdit: PageEdit = ({ page }) => {
  if (!page) return undefined;
  const guess = detectLanguage(page.text);
  return { elements: [setFirst('html', 'lang', guess === 'und' ? formatSlot('language') : guess)] };
};

/** The charset as the first thing in the head, and no other one. */
export const buildCharsetEdit: PageEdit = ({ page }) =>
  page && {
    head: [{ key: 'charset', html: '<meta charset="utf-8">', first: true }],
    elements: [
      { selector: 'meta[charset]', edit: (element) => element.remove() },
      { selector: 'meta[http-equiv="content-type" i]', edit: (element) => element.remove() },
    ],
  };

export const buildViewportEdit: PageEdit = ({ page }) => {
  const content = 'width=device-width, initial-scale=1';
  if (!page) return undefined;
  return page.metas.some(({ name }) => name === 'viewport')
    ? { elements: [setFirst('meta[name="viewport" i]', 'content', content)] }
    : { head: [renderMetaLine('name', 'viewport', content)] };
};

/** The five properties of a preview, from what the page says elsewhere. */
export const openGraphEdit: PageEdit = (fixing) => {
  const { page, words } = fixing;
  if (!page) return undefined;
  const wanted = Object.entries(buildOpenGraph(fixing, page));
  return {
    head: wanted.flatMap(([name, content]) =>
      (page.openGraph[name] ?? []).some((value) => value !== '')
        ? []
        : [renderMetaLine('property', `og:${name}`, content)],
    ),
    elements: [
      { selector: 'meta[property="og:url" i]', edit: (element) => void element.setAttribute('content', words.pageUrl) },
      {
        selector: 'meta[property="og:image" i]',
        edit(element) {
          const href = URL.parse(element.getAttribute('content') ?? '', page.baseUrl)?.href;
          if (href !== undefined && !/^https?:/i.test(element.getAttribute('content') ?? ''))
            element.setAttribute('content', href);
        },
      },
      ...wanted.map(([name, content]) => fillContent(`meta[property="og:${name}" i]`, content)),
    ],
  };
};

const fillContent = (selector: string, content: string): ElementEdit => ({
  selector,
  edit(element, index) {
    if (index === 0 && (element.getAttribute('content') ?? '').trim() === '') element.setAttribute('content', content);
  },
});

function buildOpenGraph({ words }: FixContext, page: PageFacts): Readonly<Record<string, string>> {
  const article = classifyPage(page, getMainText(page)).kind === 'article';
  return {
    title: selectBestTitle(words),
    description: words.description ?? buildBestDescription(words),
    type: article ? 'article' : 'website',
    url: words.pageUrl,
    image: getKnownOrSlot(words.image, 'image'),
  };
}

/** A meta refresh with a delay takes the page away while it is read. */
export const refreshEdit: PageEdit = ({ page }) =>
  page && { elements: [{ selector: 'meta[http-equiv="refresh" i]', edit: (element) => element.remove() }] };

/** hreflang links with absolute addresses and well-formed tags, one of them for this page. */
export const buildHreflangEdit: PageEdit = ({ page, words }) => {
  if (!page) return undefined;
  const lang = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i.test(page.lang) ? page.lang : formatSlot('language');
  const here = words.pageUrl.replace(/\/$/, '');
  const self = page.linkTags.some(({ hreflang, href }) => hreflang !== '' && href.replace(/\/$/, '') === here);
  return {
    head: self ? [] : [renderLinkLine('alternate', words.pageUrl, { hreflang: lang })],
    elements: [
      {
        selector: 'link[hreflang]',
        edit(element) {
          const href = URL.parse(element.getAttribute('href') ?? '', page.baseUrl)?.href;
          if (href !== undefined && href !== element.getAttribute('href')) element.setAttribute('href', href);
          const tag = element.getAttribute('hreflang') ?? '';
          if (tag.includes('_')) element.setAttribute('hreflang', tag.replaceAll('_', '-'));
        },
      },
    ],
  };
};

/** A link of the head, when the page has none of this kind. */
export const createHeadLinkEdit =
  (rel: string, href: (fixing: FixContext) => string, more: Readonly<Record<string, string>> = {}): PageEdit =>
  (fixing) => ({ head: [renderLinkLine(rel, href(fixing), more)] });
