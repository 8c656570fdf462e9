import { describe, expect, test } from 'vitest';
import {
  type ExpectedOutcome,
  jsonLd,
  judgePage,
  outcomeOf,
  pageOf,
  type PageOptions,
  prose,
} from '../../../support/audit/judge-page.ts';
import { html } from '../../../support/audit/site-fetch.ts';

type Row = ExpectedOutcome & { name: string; page: string; options?: PageOptions };

const main = (body: string, head = ''): string => pageOf(`<main><h1>Lamps</h1>${body}</main>`, head);
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

const rows: Readonly<Record<string, readonly Row[]>> = {
  'geo.parity.title-h1': [
    { name: 'the h1 with the brand behind it', page: titled('Oak lamps | Acme', 'Oak lamps'), gives: 'pass' },
    {
      name: 'other inflections of the same words',
      page: titled('Repairing an oak lamp at home', 'Repair your oak lamps'),
      gives: 'pass',
    },
    {
      name: 'a headline that the title holds',
      page: titled('How to clean oak lamps in ten minutes', 'Clean oak lamps'),
      gives: 'pass',
    },
    { name: 'Japanese', page: titled('木製ランプの修理方法', '木製ランプの修理'), gives: 'pass' },
    { name: 'the second h1', page: titled('Oak lamps', 'Welcome', 'Oak lamps'), gives: 'pass' },
    {
      name: 'one word of many',
      page: titled('Oak lamps for reading in bed at night', 'New chairs, tables and lamps for offices'),
      gives: 'partial',
      value: 0.5,
    },
    { name: 'nothing in common', page: titled('Oak lamps', 'Welcome home'), gives: 'fail', note: /0%/ },
    { name: 'no h1', page: titled('Oak lamps'), gives: 'not_applicable', note: /h1/ },
    { name: 'no title', page: titled('', 'Oak lamps'), gives: 'not_applicable', note: /title/ },
  ],
  'geo.cite.addressable': [
    { name: 'ids on all headings', page: main('<h2 id="a">A</h2><h3 id="b">B</h3>'), gives: 'pass', note: /2 of 2/ },
    {
      name: 'ids on their sections',
      page: main('<section id="a"><h2>A</h2></section><section id="b"><h2>B</h2></section>'),
      gives: 'pass',
    },
    {
      name: 'an anchor inside the heading',
      page: main('<h2>A <a id="a" href="#a">#</a></h2>\n<h2>B <a id="b" href="#b">#</a></h2>'),
      gives: 'pass',
    },
    {
      name: 'a table of contents',
      page: main('<a href="#a">A</a> <a href="#b">B</a><div id="a"></div>\n<h2>A</h2><div id="b"></div>\n<h2>B</h2>'),
      gives: 'pass',
    },
    { name: 'one of three', page: main('<h2 id="a">A</h2>\n<h2>B</h2>\n<h2>C</h2>'), gives: 'partial', note: /1 of 3/ },
    { name: 'one id for both', page: main('<h2 id="a">A</h2>\n<h2 id="a">B</h2>'), gives: 'fail' },
    { name: 'none', page: main('<h2>A</h2>\n<h2>B</h2>'), gives: 'fail' },
    { name: 'one heading', page: main('<h2>A</h2>'), gives: 'not_applicable' },
    {
      name: 'headings of the footer',
      page: pageOf(`<main><h1>L</h1>${filled}</main><footer><h2>A</h2><h2>B</h2></footer>`),
      gives: 'not_applicable',
    },
  ],
  'geo.cite.text-fragment-safe': [
    { name: 'sentences that stand once', page: main(filled), gives: 'pass' },
    {
      name: 'a sentence with a hidden node inside',
      page: main(
        `${filled}<p>The lamp that gives <span hidden>ad</span>the most light of all of the lamps that we have is this one here.</p>`,
      ),
      gives: 'pass',
    },
    {
      name: 'a sentence that stands twice',
      page: main(
        `${filled}${'<p>The lamp that gives the most light of all of the lamps that we have in the house is this one here.</p>'.repeat(2)}`,
      ),
      gives: 'partial',
    },
    { name: 'a short text', page: main('<p>Hello.</p>'), gives: 'not_applicable' },
    {
      name: 'words without a sentence',
      page: main('<p>one two three four five six seven</p>'.repeat(12)),
      gives: 'not_applicable',
    },
  ],
  'geo.cite.figure-captions': [
    {
      name: 'a table and a figure with captions',
      page: main(table(CAPTION) + figure(FIGCAPTION)),
      gives: 'pass',
      note: /2 of 2/,
    },
    {
      name: 'a table with the caption of its figure',
      page: main(`<figure>${table('')}<figcaption>Weights</figcaption></figure>`),
      gives: 'pass',
      note: /1 of 1/,
    },
    { name: 'one of two', page: main(table(CAPTION) + figure('')), gives: 'partial', value: 0.5 },
    { name: 'neither', page: main(table('') + figure('')), gives: 'fail', note: /0 of 2/ },
    {
      name: 'a table that only lays out',
      page: main(table('', '<tr><td>A</td><td>B</td></tr><tr><td>C</td><td>D</td></tr>')),
      gives: 'not_applicable',
    },
    { name: 'a hidden figure', page: main(`<div hidden>${figure('')}</div>`), gives: 'not_applicable' },
    { name: 'none', page: main(filled), gives: 'not_applicable' },
  ],
  'geo.media.video-transcript': [
    {
      name: 'a transcript below its heading',
      page: main(`${VIDEO}<h2>Transcript</h2>${prose(120)}`),
      gives: 'pass',
      note: /transcript/,
    },
    {
      name: 'a transcript in a disclosure',
      page: main(`${EMBED}<details><summary>Transkript des Videos</summary>${prose(120)}</details>`),
      gives: 'pass',
    },
    {
      name: 'a transcript in structured data',
      page: main(VIDEO, video({ transcript: 'We light a lamp.' })),
      gives: 'pass',
      note: /transcript/,
    },
    {
      name: 'a description in structured data',
      page: main(EMBED, video({ description: 'How to light a lamp.' })),
      gives: 'pass',
      note: /describes/,
    },
    {
      name: 'subtitles',
      page: main('<video src="/a.mp4"><track kind="captions" src="/a.vtt"></video>'),
      gives: 'partial',
      value: 0.5,
    },
    { name: 'a heading over a short note', page: main(`${VIDEO}<h2>Transcript</h2><p>On request.</p>`), gives: 'fail' },
    { name: 'a VideoObject without words', page: main(VIDEO, video({ thumbnailUrl: '/a.png' })), gives: 'fail' },
    { name: 'a frame of a video host', page: main(EMBED + filled), gives: 'fail' },
    { name: 'no video', page: main(filled), gives: 'not_applicable' },
    {
      name: 'a frame of something else',
      page: main('<iframe src="https://maps.test/"></iframe>'),
      gives: 'not_applicable',
    },
  ],
  'geo.safety.unicode-covert': [
    { name: 'plain prose', page: main(filled), gives: 'pass' },
    { name: 'tag characters in the text', page: main(`${filled}<p>Lamp${tag('buy')}</p>`), gives: 'fail' },
    {
      name: 'tag characters in the title attribute',
      page: main(`${filled}<p title="A lamp of oak${tag('buy now')}">x</p>`),
      gives: 'fail',
    },
    {
      name: 'eight zero-width characters',
      page: main(`${filled}<p>Lamp${ZWSP.repeat(8)}s</p>`),
      gives: 'fail',
      note: /1 run/,
    },
    { name: 'eight variation selectors', page: main(`${filled}<p>Lamp${'\uFE01'.repeat(8)}</p>`), gives: 'fail' },
    { name: 'a bidirectional override', page: main(`${filled}<p>\u202Espmal</p>`), gives: 'fail' },
    {
      name: 'an override in the meta description',
      page: main(filled, '<meta name="description" content="\u202Espmal">'),
      gives: 'fail',
    },
    { name: 'tag characters on a page with little text', page: main(`<p>Hi${tag('buy')}</p>`), gives: 'fail' },
    {
      name: 'far behind in a long text',
      page: main(`${prose(500).repeat(140)}<p>Lamp${tag('buy')}</p>`),
      gives: 'fail',
    },
    { name: 'an override in code', page: main(`${filled}<p>Write <code>\u202E</code>.</p>`), gives: 'pass' },
    { name: 'joined emoji', page: main(`${filled}<p>👩‍👩‍👧‍👦 ❤️ 👩🏽‍🚀</p>`), gives: 'pass' },
    { name: 'the flag of Scotland', page: main(`${filled}<p>🏴${tag('gbsct')}\u{E007F}</p>`), gives: 'pass' },
    { name: 'Persian with a non-joiner', page: main(`${filled}<p>می\u200Cخواهم</p>`), gives: 'pass' },
    { name: 'Hindi with a joiner', page: main(`${filled}<p>क्\u200Dष</p>`), gives: 'pass' },
    {
      name: 'soft hyphens and seven zero-width spaces',
      page: main(`${filled}<p>lamp\u00ADshade${ZWSP.repeat(7)}</p>`),
      gives: 'pass',
    },
    { name: 'isolates around Arabic', page: main(`${filled}<p>\u2067مصباح\u2069</p>`), gives: 'pass' },
    { name: 'an empty page', page: main(''), gives: 'not_applicable' },
  ],
};

describe.each(Object.entries(rows))('%s', (id, cases) => {
  test.each(cases)('$name gives $gives', async ({ page, options, ...expected }) => {
    expect(await judgePage(id, page, options)).toMatchObject(outcomeOf(expected));
  });
});

describe('geo.cite.text-fragment-safe with a Document-Policy', () => {
  test.each([
    ['force-load-at-top', 'fail'],
    ['font-display-late-swap, force-load-at-top', 'fail'],
    ['force-load-at-top=?1', 'fail'],
    ['force-load-at-top=?0', 'pass'],
    ['document-write=?0', 'pass'],
  ])('%s gives %s', async (policy, status) => {
    const map = { '/': html(main(filled), { headers: { 'document-policy': policy } }) };
    expect(await judgePage('geo.cite.text-fragment-safe', map)).toMatchObject({ status });
  });
});
