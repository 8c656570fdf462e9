import { describe, expect, test } from 'vitest';
import { listInputSchemaIssues } from '../../../../src/audit/mcp/facts/tool-schema.ts';

const pointers = (issues: readonly { pointer: string }[]): readonly string[] => issues.map(({ pointer }) => pointer);

describe('tool input schemas', () => {
  test.each([
    { schema: { type: 'object', properties: { a: true }, required: ['a'] } },
    { schema: { type: 'object', allOf: [{ required: ['a'] }], properties: { a: {} } } },
    { schema: { type: 'object', properties: { a: { type: ['string', 'null'] } } } },
    { schema: { type: 'object', $defs: { 'a/b': {} }, properties: { a: { $ref: '#/$defs/a~1b' } } } },
    { schema: { type: 'object', properties: { a: { $ref: '#' } } } },
  ])('$schema is sound', ({ schema }) => {
    expect(listInputSchemaIssues(schema)).toEqual([]);
  });

  test.each([
    { schema: null, at: '' },
    { schema: {}, at: '/type' },
    { schema: { type: 'object', properties: [] }, at: '' },
    { schema: { type: 'object', properties: { a: 1 } }, at: '/properties/a' },
    { schema: { type: 'object', properties: { a: { type: 'text' } } }, at: '/properties/a' },
    { schema: { type: 'object', required: 'a' }, at: '' },
    {
      schema: { type: 'object', properties: { a: { type: 'object', properties: {}, required: ['b'] } } },
      at: '/properties/a',
    },
    { schema: { type: 'object', anyOf: [{ $ref: 'other.json' }] }, at: '/anyOf/0' },
  ])('$schema is refused at "$at"', ({ schema, at }) => {
    expect(pointers(listInputSchemaIssues(schema))).toContain(at);
  });
});
