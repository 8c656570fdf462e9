/** A megabyte: the size that the shapes are made for. */
const BYTES = 1_000_000;
const LINKS = 100_000;
const NODES = 20_000;
/** JSON-LD is read in blocks of at most a megabyte each. */
const NODES_PER_BLOCK = 2_000;

/** Pages of a shape that makes some readers slow or breaks them: about a megabyte each, the same at every call. */
export const hostilePages: readonly { shape: string; html: () => string }[] = [
  { shape: 'deep nesting', html: () => page(nested('<div>', '</div>')) },
  { shape: 'one giant attribute', html: () => page(`<p style="${filled('color:red;')}">text</p>`) },
  {
    shape: '100,000 links',
    html: () => page(Array.from({ length: LINKS }, (_, index) => `<a href="/${index}">x</a>`).join('')),
  },
  { shape: '20,000 JSON-LD nodes', html: () => page(nodes()) },
  { shape: 'regex bait', html: () => page(bait()) },
  {
    shape: 'one long sentence',
    html: () => page(`<p>${filled('the cat, who said that it was late, went to the sea, ')}.</p>`),
  },
];

const SPEECH =
  '“I know,” said Ruth, looking at the harbour, the boats, and the rain, “but the letter came late, and the train, as always, was full.” ';
const SPEECHES = 7;

/** A story of about `bytes` characters that is nearly all talk, as saved pages of fiction are: nothing in it is hostile. */
export const dialoguePage = (bytes: number): string => page(filled(`<p>${SPEECH.repeat(SPEECHES)}</p>\n`, bytes));

const page = (content: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page of one shape</title></head><body><main><h1>One shape</h1>${content}</main></body></html>`;

const filled = (piece: string, bytes = BYTES): string => piece.repeat(Math.ceil(bytes / piece.length));

function nested(open: string, close: string): string {
  const depth = Math.floor(BYTES / (open.length + close.length));
  return `${open.repeat(depth)}text${close.repeat(depth)}`;
}

/** People who know the next one, the last the first: as many as asked for, in blocks of one graph each. */
function nodes(): string {
  const block = (from: number): string =>
    JSON.stringify({
      '@context': 'https://schema.org',
      '@graph': Array.from({ length: NODES_PER_BLOCK }, (_, index) => ({
        '@type': 'Person',
        '@id': `#${from + index}`,
        knows: { '@id': `#${(from + index + 1) % NODES}` },
      })),
    });
  const blocks = Array.from({ length: NODES / NODES_PER_BLOCK }, (_, index) => block(index * NODES_PER_BLOCK));
  return blocks.map((json) => `<script type="application/ld+json">${json}</script>`).join('\n');
}

/** Long runs of what many expressions begin with and none of them ends with. */
function bait(): string {
  const runs = [
    ' \t',
    'a',
    '1.',
    '1,000 ',
    '((',
    '“',
    '"',
    '@',
    'a@a.',
    'A.B.',
    'AAAA ',
    'we have ',
    'ignore all ',
    'according to ',
    'http://',
    '&amp;',
    '- ',
    '#',
    '[a](',
    '`',
    'x-x-',
    'is a ',
    '2026-',
    '中',
    '\u200D',
    'by Ada Brook, ',
  ];
  return runs.map((run) => `<p>${filled(run, BYTES / runs.length)}</p>`).join('\n');
}
