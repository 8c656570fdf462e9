import * as z from 'zod';

/**
 * Text of a piece of an answer. Engines write a piece that looks like a number or a word of JSON as one: `{"response":1}`.
 */
export const scalarText = z.union([z.string(), z.union([z.number(), z.boolean()]).transform(String)]).nullish();
