import { service } from '../../capabilities/service.ts';
import { brand } from '../brand.ts';
import type { PageText } from './document.ts';
import type { Operator } from './site-texts.ts';

/** Of the picture of links: see `static/card.png`. */
export const CARD = { path: '/web/card.png', width: 1200, height: 630 } as const;

/** Who runs the site, the site and the page, as one graph (schema.org). It says what the pages show, and nothing else. */
export function graphOf(page: PageText, baseUrl: string, { contact, identities }: Operator): Record<string, unknown>[] {
  const url = `${baseUrl}${page.path}`;
  const organization = { '@id': `${baseUrl}/#organization` };
  const site = { '@id': `${baseUrl}/#website` };
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
    { '@type': 'WebSite', ...site, name: brand.name, url: `${baseUrl}/`, publisher: organization, inLanguage: 'en' },
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
      isPartOf: site,
      about: organization,
      inLanguage: 'en',
      dateModified: page.changed,
    },
  ];
}

const PAGE_TYPES: Readonly<Record<string, string>> = { '/about': 'AboutPage', '/contact': 'ContactPage' };
