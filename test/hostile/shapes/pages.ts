import { audit, HTML, page } from '../entries.ts';
import { BODY, each, isFull, often, repeated, shape, type Shape } from '../shape.ts';

/** The size at which B4 was found is run by test/hostile/pages.test.ts, and here in a full run. */
const WORST = BODY;
/** Twice the calls that reading every byte of it takes. */
const WORST_CALLS = { calls: 150_000_000 };
const start = (text: string, bytes: number = BODY) => page(repeated(text, bytes));
const inBody = (body: string, head = ''): ReturnType<typeof page> =>
  page(
    `<!doctype html><html lang="en"><head><title>A shop</title>${head}</head><body><main><h1>A shop</h1>${body}</main></body></html>`,
  );
const jsonLd = (json: string): string => `<script type="application/ld+json">${json}</script>`;
const MANY = often(6_000, 1_000_000);
const DEEP = often(5_000, 100_000);

/** B4 and its family: one page of at most 5 MB, read by the whole audit. */
export const pages: readonly Shape[] = [
  shape('B4: 5 MB of <', () => start('<', WORST), audit, WORST_CALLS),
  shape('B4: 5 MB of <1', () => start('<1', WORST), audit, WORST_CALLS),
  shape('B4: 5 MB of < and a space', () => start('< ', WORST), audit, WORST_CALLS),
  shape('B4: 5 MB of <li>x', () => start('<li>x', WORST), audit, WORST_CALLS),
  shape('B4: 5 MB of a<br>', () => start('a<br>', WORST), audit, WORST_CALLS),
  shape('5 MB of &amp;', () => start('&amp;', WORST), audit, WORST_CALLS),
  shape('5 MB of &', () => start('&', WORST), audit, WORST_CALLS),
  shape('entities by number', () => start('&#x41;'), audit),
  shape('an entity by number that never ends', () => inBody(`&#x${'0'.repeat(BODY)}`), audit),
  shape('names of entities that are none', () => start('&notanentity'), audit),
  shape('a million elements', () => inBody(repeated('<i>', BODY)), audit),
  shape('a million elements that are closed', () => inBody(repeated('<b>x</b>')), audit),
  shape('a million closing tags', () => inBody(repeated('</p>')), audit),
  shape('elements as deep as the page', () => inBody(repeated('<div>')), audit),
  shape('tables in tables', () => inBody(repeated('<table><tr><td>')), audit),
  shape('formatting elements that are never closed', () => inBody(repeated('<a><b><p>')), audit),
  shape('a million attributes of one element', () => inBody(`<p ${each(MANY, (index) => `a${index} `)}>x</p>`), audit),
  shape('a million attributes of the same name', () => inBody(`<p ${repeated('a=1 ')}>x</p>`), audit),
  shape(
    'attributes of the html element',
    () => page(`<html ${each(MANY, (index) => `data-${index}=x `)}><title>x</title>`),
    audit,
  ),
  shape('an attribute value of a megabyte', () => inBody(`<p title="${'x'.repeat(BODY)}">x</p>`), audit),
  shape('an attribute value that never ends', () => page(`<p title="${'<b>'.repeat(BODY / 3)}`), audit),
  shape('a class list of a million names', () => inBody(`<p class="${repeated('a ')}">x</p>`), audit),
  shape('style attributes of a megabyte', () => inBody(`<p style="${repeated('display:none;')}">x</p>`), audit),
  shape('a tag name of a megabyte', () => page(`<${'x'.repeat(BODY)}>`), audit),
  shape('tag names that are all different', () => inBody(each(MANY, (index) => `<x-${index}>`)), audit),
  shape('a comment that never ends', () => page(`<!--${'-'.repeat(BODY)}`), audit),
  shape('a million comments', () => inBody(repeated('<!---->')), audit),
  shape('a CDATA section that never ends', () => page(`<svg><![CDATA[${']'.repeat(BODY)}`), audit),
  shape('declarations that never end', () => start('<!['), audit),
  shape('processing instructions', () => start('<?x?>'), audit),
  shape('a script that never ends', () => page(`<script>${repeated('<!--<script>')}`), audit),
  shape('a million scripts', () => inBody(repeated('<script></script>')), audit),
  shape('a title that never ends', () => page(`<title>${repeated('</titl')}`), audit),
  shape('a textarea that never ends', () => page(`<textarea>${repeated('</textare')}`), audit),
  shape('a plaintext element', () => page(`<plaintext>${repeated('<x>')}`), audit),
  shape('a million headings', () => inBody(repeated('<h2>x</h2>')), audit),
  shape(
    'a million links to different hosts',
    () => inBody(each(often(5_000, 100_000), (index) => `<a href="https://h${index}.example/">x</a>`)),
    audit,
  ),
  shape(
    'a million links to paths',
    () => inBody(each(often(10_000, 200_000), (index) => `<a href="/${index}">x</a>`)),
    audit,
  ),
  shape(
    'links of 64 KB',
    () => inBody(each(BODY / 65_536, (index) => `<a href="/${index}${'a'.repeat(65_536)}">x</a>`)),
    audit,
  ),
  shape(
    'base elements without number',
    () =>
      inBody(
        'x',
        each(often(5_000, 100_000), (index) => `<base href="/${index}/">`),
      ),
    audit,
  ),
  shape('meta elements without number', () => inBody('x', repeated('<meta name="description" content="x">')), audit),
  shape(
    'alternates in all languages there are not',
    () =>
      inBody(
        'x',
        each(often(5_000, 80_000), (index) => `<link rel="alternate" hreflang="x-${index}" href="/${index}">`),
      ),
    audit,
  ),
  shape(
    'canonical links without number',
    () =>
      inBody(
        'x',
        each(often(5_000, 80_000), (index) => `<link rel="canonical" href="/${index}">`),
      ),
    audit,
  ),
  shape(
    'forms in forms with a million controls',
    () => inBody(`<form>${repeated('<input name=a><label>x</label>')}`),
    audit,
  ),
  shape(
    'an id that a million labels name',
    () => inBody(repeated('<input aria-labelledby="a a a a a a a a a" id="a">')),
    audit,
  ),
  shape(
    'labels that name each other',
    () =>
      inBody(
        each(
          often(2_500, 60_000),
          (index) => `<span id="s${index}" aria-labelledby="s${index + 1} s${index - 1}">x</span>`,
        ),
      ),
    audit,
  ),
  shape(
    'microdata that refers to itself',
    () =>
      inBody(
        each(
          often(2_500, 60_000),
          (index) =>
            `<div itemscope itemtype="https://schema.org/Thing" id="i${index}" itemref="i${index + 1} i0"></div>`,
        ),
      ),
    audit,
  ),
  shape(
    'microdata as deep as the page',
    () => inBody(repeated('<div itemscope itemprop="a" itemtype="https://schema.org/Thing">')),
    audit,
  ),
  shape(
    'JSON-LD nested a hundred thousand deep',
    () => inBody('x', jsonLd(`${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`)),
    audit,
  ),
  shape('JSON-LD of open brackets', () => inBody('x', jsonLd('['.repeat(BODY))), audit),
  shape('JSON-LD that is cut inside', () => inBody('x', jsonLd(repeated('{"@graph":['))), audit),
  shape(
    'a graph of a million nodes',
    () => inBody('x', jsonLd(`{"@context":"https://schema.org","@graph":[${'{},'.repeat(MANY)}{}]}`)),
    audit,
  ),
  shape(
    'a graph of nodes that name each other',
    () =>
      inBody(
        'x',
        jsonLd(
          `{"@context":"https://schema.org","@graph":[${each(often(2_500, 50_000), (index) => `{"@id":"#${index}","@type":"Thing","about":{"@id":"#${index + 1}"}},`)}{"@id":"#0"}]}`,
        ),
      ),
    audit,
  ),
  shape('a million blocks of JSON-LD', () => inBody('x', repeated(jsonLd('{}'))), audit),
  shape(
    'JSON-LD with a million types',
    () => inBody('x', jsonLd(`{"@context":"https://schema.org","@type":[${'"A",'.repeat(MANY)}"B"]}`)),
    audit,
  ),
  shape(
    'JSON-LD with a million prototypes',
    () => inBody('x', jsonLd(`{${'"__proto__":{"a":1},'.repeat(often(10_000, 200_000))}"a":1}`)),
    audit,
  ),
  shape('a page of one word', () => page(`<p>${'a'.repeat(BODY)}`), audit),
  shape('a page of spaces', () => page(`<p>${' '.repeat(BODY)}x`), audit),
  shape('a page of full stops', () => page(`<p>${'. '.repeat(BODY / 2)}`), audit),
  shape('a page of sentences of one letter', () => inBody(`<p>${repeated('A. ')}</p>`), audit),
  shape('a page of digits', () => inBody(`<p>${'9'.repeat(BODY)}</p>`), audit),
  shape('a page of dates', () => inBody(`<p>${repeated('2026-01-01 ')}</p>`), audit),
  shape('a page of quotation marks', () => inBody(`<p>${'“'.repeat(BODY / 3)}</p>`), audit),
  shape('a page of brackets', () => inBody(`<p>${repeated('([{')}</p>`), audit),
  shape('a page of capital words', () => inBody(`<p>${repeated('AB (CD) ')}</p>`), audit),
  shape('a page of at signs', () => inBody(`<p>${'@'.repeat(BODY)}</p>`), audit),
  shape('a page of mail addresses without an end', () => inBody(`<p>${'a.'.repeat(BODY / 2)}@</p>`), audit),
  shape('a page of telephone numbers', () => inBody(`<p>${repeated('+1 (2) 3-4 ')}</p>`), audit),
  shape('a page of prices', () => inBody(`<p>${repeated('$1,000.00 ')}</p>`), audit),
  shape('a page of questions', () => inBody(repeated('<h3>What is it?</h3><p>x</p>')), audit),
  shape('a page of zero-width characters', () => inBody(`<p>${'\u200b\u2060'.repeat(BODY / 6)}</p>`), audit),
  shape('a page of combining marks', () => inBody(`<p>a${'\u0301'.repeat(BODY / 2)}</p>`), audit),
  shape('a page of tag characters', () => inBody(`<p>${'\u{e0041}'.repeat(BODY / 4)}</p>`), audit),
  shape('a page of overrides of direction', () => inBody(`<p>${'\u202e\u2066'.repeat(BODY / 6)}</p>`), audit),
  shape('a page of NUL', () => page(`<p>${'\0'.repeat(BODY)}`), audit),
  shape('a page of broken UTF-8', () => page(new Uint8Array(BODY).fill(0xff)), audit),
  shape(
    'a page that says it is UTF-16 and is not',
    () => page(repeated('<p>x'), [['content-type', 'text/html; charset=utf-16']]),
    audit,
  ),
  shape(
    'a page of stray surrogates',
    () => page(Buffer.from('\ud800x'.repeat(BODY / 4), 'utf16le'), [['content-type', 'text/html; charset=utf-16le']]),
    audit,
  ),
  shape(
    'a page that says it is UTF-7',
    () => page(repeated('+ADw-script+AD4-'), [['content-type', 'text/html; charset=utf-7']]),
    audit,
  ),
  shape(
    'a charset name of 200 KB',
    () => page('<p>x', [['content-type', `text/html; charset=${'x'.repeat(60_000)}`]]),
    audit,
  ),
  shape(
    'iso-2022-jp escapes',
    () => page(repeated('\u001b$B\u001b(B'), [['content-type', 'text/html; charset=iso-2022-jp']]),
    audit,
  ),
  shape(
    'aria attributes without number',
    () => inBody(repeated('<div role="button" tabindex="0" aria-label="x" aria-hidden="true">x</div>')),
    audit,
  ),
  shape(
    'a robots tag of a megabyte',
    () => inBody('x', `<meta name="robots" content="${repeated('noindex,')}">`),
    audit,
  ),
  shape('pictures without number', () => inBody(repeated('<img src="/a.png" srcset="/a 1x,/b 2x" alt="x">')), audit),
  shape('frames without number', () => inBody(repeated('<iframe srcdoc="<p>x</p>"></iframe>')), audit),
  shape('templates in templates', () => inBody(repeated('<template>')), audit),
  shape(
    'declared shadow roots',
    () => inBody(repeated('<div><template shadowrootmode="open"><slot></slot></template></div>')),
    audit,
  ),
  shape('noscript in noscript', () => inBody(repeated('<noscript><p>x')), audit),
  shape('SVG in MathML in SVG', () => inBody(repeated('<svg><math><mtext>')), audit),
  shape('tables of a hundred thousand columns', () => inBody(`<table><tr>${repeated('<td>x')}</table>`), audit),
  shape(
    'spans of columns beyond all numbers',
    () => inBody(`<table>${repeated('<tr><td colspan=99999999 rowspan=99999999>x')}</table>`),
    audit,
  ),
  shape(
    'the same page for every path',
    () =>
      ({ pathname }) => ({
        headers: HTML,
        body: repeated(`<a href="${pathname.slice(0, 100)}a/">x</a><p>x</p>`, isFull ? BODY : BODY / 4),
      }),
    audit,
    { calls: 200_000_000 },
  ),
];
