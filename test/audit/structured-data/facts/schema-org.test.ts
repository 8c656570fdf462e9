import { describe, expect, test } from 'vitest';
import { schemaOrgData } from '../../../../scripts/generate-schema-org.ts';
import {
  isSchemaProperty,
  isSchemaType,
  isSubtype,
  findNearestSchemaName,
} from '../../../../src/audit/structured-data/facts/schema-org.ts';
import {
  SCHEMA_ORG_PROPERTIES,
  SCHEMA_ORG_TYPES,
} from '../../../../src/audit/structured-data/facts/schema-org-data.ts';

test.each([
  ['Dentist', 'Organization', true],
  ['Dentist', 'Place', true],
  ['NewsArticle', 'Article', true],
  ['FAQPage', 'WebPage', true],
  ['BlogPosting', 'CreativeWork', true],
  ['Person', 'Organization', false],
  ['Article', 'NewsArticle', false],
  ['Unheard', 'Thing', false],
  ['Unheard', 'Unheard', true],
])('%s is a kind of %s: %s', (type, ancestor, expected) => {
  expect(isSubtype(type, ancestor)).toBe(expected);
});

test.each([
  ['Organization', true],
  ['organization', false],
  ['constructor', false],
  ['', false],
])('the type "%s" exists: %s', (name, expected) => {
  expect(isSchemaType(name)).toBe(expected);
});

test.each([
  ['acceptedAnswer', true],
  ['query-input', true],
  ['AcceptedAnswer', false],
  ['toString', false],
])('the property "%s" exists: %s', (name, expected) => {
  expect(isSchemaProperty(name)).toBe(expected);
});

test.each([
  ['Organisation', 'type', 'Organization'],
  ['localbusiness', 'type', 'LocalBusiness'],
  ['datePublised', 'property', 'datePublished'],
  ['nmae', 'property', 'name'],
  ['autor', 'property', 'author'],
  ['zzzzzzzz', 'property', undefined],
  ['x'.repeat(500), 'type', undefined],
] as const)('the nearest name of %s (%s) is %s', (name, kind, expected) => {
  expect(findNearestSchemaName(name, kind)).toBe(expected);
});

test('every parent of a type is itself a type, and both lists have the size of the vocabulary', () => {
  const lines = SCHEMA_ORG_TYPES.trim().split('\n');
  const parents = lines.flatMap((line) => line.split(':')[1]?.split(',') ?? []);
  expect(parents.filter((parent) => !isSchemaType(parent))).toEqual([]);
  expect(lines.length).toBeGreaterThan(900);
  expect(SCHEMA_ORG_PROPERTIES.trim().split('\n').length).toBeGreaterThan(1400);
});

describe('the generator', () => {
  const graph = [
    { '@id': 'schema:B', '@type': 'rdfs:Class', 'rdfs:subClassOf': [{ '@id': 'schema:A' }, { '@id': 'bibo:X' }] },
    { '@id': 'schema:A', '@type': ['rdfs:Class', 'schema:DataType'] },
    { '@id': 'schema:name', '@type': 'rdf:Property' },
    { '@id': 'bibo:X', '@type': 'rdfs:Class' },
    { '@id': 'schema:On', '@type': 'schema:State' },
  ];

  test('keeps types with their schema.org parents and properties, sorted, and nothing of other vocabularies', () => {
    const text = schemaOrgData(JSON.stringify({ '@graph': graph }), '1.0');
    expect(text).toContain("SCHEMA_ORG_VERSION = '1.0'");
    expect(text).toContain('`\nA\nB:A\n`');
    expect(text).toContain('`\nname\n`');
    expect(text).not.toContain('bibo');
  });

  test('refuses a file that is no release', () => {
    expect(() => schemaOrgData('{"@graph":[{"name":"x"}]}', '1.0')).toThrow('@id');
  });
});
