import { findAboutLink, type AboutRole } from '../facts/about-pages.ts';
import { isHtmlAnswer } from '../../reach/facts/html-answer.ts';
import { getPageFacts } from '../../reach/facts/page-of.ts';
import type { Gather, Gatherer } from '../../core/gatherer.ts';
import { PAGE_ACCEPT, fetchStartPage } from '../../page/gather/page.ts';

/** Reads the About page and the Contact page that the start page links to: one request each. */
export const gatherAbout: Gatherer = async (gather) => {
  await Promise.all([readLinked(gather, 'about'), readLinked(gather, 'contact')]);
};

async function readLinked(gather: Gather, role: AboutRole): Promise<void> {
  const { answer } = await fetchStartPage(gather);
  if (!answer.ok || !isHtmlAnswer(answer)) return;
  const href = findAboutLink(getPageFacts(answer), role, gather.start.host)?.href;
  if (href !== undefined)
    await gather.read(role, { url: href.split('#')[0] ?? href, headers: { accept: PAGE_ACCEPT } });
}
