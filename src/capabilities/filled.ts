import * as z from 'zod';
import type { FilledShare } from '../fixes/files/filled-share.ts';

export const filledShare = z.object({ share: z.number(), sentences: z.int(), to_write: z.int() });

/** How much of generated texts is filled in. Absent in results of before. */
export const filledMembers = { draft: z.boolean().optional(), filled: filledShare.optional() };

/** The members as a result has them: it is a draft while a sentence is for the owner to write. */
export const describeFilled = (filled: FilledShare): { draft?: true; filled: FilledShare } => ({
  ...(filled.to_write > 0 ? { draft: true } : {}),
  filled,
});
