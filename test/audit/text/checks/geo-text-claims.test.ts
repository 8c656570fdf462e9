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

type Row = ExpectedOutcome & { name: string; page: string; options?: PageOptions };

const main = (body: string, head = '', lang = 'en'): string => pageOf(`<main><h1>Lamps</h1>${body}</main>`, head, lang);
const p = (...texts: readonly string[]): string => texts.map((text) => `<p>${text}</p>`).join('');
const article = jsonLd({ '@context': 'https://schema.org', '@type': 'Article', headline: 'Lamps' });
const filled = prose(100);
/** Common words, so that the language of a short text can be told. */
const ENGLISH = p('The light of the lamp is in the room and on the wall, as you can see from this for that.');

const rows: Readonly<Record<string, readonly Row[]>> = {
  'geo.evidence.technical-terms': [
    {
      name: 'two acronyms that are spelled out',
      page: main(p('The Colour Rendering Index (CRI) matters.', 'A pulse of PWM (pulse-width modulation) dims it.')),
      gives: 'pass',
      note: /2 of 2/,
    },
    {
      name: 'one of two spelled out',
      page: main(p('The Colour Rendering Index (CRI) matters.', 'Then comes PWM.')),
      gives: 'partial',
      value: 0.5,
    },
    {
      name: 'none spelled out',
      page: main(p('The CRI matters.', 'Then comes PWM, and TLCI.')),
      gives: 'fail',
      note: /0 of 3/,
    },
    {
      name: 'spelled out only later in the text',
      page: main(p('The CRI matters.', 'Then comes PWM.', 'The Colour Rendering Index (CRI) is old.')),
      gives: 'fail',
    },
    {
      name: 'a parenthesis that is no expansion',
      page: main(p('The CRI (see below) matters.', 'Then comes PWM (new in May).')),
      gives: 'fail',
    },
    {
      name: 'an abbr element and a description list',
      page: main(
        `<p>The <abbr title="Colour Rendering Index">CRI</abbr> matters.</p><p>So does PWM.</p><dl><dt>PWM</dt><dd>A way to dim.</dd></dl>`,
      ),
      gives: 'pass',
    },
    {
      name: 'words that say so',
      page: main(p('Here CRI stands for colour rendering index.', 'And PWM, short for pulse width modulation, dims.')),
      gives: 'pass',
    },
    {
      name: 'a heading that uses it before the text explains it',
      page: main(
        `<h2>Why CRI and PWM</h2>${p('The Colour Rendering Index (CRI) and pulse-width modulation (PWM) matter.')}`,
      ),
      gives: 'pass',
    },
    {
      name: 'Japanese with full-width parentheses',
      page: main(p('演色評価数（CRI）は大切です。', 'パルス幅変調（PWM）で暗くします。'), '', 'ja'),
      gives: 'pass',
    },
    {
      name: 'acronyms that everybody knows, shouting, Roman numerals and two letters',
      page: main(
        p(
          'In the USA the FAQ as a PDF over HTTPS is NOT for sale.',
          'Part VIII: buy NOW in NY, a WARNING, the warning of EU and UK.',
        ),
      ),
      gives: 'not_applicable',
    },
    {
      name: 'the name of the site itself',
      page: main(p('ACME makes lamps.', 'ZORA makes lamps.'), '<meta property="og:site_name" content="Zora Lamps">'),
      gives: 'not_applicable',
    },
    { name: 'one acronym', page: main(p('The CRI matters.')), gives: 'not_applicable' },
    { name: 'a line in capitals', page: main(p('BUY NEW LED LAMPS FROM OUR SHOP')), gives: 'not_applicable' },
  ],
  'geo.evidence.first-hand-data': [
    {
      name: '"we measured" with a number',
      page: main(p('We measured 14 lamps in a dark room.') + filled, article),
      gives: 'pass',
    },
    {
      name: 'a survey of ours',
      page: main(p('Our survey of 1,200 people found that most read in bed.'), article),
      gives: 'pass',
    },
    { name: 'German', page: main(p('Wir haben im Mai 14 Lampen getestet.'), article, 'de'), gives: 'pass' },
    { name: 'Japanese', page: main(p('当社は14個のランプを測定しました。'), article, 'ja'), gives: 'pass' },
    {
      name: 'a Dataset node',
      page: main(filled, jsonLd({ '@context': 'https://schema.org', '@type': 'Dataset', name: 'Lamps' })),
      gives: 'pass',
      note: /Dataset/,
    },
    { name: '"we tested" without a number', page: main(p('We tested many lamps.') + filled, article), gives: 'fail' },
    { name: 'a number in another sentence', page: main(p('We tested lamps. It was 2026.'), article), gives: 'fail' },
    { name: 'somebody else tested', page: main(p('They tested 14 lamps.'), article), gives: 'fail' },
    { name: 'no article', page: main(p('We measured 14 lamps.')), gives: 'not_applicable' },
  ],
  'geo.text.definitions': [
    {
      name: 'the subject of the h1 is defined',
      page: main(ENGLISH + p('A lamp is a device that gives light.') + filled),
      gives: 'pass',
    },
    { name: 'with a parenthesis', page: main(ENGLISH + p('Lamp oil (paraffin) is a fuel.') + filled), gives: 'pass' },
    {
      name: 'another thing is defined',
      page: main(ENGLISH + p('A horse is an animal of the field.') + filled),
      gives: 'partial',
      value: 0.5,
    },
    {
      name: 'a description list',
      page: main(`${ENGLISH}${filled}<dl><dt>Lamp</dt><dd>A source of light.</dd></dl>`),
      gives: 'pass',
    },
    {
      name: 'a dfn element',
      page: main(`${ENGLISH}${filled}<p>We say <dfn>lamp</dfn> for all that shines.</p>`),
      gives: 'pass',
    },
    {
      name: 'German',
      page: main(
        p('Lamps sind die Lichter, die in der Nacht und auf dem Tisch für uns leuchten und nicht ausgehen.') + filled,
        '',
        'de',
      ),
      gives: 'pass',
    },
    {
      name: 'Chinese',
      page: main(`<p>Lamps是一种照明工具。${'它在桌子上发光，我们看书。'.repeat(10)}</p>`, '', 'zh'),
      gives: 'pass',
    },
    {
      name: 'pronouns and questions',
      page: main(ENGLISH + p('It is a device.', 'This is the best.', 'What is a lamp?') + filled),
      gives: 'fail',
    },
    { name: 'no definition', page: main(ENGLISH + filled), gives: 'fail' },
    {
      name: 'a legal text',
      page: main(ENGLISH + filled),
      options: { path: '/privacy' },
      gives: 'not_applicable',
      note: /legal/,
    },
    { name: 'a checkout', page: main(ENGLISH + filled), options: { path: '/checkout' }, gives: 'not_applicable' },
    { name: 'a short text', page: main(p('A lamp is a device.')), gives: 'not_applicable' },
    { name: 'a language we do not know', page: main(prose(100), '', 'sk'), gives: 'not_applicable', note: /sk/ },
  ],
  'geo.text.no-self-superlatives': [
    { name: 'no praise', page: main(prose(200)), gives: 'pass', note: /0 superlatives/ },
    {
      name: 'two in 200 words',
      page: main(prose(200) + p('Our leading brand.', 'A world-class lamp.')),
      gives: 'pass',
    },
    {
      name: 'three in 200 words',
      page: main(prose(200) + p('The best lamps anywhere.', 'A world-class lamp.', 'We are #1 and unrivalled.')),
      gives: 'fail',
      note: /4 superlatives/,
    },
    {
      name: 'three with a source beside them',
      page: main(
        prose(200) +
          p('The best lamps, according to Which. World-class, according to Which. The #1, according to Which.'),
      ),
      gives: 'pass',
    },
    {
      name: 'best practice, and the best way',
      page: main(
        prose(200) + p('The best practice is the best way at the best time of the best part.', 'Do your best.'),
      ),
      gives: 'pass',
      note: /0 superlatives/,
    },
    { name: 'a short text', page: main(p('The best lamps.')), gives: 'not_applicable' },
  ],
};

describe.each(Object.entries(rows))('%s', (id, cases) => {
  test.each(cases)('$name gives $gives', async ({ page, options, ...expected }) => {
    expect(await judgePage(id, page, options)).toMatchObject(outcomeOf(expected));
  });
});

test('a text of a megabyte with thousands of acronyms is judged by its first ones', async () => {
  const acronym = (index: number): string =>
    Array.from(String(1000 + index))
      .map((digit) => 'ABCDEFGHIJ'[Number(digit)] ?? '')
      .join('');
  const text = Array.from(
    { length: 6000 },
    (_, index) => `The ${acronym(index)} is in the room (see ${acronym(index)}).`,
  );
  const outcome = await judgePage('geo.evidence.technical-terms', main(p(...text)));
  expect(outcome).toMatchObject({ status: 'fail', note: expect.stringMatching(/^0 of 60 /) });
});
