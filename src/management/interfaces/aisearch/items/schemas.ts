import * as z from 'zod';
import { isObject, isText, type Json, parseJson } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { refuseFilter } from '../../../../search/order.ts';
import { defineWholeNumber, pageQuery } from '../schemas.ts';

/** Of an upload; the vendor's limit. */
export const MAX_KEY_CHARS = 128;
/** Of what is asked for by its key: that of a crawled page is its URL. */
export const MAX_PAGE_KEY_CHARS = 2_048;
const MAX_ITEM_ID_CHARS = 128;
const MAX_SOURCE_CHARS = 2_200;
const MAX_SEARCH_CHARS = 256;
const MAX_FILTER_CHARS = 8_192;
const MAX_CURSOR_CHARS = 1_024;
const MAX_CHUNKS = 100;
const DEFAULT_CHUNKS = 20;
const MAX_LOGS = 100;
const DEFAULT_LOGS = 50;
const MAX_OFFSET = 1_000_000;

export const itemListQuery = {
  ...pageQuery,
  item_id: z.string().max(MAX_ITEM_ID_CHARS).optional(),
  key: z.string().max(MAX_PAGE_KEY_CHARS).optional(),
  metadata_filter: z.string().max(MAX_FILTER_CHARS).optional(),
  search: z.string().max(MAX_SEARCH_CHARS).optional(),
  sort_by: z.enum(['status', 'modified_at']).default('status'),
  source: z.string().max(MAX_SOURCE_CHARS).optional(),
  status: z.enum(['queued', 'running', 'completed', 'error', 'skipped', 'outdated']).optional(),
};
export const chunksQuery = {
  limit: defineWholeNumber(1, MAX_CHUNKS, DEFAULT_CHUNKS),
  offset: defineWholeNumber(0, MAX_OFFSET, 0),
};
export const itemLogsQuery = {
  limit: defineWholeNumber(1, MAX_LOGS, DEFAULT_LOGS),
  cursor: z.string().max(MAX_CURSOR_CHARS).default(''),
};

export const indexBody = z.strictObject({
  next_action: z.literal('INDEX'),
  wait_for_completion: z.boolean().optional(),
});
export const putBody = indexBody.extend({ key: z.string().min(1) });

/** `wait_for_completion` of a form is text. */
export const uploadBody = z.strictObject({
  key: z.string().min(1),
  metadata: z.unknown().optional(),
  wait_for_completion: z
    .union([z.boolean(), z.enum(['true', 'false', '']).transform((text) => text === 'true')])
    .optional(),
});

/** @throws Refusal 400 for a key that is long, blank, or has control characters */
export function requireItemKey(key: string, maxChars: number): void {
  if (key.length > maxChars) throw vendorRefusals.invalid('filename_exceeds_maximum_length');
  const isPlain = key.isWellFormed() && Array.from(key).every((char) => char >= ' ' && char !== '\u007f');
  if (!isPlain || key.trim() === '') throw vendorRefusals.invalid('key: not blank, and without control characters');
}

/** @throws Refusal 400 for what is no JSON object */
export function parseJsonObject(text: string | undefined): Json | undefined {
  if (!isText(text) || text === '') return undefined;
  const value = parseJson(text);
  if (isObject(value)) return value;
  throw refuseFilter('it is not a JSON object');
}

const MAX_DESCRIPTION_CHARS = 256;
/** Clients ask for so many lines of a job's log at once. */
const MAX_LOG_LINES = 500;
const DEFAULT_LOG_LINES = 20;

export const jobBody = z.strictObject({ description: z.string().max(MAX_DESCRIPTION_CHARS).nullish() });
export const jobChangeBody = z.strictObject({ action: z.literal('cancel') });
export const jobLogsQuery = { ...pageQuery, per_page: defineWholeNumber(0, MAX_LOG_LINES, DEFAULT_LOG_LINES) };
