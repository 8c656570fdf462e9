import * as z from 'zod';
import { refuse } from '../../../lib/refusal.ts';
import type { MetadataField, SearchQuery } from '../../../search/order.ts';

/** Fields that one search is boosted by (the vendor's limit). */
const MAX_BOOSTS = 3;
const MAX_NAME_CHARS = 64;

/** `boost_by` of an instance or a search. Names of fields are alike in upper and lower case. */
export const boostBy = z
  .array(
    z.strictObject({
      field: z.string().toLowerCase().min(1).max(MAX_NAME_CHARS),
      direction: z.enum(['asc', 'desc', 'exists', 'not_exists']).optional(),
    }),
  )
  .max(MAX_BOOSTS)
  .refine((boosts) => new Set(boosts.map(({ field }) => field)).size === boosts.length, 'a field is there twice');

/**
 * Boosts with their directions: of numbers and times lower values first, of others those that are there.
 * @throws Refusal 400 for a field that there is not, or a direction that its type has not
 */
export const boostsOf = (sent: z.infer<typeof boostBy>, fields: readonly MetadataField[]): SearchQuery['boosts'] =>
  sent.map(({ field, direction }) => {
    const type = field === 'timestamp' ? 'datetime' : fields.find(({ name }) => name === field)?.type;
    if (type === undefined) throw refuse.invalid('boost_by: a field is neither timestamp nor one of custom_metadata');
    const isOrdered = type === 'number' || type === 'datetime';
    if (!isOrdered && (direction === 'asc' || direction === 'desc'))
      throw refuse.invalid(`boost_by: a ${type} field takes exists and not_exists only`);
    return { field, type, direction: direction ?? (isOrdered ? 'asc' : 'exists') };
  });
