import { describe, expect, test } from 'vitest';
import { html } from '../../../support/audit/site-fetch.ts';
import { mainPage, pageOf, prose } from '../../../support/audit/pages.ts';
import { judgeCheck, testChecks } from '../../../support/audit/judge-check.ts';

const titled = (title: string, ...headlines: readonly string[]): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main>${headlines.map((text) => `<h1>${text}</h1>`).join('')}${prose(60)}</main></body></html>`;

const filled = prose(100);

testChecks<string>(
  {
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
  },
  { seen: 200 },
);

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
