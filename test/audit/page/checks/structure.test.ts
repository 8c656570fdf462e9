import { describe, expect, test } from 'vitest';
import { json } from '../../../support/audit/site-fetch.ts';
import { judgeCheck, testCheck } from '../../../support/audit/judge-check.ts';
import { onePage, words } from '../../../support/audit/pages.ts';

describe('aeo.structure.h1', () => {
  const id = 'aeo.structure.h1';
  testCheck(id, [
    ['one passes', onePage('<h1>Oak racks</h1>'), 'pass', /one h1/],
    ['one beside an empty one passes', onePage('<h1> </h1><h1>Oak racks</h1>'), 'pass', /one h1/],
    ['two are partial', onePage('<h1>Oak</h1><h1>Racks</h1>'), 'partial', /2 h1/],
    ['none fails', onePage('<h2>Oak racks</h2>'), 'fail', /no h1/],
    ['an empty one fails', onePage('<h1><span></span></h1>'), 'fail', /no h1/],
    ['a hidden one fails', onePage('<h1 hidden>Oak racks</h1>'), 'fail', /no h1/],
    ['no HTML is unknown', { '/': json({}) }, 'unknown', /not_html/],
  ]);
});

describe('aeo.structure.heading-order', () => {
  const id = 'aeo.structure.heading-order';
  const levels = (...list: number[]) => onePage(list.map((level) => `<h${level}>Heading</h${level}>`).join(''));
  testCheck(id, [
    ['an outline without gaps passes', levels(1, 2, 3, 3, 2), 'pass', /0 of 5/],
    ['to go up several levels at once passes', levels(1, 2, 3, 4, 2), 'pass', /0 of 5/],
    ['to begin below h1 passes', levels(2, 3, 3), 'pass', /0 of 3/],
    ['one skip in five is partial', levels(1, 2, 4, 2, 2), 'partial', /1 of 5/],
    ['one skip in four fails', levels(1, 2, 4, 2), 'fail', /1 of 4/],
    ['two headings are not applicable', levels(1, 4), 'not_applicable', /too few/],
    ['empty headings do not count', onePage('<h1>A</h1><h4></h4><h2>B</h2><h3>C</h3>'), 'pass', /0 of 3/],
  ]);

  test('its evidence names the heading and the jump', async () => {
    expect((await judgeCheck(id, levels(1, 3, 3))).evidence).toMatchObject([
      { selector: 'h3', excerpt: 'h1 -> h3: Heading' },
    ]);
  });
});

describe('aeo.structure.landmarks', () => {
  const id = 'aeo.structure.landmarks';
  const all = '<header><nav>Menu</nav></header><main><article><h1>Oak</h1></article></main><footer>End</footer>';
  testCheck(id, [
    ['all of them pass', onePage(all), 'pass', /All/, { value: 1 }],
    [
      'roles count as elements',
      onePage(
        '<div role="banner"></div><div role="navigation"></div><div role="main"><div role="article"><h1>Oak</h1></div></div>',
      ),
      'pass',
      /All/,
      { value: 1 },
    ],
    ['main alone is worth a half', onePage('<main><p>x</p></main>'), 'partial', /article/, { value: 0.5 }],
    [
      'all but main is worth the other half',
      onePage(all.replaceAll(/<\/?main>/g, '')),
      'partial',
      /^Missing: main\./,
      { value: 0.5 },
    ],
    [
      'a section counts with a heading',
      onePage('<main><section><h2>Oak</h2></section></main>'),
      'partial',
      /nav/,
      { value: 0.7 },
    ],
    [
      'a section without a heading does not',
      onePage('<main><section><p>Oak</p></section></main>'),
      'partial',
      /article/,
      { value: 0.5 },
    ],
    ['a menu alone is worth 0.15', onePage('<nav>Menu</nav>'), 'partial', /main/, { value: 0.15 }],
    ['none fails', onePage(`<div>${words(20)}</div>`), 'fail', /main/, { value: 0 }],
  ]);
});
