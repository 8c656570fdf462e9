import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  analyseCitations,
  type CitationAnalysis,
  type CitationOptions,
} from '../../../src/visibility/citations/citations.ts';
import {
  type CitedAnswer,
  listRedirects,
  MAX_CITED_SOURCES,
  MAX_SOURCES_AN_ANSWER,
} from '../../../src/visibility/citations/cited-answers.ts';
import { MAX_CITED_PAGES } from '../../../src/visibility/citations/cited-pages.ts';
import { kindLists } from '../../../src/visibility/citations/source-kinds-data.ts';
import { getRegistrableDomain } from '../../../src/net/registrable-domain.ts';
import {
  anthropicAnswer,
  googleAnswer,
  googleRedirect,
  openaiAnswer,
  perplexityAnswer,
  vendorAnswers,
} from './vendor-answers.ts';

const options: CitationOptions = { own: 'example.com', rivals: ['Sample Support'], seed: 'run' };
const resolutions = [
  { url: googleRedirect('AUZIYQ1'), target: 'https://www.techradar.com/best/help-desk' },
  { url: googleRedirect('AUZIYQ2'), target: 'https://example.com/help-desk' },
];

function analyse(answers: readonly CitedAnswer[], more: Partial<CitationOptions> = {}): CitationAnalysis {
  const found = analyseCitations(answers, { ...options, ...more });
  if (found === null) throw new Error('nothing was measured');
  return found;
}

/** Answers that cite these addresses, one list each. */
const cite = (...lists: readonly (readonly string[])[]): readonly CitedAnswer[] =>
  lists.map((citations, index) => ({ index, text: 'x', citations }));
const kindsOf = (found: CitationAnalysis): Record<string, number> =>
  Object.fromEntries(
    found.kinds.filter(({ citations }) => citations > 0).map(({ kind, citations }) => [kind, citations]),
  );

describe('answers in the style of four vendors', () => {
  test('are read alike: pages, titles, positions, sentences', () => {
    const found = analyse(vendorAnswers, { resolutions });
    expect(found).toMatchObject({
      measured: 4,
      answers: 4,
      citations: 9,
      sources: { read: 10, unreadable: 0, private: 0, unresolved: 0, left_out: 0 },
      own: { domain: 'example.com', pages: 2, rate: { value: 1, n: 4 }, share: { value: 0.5556, n: 4 } },
      rivals: [{ name: 'Sample Support', domains: ['samplesupport.com'], rate: { value: 0.25, n: 4 } }],
    });
    expect(kindsOf(found)).toEqual({ own: 5, rival: 1, press: 1, forum: 1, reference: 1 });
    expect(found.pages[0]).toEqual({
      url: 'https://example.com/help-desk',
      title: 'Help desk for small teams',
      domain: 'example.com',
      kind: 'own',
      answers: 4,
      position: 1.5,
      prompts: [0, 1, 2, 3],
      sentences: [
        { prompt: 0, text: 'For small teams, Example Desk is the simplest start.' },
        { prompt: 1, text: 'Reviewers like its inbox.' },
        { prompt: 2, text: 'Example Desk follows.' },
      ],
    });
    expect(found.pages.find(({ domain }) => domain === 'reddit.com')).toMatchObject({ answers: 1, position: 1 });
    expect(found.pages.find(({ url }) => url.endsWith('/inbox'))?.sentences).toEqual([
      { prompt: 3, text: 'Example Desk is easy to learn.' },
    ]);
  });

  test.each([
    ['openai', openaiAnswer, { own: 1, rival: 1 }],
    ['anthropic', anthropicAnswer, { own: 1, forum: 1 }],
    ['google', googleAnswer, { own: 1, press: 1 }],
    ['perplexity', perplexityAnswer, { own: 2, reference: 1 }],
  ])('%s alone', (_vendor, answer, kinds) => {
    expect(kindsOf(analyse([answer], { resolutions }))).toEqual(kinds);
  });
});

describe('what could not be followed', () => {
  test('a redirect whose title names the host counts for the site, not for a page', () => {
    const found = analyse([googleAnswer]);
    expect(found.sources).toMatchObject({ read: 2, unresolved: 2 });
    expect(found.pages).toEqual([]);
    expect(found.own).toMatchObject({ pages: 0, rate: { value: 1, n: 1 } });
    expect(kindsOf(found)).toEqual({ own: 1, press: 1 });
  });

  test('an unknown source is no "no": its answer counts in neither, and the worst case says so', () => {
    const unknown = { url: googleRedirect('AUZIYQ9'), title: 'A page about desks' };
    const found = analyse([
      { index: 0, text: 'x', sources: [{ url: 'https://example.com/' }] },
      { index: 1, text: 'x', sources: [{ url: 'https://other.example/' }] },
      { index: 2, text: 'x', sources: [{ url: 'https://example.com/' }, unknown] },
      { index: 3, text: 'x', sources: [unknown] },
    ]);
    expect(found.own?.rate).toMatchObject({ value: 0.5, n: 2, worst_case: { low: 0.5, high: 0.75 } });
    expect(found.sources.unresolved).toBe(2);
  });

  test('only what a vendor was asked about is listed to be asked', () => {
    expect(listRedirects([...vendorAnswers, googleAnswer, ...cite(['https://a.example/'])])).toEqual(
      resolutions.map(({ url }) => url),
    );
  });
});

describe('not measured', () => {
  test('an engine that gives no sources is null, and is left out beside one that does', () => {
    expect(analyseCitations([{ index: 0, text: 'x' }], options)).toBeNull();
    expect(analyseCitations([], options)).toBeNull();
    const found = analyse([{ index: 0, text: 'x' }, ...cite(['https://example.com/'])]);
    expect(found).toMatchObject({ measured: 1, answers: 2, own: { rate: { value: 1, n: 1 } } });
  });

  test('an empty list is measured: the answer cites nothing', () => {
    const found = analyse(cite([], []));
    expect(found).toMatchObject({ measured: 2, citations: 0, own: { rate: { value: 0, n: 2 }, share: null } });
  });

  test('without a site of the buyer there is no own rate, and a rival without a known domain has no row', () => {
    const found = analyse(cite(['https://example.com/']), { own: undefined, rivals: ['Quiet Rival'] });
    expect(found.own).toBeNull();
    expect(found.rivals).toEqual([]);
    expect(kindsOf(found)).toEqual({ other: 1 });
  });
});

describe('whose a site is', () => {
  test.each([
    ['Help Scout', 'https://www.helpscout.com/', 'rival'],
    ['Help Scout', 'https://help-scout.de/', 'rival'],
    ['Help Scout', 'https://helpscout.example.org/', 'other'],
    ['Help Scout', 'https://helpscoutreviews.com/', 'other'],
    ['monday.com', 'https://monday.com/pricing', 'rival'],
    ['HP', 'https://hp.com/', 'other'],
    ['Müller', 'https://muller.de/', 'rival'],
    ['Reddit', 'https://reddit.com/r/x', 'forum'],
    ['Example', 'https://example.com/', 'own'],
    ['Example', 'https://docs.example.com/', 'own'],
  ])('of the rival %s, %s is %s', (rival, url, kind) => {
    expect(Object.keys(kindsOf(analyse(cite([url]), { rivals: [rival] })))).toEqual([kind]);
  });

  test('what someone says of a domain goes before lists and names', () => {
    const rivalDomains = new Map([['reddit.com', 'Reddit']]);
    const found = analyse(cite(['https://old.reddit.com/'], []), { rivalDomains });
    expect(found.rivals).toMatchObject([{ name: 'Reddit', domains: ['reddit.com'], rate: { value: 0.5 } }]);
    const never = analyse(cite([]), { rivalDomains });
    expect(never.rivals).toMatchObject([{ name: 'Reddit', rate: { value: 0 }, share: null }]);
  });

  test.each([
    ['https://de.wikipedia.org/wiki/X', 'reference'],
    ['https://www.cdc.gov/x', 'reference'],
    ['https://cs.stanford.edu/x', 'reference'],
    ['https://www.bsi.bund.de/', 'other'],
    ['https://community.acme.io/t/1', 'forum'],
    ['https://softwarerecs.stackexchange.com/q/1', 'forum'],
    ['https://shop.acme.io/', 'shop'],
    ['https://www.amazon.de/dp/1', 'shop'],
    ['https://www.spiegel.de/netzwelt', 'press'],
    ['https://news.ycombinator.com/item?id=1', 'forum'],
    ['https://blog.acme.io/', 'other'],
  ])('%s is %s', (url, kind) => {
    expect(Object.keys(kindsOf(analyse(cite([url]))))).toEqual([kind]);
  });

  test('lists hold registrable domains or hosts, each in one kind, with source and day', () => {
    const kinds = new Map<string, string>();
    for (const { kind, domains, source, read } of kindLists) {
      expect(source).not.toBe('');
      expect(read).toMatch(/^\d{4}-\d\d-\d\d$/);
      for (const domain of domains.trim().split(/\s+/)) {
        expect(new URL(`https://${domain}/`).hostname).toBe(domain);
        expect([domain, kinds.get(domain) ?? kind]).toEqual([domain, kind]);
        expect([getRegistrableDomain(domain), 'chiebukuro.yahoo.co.jp']).toContain(domain);
        kinds.set(domain, kind);
      }
    }
  });
});

describe('rates', () => {
  test('a page counts once an answer, however it is spelled', () => {
    const found = analyse(
      cite([
        'https://example.com/a',
        'http://example.com/a#b',
        'https://example.com/a?utm_source=x',
        'https://b.example/',
      ]),
    );
    expect(found).toMatchObject({ citations: 2, own: { pages: 1, share: { value: 0.5 } } });
    expect(found.pages.map(({ url, position }) => [url, position])).toEqual(
      [
        ['https://b.example/', 2],
        ['https://example.com/a', 1],
      ].toReversed(),
    );
  });

  test('answers of several engines to one prompt are one cluster: the interval is wider than of as many prompts', () => {
    const own = (index: number): CitedAnswer => ({ index, text: 'x', citations: ['https://example.com/'] });
    const other = (index: number): CitedAnswer => ({ index, text: 'x', citations: ['https://b.example/'] });
    const engines = <T>(answers: readonly T[]): readonly T[] => [...answers, ...answers, ...answers, ...answers];
    const alone = Array.from({ length: 10 }, (_, index) => (index < 4 ? own(index) : other(index)));
    const apart = engines(alone).map((answer, index) => ({ ...answer, index }));
    const width = (answers: readonly CitedAnswer[]): number => {
      const rate = analyse(answers).own?.rate;
      return (rate?.high ?? 0) - (rate?.low ?? 0);
    };
    expect(analyse(engines(alone)).own?.rate).toMatchObject({ value: 0.4, n: 40 });
    expect(width(engines(alone))).toBeGreaterThan(1.5 * width(apart));
  });

  test('shares of the kinds add up, and every number is within its interval', () => {
    const url = fc.constantFrom(
      'https://example.com/a',
      'https://samplesupport.com/',
      'https://www.reddit.com/',
      'https://x.example/',
      'nonsense',
      'http://10.0.0.1/',
      googleRedirect('x'),
    );
    fc.assert(
      fc.property(fc.array(fc.array(url, { maxLength: 8 }), { minLength: 1, maxLength: 12 }), (lists) => {
        const found = analyse(cite(...lists));
        expect(found.kinds.reduce((sum, { citations }) => sum + citations, 0)).toBe(found.citations);
        const { read, unreadable, private: inside, unresolved, left_out: left } = found.sources;
        expect(read + unreadable + inside + unresolved + left).toBe(lists.flat().length);
        for (const rate of [found.own?.rate, found.own?.share, ...found.rivals.map((rival) => rival.rate)]) {
          if (!rate) continue;
          expect(rate.low).toBeLessThanOrEqual(rate.value);
          expect(rate.high).toBeGreaterThanOrEqual(rate.value);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('hostile sources', () => {
  test('not addresses and private addresses are counted, and are nowhere else', () => {
    const found = analyse(
      cite([
        'Wikipedia',
        'javascript:alert(1)',
        'http://127.0.0.1:8787/',
        'http://[::1]/',
        'https://a:b@example.com/',
        'https://b.example/',
      ]),
    );
    expect(found.sources).toEqual({ read: 1, unreadable: 3, private: 2, unresolved: 0, left_out: 0 });
    expect(found).toMatchObject({ citations: 1, own: { rate: { value: 0, n: 1 } } });
    expect(found.pages.map(({ url }) => url)).toEqual(['https://b.example/']);
  });

  test('10,000 sources of one answer: the first are read, the rest counted', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `https://s${at}.example/`);
    const found = analyse(cite(many, ['https://example.com/']));
    expect(found.sources).toMatchObject({ read: MAX_SOURCES_AN_ANSWER + 1, left_out: 10_000 - MAX_SOURCES_AN_ANSWER });
    expect(found.pages).toHaveLength(MAX_CITED_PAGES);
    expect(found.further_pages).toBe(MAX_SOURCES_AN_ANSWER + 1 - MAX_CITED_PAGES);
    expect(found.pages.some(({ kind }) => kind === 'own')).toBe(true);
  });

  test('sources of all answers together are bounded as well', () => {
    const lists = Array.from({ length: 60 }, (_, answer) =>
      Array.from({ length: MAX_SOURCES_AN_ANSWER }, (_source, at) => `https://s${answer}-${at}.example/`),
    );
    const { sources } = analyse(cite(...lists));
    expect(sources).toMatchObject({
      read: MAX_CITED_SOURCES,
      left_out: 60 * MAX_SOURCES_AN_ANSWER - MAX_CITED_SOURCES,
    });
  });

  test('the longest addresses, titles and sentences stay below the size of a result', () => {
    const long = (answer: number, at: number): string => `https://s${at}.example/${answer}/${'a'.repeat(1_990)}`;
    const text = `${'🙂 “Acme” '.repeat(60)}[1]. `.repeat(30);
    const answers = Array.from({ length: 30 }, (_, index) => ({
      index,
      text,
      sources: Array.from({ length: 30 }, (_source, at) => ({ url: long(index, at), title: '"\\'.repeat(500) })),
    }));
    const found = analyse(answers);
    expect(new TextEncoder().encode(JSON.stringify(found)).byteLength).toBeLessThan(120 * 1024);
    expect(found.pages.length + found.further_pages).toBe(900);
  });

  test('titles are one line without unseen characters', () => {
    const found = analyse([
      { index: 0, text: 'x', sources: [{ url: 'https://b.example/', title: ' a\u202E\n<b>\u0000 ' }] },
    ]);
    expect(found.pages[0]?.title).toBe('a <b>');
  });

  test('the same answers give the same bytes', () => {
    const again = (): string => JSON.stringify(analyse(vendorAnswers, { resolutions }));
    expect(again()).toBe(again());
  });
});
