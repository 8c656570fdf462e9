import { expect, test } from 'vitest';
import { failure } from '../../../support/audit/site-fetch.ts';
import { pageWith, ORGANIZATION, rawScript, noData, article, context } from '../../../support/audit/schema-pages.ts';
import { judgeCheck, type Row, testChecks } from '../../../support/audit/judge-check.ts';
import { pageOf } from '../../../support/audit/pages.ts';

const rows: Readonly<Record<string, readonly Row<string>[]>> = {
  'geo.schema.jsonld-present': [
    ['one block', pageWith(ORGANIZATION), 'pass'],
    ['a block in CDATA, which the note tells', pageOf('', rawScript('<![CDATA[{"@type":"Thing"}]]>')), 'pass', /CDATA/],
    [
      'microdata only',
      pageOf('<div itemscope itemtype="https://schema.org/Person"><b itemprop="name">A</b></div>'),
      'partial',
      /microdata/,
    ],
    ['RDFa only', pageOf('<div vocab="https://schema.org/" typeof="Person">A</div>'), 'partial', /RDFa/],
    ['properties of RDFa without a type', pageOf('<p property="schema:name">A</p>'), 'partial', /RDFa/],
    ['Open Graph is no structured data', pageOf('', '<meta property="og:title" content="A">'), 'fail'],
    ['nothing', noData, 'fail'],
    ['an empty script', pageOf('', rawScript(' ')), 'fail', /empty/],
  ],
  'geo.schema.parses': [
    ['strict JSON with white space around it', pageOf('', rawScript('\n {"@type":"Thing"} \n')), 'pass'],
    [
      'one of two blocks broken',
      pageOf('', rawScript('{"a":1}') + rawScript('{"a":1,}')),
      'partial',
      /trailing_comma/,
      { value: 0.5 },
    ],
    [
      'a comment that a forgiving parser would skip',
      pageOf('', rawScript('{/* x */"@type":"Thing"}')),
      'fail',
      /line 1, column \d+: comment/i,
    ],
    ['a CDATA section', pageOf('', rawScript('<![CDATA[{"@type":"Thing"}]]>')), 'fail', /cdata/],
    ['no JSON-LD', noData, 'not_applicable'],
  ],
  'geo.schema.context': [
    ['schema.org', pageWith({ '@context': 'http://schema.org/', '@type': 'Thing' }), 'pass'],
    [
      'schema.org among others',
      pageWith({ '@context': ['https://schema.org', { x: 'https://x.example/' }], '@type': 'Thing' }),
      'pass',
    ],
    ['none', pageWith({ '@type': 'Thing' }), 'fail', /missing/],
    [
      'www.schema.org in the second block',
      pageWith(ORGANIZATION, { '@context': 'https://www.schema.org', '@type': 'Thing' }),
      'fail',
    ],
    ['only a broken block', pageOf('', rawScript('{,}')), 'not_applicable'],
    ['no JSON-LD', noData, 'not_applicable'],
  ],
  'geo.schema.known-types': [
    ['known names, nested, pending ones too', pageWith(article), 'pass'],
    [
      'names of another vocabulary and of the context itself',
      pageWith({
        '@context': ['https://schema.org', { wattage: 'https://x.example/w', gr: 'http://purl.org/goodrelations/v1#' }],
        '@type': ['Product', 'gr:Offering'],
        wattage: 5,
      }),
      'pass',
    ],
    [
      'input annotations of actions',
      pageWith({ ...context, '@type': 'SearchAction', 'query-input': 'required name=q', target: 'x' }),
      'pass',
    ],
    ['a misspelt type', pageWith({ ...context, '@type': 'Organisation', name: 'Acme' }), 'partial'],
    ['a misspelt type and property', pageWith({ ...context, '@type': 'Organisation', nmae: 'Acme' }), 'fail'],
    ['no readable names', pageWith({ ...context }), 'not_applicable'],
    ['no JSON-LD', noData, 'not_applicable'],
  ],
};

testChecks(rows, { seen: 200 });

test.each(Object.keys(rows))('%s is unknown, not a no, when the page cannot be read', async (id) => {
  expect((await judgeCheck(id, { '/': failure('timeout') }, { only: ['page', 'faq'] })).status).toBe('unknown');
});

test('the fault of a block is shown with the line of the page', async () => {
  const outcome = await judgeCheck('geo.schema.parses', `<!doctype html>\n<html>\n${rawScript('{\n"a": 1,\n}')}`);
  expect(outcome.evidence).toMatchObject([{ line: 4, selector: 'script[type="application/ld+json"]' }]);
});

test('a misspelt name comes with the nearest one of schema.org', async () => {
  const outcome = await judgeCheck(
    'geo.schema.known-types',
    pageWith({ ...context, '@type': 'Organisation', nmae: 'x' }),
  );
  expect(outcome.evidence.map(({ excerpt }) => excerpt)).toEqual([
    'Organisation (nearest: Organization)',
    'nmae (nearest: name)',
  ]);
});
