/** What the page shows: the form; the way to a result; a result; or why there is none, with the form. */
export type AuditState = 'form' | 'running' | 'result' | 'failed';

/** Where the result of an audit begins, and where the focus goes when it comes. */
export const RESULT_TITLE_ID = 'audit-result-title';

/** A preview as the page shows it: two parts of it in HTML, and what is said aloud. */
export type ShownPreview = { summary: string; details: string; spoken: string };
