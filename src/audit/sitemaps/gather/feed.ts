import { isHtmlAnswer } from '../../reach/facts/html-answer.ts';
import { getPageFacts } from '../../reach/facts/page-of.ts';
import { isSameOwner } from '../../publisher/facts/same-owner.ts';
import { findFeedLink } from '../facts/site-feed.ts';
import type { Gatherer } from '../../core/gatherer.ts';
import { fetchStartPage } from '../../page/gather/page.ts';

const FEED_BYTES = 1024 * 1024;
const ACCEPT = 'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5';

/** Reads the feed that the start page links to, when it lies on a host of the same owner: one request. */
export const gatherFeed: Gatherer = async (gather) => {
  const { answer } = await fetchStartPage(gather);
  if (!answer.ok || !isHtmlAnswer(answer)) return;
  const href = findFeedLink(getPageFacts(answer))?.href;
  if (href === undefined || !isSameOwner(new URL(href), gather.start)) return;
  await gather.read('feed', { url: href, headers: { accept: ACCEPT }, maxBytes: FEED_BYTES });
};
