import * as z from 'zod';
import { edgeVerifications } from './counts-body.ts';

const cell = z.object({
  agent: z.string(),
  verification: z.enum(edgeVerifications),
  status_class: z.number(),
  n: z.number(),
  bytes: z.number(),
  writes: z.number(),
  refused: z.number(),
  robots: z.number(),
  llms: z.number(),
  markdown: z.number(),
  first_ms: z.number(),
  last_ms: z.number(),
});
/** `pages`: how many the list has in all. An empty path: pages beyond the limit. */
const page = z.object({
  list: z.enum(['top', 'unread']),
  agent: z.string(),
  path: z.string(),
  n: z.number(),
  errors: z.number(),
  pages: z.number(),
});

export const storedCells = z.array(cell);
export const storedPages = z.array(page);
export const storedDays = z.array(z.object({ day: z.number(), agent: z.string(), n: z.number() }));
export const storedReferrals = z.array(z.object({ assistant: z.string(), n: z.number() }));

export type StoredCell = z.infer<typeof cell>;
export type StoredPage = z.infer<typeof page>;

/** What a book has of a range of days. */
export type StoredCounts = {
  cells: readonly StoredCell[];
  days: z.infer<typeof storedDays>;
  /** The most read of each agent. */
  pages: readonly StoredPage[];
  /** Pages that people read and no agent of the roster. */
  unread: readonly StoredPage[];
  referrals: z.infer<typeof storedReferrals>;
  /** `dropped`: requests that senders could not count one by one. */
  received: { batches: number; dropped: number; lastMs: number | undefined };
};
