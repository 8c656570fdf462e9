import type { FetchTarget } from '../../../net/fetched.ts';

/** What a reader of pages asks for. All pages are read with it, so that one request serves every role that wants a page. */
export const PAGE_ACCEPT = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';

/** The request for a page. It imports nothing, so that the command line can make the first one before the rest is loaded. */
export const buildPageTarget = (url: string): FetchTarget => ({ url, headers: { accept: PAGE_ACCEPT } });
