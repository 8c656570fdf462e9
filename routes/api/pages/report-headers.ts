/** Of the page: it shows how publishing stands, which its own forms change. */
export const PAGE_CACHE = 'private, no-cache';

/** Of every form of a report and of what it was made from: for whoever knows its id, and nobody else (rule X5). */
export const PRIVATE_HEADERS = {
  'cache-control': 'private, max-age=300',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
} as const;
