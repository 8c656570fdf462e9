import * as z from 'zod';
import { uncheckedReasons } from './citation-evidence.ts';
import { sourceKinds } from '../visibility/citations/source-kinds-data.ts';

const count = z.int().min(0);
const rate = z.object({ value: z.number(), low: z.number(), high: z.number(), n: count });
/** A share of answers; null where no answer has sources that are all known. */
const citedRate = rate.extend({ worst_case: z.object({ low: z.number(), high: z.number() }).optional() }).nullable();
/** A share of citations; null where nothing is cited. */
const citedShare = rate.nullable();

const kind = z.enum(sourceKinds);
const classified = { kind, rival: z.string().optional() };

const ownCitations = z.object({ domain: z.string(), pages: count, rate: citedRate, share: citedShare });
const rivalCitations = z.object({
  name: z.string(),
  domains: z.array(z.string()),
  rate: citedRate,
  share: citedShare,
});
const kindCount = z.object({ kind, citations: count, answers: count, share: z.number() });
const citedSite = z.object({ domain: z.string(), answers: count, citations: count, ...classified });
const citedPage = z.object({
  url: z.string(),
  title: z.string().nullable(),
  domain: z.string(),
  ...classified,
  answers: count,
  position: z.number(),
  prompts: z.array(count),
  sentences: z.array(z.object({ prompt: count, text: z.string() })),
});
const sourceCounts = z.object({
  read: count,
  unreadable: count,
  private: count,
  unresolved: count,
  left_out: count,
});

const side = z.enum(['cited', 'own']);
const outcomeCounts = z.object({ pass: count, partial: count, fail: count, not_applicable: count, unknown: count });
const comparedPage = z.discriminatedUnion('status', [
  z.object({ url: z.string(), side, status: z.literal('read') }),
  z.object({ url: z.string(), side, status: z.literal('unread'), reason: z.string() }),
]);
const comparedCheck = z.object({
  id: z.string(),
  title: z.string(),
  ahead: side,
  cited: outcomeCounts,
  own: outcomeCounts,
  text: z.string(),
});

/** Cited pages beside the buyer's, by the same checks: see `compareCitedPages`. */
export const pageChecksResult = z.object({
  pages: z.array(comparedPage),
  checks: z.array(comparedCheck),
  further: count,
  alike: count,
  not_compared: count,
  notes: z.array(z.string()),
});

/**
 * What answers cite, by address. The whole is null where no engine gives sources, `own` where the buyer named no site, `page_checks`
 * where no pages were compared: `page_checks_reason` says why, but in results of before.
 */
export const citationsResult = z.object({
  measured: count,
  answers: count,
  citations: count,
  sources: sourceCounts,
  unresolved_because: z.record(z.string(), count),
  own: ownCitations.nullable(),
  rivals: z.array(rivalCitations),
  kinds: z.array(kindCount),
  sites: z.array(citedSite),
  pages: z.array(citedPage),
  further_pages: count,
  further_sites: count,
  notes: z.array(z.string()),
  page_checks: pageChecksResult.nullable(),
  page_checks_reason: z.enum(uncheckedReasons).optional(),
});
