/** A page as text for a person who labels it: head, structured data and body in reading order. It knows nothing of the engine. */
import * as cheerio from 'cheerio';
import type { TruthPage } from './corpora.ts';

const MAX_BODY = 26_000;
const KEEP = { start: 20_000, end: 5_000 };
const MAX_BLOCK = 3_000;
const MAX_META = 320;
const MAX_LINKS_IN_ROW = 25;
const HIDING = /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])/i;
const TELLING =
  /author|byline|date|publish|update|price|comment|related|teaser|share|sidebar|footer|recommend|breadcrumb|caption|quote/i;
const BLOCKS = new Set(
  'p div section article main header footer nav aside ul ol li table tr h1 h2 h3 h4 h5 h6 blockquote figure figcaption form dl dt dd pre address details summary fieldset noscript iframe br hr'.split(
    ' ',
  ),
);
const MARKED = new Set(
  'section article main header footer nav aside form blockquote figure noscript table iframe'.split(' '),
);

/** The page as readers of labels see it. */
export function renderReadingView(page: TruthPage, bytes: Uint8Array): string {
  const $ = cheerio.loadBuffer(Buffer.from(bytes));
  const parts = [
    `ADDRESS ${page.url}`,
    `SIZE ${bytes.length} bytes of HTML`,
    '',
    '--- HEAD ---',
    ...headLines($),
    '',
    '--- STRUCTURED DATA (JSON-LD, as written) ---',
    ...jsonLdLines($),
    '',
    '--- BODY ---',
    bodyText($, page.url),
  ];
  return `${parts.join('\n')}\n`;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const cut = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit)} [cut: ${text.length} characters in all]`;

function headLines($: cheerio.CheerioAPI): readonly string[] {
  const lines = [`html lang="${$('html').attr('lang') ?? ''}"`];
  $('title').each((_, node) => {
    if ($(node).closest('svg').length > 0) return;
    const text = oneLine($(node).text());
    lines.push(`title (${Array.from(text).length} characters): ${text}`);
  });
  $('meta').each((_, node) => {
    const key =
      $(node).attr('name') ?? $(node).attr('property') ?? $(node).attr('itemprop') ?? $(node).attr('http-equiv');
    const content = oneLine($(node).attr('content') ?? '');
    if (
      key === undefined ||
      /^(?:viewport|msapplication|theme-color|fb:|al:|twitter:(?:site|card|image|app)|google-site|apple-)/i.test(key)
    )
      return;
    const size = key.toLowerCase() === 'description' ? ` (${Array.from(content).length} characters)` : '';
    lines.push(`meta ${key}${size}: ${cut(content, MAX_META)}`);
  });
  $('link[rel]').each((_, node) => {
    const rel = $(node).attr('rel') ?? '';
    if (/stylesheet|icon|preload|prefetch|preconnect|pingback|EditURI|wlw|mask|manifest|shortlink/i.test(rel)) return;
    const more = ['type', 'hreflang', 'media'].flatMap((name) =>
      $(node).attr(name) ? [`${name}=${$(node).attr(name)}`] : [],
    );
    lines.push(`link rel=${rel} ${more.join(' ')} href=${$(node).attr('href') ?? ''}`);
  });
  return lines;
}

function jsonLdLines($: cheerio.CheerioAPI): readonly string[] {
  const blocks = $('script')
    .toArray()
    .filter((node) => /ld\+json/i.test($(node).attr('type') ?? ''))
    .map(
      (node, index) =>
        `[block ${index + 1}] ${cut(
          $(node)
            .text()
            .trim()
            .replaceAll(/[ \t]{2,}/g, ' ')
            .replaceAll(/\n\s*\n/g, '\n'),
          MAX_BLOCK,
        )}`,
    );
  return blocks.length === 0 ? ['(none)'] : blocks;
}

function bodyText($: cheerio.CheerioAPI, url: string): string {
  const out: string[] = [];
  let line = '';
  const flush = (): void => {
    const text = oneLine(line);
    if (text !== '') out.push(text);
    line = '';
  };
  const host = new URL(url).host;
  const target = (href: string): string => {
    try {
      const to = new URL(href, url);
      const text = to.host === host ? to.pathname + to.search : to.href;
      return text.length > 70 ? `${text.slice(0, 67)}...` : text;
    } catch {
      return href.slice(0, 70);
    }
  };
  const name = (node: cheerio.Cheerio<any>): string => {
    const id = node.attr('id');
    const label =
      id === undefined
        ? ''
        : oneLine(
            $(`label[for="${id.replaceAll(/["\\]/g, '')}"]`)
              .first()
              .text(),
          );
    const around = oneLine(node.closest('label').text());
    const given = ['aria-label', 'aria-labelledby', 'title', 'placeholder', 'value', 'alt'].flatMap((key) =>
      node.attr(key) ? [`${key}="${cut(node.attr(key) ?? '', 60)}"`] : [],
    );
    return [
      label === '' ? '' : `label="${cut(label, 60)}"`,
      around === '' ? '' : `inside label "${cut(around, 60)}"`,
      ...given,
    ]
      .filter((one) => one !== '')
      .join(' ');
  };
  const walk = (node: any): void => {
    if (node.type === 'text') {
      line += node.data;
      return;
    }
    if (node.type === 'comment' && /ignore|instruction|assistant|prompt/i.test(node.data))
      line += ` (comment: ${cut(oneLine(node.data), 200)}) `;
    if (node.type !== 'tag') return;
    const tag: string = node.name;
    const el = $(node);
    if (tag === 'svg' || tag === 'template' || tag === 'style' || tag === 'script') return;
    const block = BLOCKS.has(tag);
    if (block) flush();
    const hidden =
      el.attr('hidden') !== undefined || HIDING.test(el.attr('style') ?? '')
        ? 'hidden '
        : el.attr('aria-hidden') === 'true'
          ? 'aria-hidden '
          : '';
    const marks = [
      hidden,
      TELLING.test(el.attr('class') ?? '') ? `.${oneLine(el.attr('class') ?? '').slice(0, 50)} ` : '',
      TELLING.test(el.attr('id') ?? '') ? `#${(el.attr('id') ?? '').slice(0, 30)} ` : '',
      ...['itemprop', 'itemtype', 'rel', 'role', 'typeof', 'property'].map((key) =>
        el.attr(key) && !(key === 'rel' && /nofollow|noopener|noreferrer/.test(el.attr(key) ?? ''))
          ? `${key}=${el.attr(key)} `
          : '',
      ),
    ]
      .join('')
      .trim();
    const mark = marks === '' ? '' : `{${marks}} `;
    if (MARKED.has(tag)) {
      flush();
      out.push(
        `<${tag}${marks === '' ? '' : ` ${marks}`}>${tag === 'iframe' ? ` ${target(el.attr('src') ?? '')}` : ''}`,
      );
    } else if (/^h[1-6]$/.test(tag)) line += `${'#'.repeat(Number(tag[1]))} ${mark}`;
    else if (tag === 'li') line += `- ${mark}`;
    else if (tag === 'img')
      line += ` ![${el.attr('alt') === undefined ? 'NO ALT' : `alt="${cut(el.attr('alt') ?? '', 80)}"`}${mark}] `;
    else if (tag === 'input') {
      if (el.attr('type') !== 'hidden')
        line += ` <input type=${el.attr('type') ?? 'text'} name=${el.attr('name') ?? ''} ${name(el)}> `;
      return;
    } else if (tag === 'select' || tag === 'textarea') {
      line += ` <${tag} name=${el.attr('name') ?? ''} ${name(el)}> `;
      return;
    } else if (tag === 'button')
      line += ` <button ${['aria-label', 'title', 'aria-labelledby'].map((key) => (el.attr(key) ? `${key}="${el.attr(key)}" ` : '')).join('')}>`;
    else if (tag === 'time') line += ` <time datetime="${el.attr('datetime') ?? ''}" ${mark}>`;
    else if (tag === 'q' || tag === 'cite') line += ` <${tag}>`;
    else if (tag === 'a') line += mark === '' ? ' [' : ` ${mark}[`;
    else if (mark !== '') line += mark;
    for (const child of node.children) walk(child);
    if (tag === 'a') {
      const label = ['aria-label', 'title'].flatMap((key) =>
        el.attr(key) ? [`${key}="${cut(el.attr(key) ?? '', 60)}"`] : [],
      );
      line += `](${el.attr('href') === undefined ? 'no href' : target(el.attr('href') ?? '')}${el.attr('onclick') ? ' onclick' : ''}${label.length > 0 && oneLine(el.text()) === '' ? ` ${label.join(' ')}` : ''}) `;
    } else if (tag === 'button' || tag === 'time' || tag === 'q' || tag === 'cite') line += `</${tag}> `;
    else if (tag === 'td' || tag === 'th') line += ' | ';
    if (block) flush();
    if (MARKED.has(tag)) out.push(`</${tag}>`);
  };
  for (const child of $('body').contents().toArray()) walk(child);
  flush();
  return cutBody(
    joinLinkRuns(out.filter((text, index) => !(text.startsWith('</') && out[index - 1] === text.replace('</', '<')))),
  );
}

/** Long menus say little: the first of a run of lines that are one link each. */
function joinLinkRuns(lines: readonly string[]): readonly string[] {
  const out: string[] = [];
  let run = 0;
  for (const text of lines) {
    run = /^(?:- )?(?:\{[^}]{1,80}\} )?\[[^\]]{0,120}\]\([^)]{0,140}\)$/.test(text) ? run + 1 : 0;
    if (run <= MAX_LINKS_IN_ROW) out.push(text);
    else if (run === MAX_LINKS_IN_ROW + 1) out.push('... more lines of one link each, left out here');
  }
  return out;
}

function cutBody(lines: readonly string[]): string {
  const text = lines.join('\n');
  if (text.length <= MAX_BODY) return text;
  return `${text.slice(0, KEEP.start)}\n\n=== ${text.length - KEEP.start - KEEP.end} characters left out here: look them up in the HTML file if a question depends on them ===\n\n${text.slice(-KEEP.end)}`;
}
