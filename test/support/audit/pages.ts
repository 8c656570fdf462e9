import { html, type SiteMap } from './site-fetch.ts';

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
