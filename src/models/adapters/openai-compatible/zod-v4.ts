import {
  any,
  array,
  boolean,
  enum as enum_,
  literal,
  looseObject,
  number,
  object,
  record,
  string,
  union,
  unknown,
} from 'zod';

/**
 * Replaces the module `zod/v4` in the Worker's bundle (`[alias]` in wrangler.toml): the same exports, and a `z` that
 * holds what `@ai-sdk/openai-compatible` uses of it. The real `z` is an object of everything, so that a bundler must
 * keep all 50 languages of zod's messages: 70 KiB gzip for one import. A test compares the list with the package.
 */
export * from 'zod';
export const z = {
  any,
  array,
  boolean,
  enum: enum_,
  literal,
  looseObject,
  number,
  object,
  record,
  string,
  union,
  unknown,
};
