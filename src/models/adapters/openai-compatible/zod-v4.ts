import {
  any,
  array,
  boolean,
  coerce,
  discriminatedUnion,
  enum as enum_,
  intersection,
  json,
  lazy,
  literal,
  looseObject,
  never,
  null as null_,
  number,
  object,
  partialRecord,
  record,
  strictObject,
  string,
  tuple,
  union,
  unknown,
} from 'zod';

/**
 * Replaces the module `zod/v4` in the Worker's bundle (`[alias]` in wrangler.toml): the same exports, and a `z` that
 * holds what the providers of `@ai-sdk` use of it. The real `z` is an object of everything, so that a bundler must
 * keep all 50 languages of zod's messages: 70 KiB gzip for one import. A test compares the list with the package.
 */
export * from 'zod';
export const z = {
  any,
  array,
  boolean,
  coerce,
  discriminatedUnion,
  enum: enum_,
  intersection,
  json,
  lazy,
  literal,
  looseObject,
  never,
  null: null_,
  number,
  object,
  partialRecord,
  record,
  strictObject,
  string,
  tuple,
  union,
  unknown,
};
