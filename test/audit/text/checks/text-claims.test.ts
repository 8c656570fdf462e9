import { expect, test } from 'vitest';
import { jsonLd, mainPage, prose } from '../../../support/audit/pages.ts';
import { judgeCheck, testChecks } from '../../../support/audit/judge-check.ts';

const p = (...texts: readonly string[]): string => texts.map((text) => `<p>${text}</p>`).join('');

const article = jsonLd({ '@context': 'https://schema.org', '@type': 'Article', headline: 'Lamps' });

const filled = prose(100);

/** Common words, so that the language of a short text can be told. */
const ENGLISH = p('The light of the lamp is in the room and on the wall, as you can see from this for that.');

testChecks<string>(
  {
    'geo.evidence.technical-terms': [
      [
        'two acronyms that are spelled out',
        mainPage(p('The Colour Rendering Index (CRI) matters.', 'A pulse of PWM (pulse-width modulation) dims it.')),
        'pass',
        /2 of 2/,
      ],
      [
        'one of two spelled out',
        mainPage(p('The Colour Rendering Index (CRI) matters.', 'Then comes PWM.')),
        'partial',
        undefined,
        { value: 0.5 },
      ],
      ['none spelled out', mainPage(p('The CRI matters.', 'Then comes PWM, and TLCI.')), 'fail', /0 of 3/],
      [
        'spelled out only later in the text',
        mainPage(p('The CRI matters.', 'Then comes PWM.', 'The Colour Rendering Index (CRI) is old.')),
        'fail',
      ],
      [
        'a parenthesis that is no expansion',
        mainPage(p('The CRI (see below) matters.', 'Then comes PWM (new in May).')),
        'fail',
      ],
      [
        'an abbr element and a description list',
        mainPage(
          `<p>The <abbr title="Colour Rendering Index">CRI</abbr> matters.</p><p>So does PWM.</p><dl><dt>PWM</dt><dd>A way to dim.</dd></dl>`,
        ),
        'pass',
      ],
      [
        'words that say so',
        mainPage(p('Here CRI stands for colour rendering index.', 'And PWM, short for pulse width modulation, dims.')),
        'pass',
      ],
      [
        'a heading that uses it before the text explains it',
        mainPage(
          `<h2>Why CRI and PWM</h2>${p('The Colour Rendering Index (CRI) and pulse-width modulation (PWM) matter.')}`,
        ),
        'pass',
      ],
      [
        'Japanese with full-width parentheses',
        mainPage(p('演色評価数（CRI）は大切です。', 'パルス幅変調（PWM）で暗くします。'), '', 'ja'),
        'pass',
      ],
      [
        'acronyms that everybody knows, shouting, Roman numerals and two letters',
        mainPage(
          p(
            'In the USA the FAQ as a PDF over HTTPS is NOT for sale.',
            'Part VIII: buy NOW in NY, a WARNING, the warning of EU and UK.',
          ),
        ),
        'not_applicable',
      ],
      [
        'the name of the site itself',
        mainPage(p('ACME makes lamps.', 'ZORA makes lamps.'), '<meta property="og:site_name" content="Zora Lamps">'),
        'not_applicable',
      ],
      ['one acronym', mainPage(p('The CRI matters.')), 'not_applicable'],
      ['a line in capitals', mainPage(p('BUY NEW LED LAMPS FROM OUR SHOP')), 'not_applicable'],
    ],
    'geo.evidence.first-hand-data': [
      ['"we measured" with a number', mainPage(p('We measured 14 lamps in a dark room.') + filled, article), 'pass'],
      ['a survey of ours', mainPage(p('Our survey of 1,200 people found that most read in bed.'), article), 'pass'],
      ['German', mainPage(p('Wir haben im Mai 14 Lampen getestet.'), article, 'de'), 'pass'],
      ['Japanese', mainPage(p('当社は14個のランプを測定しました。'), article, 'ja'), 'pass'],
      [
        'a Dataset node',
        mainPage(filled, jsonLd({ '@context': 'https://schema.org', '@type': 'Dataset', name: 'Lamps' })),
        'pass',
        /Dataset/,
      ],
      ['"we tested" without a number', mainPage(p('We tested many lamps.') + filled, article), 'fail'],
      ['a number in another sentence', mainPage(p('We tested lamps. It was 2026.'), article), 'fail'],
      ['somebody else tested', mainPage(p('They tested 14 lamps.'), article), 'fail'],
      ['no article', mainPage(p('We measured 14 lamps.')), 'not_applicable'],
    ],
    'geo.text.definitions': [
      [
        'the subject of the h1 is defined',
        mainPage(ENGLISH + p('A lamp is a device that gives light.') + filled),
        'pass',
      ],
      ['with a parenthesis', mainPage(ENGLISH + p('Lamp oil (paraffin) is a fuel.') + filled), 'pass'],
      [
        'another thing is defined',
        mainPage(ENGLISH + p('A horse is an animal of the field.') + filled),
        'partial',
        undefined,
        { value: 0.5 },
      ],
      ['a description list', mainPage(`${ENGLISH}${filled}<dl><dt>Lamp</dt><dd>A source of light.</dd></dl>`), 'pass'],
      ['a dfn element', mainPage(`${ENGLISH}${filled}<p>We say <dfn>lamp</dfn> for all that shines.</p>`), 'pass'],
      [
        'German',
        mainPage(
          p('Lamps sind die Lichter, die in der Nacht und auf dem Tisch für uns leuchten und nicht ausgehen.') + filled,
          '',
          'de',
        ),
        'pass',
      ],
      ['Chinese', mainPage(`<p>Lamps是一种照明工具。${'它在桌子上发光，我们看书。'.repeat(10)}</p>`, '', 'zh'), 'pass'],
      [
        'pronouns and questions',
        mainPage(ENGLISH + p('It is a device.', 'This is the best.', 'What is a lamp?') + filled),
        'fail',
      ],
      ['no definition', mainPage(ENGLISH + filled), 'fail'],
      ['a legal text', mainPage(ENGLISH + filled), 'not_applicable', /legal/, { at: '/privacy' }],
      ['a checkout', mainPage(ENGLISH + filled), 'not_applicable', undefined, { at: '/checkout' }],
      ['a short text', mainPage(p('A lamp is a device.')), 'not_applicable'],
      ['a language we do not know', mainPage(prose(100), '', 'sk'), 'not_applicable', /sk/],
    ],
    'geo.text.no-self-superlatives': [
      ['no praise', mainPage(prose(200)), 'pass', /0 superlatives/],
      ['two in 200 words', mainPage(prose(200) + p('Our leading brand.', 'A world-class lamp.')), 'pass'],
      [
        'three in 200 words',
        mainPage(prose(200) + p('The best lamps anywhere.', 'A world-class lamp.', 'We are #1 and unrivalled.')),
        'fail',
        /4 superlatives/,
      ],
      [
        'three with a source beside them',
        mainPage(
          prose(200) +
            p('The best lamps, according to Which. World-class, according to Which. The #1, according to Which.'),
        ),
        'pass',
      ],
      [
        'best practice, and the best way',
        mainPage(
          prose(200) + p('The best practice is the best way at the best time of the best part.', 'Do your best.'),
        ),
        'pass',
        /0 superlatives/,
      ],
      ['a short text', mainPage(p('The best lamps.')), 'not_applicable'],
    ],
  },
  { seen: 200 },
);

test('a text of a megabyte with thousands of acronyms is judged by its first ones', async () => {
  const acronym = (index: number): string =>
    Array.from(String(1000 + index))
      .map((digit) => 'ABCDEFGHIJ'[Number(digit)] ?? '')
      .join('');
  const text = Array.from(
    { length: 6000 },
    (_, index) => `The ${acronym(index)} is in the room (see ${acronym(index)}).`,
  );
  const outcome = await judgeCheck('geo.evidence.technical-terms', mainPage(p(...text)));
  expect(outcome).toMatchObject({ status: 'fail', note: expect.stringMatching(/^0 of 60 /) });
});
