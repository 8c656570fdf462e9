/** Pages of any size with what real ones hold: prose, quotations, lists, tables, code, forms, images, scripts, several languages. */

const WORDS = (
  'water market north garden engine letter school bridge winter signal island paper morning village record season library machine ' +
  'harbour number harvest station copper measure pattern glacier window doctor traffic forest voyage silver kitchen theatre museum ' +
  'weather climate vessel railway pottery granite orchard compass lantern parcel engineer teacher farmer captain printer carrier'
).split(' ');
const VERBS =
  'measured compared recorded described changed carried reached divided reported joined tested counted'.split(' ');
const NAMES = ['Ada Brook', 'Ines Calder', 'Jonas Dahl', 'Mei Evans', 'Omar Farr', 'Ruth Gale'];
const FOREIGN = [
  '<p lang="de">Die Messung dauerte neun Tage und kostete 1.250,50 Euro; am Ende blieb der Bestand um 12 Prozent größer als im Vorjahr.</p>',
  '<p lang="fr">La mesure a duré neuf jours, et 45 % des échantillons étaient plus lourds que prévu, selon le laboratoire de Lyon.</p>',
  '<p lang="ja">測定は九日間続き、試料の四十五パーセントが予想より重かった。結果は毎年公開されている。</p>',
  '<p lang="ar" dir="rtl">استمر القياس تسعة أيام، وكانت 45٪ من العينات أثقل مما كان متوقعا وفقا للمختبر.</p>',
];

/** Draws whole numbers from 0 to below `bound`; the same for every run (a linear congruential generator). */
type Draw = (bound: number) => number;

function drawing(): Draw {
  let state = 12_345;
  return (bound) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * bound);
  };
}

const one = (draw: Draw, list: readonly string[]): string => list[draw(list.length)] ?? '';
const words = (draw: Draw, count: number): string => Array.from({ length: count }, () => one(draw, WORDS)).join(' ');

function sentence(draw: Draw): string {
  const numbers = [
    '',
    ` by ${draw(98) + 1}.${draw(10)}%`,
    ` in ${draw(40) + 2} days`,
    ` for $${draw(900) + 10},${draw(900) + 100}`,
    '',
  ];
  return `The ${words(draw, 1 + draw(3))} ${one(draw, VERBS)} the ${words(draw, 2 + draw(8))}${one(draw, numbers)}. `;
}

const prose = (draw: Draw, sentences: number): string =>
  Array.from({ length: sentences }, () => sentence(draw)).join('');

type Part = (draw: Draw, index: number) => string;

const heading: Part = (draw, index) =>
  index % 3 === 0
    ? `<h2 id="s${index}">How does the ${words(draw, 2)} change?</h2>\n`
    : `<h${2 + (index % 2)} id="s${index}">${words(draw, 4)}</h${2 + (index % 2)}>\n`;

const paragraphs: Part = (draw, index) =>
  `<p class="lead">${prose(draw, 4)}See <a href="/notes/${index}?from=${draw(99)}">the notes on ${words(draw, 2)}</a>.</p>\n` +
  `<p>${prose(draw, 3)}<a href="https://www.example-${draw(20)}.org/papers/${index}" rel="noopener">A study</a> by ${one(draw, NAMES)} found the same &mdash; <em>twice</em>.</p>\n`;

const PARTS: readonly Part[] = [
  (draw) =>
    `<blockquote cite="https://www.example.org/q/${draw(999)}"><p>“${prose(draw, 2).trim()}”</p><footer>— <cite>${one(draw, NAMES)}</cite></footer></blockquote>\n`,
  (draw) =>
    `<ul>${Array.from({ length: 5 }, () => `<li><strong>${words(draw, 1)}</strong>: ${sentence(draw)}</li>`).join('\n')}</ul>\n`,
  (draw) =>
    `<table><caption>${words(draw, 3)}</caption><thead><tr><th scope="col">Place</th><th scope="col">Value</th></tr></thead><tbody>${Array.from(
      { length: 4 },
      () => `<tr><td>${words(draw, 1)}</td><td>${draw(1000)} kg</td></tr>`,
    ).join('')}</tbody></table>\n`,
  (draw, index) =>
    `<pre><code class="language-js">const ${one(draw, WORDS)}${index} = await read('/${one(draw, WORDS)}', { limit: ${draw(500)} });\nconsole.log(${index} &lt; 5);</code></pre>\n`,
  (draw, index) =>
    `<figure><img src="/img/${index}.webp" srcset="/img/${index}-2x.webp 2x" alt="${words(draw, 5)}" width="640" height="360" loading="lazy"><figcaption>${sentence(draw)}</figcaption></figure>\n`,
  (draw, index) =>
    `<form action="/search" method="get"><label for="q${index}">Search the ${words(draw, 1)}</label><input id="q${index}" name="q" type="search" autocomplete="off"><button type="submit">Search</button></form>\n`,
  (draw) =>
    `<details><summary>What is a ${words(draw, 1)}?</summary><p>A ${words(draw, 1)} is ${prose(draw, 1)}</p></details>\n`,
  (draw) =>
    `<dl><dt>${words(draw, 1)}</dt><dd>${sentence(draw)}</dd></dl><p>“${prose(draw, 1).trim()}” said ${one(draw, NAMES)}.</p>\n`,
  (draw, index) =>
    `<script>window.state${index} = ${JSON.stringify({ id: index, title: words(draw, 6), tags: words(draw, 3) })};</script>\n`,
  (draw, index) =>
    `<div class="card card--${index % 7} shadow" style="padding:4px;color:#333" data-id="${draw(99_999)}" aria-label="${words(draw, 3)}"><svg viewBox="0 0 9 9"><path d="M1 1l7 7"/></svg><span hidden>${words(draw, 4)}</span><!-- ${words(draw, 5)} --></div>\n`,
  (draw) => `${one(draw, FOREIGN)}\n`,
];

/** An article of exactly `bytes` bytes of UTF-8 (at least 4,000), the same at every call. `origin` has no trailing slash. */
export function mixedPage(origin: string, bytes: number): string {
  const draw = drawing();
  const end =
    '</article></main><footer><a href="/about">About</a> <a href="/contact">Contact</a></footer></body></html>\n';
  const pieces = [head(origin)];
  let size = Buffer.byteLength(pieces[0] ?? '') + end.length;
  for (let index = 1; ; index += 1) {
    const part = PARTS[index % PARTS.length];
    const next = `<section>${heading(draw, index)}${paragraphs(draw, index)}${part?.(draw, index) ?? ''}</section>\n`;
    size += Buffer.byteLength(next);
    if (size > bytes - COMMENT_CHARS) {
      size -= Buffer.byteLength(next);
      break;
    }
    pieces.push(next);
  }
  return `${pieces.join('')}<!--${'.'.repeat(Math.max(0, bytes - size - COMMENT_CHARS))}-->${end}`;
}

const COMMENT_CHARS = '<!---->'.length;

const head = (origin: string): string => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>Measures of a year: what changed and by how much</title>
<meta name="description" content="A long record of measurements with notes, tables and sources, made only to be read by programs.">
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="canonical" href="${origin}/">
<meta property="og:title" content="Measures of a year"><link rel="stylesheet" href="/site.css"><script type="application/ld+json">${JSON.stringify(
  {
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'Article', headline: 'Measures of a year', datePublished: '2026-01-05', author: { '@id': '#ada' } },
      { '@type': 'Person', '@id': '#ada', name: 'Ada Brook', url: `${origin}/about` },
      { '@type': 'Organization', name: 'Example Records', url: `${origin}/`, email: 'office@example.com' },
    ],
  },
)}</script></head><body><header><nav aria-label="Main"><a href="/">Home</a> <a href="/notes">Notes</a> <a href="/about">About</a></nav></header><main><article>
<h1>Measures of a year</h1><p>By <a rel="author" href="/about">Ada Brook</a>, <time datetime="2026-01-05">5 January 2026</time></p>
`;
