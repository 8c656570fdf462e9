import * as z from 'zod';
import type { OutcomeStatus } from '../audit/core/check.ts';
import type { CitationResolution } from '../visibility/citations/resolve-citations.ts';
import { MAX_URL_LENGTH } from './bodies.ts';
import type { VisitStop } from './cited-pages/reading-phase.ts';

export type ComparedPageSide = 'cited' | 'own';

/** Why a page was not judged: that says nothing about the page. */
export type UnreadReason = VisitStop | 'refused' | 'http_error' | 'not_html';

/** Why no pages were compared: no site of the buyer is known; no page of another site is known to be cited; no time was left. */
export const uncheckedReasons = ['no_site', 'no_cited_page', 'deadline'] as const;
export type UncheckedReason = (typeof uncheckedReasons)[number];

/** A page with the ids of the checks by outcome. Plain JSON: it is part of what a replay starts from. */
export type AuditedPage = { url: string; side: ComparedPageSide } & (
  | { status: 'read'; outcomes: Readonly<Partial<Record<OutcomeStatus, readonly string[]>>> }
  | { status: 'unread'; reason: UnreadReason }
);

/** What was read of the network for citations. Plain JSON: with the answers, it is all that a replay needs. */
export type CitationEvidence = {
  resolutions: readonly CitationResolution[];
  /** Absent where no pages were compared. */
  pages?: readonly AuditedPage[];
  /** Of the checks that pages were judged by. Absent without pages, and in recordings of before. */
  rubric?: { version: string; sha256: string };
  /** Absent where pages were compared, and in recordings of before. */
  unchecked?: UncheckedReason;
};

/** Most redirects of one panel, each of 30 sources of 100 answers of 8 engines, and pages that are compared. */
const MAX_RESOLUTIONS_READ = 24_000;
const MAX_PAGES_READ = 20;
/** Checks of one outcome. */
const MAX_CHECKS = 500;

const address = z.string().max(4 * MAX_URL_LENGTH);
const reason = z.string().max(100);
const ids = z.array(z.string().max(100)).max(MAX_CHECKS).optional();
const side = z.enum(['cited', 'own']);

/** What was read of the network for citations, as a recording has it. */
export const citationEvidence = z.object({
  resolutions: z
    .array(z.union([z.strictObject({ url: address, target: address }), z.strictObject({ url: address, reason })]))
    .max(MAX_RESOLUTIONS_READ),
  pages: z
    .array(
      z.union([
        z.strictObject({
          url: address,
          side,
          status: z.literal('read'),
          outcomes: z.object({ pass: ids, partial: ids, fail: ids, not_applicable: ids, unknown: ids }),
        }),
        z.strictObject({ url: address, side, status: z.literal('unread'), reason }),
      ]),
    )
    .max(MAX_PAGES_READ)
    .optional(),
  rubric: z.object({ version: z.string().max(100), sha256: z.string().max(100) }).optional(),
  unchecked: z.enum(uncheckedReasons).optional(),
});
