import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getJsonLd } from '../../../../src/audit/structured-data/facts/json-ld.ts';
import { getMainText } from '../../../../src/audit/text/facts/sample-text.ts';
import { computeContainedShare } from '../../../../src/audit/llms-txt/facts/markdown-copies.ts';
import type { PageFacts } from '../../../../src/audit/page/facts/page-facts.ts';
import { parsePage } from '../../../../src/audit/page/facts/page.ts';
import { classifyPage } from '../../../../src/audit/page/facts/kind.ts';
import { findStatistics, listMoneyAmounts } from '../../../../src/audit/language/statistics.ts';
import { computeTextEvidence } from '../../../../src/audit/text/facts/text-evidence.ts';
import { jsonLd } from '../../../support/audit/pages.ts';
import { budgetFor } from '../../../support/runner/budget.ts';

const CORPUS = join(import.meta.dirname, '../../../../../shared/corpora/html');
const read = (html: string, url = 'https://acme.example/page'): PageFacts =>
  parsePage(html, { url, bodyBytes: html.length });
const kindOf = (html: string, path: string): string => {
  const page = read(html, new URL(path, 'https://acme.example').href);
  return classifyPage(page, getMainText(page)).kind;
};

test.each([
  ['Sales grew by 41 %, or 41.5 percent.', ['41 %', '41.5 percent']],
  [
    'It costs $4.2 million, 3 Mrd. €, €1.299,00 or 20 dollars.',
    ['$4.2 million', '3 Mrd. €', '€1.299,00', '20 dollars'],
  ],
  ['3.5 kg at 21 °C for 90 minutes, 120 km/h', ['3.5 kg', '21 °C', '90 minutes', '120 km/h']],
  ['7 out of 10 people, 1 in 5 homes', ['7 out of 10', '1 in 5']],
  ['From 1998–2004, 1970 – 1973 and 2000 to 2014', []],
  ['12 Monate später, 3 years later', []],
  ['Ein 30-köpfiger Chor, 3,5 miliona osób', ['30-köpfiger', '3,5 miliona']],
  ['Byron A. Lamps of 90 homes. J Light. 2004;23:639-45. [PMID: 15542184]', []],
  ['It is 3x faster and 12 times cheaper, with 2.5 million users', ['3x', '12 times', '2.5 million users']],
  [
    'Um 40 Prozent, 12 Stunden, 40 процентов, 25％, 300万人',
    ['40 Prozent', '12 Stunden', '40 процентов', '25％', '300万人'],
  ],
  ['Version 3.14, v2.0.1, 12 May 2026, 2026-05-12, +49 30 1234567', []],
  ['page 3 of 10, step 1 of 3, 5 days ago, a 7 minute read, 1. first', []],
  ['42 lamps, 33,000 models, 1.895 Mal', ['42 lamps', '33,000 models', '1.895 Mal']],
  ['Seit 40 Jahren baut das Werk 33.000 Modelle in 120 Ländern.', ['33.000 Modelle', '120 Ländern']],
  ['Nach 40 Jahren, con 300 empleados, avec 12 000 abonnés', ['40 Jahren', '300 empleados', '12 000 abonnés']],
  ['She is 52 years old, a 40-year-old lamp, aged 31 years, im Alter von 9 Jahren, de 79 años.', []],
  ['vor 14 Stunden, hace 3 días, il y a 5 jours, 2 hours ago', []],
  ['Reading time: 6 minutes. Lesezeit: 4 Minuten. A 12 minute read.', []],
  ['iPhone 11 Pro and Windows 7 Allgemein', []],
  ['5 October, 10 سبتمبر, 3. März, 12 mars', []],
  ['in 2026 sales, since 1998 lamps', []],
  ['Call at 12 Mill Lane, 221 Baker Street or 5 Rue Monge; it opens at 10:30 noon.', []],
  ['©5 Minuten', []],
  ['SHA-256, ISO-9001, A4, mp3, 1080x1920', []],
  ['COVID-19 cases in Tempo-30 zones, a price of US-$300 and of Rs 24 lakh', ['$300', '24 lakh']],
  ['We rewrote it for Python 3 support, in the July 25 call, with Office 365 derzeit and Level 5 rules', []],
  ['Our Orbit 2.4 and 2.5 builds, Orbit 3.5, 3.6, and 3.7 builds', []],
  ['Nearly 20 dogs came. The 25 cars went. “Over 300 cats,” she said.', ['20 dogs', '25 cars', '300 cats']],
  ['Am 09.07.2019 zunächst, seit 3.6.0 packages, 42 doesn’t', []],
  [
    'Twelve dogs, thirty-nine keys, two hundred and fifty people, a million dollars, zwölf Monaten, quinze revues, veinte coches',
    [
      'Twelve dogs',
      'thirty-nine keys',
      'two hundred and fifty people',
      'a million dollars',
      'zwölf Monaten',
      'quinze revues',
      'veinte coches',
    ],
  ],
  [
    'Eight out of ten homes, jeder dritte Haushalt, un Français sur cinq, zehn Prozent, five dollars',
    ['Eight out of ten', 'jeder dritte', 'un Français sur cinq', 'zehn Prozent', 'five dollars'],
  ],
  [
    'At four times the price, dreimal so viele, trois fois plus; I went three times and zweimal dorthin',
    ['four times the', 'dreimal so', 'trois fois plus'],
  ],
  ['Level 13 pic.example.com/x, from 13 pic.example.com/x', []],
  ['Three dogs of Ocean’s Twelve films, seventeen years old, twenty years ago, one of six, eine von neun', []],
])('statistics of "%s"', (text, expected) => {
  expect(findStatistics(text).map((found) => found.text)).toEqual(expected);
});

test.each([
  ['1.299,00 €', 1299, true],
  ['$1,299.00', 1299, true],
  ["CHF 1'299.50", 1299.5, true],
  ['19,99 EUR', 19.99, true],
  ['1 299,00 €', 1299, true],
  ['Model 1299', 1299, false],
  ['12,50 €/15,00 €', 15, true],
  ['5 € 3 lamps', 5, true],
  ['5 € 3 lamps', 3, false],
  ['€ 12990', 1299, false],
])('among the amounts of "%s" is %s: %s', (text, amount, expected) => {
  expect(listMoneyAmounts(text).has(amount)).toBe(expected);
});

describe('the kind of a page', () => {
  const words = '<p>Words of a text.</p>'.repeat(40);
  const few = '<p>Words of a text.</p>'.repeat(20);
  const links = '<p><a href="/x">Another page of ours</a></p>'.repeat(60);
  const node = (value: object): string => jsonLd({ '@context': 'https://schema.org', ...value });
  const offered = { '@type': 'Product', name: 'Lamp', offers: { '@type': 'Offer', price: 5, priceCurrency: 'EUR' } };
  const buy = '<p>€ 5</p><button>In den Warenkorb</button>';
  const questions = '<h2>Is it red?</h2><p>Yes.</p><h2>Why is it?</h2><p>So.</p>';

  test.each([
    ['checkout', '/cart', ''],
    ['login', '/x', '<input type="password" name="p">'],
    ['contact', '/contact-us', words],
    ['faq', '/help', '<h1>FAQ</h1><h2>Is it?</h2><p>Yes.</p><h2>Why?</h2><p>So.</p>'],
    ['product', '/lamp', '<p>€ 5</p><button>In den Warenkorb</button>'],
    ['article', '/x', `<article><p>By Ada Byron</p>${few}</article>`],
    ['unknown', '/x', '<article><p>By Ada Byron</p><p>A teaser.</p></article>'],
    ['article', '/x', `<time datetime="2026-01-01">1 January</time>${few}`],
    ['article', '/x', `<p>3. März 2026</p>${few}`],
    ['article', '/blog/lamps', few],
    ['article', '/2026/01/lamps', few],
    ['docs', '/docs/start', words],
    ['listing', '/x', '<article>a</article><article>b</article><article>c</article>'],
    ['home', '/', words],
    ['home', '/de/', words],
    ['article', '/something', words],
    ['unknown', '/something', few],
    ['unknown', '/impressum', words],
    ['unknown', '/verein/geschichte.html', words],
    ['unknown', '/about-us/', `<meta property="og:type" content="article">${words}`],
    [
      'article',
      '/x',
      `<meta property="og:type" content="article"><meta property="product:price:amount" content="1">${words}`,
    ],
    ['product', '/x', `<meta property="product:price:amount" content="1">${words}`],
    ['article', '/x', `${node({ '@type': 'ItemList' })}<p>By Ada Byron</p>${words}`],
    ['listing', '/x', `${node({ '@type': 'ItemList' })}${words}`],
    ['article', '/presse/lamps', `<h1>Lamps</h1><p>3 March 2026</p>${links}`],
    ['article', '/history/lamps', words],
    // A recording, or a page whose text comes by script: headline and date are there.
    ['article', '/blog/lamps', '<h1>Lamps</h1><p>3 March 2026 - Ada Byron</p><p>Listen to it here.</p>'],
    ['article', '/sport/news-1-139353.html', '<h1>Lamps</h1><p>3 March 2026</p><p>Loading.</p>'],
    ['unknown', '/blog/lamps', '<h1>Lamps</h1><p>Listen to it here.</p>'],
    ['unknown', '/x', '<h1>Lamps</h1><p>3 March 2026</p><p>Listen to it here.</p>'],
    // Comments are article elements, and notes to a recording a list of links.
    ['article', '/2026/lamps-of-ours', `<h1>Lamps</h1>${links}${'<article>Well said.</article>'.repeat(3)}`],
    ['listing', '/2026/', `<h1>Lamps</h1>${links}${'<article>Well said.</article>'.repeat(3)}`],
    ['faq', '/x', `${questions}${questions}${words}`],
    ['article', '/x', `<p>By Ada Byron</p>${questions}${questions}${words}`],
    ['faq', '/x', `${node({ '@type': 'FAQPage' })}<p>By Ada Byron</p>${questions}${questions}${words}`],
    ['unknown', '/shop', '<p>€ 5</p>' + '<button>Add to cart</button>'.repeat(9)],
    ['unknown', '/x', '<p>By clicking you agree</p><time datetime="2026-01-01">1</time>'],
    // An article before a product: what it mentions, reviews or asks money for is not sold here.
    ['article', '/x', node({ '@type': 'NewsArticle' }) + node(offered) + words],
    ['article', '/x', `<p>By Ada Byron</p><p>€ 5</p><p><a href="/s">Buy now</a></p>${words}`],
    [
      'article',
      '/x',
      node({ '@type': 'NewsArticle', isAccessibleForFree: false, isPartOf: { '@type': ['CreativeWork', 'Product'] } }) +
        words,
    ],
    ['article', '/x', node({ '@type': 'WebPage', isPartOf: { ...offered, productID: 'news:plus' } }) + words],
    ['article', '/x', node({ '@type': 'Review', itemReviewed: offered }) + words],
    ['article', '/x', node({ '@type': 'Recipe' })],
    ['product', '/x', node(offered) + words],
    ['product', '/x', buy + few],
    ['unknown', '/x', node({ '@type': 'Product', name: 'Lamp' }) + few],
    ['listing', '/x', [1, 2, 3, 4].map((part) => node({ ...offered, name: `Lamp ${part}` })).join('') + few],
    // A field for a password in the head of every page makes none of them a form to log in.
    ['article', '/blog/lamps', `<header><input type="password" name="p"></header>${words}`],
    ['article', '/blog/sign-in/', words],
    ['login', '/sign-in', few],
    ['docs', '/x', node({ '@type': 'TechArticle' }) + words],
    ['docs', '/x', node({ '@type': 'APIReference' }) + words],
    ['docs', '/x', '<pre><code>run()</code></pre>'.repeat(3) + few],
    ['article', '/x', `<p>By Ada Byron</p>${'<pre><code>run()</code></pre>'.repeat(3)}${few}`],
    ['forum', '/viewtopic.php?t=7', words],
    ['forum', '/x', node({ '@type': 'DiscussionForumPosting' }) + words],
    ['forum', '/x', node({ '@type': 'QAPage' }) + words],
    ['listing', '/x', links],
    ['listing', '/category/lamps', few],
    ['listing', '/x', node({ '@type': 'CollectionPage' }) + few],
    ['listing', '/x', [1, 2, 3, 4, 5].map((day) => node({ '@type': 'Event', name: `Market ${day}` })).join('') + few],
    ['article', '/x', node({ '@type': 'Event', name: 'Market' }) + words],
    ['faq', '/x', `<h1>Lamps</h1>${questions}${questions}`],
    ['article', '/blog/x', `<h1>Lamps</h1>${words}<footer>${questions}${questions}</footer>`],
    ['home', '/index.html', links],
    ['article', '/', node({ '@type': 'NewsArticle' }) + words],
  ])('is %s at %s', (kind, path, body) => {
    expect(kindOf(`<!doctype html><title>t</title><main>${body}</main>`, path)).toBe(kind);
  });

  test.each([
    ['article', '/x', '<meta property="og:type" content="article">', few],
    [
      'article',
      '/x',
      '<meta property="og:type" content="article">',
      '<h1>Lamps</h1><p>3 March 2026</p><p>Listen to it here.</p>',
    ],
    ['unknown', '/x', '<meta property="og:type" content="article">', '<h1>Lamps</h1><p>Listen to it here.</p>'],
    ['home', '/', '<meta property="og:type" content="article">', words],
    ['product', '/x', '<meta property="og:type" content="article">', buy + few],
    ['product', '/x', '<meta property="og:type" content="product">', words],
    ['article', '/x', '<meta name="citation_title" content="Lamps">', few],
    ['forum', '/x', '<meta name="generator" content="Discourse 3.1">', words],
  ])('is %s at %s with %s', (kind, path, head, body) => {
    expect(kindOf(`<!doctype html><title>t</title>${head}<main>${body}</main>`, path)).toBe(kind);
  });
});

test.each([
  ['alpha beta gamma delta epsilon zeta', '# T\n\nalpha **beta** [gamma](https://x.example/) delta `epsilon` zeta', 1],
  ['alpha beta gamma delta epsilon zeta', 'alpha beta gamma delta epsilon', 0.5],
  ['alpha beta gamma delta epsilon', 'one two three four five six', 0],
  ['光は部屋の中で最初に', '光は部屋の中で最初に', 1],
  ['too short', 'too short', undefined],
])('of "%s", a copy %j holds %s', (text, copy, share) => {
  expect(computeContainedShare(text, copy)).toBe(share);
});

describe('hostile pages of megabytes are read in one pass', () => {
  const SIZE = 1024 * 1024;
  const pieces = [
    '1',
    '1,1.',
    '$1 ',
    '"a',
    '“a ',
    '(',
    '[1',
    '© 2024 by ',
    '- Aa ',
    'a<br>',
    '1 of ',
    '中文字',
    '](',
    '. ',
    'By A B ',
    '\u200B',
  ];

  test.each(pieces)('of %j', (piece) => {
    const html = `<!doctype html><title>t</title><main><h1>x</h1>${piece.repeat(SIZE / piece.length)}</main>`;
    const evidence = computeTextEvidence(read(html), []);
    expect(evidence.statistics.length).toBeLessThanOrEqual(200);
    expect(evidence.main.text.length).toBeLessThanOrEqual(500_000);
    expect(listMoneyAmounts(evidence.main.text).size).toBeLessThanOrEqual(501);
  });

  test.each([
    [
      'one id described thousands of times',
      Array.from({ length: 9000 }, () => ({ '@id': '#a', sameAs: ['https://x.example/'] })),
    ],
    [
      'thousands of organizations',
      Array.from({ length: 9000 }, (_, index) => ({ '@type': 'Organization', name: `o${index}` })),
    ],
  ])('of %s', (_, graph) => {
    const block = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph });
    const { graph: found } = getJsonLd(read(`<script type="application/ld+json">${block}</script>`));
    expect(found.capped).toBe(true);
  });
});

test('any page gives evidence, and the same page the same evidence', () => {
  const tag = fc.constantFrom(
    'p',
    'main',
    'article',
    'blockquote',
    'div',
    'li',
    'h1',
    'h2',
    'a href="https://x.example/"',
    'p hidden',
    'img alt="ignore all"',
  );
  const part = fc.tuple(tag, fc.oneof(fc.string(), fc.constantFrom('41 % of “lamps”, said Ada.', '$5', '\n')));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const html = parts.map(([name, text]) => `<${name}>${text}`).join('');
      expect(computeTextEvidence(read(html), [])).toEqual(computeTextEvidence(read(html), []));
    }),
    { numRuns: budgetFor(40, 200) },
  );
});

describe.skipIf(!existsSync(CORPUS))('saved pages of publishers', () => {
  const files = existsSync(CORPUS) ? readdirSync(CORPUS) : [];

  test.each(files)('%s: no instruction to AI is seen where there is none, and no word is counted twice', (file) => {
    const page = read(readFileSync(join(CORPUS, file), 'utf8'));
    const evidence = computeTextEvidence(page, []);
    expect(evidence.hidden).toEqual([]);
    expect(evidence.main.text.length).toBeLessThanOrEqual(page.text.length);
  });
});
