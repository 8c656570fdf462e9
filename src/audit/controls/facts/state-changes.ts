/** Words that name a change of state, as path segments, query keys and their values spell them. */
const VERBS =
  '(?:delete|remove|destroy|log[-_]?out|log[-_]?off|sign[-_]?out|unsubscribe|add[-_]?to[-_]?(?:cart|basket|bag))';
const SEGMENT = new RegExp(
  `^(?:${VERBS}|(?:delete|remove)[-_](?:item|account|user|product|post|comment|file|all))(?:\\.(?:php|aspx?|jsp|do|cgi))?$`,
  'i',
);
const KEY = new RegExp(`^(?:${VERBS}|(?:delete|remove)[-_](?:item|id|all))$`, 'i');
/** Query keys whose value says what is to be done. */
const ACTION_KEYS = new Set(['action', 'act', 'do', 'op', 'cmd', 'command', '_method', 'task']);

/** Places where such words are talked about rather than done. */
const TALKS_ABOUT =
  /\/(?:docs?|documentation|reference|api|apis|guides?|help|support|manual|man|learn|tutorials?|blog|news|articles?|wiki|kb|faqs?|glossary|examples?|changelog)(?:\/|$)/i;

/** Longer queries are not read to their end. */
const MAX_PARAMETERS = 50;

/** The word by which following a link would change something, in lower case; undefined when its address has none. */
export function findStateChangeWord(url: URL): string | undefined {
  if (!TALKS_ABOUT.test(url.pathname)) {
    const segment = url.pathname.split('/').find((part) => SEGMENT.test(part));
    if (segment !== undefined) return segment.toLowerCase();
  }
  let read = 0;
  for (const [key, value] of url.searchParams) {
    if (read >= MAX_PARAMETERS) return undefined;
    read += 1;
    if (KEY.test(key)) return key.toLowerCase();
    if (ACTION_KEYS.has(key.toLowerCase()) && KEY.test(value)) return value.toLowerCase();
  }
  return undefined;
}
