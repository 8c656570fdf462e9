import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyBlockContext, parseJsonLd } from '../../../../src/audit/structured-data/facts/json-ld.ts';
import { parsePage } from '../../../../src/audit/page/facts/page.ts';
import { MAX_RELAXED_DEPTH, parseRelaxedJson } from '../../../../src/audit/structured-data/facts/relaxed-json.ts';
import {
  listPropertyNodes,
  listNodesOfType,
  SCHEMA_LIMITS,
  listPropertyTexts,
  listTypes,
} from '../../../../src/audit/structured-data/facts/schema-nodes.ts';
import { context } from '../../../support/audit/schema-pages.ts';
import { budgetFor } from '../../../support/runner/budget.ts';

const URL_OF_PAGE = 'https://acme.example/page';
const script = (json: string, type = 'application/ld+json'): string => `<script type="${type}">${json}</script>`;
const readHtml = (html: string) => parseJsonLd(parsePage(html, { url: URL_OF_PAGE, bodyBytes: html.length }));
const readBlocks = (...blocks: unknown[]) => readHtml(blocks.map((block) => script(JSON.stringify(block))).join('\n'));
const typesFound = (jsonLd: ReturnType<typeof readHtml>): string[] =>
  jsonLd.graph.nodes.flatMap((node) => [...node.types]);

describe('the node walker finds nodes', () => {
  test.each([
    ['in a top-level object', { ...context, '@type': 'Organization' }, ['Organization']],
    [
      'in a top-level array',
      [
        { ...context, '@type': 'A' },
        { ...context, '@type': 'B' },
      ],
      ['A', 'B'],
    ],
    [
      'in @graph',
      { ...context, '@graph': [{ '@type': 'WebSite' }, { '@type': 'Organization' }] },
      ['WebSite', 'Organization'],
    ],
    ['in a @graph that is one object', { ...context, '@graph': { '@type': 'WebSite' } }, ['WebSite']],
    [
      'nested in properties',
      { ...context, '@type': 'Article', author: [{ '@type': 'Person' }] },
      ['Article', 'Person'],
    ],
    [
      'in @list and @set',
      { ...context, '@type': 'ItemList', a: { '@list': [{ '@type': 'X' }] }, b: { '@set': { '@type': 'Y' } } },
      ['ItemList', 'X', 'Y'],
    ],
    [
      'behind @reverse',
      { ...context, '@type': 'Person', '@reverse': { author: { '@type': 'Book' } } },
      ['Person', 'Book'],
    ],
    ['with several types', { ...context, '@type': ['LocalBusiness', 'Store'] }, ['LocalBusiness', 'Store']],
    [
      'whose types are absolute or prefixed',
      { ...context, '@type': ['http://schema.org/Person', 'schema:Thing', 'gr:Offering'] },
      ['Person', 'Thing', 'gr:Offering'],
    ],
    ['under the aliases of the schema.org context', { ...context, type: 'Person', id: '#me' }, ['Person']],
    ['nowhere in a bare string', 'Organization', []],
    ['nowhere in null', null, []],
  ])('%s', (_, block, types) => {
    expect(typesFound(readBlocks(block))).toEqual(types);
  });

  test('in every script of the page', () => {
    expect(typesFound(readBlocks({ ...context, '@type': 'A' }, { ...context, '@type': 'B' }))).toEqual(['A', 'B']);
  });

  test('but not under another vocabulary, where the same word means something else', () => {
    const jsonLd = readBlocks({ '@context': 'https://www.w3.org/ns/activitystreams', '@type': 'Organization' });
    expect(jsonLd.graph.nodes).toEqual([]);
    expect(jsonLd.blocks[0]?.context).toBe('foreign');
  });

  test('in microdata, nested items as values', () => {
    const { graph } = readHtml(
      '<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Lamp</b>' +
        '<span itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="9.50"></span></div>',
    );
    const [product] = listNodesOfType(graph, 'Product');
    expect(product && listPropertyTexts(graph, product, 'name')).toEqual(['Lamp']);
    expect(
      product && listPropertyNodes(graph, product, 'offers').map((offer) => listPropertyTexts(graph, offer, 'price')),
    ).toEqual([['9.50']]);
  });
});

describe('references', () => {
  test('by @id lead to the node that describes the target, also from another script and a relative id', () => {
    const { graph } = readBlocks(
      { ...context, '@type': 'Article', publisher: { '@id': '#org' } },
      { ...context, '@type': 'Organization', '@id': `${URL_OF_PAGE}#org`, name: 'Acme' },
    );
    const [article] = listNodesOfType(graph, 'Article');
    const [publisher] = article ? listPropertyNodes(graph, article, 'publisher') : [];
    expect(publisher && listPropertyTexts(graph, publisher, 'name')).toEqual(['Acme']);
    expect(publisher && listTypes(graph, publisher)).toEqual(['Organization']);
  });

  test('several descriptions of one id are one node with all their properties', () => {
    const { graph } = readBlocks(
      { ...context, '@type': 'Organization', '@id': '#o', name: 'Acme' },
      { ...context, '@type': 'Organization', '@id': '#o', url: 'https://acme.example/' },
    );
    const organizations = listNodesOfType(graph, 'Organization');
    expect(organizations).toHaveLength(1);
    expect(organizations[0] && listPropertyTexts(graph, organizations[0], 'url')).toEqual(['https://acme.example/']);
  });

  test('blank node labels of two blocks are not one node', () => {
    const { graph } = readBlocks(
      { ...context, '@type': 'A', '@id': '_:b0' },
      { ...context, '@type': 'B', '@id': '_:b0' },
    );
    expect(new Set(graph.nodes.map((node) => node.id)).size).toBe(2);
  });

  test('a circle of references ends', () => {
    const { graph } = readBlocks({
      ...context,
      '@graph': [
        { '@id': '#a', x: { '@id': '#b' } },
        { '@id': '#b', x: { '@id': '#a' } },
      ],
    });
    expect(graph.nodes.flatMap((node) => listPropertyNodes(graph, node, 'x'))).not.toEqual([]);
  });
});

describe('a block that is not strict JSON is never read as parsed', () => {
  test.each([
    [
      'a trailing comma',
      '{"@context":"https://schema.org",\n"@type":"Person","name":"A",}',
      'trailing_comma',
      ['Person'],
    ],
    ['a raw line feed in a string', '{"@type":"Person","name":"A\nB"}', 'control_character', ['Person']],
    ['a line comment', '{\n// who\n"@type":"Person"}', 'comment', ['Person']],
    ['a block comment', '{"@type":/* x */"Person"}', 'comment', ['Person']],
    ['single quotes', "{'@type':'Person'}", 'single_quotes', ['Person']],
    ['a missing comma', '{"name":"A" "@type":"Person"}', 'missing_comma', ['Person']],
    ['a bare key', '{name:"A","@type":"Person"}', 'unquoted_key', ['Person']],
    ['a bad escape', '{"@type":"Person","x":"a\\q"}', 'bad_escape', ['Person']],
    ['text after the end', '{"@type":"Person"};', 'trailing_content', ['Person']],
    ['a cut end', '{"@type":"Person","name":"A', 'unexpected_end', ['Person']],
    ['a leading zero', '{"@type":"Person","age":07}', 'bad_number', ['Person']],
    ['nothing at all', '', 'empty', []],
    ['white space only', ' \n ', 'empty', []],
    ['HTML', '<p>no</p>', 'unexpected_token', []],
  ])('%s', (_, json, reason, types) => {
    const { blocks, graph } = readHtml(script(json));
    expect(blocks).toMatchObject([{ state: 'broken', types, fault: { reason } }]);
    expect(graph.nodes).toEqual([]);
  });

  test('and its fault has the line of the page and the column', () => {
    const { blocks } = readHtml(`<html>\n<body>\n${script('{\n  "a": 1,\n  "b": 2,\n}')}`);
    expect(blocks[0]?.fault).toMatchObject({ reason: 'trailing_comma', line: 5, column: 9 });
  });

  test.each([
    ['an HTML comment', '<!-- {"@context":"https://schema.org","@type":"Person"} -->', 'html_comment'],
    ['CDATA', '<![CDATA[{"@context":"https://schema.org","@type":"Person"}]]>', 'cdata'],
    ['CDATA behind line comments', '//<![CDATA[\n{"@context":"https://schema.org","@type":"Person"}\n//]]>', 'cdata'],
    ['CDATA in block comments', '/*<![CDATA[*/{"@context":"https://schema.org","@type":"Person"}/*]]>*/', 'cdata'],
  ])('%s around strict JSON is reported, and its nodes are read', (_, json, reason) => {
    const { blocks, graph } = readHtml(script(json));
    expect(blocks).toMatchObject([{ state: 'wrapped', fault: { reason } }]);
    expect(graph.nodes.map((node) => node.types)).toEqual([['Person']]);
  });
});

test.each([
  ['application/ld+json', 1],
  ['Application/LD+JSON', 1],
  ['application/ld+json; charset=utf-8', 1],
  [' application/ld+json ', 1],
  ['application/json', 0],
  ['text/javascript', 0],
])('a script of type "%s" is %i block(s)', (type, count) => {
  expect(readHtml(script('{"@type":"X"}', type)).blocks).toHaveLength(count);
});

test.each([
  ['https://schema.org', 'schema_org'],
  ['http://schema.org/', 'schema_org'],
  [['https://schema.org', { gr: 'http://purl.org/goodrelations/v1#' }], 'schema_org'],
  [{ '@vocab': 'https://schema.org/' }, 'schema_org'],
  [{ schema: 'https://schema.org/' }, 'prefix'],
  ['https://www.schema.org', 'near'],
  ['schema.org', 'near'],
  ['https://schema.org/Person', 'near'],
  ['https://example.com/ns', 'foreign'],
  [undefined, 'missing'],
  ['', 'missing'],
  [7, 'missing'],
])('the context %j is %s', (value, kind) => {
  expect(classifyBlockContext({ '@context': value, '@type': 'Thing' })).toBe(kind);
});

test('of an array of blocks, the worst context counts', () => {
  expect(classifyBlockContext([{ '@context': 'https://schema.org' }, {}])).toBe('missing');
});

describe('hostile input stays inside the limits', () => {
  test.each([
    ['arrays', 200_000, (n: number) => '['.repeat(n) + ']'.repeat(n)],
    ['objects', 50_000, (n: number) => '{"a":'.repeat(n) + '1' + '}'.repeat(n)],
    ['unclosed arrays', 200_000, (n: number) => '['.repeat(n)],
    ['unclosed objects', 50_000, (n: number) => '{"a":'.repeat(n)],
  ])('%s nested %i deep are read without a stack overflow', (_, depth, make) => {
    const { blocks, graph } = readHtml(script(make(depth)));
    expect(blocks).toHaveLength(1);
    expect(graph.nodes.length).toBeLessThanOrEqual(SCHEMA_LIMITS.depth + 1);
  });

  test('of 100,000 nodes the first are kept, and the graph says it was capped', () => {
    const nodes = Array.from({ length: 100_000 }, () => '{"@type":"T"}').join(',');
    const jsonLd = readHtml(script(`[${nodes.slice(0, 900_000).replace(/,[^,]*$/, '')}]`));
    expect(jsonLd.graph.nodes).toHaveLength(SCHEMA_LIMITS.nodes);
    expect(jsonLd.graph.capped).toBe(true);
  });

  test('a block longer than we read is not judged', () => {
    expect(readHtml(script(`{"a":"${'x'.repeat(1_100_000)}"}`)).blocks[0]?.state).toBe('cut');
  });

  test('keys such as __proto__ are data', () => {
    const { graph } = readHtml(
      script('{"@context":"https://schema.org","__proto__":{"@type":"Evil"},"constructor":1}'),
    );
    expect(graph.nodes).toHaveLength(2);
    expect(({} as Record<string, unknown>)['@type']).toBeUndefined();
    expect(parseRelaxedJson("{'__proto__':{'x':1}}").value).toEqual(
      Object.assign(Object.create(null), { ['__proto__']: expect.anything() }),
    );
  });
});

describe('the relaxed parser', () => {
  const json = fc.jsonValue({ maxDepth: 6 }).map((value) => JSON.stringify(value));

  test('finds no fault in strict JSON and reads the same value', () => {
    fc.assert(
      fc.property(json, (text) => {
        const read = parseRelaxedJson(text);
        expect(read.fault).toBeUndefined();
        expect(JSON.stringify(read.value)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  test('finds a fault exactly where JSON.parse refuses, whatever the text', () => {
    const mutated = fc
      .tuple(
        json,
        fc.nat(),
        fc.constantFrom(',', '"', "'", '{', '}', '[', ':', '\\', '\n', '\u00A0', '//', '/*', '0', 'x', ''),
      )
      .map(
        ([text, at, piece]) => text.slice(0, at % (text.length + 1)) + piece + text.slice((at % (text.length + 1)) + 1),
      );
    fc.assert(
      fc.property(fc.oneof(mutated, fc.string(), fc.string({ unit: 'binary' })), (text) => {
        let strict = true;
        try {
          JSON.parse(text);
        } catch {
          strict = false; // Refused: what the property is about.
        }
        expect(parseRelaxedJson(text).fault === undefined).toBe(strict);
      }),
      { numRuns: budgetFor(400, 2_000) },
    );
  });

  test('stops at its depth and keeps what it read', () => {
    const deep = parseRelaxedJson(`${'['.repeat(MAX_RELAXED_DEPTH + 5)}${']'.repeat(MAX_RELAXED_DEPTH + 5)}`);
    expect(deep.fault?.reason).toBe('too_deep');
    expect(deep.value).toBeInstanceOf(Array);
  });

  test('and the walker take any page without throwing', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.jsonValue().map((value) => JSON.stringify(value)),
        ),
        (text) => {
          const { blocks } = parseJsonLd({
            jsonLd: [{ text, line: 1, truncated: false }],
            microdata: [],
            baseUrl: URL_OF_PAGE,
          });
          expect(blocks).toHaveLength(1);
        },
      ),
      { numRuns: budgetFor(100, 500) },
    );
  });
});
