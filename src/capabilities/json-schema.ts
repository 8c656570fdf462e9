import * as z from 'zod';
import type { AnyCapability } from './capability.ts';

/** JSON Schema (draft 2020-12) of a row's request body, without `$schema`, so that it nests in OpenAPI 3.1. */
export function buildBodySchema(row: Pick<AnyCapability, 'body'>): Record<string, unknown> {
  return buildJsonSchema(row.body, 'input');
}

/** JSON Schema (draft 2020-12) of what goes in or comes out. */
export function buildJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}
