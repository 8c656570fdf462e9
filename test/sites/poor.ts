import { type SiteAnswer, type SiteMap, html, text } from '../support/audit/site-fetch.ts';

const shell =
  '<!doctype html><html lang="en"><head><title>App</title><script type="module" src="/app.js"></script></head><body><div id="root"></div></body></html>';

/** The answer of a single-page application for every path. */
export const shellAnswer: SiteAnswer = html(shell);

/** A page of a few words and nothing beside it: unknown paths answer 404. */
export const bareSite: SiteMap = {
  '/': html(
    '<html><body><h1>Welcome</h1><p>This is a small page with a few words and a <a href="/about">link</a>.</p></body></html>',
  ),
  '/about': html('<html><body><p>About us.</p></body></html>'),
};

/** A site that shuts every crawler out, by robots.txt and by noindex. */
export const closedSite: SiteMap = {
  '/': html(
    '<html><head><title>Members area of the club</title><meta name="robots" content="noindex"></head><body><p>Members only.</p></body></html>',
  ),
  '/robots.txt': text('User-agent: *\nDisallow: /\n'),
};
