import { describe, expect, test } from 'vitest';
import { html } from '../../../support/audit/site-fetch.ts';
import { jsonLd, mainPage, pageOf, prose } from '../../../support/audit/pages.ts';
import { judgeCheck, type Row, testChecks } from '../../../support/audit/judge-check.ts';

const titled = (title: string, ...headlines: readonly string[]): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main>${headlines.map((text) => `<h1>${text}</h1>`).join('')}${prose(60)}</main></body></html>`;
const filled = prose(100);
const table = (
  caption: string,
  cells = '<tr><th>Lamp</th><th>Weight</th></tr><tr><td>Oak</td><td>2 kg</td></tr>',
): string => `<table>${caption}${cells}</table>`;
const figure = (caption: string): string => `<figure><img src="/a.png" alt="A lamp">${caption}</figure>`;
const CAPTION = '<caption>Weights of lamps</caption>';
const FIGCAPTION = '<figcaption>A lamp of 1920</figcaption>';
const VIDEO = '<video src="/lamp.mp4" controls></video>';
const EMBED = '<iframe src="https://www.youtube.com/embed/abc" title="Lamps"></iframe>';
const video = (rest: object): string =>
  jsonLd({ '@context': 'https://schema.org', '@type': 'VideoObject', name: 'Lamps', ...rest });
const tag = (text: string): string =>
  Array.from(text)
    .map((char) => String.fromCodePoint(0xe0000 + (char.codePointAt(0) ?? 0)))
    .join('');
const ZWSP = '\u200B';

const rows: Readonly<Record<string, readonly Row<string>[]>> = {
  'geo.parity.title-h1': [
    ['the h1 with the brand behind it', titled('Oak lamps | Acme', 'Oak lamps'), 'pass'],
    ['other inflections of the same words', titled('Repairing an oak lamp at home', 'Repair your oak lamps'), 'pass'],
    ['a headline that the title holds', titled('How to clean oak lamps in ten minutes', 'Clean oak lamps'), 'pass'],
    ['Japanese', titled('木製ランプの修理方法', '木製ランプの修理'), 'pass'],
    ['the second h1', titled('Oak lamps', 'Welcome', 'Oak lamps'), 'pass'],
    [
      'one word of many',
      titled('Oak lamps for reading in bed at night', 'New chairs, tables and lamps for offices'),
      'partial',
      undefined,
      { value: 0.5 },
    ],
    ['nothing in common', titled('Oak lamps', 'Welcome home'), 'fail', /0%/],
    ['no h1', titled('Oak lamps'), 'not_applicable', /h1/],
    ['no title', titled('', 'Oak lamps'), 'not_applicable', /title/],
  ],
  'geo.cite.addressable': [
    ['ids on all headings', mainPage('<h2 id="a">A</h2><h3 id="b">B</h3>'), 'pass', /2 of 2/],
    [
      'ids on their sections',
      mainPage('<section id="a"><h2>A</h2></section><section id="b"><h2>B</h2></section>'),
      'pass',
    ],
    [
      'an anchor inside the heading',
      mainPage('<h2>A <a id="a" href="#a">#</a></h2>\n<h2>B <a id="b" href="#b">#</a></h2>'),
      'pass',
    ],
    [
      'a table of contents',
      mainPage('<a href="#a">A</a> <a href="#b">B</a><div id="a"></div>\n<h2>A</h2><div id="b"></div>\n<h2>B</h2>'),
      'pass',
    ],
    ['one of three', mainPage('<h2 id="a">A</h2>\n<h2>B</h2>\n<h2>C</h2>'), 'partial', /1 of 3/],
    ['one id for both', mainPage('<h2 id="a">A</h2>\n<h2 id="a">B</h2>'), 'fail'],
    ['none', mainPage('<h2>A</h2>\n<h2>B</h2>'), 'fail'],
    ['one heading', mainPage('<h2>A</h2>'), 'not_applicable'],
    [
      'headings of the footer',
      pageOf(`<main><h1>L</h1>${filled}</main><footer><h2>A</h2><h2>B</h2></footer>`),
      'not_applicable',
    ],
  ],
  'geo.cite.text-fragment-safe': [
    ['sentences that stand once', mainPage(filled), 'pass'],
    [
      'a sentence with a hidden node inside',
      mainPage(
        `${filled}<p>The lamp that gives <span hidden>ad</span>the most light of all of the lamps that we have is this one here.</p>`,
      ),
      'pass',
    ],
    [
      'a sentence that stands twice',
      mainPage(
        `${filled}${'<p>The lamp that gives the most light of all of the lamps that we have in the house is this one here.</p>'.repeat(2)}`,
      ),
      'partial',
    ],
    ['a short text', mainPage('<p>Hello.</p>'), 'not_applicable'],
    ['words without a sentence', mainPage('<p>one two three four five six seven</p>'.repeat(12)), 'not_applicable'],
  ],
  'geo.cite.figure-captions': [
    ['a table and a figure with captions', mainPage(table(CAPTION) + figure(FIGCAPTION)), 'pass', /2 of 2/],
    [
      'a table with the caption of its figure',
      mainPage(`<figure>${table('')}<figcaption>Weights</figcaption></figure>`),
      'pass',
      /1 of 1/,
    ],
    ['one of two', mainPage(table(CAPTION) + figure('')), 'partial', undefined, { value: 0.5 }],
    ['neither', mainPage(table('') + figure('')), 'fail', /0 of 2/],
    [
      'a table that only lays out',
      mainPage(table('', '<tr><td>A</td><td>B</td></tr><tr><td>C</td><td>D</td></tr>')),
      'not_applicable',
    ],
    ['a hidden figure', mainPage(`<div hidden>${figure('')}</div>`), 'not_applicable'],
    ['none', mainPage(filled), 'not_applicable'],
  ],
  'geo.media.video-transcript': [
    ['a transcript below its heading', mainPage(`${VIDEO}<h2>Transcript</h2>${prose(120)}`), 'pass', /transcript/],
    [
      'a transcript in a disclosure',
      mainPage(`${EMBED}<details><summary>Transkript des Videos</summary>${prose(120)}</details>`),
      'pass',
    ],
    [
      'a transcript in structured data',
      mainPage(VIDEO, video({ transcript: 'We light a lamp.' })),
      'pass',
      /transcript/,
    ],
    [
      'a description in structured data',
      mainPage(EMBED, video({ description: 'How to light a lamp.' })),
      'pass',
      /describes/,
    ],
    [
      'subtitles',
      mainPage('<video src="/a.mp4"><track kind="captions" src="/a.vtt"></video>'),
      'partial',
      undefined,
      { value: 0.5 },
    ],
    ['a heading over a short note', mainPage(`${VIDEO}<h2>Transcript</h2><p>On request.</p>`), 'fail'],
    ['a VideoObject without words', mainPage(VIDEO, video({ thumbnailUrl: '/a.png' })), 'fail'],
    ['a frame of a video host', mainPage(EMBED + filled), 'fail'],
    ['no video', mainPage(filled), 'not_applicable'],
    ['a frame of something else', mainPage('<iframe src="https://maps.test/"></iframe>'), 'not_applicable'],
  ],
  'geo.safety.unicode-covert': [
    ['plain prose', mainPage(filled), 'pass'],
    ['tag characters in the text', mainPage(`${filled}<p>Lamp${tag('buy')}</p>`), 'fail'],
    [
      'tag characters in the title attribute',
      mainPage(`${filled}<p title="A lamp of oak${tag('buy now')}">x</p>`),
      'fail',
    ],
    ['eight zero-width characters', mainPage(`${filled}<p>Lamp${ZWSP.repeat(8)}s</p>`), 'fail', /1 run/],
    ['eight variation selectors', mainPage(`${filled}<p>Lamp${'\uFE01'.repeat(8)}</p>`), 'fail'],
    ['a bidirectional override', mainPage(`${filled}<p>\u202Espmal</p>`), 'fail'],
    [
      'an override in the meta description',
      mainPage(filled, '<meta name="description" content="\u202Espmal">'),
      'fail',
    ],
    ['tag characters on a page with little text', mainPage(`<p>Hi${tag('buy')}</p>`), 'fail'],
    ['far behind in a long text', mainPage(`${prose(500).repeat(140)}<p>Lamp${tag('buy')}</p>`), 'fail'],
    ['an override in code', mainPage(`${filled}<p>Write <code>\u202E</code>.</p>`), 'pass'],
    ['joined emoji', mainPage(`${filled}<p>👩‍👩‍👧‍👦 ❤️ 👩🏽‍🚀</p>`), 'pass'],
    ['the flag of Scotland', mainPage(`${filled}<p>🏴${tag('gbsct')}\u{E007F}</p>`), 'pass'],
    ['Persian with a non-joiner', mainPage(`${filled}<p>می\u200Cخواهم</p>`), 'pass'],
    ['Hindi with a joiner', mainPage(`${filled}<p>क्\u200Dष</p>`), 'pass'],
    ['soft hyphens and seven zero-width spaces', mainPage(`${filled}<p>lamp\u00ADshade${ZWSP.repeat(7)}</p>`), 'pass'],
    ['isolates around Arabic', mainPage(`${filled}<p>\u2067مصباح\u2069</p>`), 'pass'],
    ['an empty page', mainPage(''), 'not_applicable'],
  ],
};

testChecks(rows, { seen: 200 });

describe('geo.cite.text-fragment-safe with a Document-Policy', () => {
  test.each([
    ['force-load-at-top', 'fail'],
    ['font-display-late-swap, force-load-at-top', 'fail'],
    ['force-load-at-top=?1', 'fail'],
    ['force-load-at-top=?0', 'pass'],
    ['document-write=?0', 'pass'],
  ])('%s gives %s', async (policy, status) => {
    const map = { '/': html(mainPage(filled), { headers: { 'document-policy': policy } }) };
    expect(await judgeCheck('geo.cite.text-fragment-safe', map)).toMatchObject({ status });
  });
});
