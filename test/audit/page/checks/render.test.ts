import { describe, expect, test } from 'vitest';
import { hasScriptDemand } from '../../../../src/audit/controls/facts/scripts.ts';
import { json, type SiteMap } from '../../../support/audit/site-fetch.ts';
import { testCheck } from '../../../support/audit/judge-check.ts';
import { onePage, words } from '../../../support/audit/pages.ts';

const DESCRIPTION = '<meta name="description" content="What this page is about.">';

describe('aeo.render.head-tags-static', () => {
  const id = 'aeo.render.head-tags-static';
  const shell = '<div id="root"></div><script type="module" src="/a.js"></script>';
  testCheck(id, [
    ['title and description pass', onePage(words(5), `<title>Oak racks</title>${DESCRIPTION}`), 'pass', /HTML itself/],
    ['a shell with both passes', onePage(shell, `<title>Oak racks</title>${DESCRIPTION}`), 'pass', /HTML itself/],
    ['no description is partial', onePage(words(5), '<title>Oak racks</title>'), 'partial', /no description/],
    ['no title is partial', onePage(words(5), DESCRIPTION), 'partial', /no title/],
    [
      'a description in the body is none',
      onePage(`${words(5)}${DESCRIPTION}`, '<title>Oak racks</title>'),
      'partial',
      /no description/,
    ],
    ['a shell without a title fails', onePage(shell, DESCRIPTION), 'fail', /a script adds/],
    ['neither fails', onePage(words(5)), 'fail', /Neither/],
    ['no HTML is unknown', { '/': json({}) }, 'unknown', /not_html/],
  ]);
});

describe('aeo.render.hidden-text', () => {
  const id = 'aeo.render.hidden-text';
  const hidden = (how: string, count: number): string => `<div ${how}>${words(count)}</div>`;
  testCheck(id, [
    ['visible text passes', onePage(words(100)), 'pass', /^0%/],
    ['a fifth hidden passes', onePage(words(81) + hidden('hidden', 19)), 'pass', /^1\d/],
    ['a third hidden is partial', onePage(words(66) + hidden('style="display:none"', 33)), 'partial', /^3\d/],
    ['two thirds hidden fail', onePage(words(33) + hidden('style="visibility: hidden"', 66)), 'fail', /^6\d/],
    [
      'a closed details element is not hidden',
      onePage(`${words(10)}<details><summary>More</summary>${words(90)}</details>`),
      'pass',
      /^0%/,
    ],
    ['aria-hidden text is seen', onePage(words(10) + hidden('aria-hidden="true"', 90)), 'pass', /^0%/],
    ['scripts are no text', onePage(`${words(10)}<script>${'var word;'.repeat(100)}</script>`), 'pass', /^0%/],
    ['no text is not applicable', onePage(''), 'not_applicable', /no text/],
  ]);
});

describe('aeo.render.noscript-wall', () => {
  const id = 'aeo.render.noscript-wall';
  const wall = '<noscript>You need to enable JavaScript to run this app.</noscript>';
  testCheck(id, [
    ['text beside a noscript passes', onePage(wall + words(60)), 'pass', /60 words/],
    ['a wall and few words fail', onePage(wall + words(59)), 'fail', /59 words/],
    [
      'a visible wall in a shell fails',
      onePage('<div id="root"><p>Please enable JavaScript.</p></div>'),
      'fail',
      /little but/,
    ],
    [
      'a short page about JavaScript is not applicable',
      onePage('<p>We need JavaScript developers.</p>'),
      'not_applicable',
      /no notice/,
    ],
    [
      'a noscript without such a notice is not applicable',
      onePage('<noscript><img src="/pixel.gif"></noscript>'),
      'not_applicable',
      /no notice/,
    ],
    ['an empty page is not applicable', onePage(''), 'not_applicable', /0 words/],
  ]);

  test.each([
    'JavaScript is required.',
    'Javascript is disabled in your browser',
    'Bitte aktivieren Sie JavaScript',
    'Veuillez activer JavaScript',
    'Por favor, habilite JavaScript',
    'Abilita JavaScript per continuare',
    'Ative o JavaScript',
    'Schakel JavaScript in',
    'Включите JavaScript',
    '请启用 JavaScript',
    'JavaScriptを有効にしてください',
    'JavaScript를 활성화하세요',
    'يرجى تفعيل JavaScript',
  ])('"%s" is a wall', (notice) => {
    expect(hasScriptDemand(notice)).toBe(true);
  });

  test.each(['', 'Learn JavaScript', 'Enable cookies to go on', `${'x'.repeat(3000)} enable JavaScript`])(
    '"%s" is none',
    (text) => {
      expect(hasScriptDemand(text)).toBe(false);
    },
  );
});

describe('aeo.render.ssr-text', () => {
  const ARTICLE = '<meta property="og:type" content="article">';
  /** Text that a script would show: data for a script. */
  const STATE = `<script>window.__APP_STATE__ = "${'Lamps are red. '.repeat(4000)}"</script>`;
  const id = 'aeo.render.ssr-text';
  testCheck(id, [
    ['200 words pass', onePage(words(200)), 'pass', /200 visible words/],
    ['a short page without an application root passes', onePage(words(60)), 'pass', /short page/],
    [
      'a short page with an empty root is partial',
      onePage(`${words(100)}<div id="root"></div>`),
      'partial',
      /scripts add the rest/,
    ],
    [
      'an empty root fails',
      onePage('<div id="__next"></div><script src="/x.js"></script>'),
      'fail',
      /a sign that scripts add the content/,
    ],
    ['a filled root passes', onePage(`<div id="root">${words(250)}</div>`), 'pass', /250/],
    [
      'a module script and few words fail',
      onePage(`${words(20)}<script type="module" src="/x.js"></script>`),
      'fail',
      /a sign that scripts add the content/,
    ],
    [
      'an article of which a script has the most is partial',
      onePage(`${ARTICLE}${words(100)}${STATE}`),
      'partial',
      /scripts add the rest/,
    ],
    [
      'an article of many words with data for a script passes',
      onePage(`${ARTICLE}${words(250)}${STATE}`),
      'pass',
      /250/,
    ],
    [
      'a short page that is no article keeps settings for a script',
      onePage(`${words(100)}${STATE}`),
      'pass',
      /short page/,
    ],
    ['few words without a script are partial', onePage(words(20)), 'partial', /no sign/],
    ['no words fail', onePage(''), 'fail', /No visible text/],
    [
      'text in a noscript is what readers without scripts get',
      onePage(`<noscript><p>${words(300)}</p></noscript><div id="app"></div>`),
      'pass',
      /300 visible/,
    ],
    [
      'a notice in a noscript, text in scripts and hidden parts are none',
      onePage(
        `<noscript>You need to enable JavaScript to run this app.</noscript><script>${'word '.repeat(300)}</script><div hidden>${words(300)}</div><div id="app"></div>`,
      ),
      'fail',
      /Only 0/,
    ],
    [
      '200 Chinese words pass without spaces',
      onePage(`<p>${'我们在工作台下面放小架子'.repeat(60)}</p>`),
      'pass',
      /visible words/,
    ],
  ]);
});

describe('aeo.meta.title', () => {
  const id = 'aeo.meta.title';
  const title = (text: string): SiteMap => onePage(words(5), `<title>${text}</title>`);
  testCheck(id, [
    ['10 to 70 characters pass', title('Oak tool racks'), 'pass', /14 characters/],
    ['none fails', onePage('x'), 'fail', /no title/],
    ['an empty one fails', title(' '), 'fail', /no title/],
    ['a generic one fails', title('Home'), 'fail', /no subject/],
    ['a short one is partial', title('Racks'), 'partial', /5 characters/],
    ['a short one in wide characters passes', title('樫の工具棚'), 'pass', /5 characters/],
    ['a long one is partial', title('x'.repeat(100)), 'partial', /100/],
    ['a very long one fails', title('x'.repeat(121)), 'fail', /121/],
    [
      'two are partial',
      onePage('', '<title>Oak tool racks</title><title>Another title</title>'),
      'partial',
      /2 titles/,
    ],
    ['the title of an image is none', onePage('<svg><title>Oak tool racks</title></svg>'), 'fail', /no title/],
  ]);
});

describe('aeo.meta.description', () => {
  const id = 'aeo.meta.description';
  const description = (text: string): SiteMap => onePage('', `<meta name="description" content="${text}">`);
  testCheck(id, [
    ['50 to 170 characters pass', description('x'.repeat(50)), 'pass', /50 characters/],
    ['a short one is partial', description('short'), 'partial', /5 characters/],
    ['25 wide characters pass', description('樫'.repeat(25)), 'pass', /25 characters/],
    ['24 wide characters are partial', description('樫'.repeat(24)), 'partial', /24 characters/],
    ['a long one is partial', description('x'.repeat(171)), 'partial', /171/],
    ['none fails', onePage('x'), 'fail', /no meta description/],
    ['an empty one fails', description(''), 'fail', /no meta description/],
  ]);
});
