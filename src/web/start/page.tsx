import type { Child } from 'hono/jsx';
import { OpenGraph } from '../design/open-graph.tsx';
import { ASSETS, renderDocument, type Html } from '../design/shell.tsx';
import { DEFAULT_LANGUAGE, type PageLanguage, type Translated } from '../language/language.ts';
import { InlineLine, Sections } from './blocks.tsx';
import type { PageText } from './document.ts';
import { buildPageGraph, renderJsonLd } from './page-graph.ts';
import type { Operator } from './site-texts.ts';

export type PageOf = {
  page: PageText;
  baseUrl: string;
  operator: Operator;
  language?: PageLanguage;
  /** A feed of what is on the page. */
  feed?: { path: string; title: string };
};

/**
 * A page about the service: prices, about, accuracy, contact, privacy, terms, and those of `web/about`.
 * @param head in the place of heading and lead
 */
export const renderSitePage = (of: PageOf, head?: Child): Html => {
  const { page, baseUrl, operator, language = DEFAULT_LANGUAGE, feed } = of;
  const { path, title, description, lead, changed, sections } = page;
  const own = page.language ?? DEFAULT_LANGUAGE;
  return renderDocument({
    title,
    language,
    description,
    canonical: `${baseUrl}${path}`,
    index: true,
    path,
    styles: [`${ASSETS}/start.css`],
    scripts: [hasWays(sections) ? `${ASSETS}/ways.js` : `${ASSETS}/copy.js`],
    links: [...listPageLinks(path, baseUrl, language), ...(feed === undefined ? [] : [buildFeedLink(feed, baseUrl)])],
    head: (
      <>
        <OpenGraph title={title} description={description} url={`${baseUrl}${path}`} />
        {renderJsonLd(buildPageGraph(page, baseUrl, operator))}
      </>
    ),
    ownHeading: true,
    children: (
      <article class="page" lang={own === language ? undefined : own}>
        {head ?? (
          <header>
            <h1>{title}</h1>
            <p class="lead">
              <InlineLine parts={lead} />
            </p>
          </header>
        )}
        <Sections sections={sections} />
        <p class="small">
          {CHANGED[own]} <time datetime={changed}>{changed}</time>
        </p>
      </article>
    ),
  });
};

const hasWays = (sections: PageText['sections']): boolean =>
  sections.some(({ blocks }) => blocks.some(({ kind }) => kind === 'ways'));

const AS_MARKDOWN: Translated<string> = { en: 'This page as Markdown', de: 'Diese Seite als Markdown (englisch)' };
const CHANGED: Readonly<Record<PageLanguage, string>> = { en: 'Last changed', de: 'Zuletzt geändert' };

/** The start page is for models and programs too: it names the forms for them. */
const listPageLinks = (path: string, baseUrl: string, language: PageLanguage) => [
  {
    rel: 'alternate',
    type: 'text/markdown',
    href: `${baseUrl}${formatMarkdownPath(path)}`,
    title: AS_MARKDOWN[language],
  },
  { rel: 'describedby', type: 'text/markdown', href: `${baseUrl}/llms.txt` },
  ...(path === '/'
    ? [
        {
          rel: 'ai-catalog',
          type: 'application/ai-catalog+json',
          href: `${baseUrl}/.well-known/ai-catalog.json`,
        },
      ]
    : []),
];

const buildFeedLink = ({ path, title }: NonNullable<PageOf['feed']>, baseUrl: string) => ({
  rel: 'alternate',
  type: 'application/atom+xml',
  href: `${baseUrl}${path}`,
  title,
});

/** Where a page of ours lies as Markdown. */
export const formatMarkdownPath = (path: string): string => (path === '/' ? '/index.md' : `${path}.md`);
