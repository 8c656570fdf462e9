import { html, type SiteAnswer, type SiteMap, text } from './site-fetch.ts';

/** A whole page around the given parts. */
export const pageOf = (body: string, head = '', lang = 'en'): string =>
  `<!doctype html><html lang="${lang}"><head><title>Lamps explained | Acme</title>${head}</head><body>${body}</body></html>`;

/** A page whose main content is a heading and `body`. */
export const mainPage = (body: string, head = '', lang = 'en'): string =>
  pageOf(`<main><h1>Lamps</h1>${body}</main>`, head, lang);

/** A site of one page, without a title. */
export const onePage = (body: string, head = '', lang = 'en'): SiteMap => ({
  '/': html(`<!doctype html><html lang="${lang}"><head>${head}</head><body>${body}</body></html>`),
});

export const jsonLd = (value: unknown): string =>
  `<script type="application/ld+json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;

/** A paragraph of `count` words. */
export const words = (count: number): string => `<p>${'word '.repeat(count)}</p>`;

/** `count` words of plain prose in paragraphs of `perParagraph`, sentences of twelve words, no two pairs alike. */
export function prose(count: number, perParagraph = 60): string {
  const all = Array.from({ length: count }, (_, index) => `${nonsense(index)}${index % 12 === 11 ? '.' : ''}`);
  const starts = all.map((_, index) => index).filter((index) => index % perParagraph === 0);
  return starts.map((from) => `<p>${all.slice(from, from + perParagraph).join(' ')}.</p>`).join('\n');
}

const nonsense = (index: number): string => {
  const letters = 'bdfgklmnprst';
  const vowels = 'aeiou';
  const syllable = (part: number): string => `${letters[part % 12] ?? ''}${vowels[Math.floor(part / 12) % 5] ?? ''}`;
  return syllable(index) + syllable(Math.floor(index / 7) + 3) + syllable(Math.floor(index / 60) + 5);
};

/** A page of results, a start page around `body`, and a form of search. */
export const RESULTS = html(pageOf(`<h1>Results</h1>${prose(90)}`));

export const startWith = (body: string): SiteAnswer => html(pageOf(`${body}<h1>Start</h1>${prose(120)}`));

export const searchForm = (attributes: string, field = '<input name="q" type="search">'): string =>
  `<form ${attributes}>${field}</form>`;

/** A page with a robots.txt: its text, or the whole answer. */
export const withRobots = (body: string | SiteAnswer, page: SiteMap = onePage(words(10))): SiteMap => ({
  ...page,
  '/robots.txt': typeof body === 'string' ? text(body) : body,
});

/** JSON-LD of these nodes. */
export const schemaGraph = (...nodes: readonly object[]): string =>
  jsonLd({ '@context': 'https://schema.org', '@graph': nodes });

export const paragraph = (content: string): string => `<p>${content}</p>`;
