/** The size that the aims speak of. */
export const PAGE_BYTES = 100 * 1024;

const TOPICS = ['crawlers', 'robots.txt', 'sitemaps', 'structured data', 'answers', 'citations', 'agents', 'payments'];

/** The site of the benchmark by path; the page is the same bytes at every call. `origin` has no trailing slash. */
export function siteFiles(origin: string): ReadonlyMap<string, { type: string; body: string }> {
  return new Map([
    ['/', { type: 'text/html; charset=utf-8', body: page(origin) }],
    ['/robots.txt', { type: 'text/plain', body: `User-agent: *\nAllow: /\nSitemap: ${origin}/sitemap.xml\n` }],
    ['/sitemap.xml', { type: 'application/xml', body: sitemap(origin) }],
    [
      '/llms.txt',
      { type: 'text/plain', body: `# Benchmark\n\n> A page of 100 KB.\n\n## Docs\n\n- [Home](${origin}/): the page\n` },
    ],
  ]);
}

/** An article of headings, paragraphs, lists, tables, links, images and JSON-LD, padded to exactly 100 KiB of ASCII. */
export function page(origin: string): string {
  const end = '</main></body></html>\n';
  let html = head(origin);
  for (let index = 1; html.length + end.length < PAGE_BYTES; index += 1) {
    const next = section(origin, index);
    if (html.length + next.length + end.length > PAGE_BYTES) break;
    html += next;
  }
  const missing = PAGE_BYTES - html.length - end.length;
  return `${html}${missing > 7 ? `<!--${'.'.repeat(missing - 7)}-->` : ' '.repeat(missing)}${end}`;
}

const head = (origin: string): string => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>How answer engines read a page: a guide in sections</title>
<meta name="description" content="A long guide about what crawlers and answer engines take from a page, section by section.">
<link rel="canonical" href="${origin}/"><meta property="og:title" content="How answer engines read a page">
<meta name="viewport" content="width=device-width"><script type="application/ld+json">${JSON.stringify({
  '@context': 'https://schema.org',
  '@type': 'Article',
  headline: 'How answer engines read a page',
  datePublished: '2026-01-05',
  dateModified: '2026-06-05',
  author: { '@type': 'Person', name: 'Ada Example', url: `${origin}/about` },
})}</script></head><body><header><nav><a href="/">Home</a> <a href="/about">About</a></nav></header><main>
<h1>How answer engines read a page</h1>
`;

function section(origin: string, index: number): string {
  const topic = TOPICS[index % TOPICS.length] ?? '';
  const sentence = (turn: number): string =>
    `In test ${index}.${turn} of ${topic}, ${(index * 37 + turn * 11) % 97}% of ${index * 13 + turn} requests were answered ` +
    `within ${(index * turn) % 300} ms, which is why a short, direct answer near the top is quoted more often.`;
  return `<section id="s${index}"><h2>What does section ${index} say about ${topic}?</h2>
<p>${sentence(1)} ${sentence(2)} See <a href="/notes/${index}">note ${index}</a> and <a href="${origin}/data/${topic.replaceAll(' ', '-')}">the data</a>.</p>
<p>${sentence(3)} ${sentence(4)}</p>
<ul><li>${sentence(5)}</li><li><strong>${topic}</strong>: <code>example ${index}</code></li></ul>
<table><tr><th>Measure</th><th>Value</th></tr><tr><td>${topic}</td><td>${index * 7}</td></tr></table>
<img src="/img/${index}.png" alt="Chart ${index} of ${topic}" width="640" height="360"></section>
`;
}

const sitemap = (origin: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${origin}/</loc></url></urlset>\n`;
