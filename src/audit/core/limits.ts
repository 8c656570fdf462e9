/** Pages that are read when the caller names no number: the start page and the first eight of the sample. */
export const DEFAULT_PAGES = 9;
/** The most pages a caller may ask for. The budget of requests still holds. */
export const MAX_AUDIT_PAGES = 25;
/** The most pages that the command line reads with `--crawl`: its requests, bytes and time grow with them. */
export const MAX_CRAWL_PAGES = 200;
