import { jsonLd, pageOf } from './pages.ts';

/** Structured data of fixture pages, and pages around it. */
export const context = { '@context': 'https://schema.org' };

export const ORGANIZATION = { ...context, '@type': 'Organization', name: 'Acme', url: 'https://acme.example/' };

export const article = {
  ...context,
  '@type': 'NewsArticle',
  headline: 'Lamps',
  author: { '@type': 'Person', name: 'Ada Byron', url: 'https://acme.example/ada' },
  datePublished: '2026-01-01',
  dateModified: '2026-02-01',
  image: 'https://acme.example/a.png',
  publisher: ORGANIZATION,
};

export const rawScript = (json: string): string => `<script type="application/ld+json">${json}</script>`;

export const pageWith = (...blocks: unknown[]): string =>
  pageOf('<main><h1>Lamps</h1></main>', blocks.map((block) => jsonLd(block)).join(''));

export const noData = pageOf('<main><h1>Lamps</h1></main>');

export const question = (name: string, answer: string): object => ({
  '@type': 'Question',
  name,
  acceptedAnswer: { '@type': 'Answer', text: answer },
});

export const faqPage = (...questions: object[]): object => ({ ...context, '@type': 'FAQPage', mainEntity: questions });

export const FREE_QUESTION = question('Is it free?', 'Yes, <b>every</b> lamp&nbsp;is free.');

const { author: _author, ...others } = article;

/** The article without its author. */
export const anonymous = others;

export type PageParts = { nodes?: readonly object[]; body?: string; head?: string };

export const partsPage = ({ nodes = [], body = '', head = '' }: PageParts): string =>
  pageOf(
    `<main><h1>Lamps</h1>${body}</main>`,
    head + (nodes.length === 0 ? '' : jsonLd({ '@context': 'https://schema.org', '@graph': nodes })),
  );

export const works = (rest: object): object => ({ '@type': 'Article', headline: 'Lamps', ...rest });

export const organization = (rest: object): object => ({ '@type': 'Organization', ...rest });
