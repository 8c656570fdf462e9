import { SITE } from '../../support/audit/site-fetch.ts';

/** A page of a fixture site: its main content in Markdown, and what stands around it as HTML. */
export type PageParts = {
  path: string;
  title: string;
  description?: string;
  /** Main content in the Markdown subset of `renderMarkdown`. */
  content: string;
  lang?: string;
  dir?: 'rtl';
  /** HTML at the end of the head: JSON-LD, links, metas beyond title, description and canonical. */
  head?: string;
  /** HTML inserted after the first h1: byline and date. */
  byline?: string;
  header?: string;
  footer?: string;
  /** HTML after the article, inside `main`. */
  after?: string;
  canonical?: string | null;
};

/** A whole page with the usual landmarks; canonical is the page's own address unless given, and left out when null. */
export function pageHtml(parts: PageParts): string {
  const { path, title, description, content, lang = 'en', dir, head = '', byline = '' } = parts;
  const canonical = parts.canonical === undefined ? SITE + path : parts.canonical;
  const article = renderMarkdown(content).replace('</h1>', `</h1>${byline === '' ? '' : `\n${byline}`}`);
  return [
    '<!doctype html>',
    `<html lang="${lang}"${dir === undefined ? '' : ` dir="${dir}"`}>`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(title)}</title>`,
    ...(description === undefined ? [] : [`<meta name="description" content="${escaped(description)}">`]),
    ...(canonical === null ? [] : [`<link rel="canonical" href="${canonical}">`]),
    head,
    '</head>',
    '<body>',
    parts.header ?? '',
    '<main>',
    `<article>\n${article}\n</article>`,
    parts.after ?? '',
    '</main>',
    parts.footer ?? '',
    '</body>',
    '</html>',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** Site header with a labelled navigation. */
export const navigation = (name: string, links: Readonly<Record<string, string>>): string =>
  `<header><a href="/">${name}</a><nav aria-label="Main">${linkList(links)}</nav></header>`;

export const linkList = (links: Readonly<Record<string, string>>): string =>
  `<ul>${Object.entries(links)
    .map(([href, text]) => `<li><a href="${href}">${text}</a></li>`)
    .join('')}</ul>`;

export const jsonLd = (value: unknown): string =>
  `<script type="application/ld+json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;

export type SitemapEntry = { path: string; lastmod?: string };

export const sitemapXml = (entries: readonly SitemapEntry[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries.map(
      ({ path, lastmod }) =>
        `<url><loc>${SITE}${path}</loc>${lastmod === undefined ? '' : `<lastmod>${lastmod}</lastmod>`}</url>`,
    ),
    '</urlset>',
  ].join('\n');

/**
 * Renders the Markdown that fixtures are written in: headings (with ids), paragraphs, lists, quotations whose last line
 * may be `— Name`, fenced code, tables (a line `Table: caption` before), images with a caption, links, and HTML as it is.
 */
export function renderMarkdown(markdown: string): string {
  const fences: string[] = [];
  const kept = markdown.replaceAll(/^```(\w*)\n([^]*?)^```$/gm, (_, language: string, code: string) => {
    const name = language === '' ? '' : ` class="language-${language}"`;
    return `<fence>${fences.push(`<pre><code${name}>${escaped(code)}</code></pre>`) - 1}`;
  });
  const blocks = kept.trim().split(/\n{2,}/);
  return blocks
    .map((block, index) => renderBlock(block.trim(), index))
    .join('\n')
    .replaceAll(/<fence>(\d+)/g, (_, index: string) => fences[Number(index)] ?? '');
}

function renderBlock(block: string, index: number): string {
  const heading = /^(#{1,6}) (.+)$/.exec(block);
  if (heading) return renderHeading(heading[1]?.length ?? 1, heading[2] ?? '', index);
  if (block.startsWith('<')) return block;
  const lines = block.split('\n');
  if (block.startsWith('> ')) return renderQuote(lines.map((line) => line.replace(/^> ?/, '')));
  if (block.startsWith('- ')) return renderList('ul', lines);
  if (block.startsWith('1. ')) return renderList('ol', lines);
  if (block.startsWith('|') || block.startsWith('Table: ')) return renderTable(lines);
  const image = /^!\[(.*)\]\((\S+)(?: "(.+)")?\)$/.exec(block);
  if (image) return renderFigure(image[2] ?? '', image[1] ?? '', image[3]);
  return `<p>${inline(lines.join(' '))}</p>`;
}

function renderHeading(level: number, text: string, index: number): string {
  const slug = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  const id = slug.length > 2 ? slug : `section-${index}`;
  return `<h${level}${level === 1 ? '' : ` id="${id}"`}>${inline(text)}</h${level}>`;
}

function renderQuote(lines: readonly string[]): string {
  const speaker = lines.at(-1)?.startsWith('— ') === true ? lines.at(-1)?.slice(2) : undefined;
  const said = (speaker === undefined ? lines : lines.slice(0, -1)).join(' ');
  const by = speaker === undefined ? '' : `<footer>— <cite>${inline(speaker)}</cite></footer>`;
  return `<blockquote><p>${inline(said)}</p>${by}</blockquote>`;
}

const renderList = (tag: 'ul' | 'ol', lines: readonly string[]): string =>
  `<${tag}>\n${lines.map((line) => `<li>${inline(line.replace(/^(?:- |\d+\. )/, ''))}</li>`).join('\n')}\n</${tag}>`;

function renderTable(lines: readonly string[]): string {
  const caption = lines[0]?.startsWith('Table: ') ? lines[0].slice('Table: '.length) : undefined;
  const rows = lines
    .filter((line) => line.startsWith('|') && !/^\|[\s|:-]+$/.test(line))
    .map((line) => line.replaceAll(/^\||\|$/g, '').split('|'));
  const [head = [], ...body] = rows;
  const cells = (tag: string, row: readonly string[]): string =>
    `<tr>${row.map((cell) => `<${tag}>${inline(cell.trim())}</${tag.split(' ')[0] ?? tag}>`).join('')}</tr>`;
  return [
    '<table>',
    caption === undefined ? '' : `<caption>${inline(caption)}</caption>`,
    `<thead>${cells('th scope="col"', head)}</thead>`,
    `<tbody>${body.map((row) => cells('td', row)).join('\n')}</tbody>`,
    '</table>',
  ].join('');
}

function renderFigure(src: string, alt: string, caption: string | undefined): string {
  const image = `<img src="${src}" alt="${escaped(alt)}" width="960" height="640" loading="lazy">`;
  if (caption === undefined) return `<p>${image}</p>`;
  return `<figure>${image}<figcaption>${inline(caption)}</figcaption></figure>`;
}

const inline = (text: string): string =>
  escaped(text)
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
