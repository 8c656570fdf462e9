import { describe, expect, test } from 'vitest';
import { findModelContextHosts } from '../../../../src/audit/controls/facts/scripts.ts';
import { PAGE_LIMITS, type PageFacts } from '../../../../src/audit/page/facts/page-facts.ts';
import { parsePage } from '../../../../src/audit/page/facts/page.ts';

const read = (html: string): PageFacts =>
  parsePage(html, {
    url: 'https://acme.example/docs/page',
    bodyBytes: new TextEncoder().encode(html).byteLength,
  });
const body = (html: string): PageFacts => read(`<html><body>${html}</body></html>`);

describe('where the content starts', () => {
  test.each([
    ['no text', '<h1>A</h1><p>x</p>', 0],
    ['the menu before the h1', '<nav>One <a href="/">Two</a></nav><h1>A</h1>', 7],
    ['the text before main, when it comes first', '<p>12345</p><main><p>678</p><h1>A</h1></main>', 5],
    ['the text before a role of main', '<p>12</p><div role="main"><h1>A</h1></div>', 2],
    ['visible text only', '<p hidden>123456</p><script>x</script><p>12</p><h1>A</h1>', 2],
    ['the text before the first h1 that is seen', '<h1 style="display:none">A</h1><p>123</p><h1>B</h1>', 3],
    ['nothing, where neither is', '<h2>A</h2><p>x</p>', null],
  ])('the preamble is %s', (_name, html, chars) => {
    expect(body(html).preambleChars).toBe(chars);
  });

  test('it is never longer than the text of the page', () => {
    const page = body('<p> a </p>\n<p>b</p>  <span>c </span><h1> </h1>');
    expect(page.preambleChars).toBe(page.text.length);
  });
});

describe('text that is not seen', () => {
  test('hidden characters are counted, those of aria-hidden and of closed details are not', () => {
    const page = body(
      '<p hidden>12345</p><div style="display:none"><b>67</b> 8</div><i aria-hidden="true">no</i><details><summary>s</summary>no</details>',
    );
    expect(page.hiddenChars).toBe(8);
  });

  test.each([
    ['its text', '<noscript>Enable <b>JavaScript</b> please</noscript>', ['Enable JavaScript please']],
    ['its text in the head', '<head><noscript>Off</noscript></head>', ['Off']],
    [
      'no code or frames in it',
      '<noscript><style>no</style><script>no</script><iframe>no</iframe>yes</noscript>',
      ['yes'],
    ],
    ['nothing, when it has only an image', '<noscript><img src="/p.gif"></noscript>', []],
    ['its text to the end, when it is not closed', '<noscript>Turn it on', ['Turn it on']],
  ])('a noscript gives %s', (_name, html, texts) => {
    const page = read(html);
    expect(page.noscripts).toEqual(texts);
    expect(page.text).toBe('');
  });
});

describe('scripts', () => {
  test('what may run is listed with how it loads, data blocks are not', () => {
    const page = read(
      `<head><script src="/a.js" defer></script><script type="module" src="b.js" async></script>
<script type="application/json">{}</script><script type="importmap">{}</script><script type="text/x-template" src="/c"></script></head><body><script>go()</script></body>`,
    );
    expect(page.scriptTags).toEqual([
      { src: 'https://acme.example/a.js', type: '', async: false, defer: true, inHead: true, line: 1 },
      { src: 'https://acme.example/docs/b.js', type: 'module', async: true, defer: false, inHead: true, line: 1 },
      { src: '', type: '', async: false, defer: false, inHead: false, line: 2 },
    ]);
  });

  test.each(['text/javascript', 'application/x-ecmascript', 'TEXT/JAVASCRIPT ; charset=utf-8', 'text/jscript'])(
    'a script of type %s may run',
    (type) => expect(body(`<script type="${type}" src="/x"></script>`).scriptTags).toHaveLength(1),
  );

  test.each([
    ['document.modelContext.registerTool({})', ['document']],
    ['navigator?.modelContext?.provideContext()', ['navigator']],
    ['if ("modelContext" in window.navigator) {}', ['navigator']],
    ["document['modelContext']", ['document']],
    ['const { modelContext } = document', ['document']],
    ['navigator.modelContext || document.modelContext', ['document', 'navigator']],
    ['my.modelContext = 1; document.title', []],
    ['mydocument.modelContext', []],
    ['document.modelContextual', []],
  ])('%s names the WebMCP interface of %j', (script, hosts) => {
    expect(findModelContextHosts(script)).toEqual(hosts);
    expect(body(`<script>${script}</script>`).modelContext).toEqual(hosts);
  });

  test('text, comments and data that name the interface are no scripts', () => {
    const said = 'document.modelContext';
    const page = body(
      `<p>${said}</p><!--${said}--><script type="application/json">"${said}"</script><code>${said}</code>`,
    );
    expect(page.modelContext).toEqual([]);
  });

  test.each([
    ['the script of reCAPTCHA', '<script src="https://www.google.com/recaptcha/api.js"></script>', ['recaptcha']],
    ['the script of hCaptcha', '<script src="//js.hcaptcha.com/1/api.js"></script>', ['hcaptcha']],
    [
      'the script of Turnstile',
      '<script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>',
      ['turnstile'],
    ],
    ['a widget', '<div class="x h-captcha" data-sitekey="k"></div>', ['hcaptcha']],
    ['a frame', '<iframe src="https://www.google.com/recaptcha/api2/anchor"></iframe>', ['recaptcha']],
    ['nothing of a host that only ends alike', '<script src="https://nothcaptcha.com/1/api.js"></script>', []],
    ['nothing of a class without a key', '<p class="g-recaptcha">x</p>', []],
  ])('%s tells of a captcha', (_name, html, services) => {
    expect(body(html).captchas).toEqual(services);
  });
});

describe('what the browser fetches', () => {
  test('scripts, styles, frames, objects, images and media are listed in order, links and data URLs are not', () => {
    const page =
      read(`<head><link rel="stylesheet" href="http://a.example/s.css"><link rel="canonical" href="/c"></head><body>
<script src="/s.js"></script><iframe src="http://b.example/f"></iframe><object data="/o"></object><embed src="/e">
<img src="/i.png"><img src="data:image/gif;base64,AA"><img src=""><video src="/v.mp4"><track src="/t.vtt"></video>
<audio><source src="/a.mp3"></audio><a href="/link">x</a><img src="http://["></body>`);
    expect(page.subresources.map(({ tag, url, line }) => [tag, url.replace('https://acme.example', ''), line])).toEqual(
      [
        ['link', 'http://a.example/s.css', 1],
        ['script', '/s.js', 2],
        ['iframe', 'http://b.example/f', 2],
        ['object', '/o', 2],
        ['embed', '/e', 2],
        ['img', '/i.png', 3],
        ['video', '/v.mp4', 3],
        ['track', '/t.vtt', 3],
        ['source', '/a.mp3', 4],
      ],
    );
  });

  test('frames have their address, title and place; those of a noscript are not there', () => {
    const page = body(
      '<main><iframe src="/f" title=" Map "></iframe></main><iframe hidden></iframe><iframe src="/p" width="1" height="0"></iframe><noscript><iframe src="/n"></iframe></noscript>',
    );
    expect(page.frames).toMatchObject([
      { line: 1, region: 'main', inContent: true, src: 'https://acme.example/f', title: 'Map' },
      { line: 1, region: 'none', inContent: false, hidden: 'hidden-attribute', src: '', title: '' },
      {
        line: 1,
        region: 'none',
        inContent: false,
        hidden: 'zero-size',
        src: 'https://acme.example/p',
        title: '',
      },
    ]);
  });

  test('videos are elements or frames of a video host, with the tracks that tell what is said', () => {
    const page = body(
      `<video><source src="/v.mp4"><source src="/v.webm"><track kind="captions"><track><track kind="metadata"><track kind="chapters"></video>
<iframe src="https://www.youtube-nocookie.com/embed/x"></iframe><iframe src="https://www.youtube.com/channel/x"></iframe><track kind="captions">`,
    );
    expect(page.videos.map(({ kind, src, tracks }) => [kind, src, tracks])).toEqual([
      ['video', 'https://acme.example/v.mp4', 2],
      ['embed', 'https://www.youtube-nocookie.com/embed/x', 0],
    ]);
  });

  test.each([
    ['<img src="/i"><figcaption>A <b>lamp</b></figcaption>', 'image', 'A lamp'],
    ['<svg></svg>', 'image', ''],
    ['<img src="/i"><table><tr><td><img src="/j"></table>', 'table', ''],
    ['<iframe src="/f"></iframe><figcaption></figcaption>', 'media', ''],
    ['<video></video>', 'media', ''],
    ['<pre>x</pre>', 'other', ''],
  ])('a figure of %s holds %s', (html, holds, caption) => {
    expect(body(`<img src="/before"><table></table><figure>${html}</figure>`).figures).toMatchObject([
      { holds, caption },
    ]);
  });

  test('a caption belongs to the innermost figure', () => {
    const page = body(
      '<figure><figure><img src="/a"><figcaption>in</figcaption></figure><figcaption>out</figcaption></figure><figcaption>lost</figcaption>',
    );
    expect(page.figures.map(({ caption, holds }) => [caption, holds])).toEqual([
      ['out', 'image'],
      ['in', 'image'],
    ]);
  });

  test.each([
    ['<div hx-get="/part" hx-trigger="load delay:1s"></div>', 'hx-get', '/part'],
    ['<div data-hx-get="/part" data-hx-trigger="revealed"></div>', 'data-hx-get', '/part'],
    ['<turbo-frame id="x" src="/part"></turbo-frame>', 'turbo-frame', '/part'],
    ['<div w3-include-html="part.html"></div>', 'w3-include-html', '/docs/part.html'],
    [`<div ng-include="'/part.html'"></div>`, 'ng-include', '/part.html'],
    ['<include-fragment src="/part"></include-fragment>', 'include-fragment', '/part'],
  ])('%s is content that is fetched anew', (html, how, path) => {
    expect(body(`<main>${html}</main>`).includes).toMatchObject([
      { how, url: `https://acme.example${path}`, region: 'main' },
    ]);
  });

  test.each([
    ['a request on a click', '<button hx-get="/part">More</button>'],
    ['a frame that waits for a link', '<turbo-frame id="x"></turbo-frame>'],
    ['a flag', '<div data-include="true"></div>'],
  ])('%s is none', (_name, html) => {
    expect(body(html).includes).toEqual([]);
  });
});

describe('characters that only a raw reader pays for', () => {
  const uri = `data:image/png;base64,${'A'.repeat(78)}`;
  test.each([
    ['an image', `<img src="${uri}">`, 100],
    ['a style attribute', `<p style="background:url(${uri}) red">x</p>`, 100],
    ['a style sheet, each one', `<style>a{b:url("${uri}")}c{d:url('${uri}')}</style>`, 200],
    ['a set of images', `<img srcset="/a.png 1x, ${uri} 2x">`, 100],
    ['no text that speaks of it', '<p title="Some data: of every kind that you can think of">x</p>', 0],
  ])('a data: URI of %s is counted', (_name, html, chars) => {
    expect(body(html).inlineChars).toEqual({ state: 0, dataUri: chars, svg: 0 });
  });

  test.each([
    ['JSON', '<script type="application/json" id="__NEXT_DATA__">{"a":1}</script>', 7],
    ['a script that sets it', '<script>window.__INITIAL_STATE__={}</script>', 27],
    ['a stream of it', '<script>self.__next_f.push([1])</script>', 23],
    ['no JSON-LD', '<script type="application/ld+json">{}</script>', 0],
    ['no other script', '<script>let a = 1</script>', 0],
  ])('state is counted: %s', (_name, html, chars) => {
    expect(body(html).inlineChars).toEqual({ state: chars, dataUri: 0, svg: 0 });
  });

  test.each([
    ['<svg><path d="M0"/></svg>', 25],
    ['<svg><svg></svg><g></g></svg><p>x</p>', 29],
    ['<template><svg></svg></template>', 11],
    ['<p><svg><g></p>', 8],
  ])('the markup of %s has %i characters', (html, chars) => {
    expect(body(html).inlineChars.svg).toBe(chars);
  });
});

describe('roles and ARIA', () => {
  test('elements with a role or an ARIA attribute are listed with these only', () => {
    const page = body(
      '<div ROLE=" Button Link " aria-Label="Go" class="x" tabindex="0">x</div><svg aria-hidden="true"></svg><p class="y">z</p>',
    );
    expect(page.aria).toEqual([
      { tag: 'div', role: 'button link', attributes: { 'aria-label': 'Go' }, line: 1 },
      { tag: 'svg', role: '', attributes: { 'aria-hidden': 'true' }, line: 1 },
    ]);
    expect(page.roles).toEqual({ button: 1 });
  });

  test('roles are counted by their first name, whatever it is', () => {
    const { roles } = body('<p role="tab"></p><p role="tab x"></p><p role="__proto__"></p><p role=""></p>');
    expect(Object.entries(roles)).toEqual([
      ['tab', 2],
      ['__proto__', 1],
    ]);
  });

  test('a tab panel has the characters of its text, seen or not', () => {
    const page = body(
      '<div role="tabpanel" id="a">one <b>two</b></div><div role="tabpanel" hidden>three</div><div role="tabpanel"><script>x</script></div><div role="tabpanel"><img src="/a"><svg></svg><input></div>',
    );
    expect(page.tabPanels.map(({ id, chars, others, hidden }) => [id, chars, others, hidden])).toEqual([
      ['a', 6, 0, undefined],
      ['', 5, 0, 'hidden-attribute'],
      ['', 0, 0, undefined],
      ['', 0, 3, undefined],
    ]);
  });

  test('ids of several elements are known, also those in drawings, not those in templates', () => {
    const page = body(
      '<p id="a"></p><svg id="b"><g id="a"></g></svg><iframe id="c"></iframe><template><p id="c"></p><svg><g id="c"></g></svg></template><p id="d"></p>',
    );
    expect(page.ids).toEqual(['a', 'b', 'a', 'c', 'd']);
    expect(page.duplicateIds).toEqual(['a']);
  });
});

describe('more about what was known', () => {
  test.each([
    ['its section', '<section id="s"><h2>A</h2></section>', 's'],
    ['its section, with a header between', '<section id="s"><header><div><h2>A</h2></div></header></section>', 's'],
    ['the div around it', '<div id="s"><p>x</p><h2>A</h2></div>', 's'],
    ['no div further up', '<div id="s"><div><h2>A</h2></div></div>', ''],
    ['no section of another heading', '<section id="s"><h1>Z</h1><h2>A</h2></section>', ''],
    ['no section without an id', '<article id=""><h2>A</h2></article>', ''],
    ['no main part', '<main id="s"><h2>A</h2></main>', ''],
  ])('a heading has the id of %s', (_name, html, id) => {
    expect(body(html).headings.at(-1)?.sectionId).toBe(id);
  });

  test('header cells with a scope are counted', () => {
    const { tables } = body('<table><tr><th scope="col">A<th>B<tr><th scope=row>1<td scope="row">2</table>');
    expect(tables).toMatchObject([{ headerCells: 3, scopedHeaders: 2 }]);
  });

  test.each([
    ['<img src="/a" role="presentation">', true],
    ['<img src="/a" role="NONE">', true],
    ['<img src="/a" width="1" height="1px">', true],
    ['<img src="/a" width="0" height="0">', true],
    ['<img src="/a" width="1">', false],
    ['<img src="/a" width="100%" height="1">', false],
    ['<img src="/a" role="img" alt="">', false],
  ])('%s is decorative: %s', (html, decorative) => {
    expect(body(html).images[0]?.decorative).toBe(decorative);
  });

  test.each([
    ['<form action=" /s ">', 'https://acme.example/s', '/s'],
    ['<form action="">', 'https://acme.example/docs/page', ''],
    ['<form>', 'https://acme.example/docs/page', null],
    ['<form action="javascript:go()">', 'javascript:go()', 'javascript:go()'],
  ])('%s has an action and says what was written', (html, action, rawAction) => {
    expect(body(html).forms).toMatchObject([{ action, rawAction }]);
  });

  test('attributes of a form and its fields that only look like WebMCP are known, each once', () => {
    const page = body(
      '<form toolname="a" tooldescription="b" toolautosubmit tool-name="a" data-tooltip="x"><input toolparamdescription="c" tool-param-description="c"><input tool-param-description="d" data-mcp="y"></form><form></form><input tool-name="outside">',
    );
    expect(page.forms.map((form) => form.strayToolAttributes)).toEqual([
      ['tool-name', 'tool-param-description', 'data-mcp'],
      [],
    ]);
  });

  test.each([
    ['<pre class="lang-js">x</pre>', 'js', false],
    ['<pre><code class="language-C++">x</code></pre>', 'c++', true],
    ['<pre data-lang="sh"><code>x</code></pre>', 'sh', true],
    ['<pre><code data-language="ts">x</code></pre>', 'ts', true],
    ['<div class="highlight-python notranslate"><div class="highlight"><pre>x</pre></div></div>', 'python', false],
    ['<div class="highlight highlight-source-shell"><pre>x</pre></div>', 'shell', false],
    ['<div class="language-js"><p>y</p></div><pre><code>x</code></pre>', '', true],
    ['<pre>x</pre>', '', false],
  ])('the language of %s is "%s"', (html, language, code) => {
    expect(body(html).codeBlocks).toMatchObject([{ language, code }]);
  });
});

describe('bounds', () => {
  test.each([
    ['scriptTags', '<script src="/x"></script>'],
    ['frames', '<iframe src="/x"></iframe>'],
    ['videos', '<video></video>'],
    ['figures', '<figure></figure>'],
    ['tabPanels', '<p role="tabpanel"></p>'],
    ['aria', '<p aria-label="x"></p>'],
    ['includes', '<turbo-frame src="/x"></turbo-frame>'],
    ['noscripts', '<noscript>x</noscript>'],
    ['ids', '<p id="x"></p>'],
    ['subresources', '<embed src="/x">'],
  ] as const)('%s stop at their limit and say so', (name, html) => {
    const page = body(html.repeat(PAGE_LIMITS[name] + 5));
    expect(page[name]).toHaveLength(PAGE_LIMITS[name]);
    expect(page.capped).toContain(name);
  });

  test('role names stop at their limit, known ones still count', () => {
    const names = Array.from({ length: PAGE_LIMITS.roles + 5 }, (_, index) => `<p role="r${index}"></p>`);
    const page = body(`${names.join('')}<p role="r0"></p>`);
    expect(Object.keys(page.roles)).toHaveLength(PAGE_LIMITS.roles);
    expect(page.roles['r0']).toBe(2);
    expect(page.capped).toContain('roles');
  });

  test('a long noscript, attribute and stray name are cut', () => {
    const long = 'x'.repeat(9000);
    const page = body(
      `<noscript>${`${long} `.repeat(3)}</noscript><p aria-label="${long}"></p><form mcp-${long}="1"></form>`,
    );
    expect(page.noscripts[0]?.length).toBe(PAGE_LIMITS.attributeChars);
    expect(page.aria[0]?.attributes['aria-label']?.length).toBe(PAGE_LIMITS.attributeChars);
    expect(page.forms[0]?.strayToolAttributes[0]?.length).toBeLessThan(100);
  });

  test('a script longer than what is searched is measured to its end', () => {
    const page = body(`<script>window.__NUXT__=1;${' '.repeat(PAGE_LIMITS.scriptChars)}document.modelContext</script>`);
    expect(page.modelContext).toEqual([]);
    expect(page.inlineChars.state).toBe(PAGE_LIMITS.scriptChars + 39);
    expect(page.capped).toContain('scriptChars');
  });

  test('work grows with the size and not with its square', () => {
    // A quadratic reading of these 2 MB would take hours, not seconds: finishing is the proof.
    for (const part of [
      '<figure>',
      '<div role="tabpanel" hidden>x',
      '<svg>',
      '<noscript>x',
      '<video>',
      '<section id="a">',
      '<form mcp-a><input mcp-b>',
      '<style>url(data:',
      `<p style="data:${',data:'.repeat(100)}">`,
      '<script>{ modelContext, modelContext',
      '<p aria-labelledby="a b c" aria-a1 aria-a2>',
      '<turbo-frame src="/x"><figcaption>',
    ]) {
      expect(body(part.repeat(Math.ceil(2_000_000 / part.length))).htmlBytes).toBeGreaterThan(2_000_000);
    }
  });

  test.each([
    '<svg>',
    '<svg><g id="x">',
    '<noscript>',
    '<video><source',
    '<figure><figcaption>a',
    '<script>__DATA__',
    '<iframe',
  ])('%s that never ends is read to its end', (html) =>
    expect(read(`<p>a</p>${html}`).text.startsWith('a')).toBe(true),
  );
});
