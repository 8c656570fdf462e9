import { expect, test } from 'vitest';
import * as z from 'zod';
import { openApiDocument } from '../../src/openapi/document.ts';
import { resolveRefs } from '../support/openapi/resolve.ts';

type Schema = {
  type?: unknown;
  enum?: unknown;
  const?: unknown;
  pattern?: string;
  maxLength?: number;
  maxItems?: number;
  maximum?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
};

/** Places in what is sent that have no bound. */
function listUnbounded(schema: Schema, place: string): readonly string[] {
  const { type, pattern, maxLength, maxItems, maximum, items, properties = {} } = schema;
  const isChosen = schema.enum !== undefined || schema.const !== undefined;
  const own =
    (type === 'string' && !isChosen && pattern === undefined && maxLength === undefined) ||
    (type === 'array' && maxItems === undefined) ||
    ((type === 'integer' || type === 'number') && maximum === undefined);
  return [
    ...(own ? [place] : []),
    ...(items === undefined ? [] : listUnbounded(items, `${place}[]`)),
    ...Object.entries(properties).flatMap(([name, member]) => listUnbounded(member, `${place}.${name}`)),
  ];
}

const raw: unknown = JSON.parse(JSON.stringify(openApiDocument('https://sightline.example', true)));
const operation = z.object({
  parameters: z.array(z.object({ name: z.string(), schema: z.custom<Schema>() })).default([]),
  requestBody: z
    .object({ content: z.object({ 'application/json': z.object({ schema: z.custom<Schema>() }).optional() }) })
    .optional(),
});
const { paths } = z
  .object({ paths: z.record(z.string(), z.record(z.string(), operation)) })
  .parse(resolveRefs(raw, raw));
/** JSON-RPC and OAuth have forms of their own; their bodies are bounded as a whole (docs/reference/limits.md). */
const ours = Object.entries(paths).filter(([path]) => !/^\/(?:mcp|a2a|oauth|authorize|\.well-known)/.test(path));

test('every text, number and list that our operations take has a bound', () => {
  const all = ours.flatMap(([path, methods]) =>
    Object.values(methods).flatMap(({ parameters, requestBody }) => {
      const { schema } = requestBody?.content['application/json'] ?? {};
      return [
        ...parameters.flatMap((one) => listUnbounded(one.schema, `${path} ${one.name}`)),
        ...(schema === undefined ? [] : listUnbounded(schema, path)),
      ];
    }),
  );
  expect(ours.length).toBeGreaterThan(30);
  expect(all).toEqual([]);
});

test('a text without a bound is found', () => {
  const schema = { type: 'object', properties: { list: { type: 'array', maxItems: 3, items: { type: 'string' } } } };
  expect(listUnbounded(schema, 'body')).toEqual(['body.list[]']);
});
