import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { buildJsonSchemaFile, listJsonSchemas } from '../../src/about/json-schemas.ts';
import { catalog } from '../../src/capabilities/catalog.ts';
import { creditPacks } from '../../src/capabilities/credit-packs.ts';
import { panels } from '../../src/capabilities/panels.ts';
import { findSharedResult, linkBody, linkResult } from '../../src/openapi/components.ts';
import { buildComponentSchemas } from '../../src/openapi/document.ts';
import { resultExamples } from '../../src/openapi/examples.ts';

const BASE = 'https://a.example';
const schemas = buildComponentSchemas();
const names = Object.keys(schemas);
const readName = ({ $ref }: { $ref: string }): string => $ref.split('/').at(-1) ?? '';
const findSchema = (name: string) => buildJsonSchemaFile(schemas, name, BASE);

/** As a stranger reads a file: a validator that knows nothing but it. */
function compileAlone(name: string) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  return ajv.compile(buildJsonSchemaFile(schemas, name, BASE) ?? false);
}

test('each body and each result of what is sold has one', () => {
  const rows = [...catalog, ...panels, ...creditPacks];
  const wanted = rows.flatMap((row) => [readName(linkBody(row)), findSharedResult(row) ?? readName(linkResult(row))]);
  expect(wanted.length).toBeGreaterThan(40);
  expect(wanted.filter((name) => findSchema(name) === undefined)).toEqual([]);
});

test.each(names)('%s is a schema of 2020-12 that needs no other file', (name) => {
  expect(() => compileAlone(name)).not.toThrow();
  expect(JSON.stringify(buildJsonSchemaFile(schemas, name, BASE))).not.toContain('#/components/');
});

test('the list names each file by its address', () => {
  expect(listJsonSchemas(schemas, BASE)).toMatchObject({
    schemas: expect.arrayContaining([
      { name: 'FullAuditResult', url: `${BASE}/schemas/FullAuditResult.json` },
    ]) as unknown,
  });
});

test.each(['constructor', '__proto__', 'toString', '', 'fullauditresult'])('%s is no schema', (name) => {
  expect(buildJsonSchemaFile(schemas, name, BASE)).toBeUndefined();
});

describe('a schema and another that refer to each other', () => {
  const loop = {
    A: { type: 'object', properties: { b: { $ref: '#/components/schemas/B' } } },
    B: { type: 'array', items: { $ref: '#/components/schemas/A' } },
  };

  test('end in one file', () => {
    const ajv = new Ajv2020();
    const judge = ajv.compile(buildJsonSchemaFile(loop, 'A', BASE) ?? false);
    expect([judge({ b: [{ b: [] }] }), judge({ b: [{ b: {} }] })]).toEqual([true, false]);
  });
});

test('examples of results are valid by their files, and an empty one is not', () => {
  const examples = Object.entries(resultExamples);
  expect(examples.length).toBeGreaterThan(5);
  for (const [name, { value }] of examples) {
    const judge = compileAlone(name.startsWith('credits') ? 'CreditsResult' : 'ResultSummary');
    expect([name, judge(value), judge.errors]).toEqual([name, true, null]);
    expect([name, judge({})]).toEqual([name, false]);
  }
});

test('bodies of the catalogue are judged as the service judges them', () => {
  const judge = compileAlone('FullAuditBody');
  expect([judge({ url: 'https://a.example/' }), judge({}), judge({ url: 1 })]).toEqual([true, false, false]);
});
