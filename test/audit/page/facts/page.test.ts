import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PAGE_LIMITS, type PageFacts } from '../../../../src/audit/page/facts/page-facts.ts';
import { findParagraphBelow, getMetaContent, parsePage } from '../../../../src/audit/page/facts/page.ts';

const URL_OF_PAGE = 'https://acme.example/docs/page';
const read = (html: string): PageFacts =>
  parsePage(html, { url: URL_OF_PAGE, bodyBytes: new TextEncoder().encode(html).byteLength });
const body = (html: string): PageFacts => read(`<html><body>${html}</body></html>`);

describe('the head', () => {
  const page = read(`<!doctype html>
<html lang="de-CH"><head><base href="/base/">
<title> A &amp; B
</title><meta name=Description content=" Words "><meta property="og:title" content="One"><meta property="og:title" content="Two">
<meta name="robots" content="NOINDEX, nofollow"><meta name="GoogleBot" content="max-snippet:-1">
<link rel="Canonical alternate" href="x?y=1#z" hreflang="de">
</head><body><link rel=canonical href=/no><svg><title>no</title></svg></body></html>`);

  test('language, doctype and title are read, the title of an image is not', () => {
    expect({ lang: page.lang, doctype: page.doctype, titles: page.titles }).toEqual({
      lang: 'de-CH',
      doctype: true,
      titles: ['A & B'],
    });
  });

  test('metas are found by lower-case name or property', () => {
    expect([
      getMetaContent(page, 'description'),
      getMetaContent(page, 'og:title'),
      getMetaContent(page, 'absent'),
    ]).toEqual(['Words', 'One', '']);
    expect(page.openGraph).toEqual({ title: ['One', 'Two'] });
  });

  test('robots metas keep their agent and split directives', () => {
    expect(page.robots.map(({ agent, directives, line }) => [agent, directives, line])).toEqual([
      ['robots', ['noindex', 'nofollow'], 5],
      ['googlebot', ['max-snippet:-1'], 5],
    ]);
  });

  test('canonical links count only in the head and resolve against the base', () => {
    expect(page.canonicals.map(({ href, rawHref, line }) => [href, rawHref, line])).toEqual([
      ['https://acme.example/base/x?y=1#z', 'x?y=1#z', 6],
    ]);
  });

  test('a head without end tag ends where text or flow content begins', () => {
    expect(read('<head><title>T</title><p>Words here</p>').text).toBe('Words here');
    expect(read('<head><title>T</title>Words here').text).toBe('Words here');
  });
});

describe('visible text', () => {
  test.each([
    ['scripts, styles and templates', '<script>no</script><style>no</style><template>no</template>yes', 'yes'],
    ['noscript', '<noscript>no</noscript>yes', 'yes'],
    ['svg', '<svg><text>no</text></svg>yes', 'yes'],
    ['the hidden attribute', '<p hidden>no</p>yes', 'yes'],
    ['display:none', '<p style="color:red; DISPLAY : none">no</p>yes', 'yes'],
    ['visibility:hidden', '<p style="visibility:hidden">no</p>yes', 'yes'],
    ['font-size:0', '<p style="font-size:0px">no</p>yes', 'yes'],
    ['children of a hidden element', '<div hidden><p>no <b>no</b></p></div>yes', 'yes'],
    ['options and text areas', '<select><option>no</option></select><textarea>no</textarea>yes', 'yes'],
    ['comments', '<!-- no -->yes', 'yes'],
  ])('leaves out %s', (_name, html, text) => {
    expect(body(html).text).toBe(text);
  });

  test.each([
    ['html', `<html style="visibility:hidden"><body>`],
    ['body', `<html><body hidden>`],
    ['a wrapper of it all', `<html><body><div style="display:none">`],
  ])('is read where a page hides %s until a script shows it', (_name, opening) => {
    const page = read(`${opening}<main><h1>Lamps</h1><p>${'Words of a long text. '.repeat(120)}</p></main>`);
    expect(page.words).toBeGreaterThan(400);
    expect(page.contentText).toContain('Words of a long text.');
    expect(page.headings[0]?.hidden).toBeUndefined();
  });

  test('a long hidden text beside a visible one stays hidden', () => {
    const hidden = `<div style="display:none"><p>${'Words of a long text. '.repeat(120)}</p></div>`;
    const shown = `<p>${'A sentence that is seen by all. '.repeat(5)}</p>`;
    expect(body(hidden + shown).text).not.toContain('Words');
    expect(body(hidden + shown).words).toBe(35);
  });

  test('a short hidden text alone stays hidden', () => {
    expect(body('<div style="display:none"><p>Words of a short text.</p></div>').text).toBe('');
  });

  test.each([
    ['hidden until found', '<p hidden="until-found">yes</p>', 'yes'],
    ['aria-hidden, which is seen', '<p aria-hidden="true">yes</p>', 'yes'],
    ['a small font', '<p style="font-size:0.8em">yes</p>', 'yes'],
    ['entities', '<p>a &lt; b &eacute;</p>', 'a < b é'],
    ['blocks on lines of their own', '<h1>A</h1><p>B  <b>C</b>\n D</p><ul><li>E<li>F</ul>', 'A\nB C D\nE\nF'],
  ])('keeps %s', (_name, html, text) => {
    expect(body(html).text).toBe(text);
  });

  test('hidden text is known with its reason, once per outermost element', () => {
    const { hiddenTexts } = body('<div style="display:none">one <b>two</b></div><span aria-hidden="true">three</span>');
    expect(hiddenTexts.map(({ text, how, tag }) => [text, how, tag])).toEqual([
      ['one two', 'display-none', 'div'],
      ['three', 'aria-hidden', 'span'],
    ]);
  });

  test('the text ratio and sizes are those of the page', () => {
    const page = read('<p>1234567890</p>');
    expect({ ratio: page.textRatio, bytes: page.htmlBytes, words: page.words }).toEqual({
      ratio: 0.588,
      bytes: 17,
      words: 1,
    });
    expect(read('').textRatio).toBe(0);
  });
});

describe('structure', () => {
  test('headings have level, order, id and whether they ask', () => {
    const { headings } = body('<h1>Racks</h1><h3 id="why">Why oak?</h3><h2>How to oil <em>oak</em></h2>');
    expect(headings.map(({ level, order, text, id, question }) => [level, order, text, id, question])).toEqual([
      [1, 0, 'Racks', '', false],
      [3, 1, 'Why oak?', 'why', true],
      [2, 2, 'How to oil oak', '', true],
    ]);
  });

  test('sections hold the text between headings, the first before any', () => {
    expect(body('before<h1>A</h1><p>one two</p><h2>B</h2>three').sections).toEqual([
      { heading: -1, text: 'before', words: 1 },
      { heading: 0, text: 'one two', words: 2 },
      { heading: 1, text: 'three', words: 1 },
    ]);
  });

  test('paragraphs know their heading, links and place', () => {
    const page = body(
      '<nav><p>N</p></nav><h2>H</h2><article><p>See <a href="/x">x</a> and <a href="y">y</a>.</p></article>',
    );
    expect(
      page.paragraphs.map(({ text, region, inContent, heading, links }) => ({
        text,
        region,
        inContent,
        heading,
        links,
      })),
    ).toEqual([
      { text: 'N', region: 'nav', inContent: false, heading: -1, links: [] },
      {
        text: 'See x and y.',
        region: 'none',
        inContent: true,
        heading: 0,
        links: ['https://acme.example/x', 'https://acme.example/docs/y'],
      },
    ]);
    expect(findParagraphBelow(page, 0)?.text).toBe('See x and y.');
  });

  test('the footer of an article is no footer of the page', () => {
    const { anchors } = body(
      '<main><article><footer><a href="/a">A</a></footer></article></main><footer><a href="/b">B</a></footer>',
    );
    expect(anchors.map(({ region }) => region)).toEqual(['main', 'footer']);
  });

  test('landmark roles count like their elements', () => {
    const { anchors } = body(
      '<div role="navigation"><a href="/a">A</a></div><div role="main"><a href="/b">B</a></div>',
    );
    expect(anchors.map(({ region, inContent }) => [region, inContent])).toEqual([
      ['nav', false],
      ['main', true],
    ]);
  });

  test('lists keep their items apart, also nested ones', () => {
    const { lists } = body('<ul><li>a<ol><li>b</li></ol></li><li>c</li></ul>');
    expect(lists.map(({ ordered, items }) => [ordered, items])).toEqual([
      [false, ['a b', 'c']],
      [true, ['b']],
    ]);
  });

  test('tables have rows, the widest row, header cells and a caption', () => {
    const { tables } = body('<table><caption>Sizes</caption><tr><th>A<th>B<tr><td>1<td>2<td>3</table>');
    expect(tables).toMatchObject([{ rows: 2, columns: 3, headerCells: 2, caption: 'Sizes' }]);
  });

  test('questions, quotes, times and code are read', () => {
    const page = body(
      '<details><summary>Why?</summary>Because.</details><dl><dt>Oak<dd>A tree</dl><blockquote cite="/s">Said</blockquote><time datetime="2026-01-02">2 Jan</time><pre><code class="x language-TS">a\n  b</code></pre>',
    );
    expect(page.details).toMatchObject([{ summary: 'Why?', text: 'Why? Because.' }]);
    expect(page.definitions).toMatchObject([{ term: 'Oak', text: 'A tree' }]);
    expect(page.quotes).toMatchObject([{ kind: 'blockquote', text: 'Said', cite: '/s' }]);
    expect(page.times).toMatchObject([{ datetime: '2026-01-02', text: '2 Jan' }]);
    expect(page.codeBlocks).toEqual([{ language: 'ts', code: true, text: 'a\n  b', line: 1 }]);
  });
});

describe('links and images', () => {
  test.each([
    ['its text', '<a href="/x"> a <b>b</b></a>', 'a b'],
    ['its label', '<a href="/x" aria-label="Menu"></a>', 'Menu'],
    ['the alt text of its image', '<a href="/x"><img src="i" alt="Home"></a>', 'Home'],
    ['its title', '<a href="/x" title="More"><i></i></a>', 'More'],
    ['nothing', '<a href="/x"><img src="i"></a>', ''],
    ['its text in a hidden menu', '<nav hidden><a href="/x">Shop</a></nav>', 'Shop'],
  ])('a link is named by %s', (_name, html, text) => {
    expect(body(html).anchors[0]?.text).toBe(text);
  });

  test('relative, broken and empty targets are told apart', () => {
    const { anchors } = body(
      '<a href="../x">a</a><a href="https://[">b</a><a>c</a><a href="javascript:go()" rel="NoFollow x">d</a>',
    );
    expect(anchors.map(({ href, rels }) => [href, rels])).toEqual([
      ['https://acme.example/x', []],
      ['', []],
      ['javascript:go()', ['nofollow', 'x']],
    ]);
  });

  test('an absent alt text is null and an empty one is empty', () => {
    expect(
      body('<img src="/a.png"><img src=data:image/png;base64,AAAA alt="">').images.map(({ src, alt }) => [src, alt]),
    ).toEqual([
      ['https://acme.example/a.png', null],
      ['data:image/png;base64,AAAA', ''],
    ]);
  });
});

describe('data and controls', () => {
  test('JSON-LD is kept as written, with its line', () => {
    const page = read(
      '<html>\n<script type="application/ld+json; charset=utf-8">\n{"a": "<b> & &amp;"}</script><script type="text/json">{}</script>',
    );
    expect(page.jsonLd).toEqual([{ text: '\n{"a": "<b> & &amp;"}', line: 2, truncated: false }]);
    expect(page.scripts).toEqual({ total: 2, inline: 2, external: 0, module: 0 });
  });

  test('microdata items nest and read the values of their elements', () => {
    const { microdata } = body(
      '<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Rack</b><link itemprop="url" href="/r"><div itemprop="offers" itemscope><meta itemprop="price" content="9"></div></div>',
    );
    expect(microdata.map(({ types, props }) => ({ types, props }))).toEqual([
      {
        types: ['https://schema.org/Product'],
        props: [
          { name: 'name', value: 'Rack' },
          { name: 'url', value: 'https://acme.example/r' },
          { name: 'offers', value: '', item: 1 },
        ],
      },
      { types: [], props: [{ name: 'price', value: '9' }] },
    ]);
  });

  test.each([
    ['a label around it', '<label>Name <input></label>', 'Name', 'label'],
    ['a label that points at it', '<input id="a"><label for="a">Name</label>', 'Name', 'label'],
    ['its own label', '<input aria-label="Name">', 'Name', 'aria-label'],
    ['another element', '<input aria-labelledby="n">', 'n', 'aria-labelledby'],
    ['its placeholder', '<input placeholder="Name">', 'Name', 'placeholder'],
    ['its text', '<button>Go <b>on</b></button>', 'Go on', 'text'],
    ['its value', '<input type="submit" value="Send">', 'Send', 'value'],
    ['nothing', '<select><option>x</select>', '', 'none'],
  ])('a control is named by %s', (_name, html, label, source) => {
    expect(body(html).controls[0]).toMatchObject({ label, labelSource: source });
  });

  test('controls know their form and the declared tool', () => {
    const page = body(
      '<input><form toolname="book" tooldescription="Books a table" method="POST"><input name="q" toolparamdescription="Guests" required></form>',
    );
    expect(page.forms).toMatchObject([{ toolName: 'book', toolDescription: 'Books a table', method: 'post' }]);
    expect(
      page.controls.map(({ form, required, toolParamDescription }) => [form, required, toolParamDescription]),
    ).toEqual([
      [-1, false, ''],
      [0, true, 'Guests'],
    ]);
  });

  test('only what reacts to clicks without being a control is a clickable', () => {
    const page = body(
      '<div onclick="x()">A</div><span role="button" tabindex="0">B</span><button onclick="x()">C</button><a onclick="x()">D</a><a href="/x" onclick="x()">E</a>',
    );
    expect(page.clickables.map(({ tag, text, onclick, role }) => [tag, text, onclick, role])).toEqual([
      ['div', 'A', true, ''],
      ['span', 'B', false, 'button'],
      ['a', 'D', true, ''],
    ]);
  });

  test.each([
    ['<div id="root"></div>', '#root', 0],
    ['<div id="__next"><p>Hello you</p></div>', '#__next', 9],
    ['<app-root></app-root>', 'app-root', 0],
    ['<main ng-version="17">x</main>', '[ng-version]', 1],
  ])('%s is a mount point', (html, marker, textChars) => {
    expect(body(html).appRoots).toMatchObject([{ marker, textChars }]);
  });
});

describe('bounds', () => {
  test('elements beyond the depth cap are not tracked, their text still counts', () => {
    const page = body(`${'<div>'.repeat(2000)}deep<p>x</p>${'</div>'.repeat(2000)}<p>after</p>`);
    expect(page.tooDeep).toBe(true);
    expect(page.text).toContain('deep');
    expect(page.paragraphs.at(-1)?.text).toBe('after');
  });

  test.each([
    ['anchors', '<a href="/x">x</a>'],
    ['headings', '<h2>x</h2>'],
    ['images', '<img src=x>'],
    ['paragraphs', '<p>x</p>'],
    ['metas', '<meta name=x>'],
    ['comments', '<!--x-->'],
    ['jsonLd', '<script type="application/ld+json">{}</script>'],
    ['microdata', '<div itemscope></div>'],
    ['controls', '<input>'],
  ] as const)('%s stop at their limit and say so', (name, html) => {
    const limit = name === 'microdata' ? PAGE_LIMITS.microdataItems : PAGE_LIMITS[name];
    const page = body(html.repeat(limit + 5));
    expect(page[name]).toHaveLength(limit);
    expect(page.capped).toContain(name);
  });

  test('long values are cut', () => {
    const page = body(`<a href="/${'x'.repeat(9000)}">${'y'.repeat(9000)}</a>`);
    expect(page.anchors[0]?.rawHref).toHaveLength(PAGE_LIMITS.attributeChars);
    expect(page.anchors[0]?.text).toHaveLength(PAGE_LIMITS.labelChars);
  });

  test('names of objects are no elements, attributes or properties', () => {
    const page = body(
      '<constructor>a</constructor><tostring __proto__="x" constructor="y">b</tostring><meta property="og:__proto__" content="z">',
    );
    expect(page.text).toBe('ab');
    expect(Object.keys(page.openGraph)).toEqual(['__proto__']);
  });

  test('work grows with the size and not with its square', () => {
    // A quadratic reading of these 2 MB would take hours, not seconds: finishing is the proof.
    for (const part of [
      '<div>',
      '<q>x',
      '<svg><title>',
      '<header>',
      '<b a=1 ',
      '<table><tr><td>',
      '&amp;',
      '<label>x',
      '漢字',
      '<!--',
      'x'.repeat(1000),
    ]) {
      expect(body(part.repeat(Math.ceil(2_000_000 / part.length))).htmlBytes).toBeGreaterThan(2_000_000);
    }
  });

  test('any text is a page, and the same page twice', () => {
    const pieces = fc.constantFrom(
      '<',
      '>',
      '</',
      '<p',
      '<a href="',
      '"',
      '<svg>',
      '</svg>',
      '<script>',
      '</script>',
      '<!--',
      '-->',
      '&lt',
      ';',
      '<form>',
      '<template>',
      '</p>',
      '<br/>',
      '\u0000',
      '\ud800',
      'x ',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 60 }),
        (parts) => {
          const html = parts.join('');
          expect(read(html)).toEqual(read(html));
        },
      ),
    );
  });
});

test('soft hyphens are no part of words', () => {
  const html = '<h1>Thou\u00ADsands of peo&shy;ple</h1><p>pos&shy;si&shy;bly</p>';
  const page = parsePage(html, { url: 'https://acme.example/', bodyBytes: html.length });
  expect(page.text).toBe('Thousands of people\npossibly');
  expect(page.headings[0]?.text).toBe('Thousands of people');
  expect(page.words).toBe(4);
});
