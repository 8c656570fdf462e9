import { html } from 'hono/html';
import { ICON_PATH, service } from '../../capabilities/service.ts';
import { ACCURACY_PATH } from '../../report/reportable.ts';
import { brand } from '../brand.ts';
import type { Html } from '../design/shell.tsx';
import { DEFAULT_LANGUAGE } from '../language/language.ts';
import type { PageText } from './document.ts';
import type { Operator } from './site-texts.ts';

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

/** Who runs the site, the site and the page, as one graph (schema.org). It says what the pages show, and nothing else. */
export function buildPageGraph(page: PageText, baseUrl: string, operator: Operator): Record<string, unknown>[] {
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
      inLanguage: page.language ?? DEFAULT_LANGUAGE,
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
      logo: `${baseUrl}${ICON_PATH}`,
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
