import { describe, expect, test } from 'vitest';
import { buildLook } from '../../../support/audit/looks.ts';
import { judgeLook } from '../../../support/audit/judge-look.ts';

const page = (body: string): string =>
  `<!doctype html><html lang="en"><head><title>Kettles</title></head><body>${body}</body></html>`;
const words = (count: number, word = 'kettle'): string =>
  `<p>${Array.from({ length: count }, (_one, index) => `${word}${index}`).join(' ')}</p>`;

describe('agent.content.raw-vs-rendered', () => {
  const id = 'agent.content.raw-vs-rendered';

  test.each([
    ['the same page', page(words(50)), page(words(50)), 'pass', 1],
    ['the same words in another order', page('<p>one two three</p>'), page('<p>three one two</p>'), 'pass', 1],
    ['a few words more', page(words(95)), page(words(100)), 'pass', 1],
    ['a third only after scripts', page(words(70)), page(words(100)), 'partial', 0.7],
    ['more than half only after scripts', page(words(40)), page(words(100)), 'fail', 0],
    ['a price only after scripts', page(words(100)), page(`${words(100)}<p>$49.50</p>`), 'partial', 0.7],
    [
      'structured data only after scripts',
      page(words(100)),
      page(
        `${words(100)}<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product"}</script>`,
      ),
      'partial',
      0.7,
    ],
    ['scripts that take words away', page(words(100)), page(words(30)), 'pass', 1],
    [
      'Chinese text only after scripts',
      page('<p>水壶</p>'),
      page(`<p>水壶${'烧水快速安全方便'.repeat(8)}</p>`),
      'fail',
      0,
    ],
  ] as const)('%s', async (_name, raw, rendered, status, value) => {
    expect(await judgeLook(id, raw, buildLook(rendered))).toMatchObject({ status, value });
  });

  test('says how much exists only after scripts, and shows it', async () => {
    const added = '<h2>Prices</h2><p>It costs €12,50</p><a href="/offer">The offer</a>';
    const { note, evidence } = await judgeLook(id, page(words(40)), buildLook(page(words(40) + added)));
    expect(note).toContain('1 link, 1 heading, 1 price');
    expect(evidence.map(({ excerpt }) => excerpt)).toEqual([
      'prices: €12,50',
      'headings: Prices',
      'links: https://acme.example/offer',
      expect.stringContaining('visible words after rendering') as string,
    ]);
  });

  test('tags of the head that only scripts write are named', async () => {
    const raw = `<!doctype html><body>${words(50)}`;
    const head =
      '<title>Kettles</title><meta name="description" content="All kettles."><link rel="canonical" href="/">';
    const { status, note, evidence } = await judgeLook(
      id,
      raw,
      buildLook(`<!doctype html><head>${head}</head><body>${words(50)}`),
    );
    expect(status).toBe('pass');
    expect(note).toContain('Only after scripts: 3 tags of the head.');
    expect(evidence[0]?.excerpt).toBe('head: title, description, canonical');
  });

  test('unknown where nothing was rendered, with the reason', async () => {
    expect(await judgeLook(id, page(words(40)), undefined)).toMatchObject({
      status: 'unknown',
      note: expect.stringContaining('--render') as string,
    });
    const failed = { ok: false, reason: 'page_busy', detail: 'no answer within 10000 ms' } as const;
    expect(await judgeLook(id, page(words(40)), failed)).toMatchObject({
      status: 'unknown',
      note: 'Not rendered (page_busy): no answer within 10000 ms.',
    });
  });

  test('a page that shows nothing because its requests failed is no finding', async () => {
    const refused = { made: 1, bytes: 0, refused: { connection_failed: 1 } };
    const look = buildLook(page('<p>Loading</p>'), { requests: refused });
    expect(await judgeLook(id, page('<p>Loading</p>'), look)).toMatchObject({
      status: 'unknown',
      note: expect.stringContaining('connection_failed 1') as string,
    });
  });

  test('what was still at work, or cut, is said', async () => {
    const { note } = await judgeLook(
      id,
      page(words(40)),
      buildLook(page(words(40)), { settled: false, truncated: true }),
    );
    expect(note).toMatch(/still at work .* first part/);
  });
});

describe('agent.content.script-errors', () => {
  const id = 'agent.content.script-errors';

  test('passes without, and quotes each exception', async () => {
    expect(await judgeLook(id, page(words(5)), buildLook(page(words(5))))).toMatchObject({ status: 'pass' });
    const wrote = buildLook(page(''), { consoleErrors: ['not found'] });
    expect(await judgeLook(id, page(''), wrote)).toMatchObject({ status: 'partial' });
    const { status, evidence } = await judgeLook(
      id,
      page(''),
      buildLook(page(''), { errors: ['TypeError: x is null'] }),
    );
    expect({ status, excerpt: evidence[0]?.excerpt }).toEqual({ status: 'fail', excerpt: 'TypeError: x is null' });
  });
});

describe('aeo.render.ssr-text', () => {
  const id = 'aeo.render.ssr-text';
  const shell = (body: string): string =>
    page(`<div id="root"></div>${body}<script type="module" src="/a.js"></script>`);

  test('says how many words exist only after scripts', async () => {
    const { status, note } = await judgeLook(id, shell(words(10)), buildLook(shell(words(90))));
    expect(status).toBe('fail');
    expect(note).toContain('10 visible words in the raw HTML, 90 after rendering (80 exist only after scripts)');
  });

  test('a sign of rendering by script counts for nothing where a browser sees that scripts add nothing', async () => {
    const raw = shell(words(80));
    expect(await judgeLook(id, raw, undefined)).toMatchObject({ status: 'partial' });
    expect(await judgeLook(id, raw, buildLook(raw))).toMatchObject({ status: 'pass' });
    const hindered = buildLook(raw, { requests: { made: 0, bytes: 0, refused: { timeout: 1 } } });
    expect(await judgeLook(id, raw, hindered)).toMatchObject({ status: 'partial' });
  });

  test('without a look the note speaks of the raw HTML alone', async () => {
    expect((await judgeLook(id, page(words(300)), undefined)).note).toBe('300 visible words in the raw HTML.');
  });
});
