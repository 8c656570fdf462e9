import * as z from 'zod';
import { RESULT_KEY_SIGNS } from './key-set.ts';

/** Keys that a deployment may have retired. */
const MAX_RETIRED_KEYS = 20;

/** A public key as a key set lists it; one without `signs` was a key of results. A private one is refused. */
const retiredKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  d: z.undefined().optional(),
  signs: z.array(z.string()).default([...RESULT_KEY_SIGNS]),
});

const list = z.array(retiredKey).max(MAX_RETIRED_KEYS);

/** As a setting holds them: the key set of a service, or its list. */
export const retiredKeys = z.union([z.object({ keys: list }).transform(({ keys }) => keys), list]);
