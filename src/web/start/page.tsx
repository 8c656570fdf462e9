import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import { ACCURACY_PATH } from '../../report/reportable.ts';
import { brand } from '../brand.ts';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../language/language.ts';
import { CARD } from '../design/card.ts';
import { ASSETS, renderDocument, type Html } from '../design/shell.tsx';
import { InlineLine, Sections } from './blocks.tsx';
import type { PageText } from './document.ts';
import type { Operator } from './site-texts.ts';
import { service } from '../../capabilities/service.ts';

/** Characters that could end a script element or open another, as JSON may spell them too. */
const SPELLED: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

/**
 * Structured data as a script element, which browsers do not run. Inside it HTML knows no escapes, so the text goes in as
 * it is: it is JSON without `<`, `>` and `&`, and can neither end the element nor begin anything else.
 */
export function renderJsonLd(graph: readonly Readonly<Record<string, unknown>>[]): Html {
  const data = { '@context': 'https://schema.org', '@graph': graph };
  const text = JSON.stringify(data).replaceAll(/[<>&]/g, (sign) => SPELLED[sign] ?? '');
  return renderLiterally(`<script type="application/ld+json">${text}</script>`);
}

/** Text as it is: `html` takes the strings of its template unescaped, and escapes only what is put between them. */
const renderLiterally = (text: string): Html => html(Object.assign([text], { raw: [text] }));

export type PageOf = { page: PageText; baseUrl: string; operator: Operator; language?: PageLanguage };

/** The start page for people: it works without scripts, and says the same as its Markdown. */
export const startPage = (of: PageOf): Html =>
  renderSiteDocument(
    of,
    <>
      <TryIt />
      <Sections sections={of.page.sections} />
    </>,
  );

/** A page about the service: about, accuracy, contact, privacy, terms. */
export const renderSitePage = (of: PageOf): Html => renderSiteDocument(of, <Sections sections={of.page.sections} />);

const renderSiteDocument = (of: PageOf, children: Child): Html => {
  const { page, baseUrl, operator, language = DEFAULT_LANGUAGE } = of;
  const { path, title, description, lead, changed } = page;
  return renderDocument({
    title,
    language,
    description,
    canonical: `${baseUrl}${path}`,
    index: true,
    path,
    scripts: [`${ASSETS}/copy.js`],
    links: listPageLinks(path, baseUrl),
    head: (
      <>
        <OpenGraph page={page} baseUrl={baseUrl} />
        {renderJsonLd(buildStartGraph(page, baseUrl, operator))}
      </>
    ),
    ownHeading: true,
    children: (
      <article>
        <h1>{title}</h1>
        <p class="lead">
          <InlineLine parts={lead} />
        </p>
        {children}
        <p class="small">
          Last changed <time datetime={changed}>{changed}</time>
        </p>
      </article>
    ),
  });
};

/** The start page is for models and programs too: it names the forms for them. */
const listPageLinks = (path: string, baseUrl: string) => [
  {
    rel: 'alternate',
    type: 'text/markdown',
    href: `${baseUrl}${formatMarkdownPath(path)}`,
    title: 'This page as Markdown',
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

/** Where a page of ours lies as Markdown. */
export const formatMarkdownPath = (path: string): string => (path === '/' ? '/index.md' : `${path}.md`);

const OpenGraph = ({ page, baseUrl }: Pick<PageOf, 'page' | 'baseUrl'>) => (
  <>
    <meta property="og:title" content={page.title} />
    <meta property="og:description" content={page.description} />
    <meta property="og:type" content="website" />
    <meta property="og:url" content={`${baseUrl}${page.path}`} />
    <meta property="og:image" content={`${baseUrl}${CARD.path}`} />
    <meta property="og:image:width" content={String(CARD.width)} />
    <meta property="og:image:height" content={String(CARD.height)} />
    <meta property="og:image:alt" content={brand.tagline} />
    <meta property="og:site_name" content={brand.name} />
  </>
);

/** Sends nothing but the address: the page of the live audit asks once more before it starts. */
const TryIt = () => (
  <form class="try" method="get" action="/audit" aria-label="Try it now">
    <label for="url">Address of a website</label>
    <div class="field">
      <input
        id="url"
        name="url"
        type="text"
        inputmode="url"
        autocomplete="url"
        autocapitalize="off"
        spellcheck={false}
        maxlength={2048}
        required
        placeholder="example.com"
      />
      <button>Audit it</button>
    </div>
    <p class="small">The preview is free: four scores, and the checks that cost little to make.</p>
    <p class="small">
      Do you have a brand rather than a site? <a href="/visibility">Measure it in AI answers</a>: price and time come
      first.
    </p>
  </form>
);

/** Who runs the site, the site and the page, as one graph (schema.org). It says what the pages show, and nothing else. */
function buildStartGraph(page: PageText, baseUrl: string, operator: Operator): Record<string, unknown>[] {
  const url = `${baseUrl}${page.path}`;
  const organization = { '@id': `${baseUrl}/#organization` };
  return [
    ...buildSiteGraph(baseUrl, operator),
    {
      '@type': 'WebAPI',
      '@id': `${baseUrl}/#api`,
      name: brand.name,
      description: service.description,
      url: `${baseUrl}/`,
      documentation: `${baseUrl}/openapi.json`,
      termsOfService: `${baseUrl}/terms`,
      provider: organization,
    },
    {
      '@type': PAGE_TYPES[page.path] ?? 'WebPage',
      '@id': `${url}#page`,
      url,
      name: page.title,
      description: page.description,
      isPartOf: { '@id': `${baseUrl}/#website` },
      about: organization,
      inLanguage: 'en',
      dateModified: page.changed,
      ...(page.path === ACCURACY_PATH ? { headline: page.title, author: organization } : {}),
    },
  ];
}

/** Who runs the site, and the site. */
export function buildSiteGraph(baseUrl: string, { contact, identities }: Operator): Record<string, unknown>[] {
  const organization = { '@id': `${baseUrl}/#organization` };
  return [
    {
      '@type': 'Organization',
      ...organization,
      name: brand.name,
      url: `${baseUrl}/`,
      logo: `${baseUrl}/web/icon.svg`,
      description: brand.tagline,
      ...(identities.length === 0 ? {} : { sameAs: identities }),
      ...(contact === undefined
        ? {}
        : { contactPoint: { '@type': 'ContactPoint', email: contact, contactType: 'customer support' } }),
    },
    {
      '@type': 'WebSite',
      '@id': `${baseUrl}/#website`,
      name: brand.name,
      url: `${baseUrl}/`,
      publisher: organization,
      inLanguage: 'en',
    },
  ];
}

const PAGE_TYPES: Readonly<Record<string, string>> = {
  '/about': 'AboutPage',
  [ACCURACY_PATH]: 'Report',
  '/contact': 'ContactPage',
};
