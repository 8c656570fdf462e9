import { classifyHost } from '../../../net/address.ts';
import { AUTHOR_ROLE, findAuthorLink } from '../facts/author.ts';
import { isHtmlAnswer } from '../../reach/facts/html-answer.ts';
import { isKnownLicence, LICENCE_ROLE, findLicence } from '../facts/licence.ts';
import { getPageFacts } from '../../reach/facts/page-of.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { isSameOwner } from '../facts/same-owner.ts';
import type { Gather, Gatherer } from '../../core/gatherer.ts';
import { PAGE_ACCEPT, readControl, fetchStartPage } from '../../page/gather/page.ts';

/** Reads the page that the start page names for its author. */
export const gatherAuthor: Gatherer = (gather) => readNamed(gather, AUTHOR_ROLE, (page) => findAuthorLink(page)?.url);

/** Reads the licence that the start page names, unless its address is that of a public licence. */
export const gatherLicence: Gatherer = (gather) =>
  readNamed(gather, LICENCE_ROLE, (page) => {
    const url = findLicence(page)?.url;
    return url === undefined || url === '' || isKnownLicence(url) ? undefined : url;
  });

/** One request for the address that a page names. A private host's audit asks no other owner. */
async function readNamed(gather: Gather, role: string, find: (page: PageFacts) => string | undefined): Promise<void> {
  const [{ answer }] = await Promise.all([fetchStartPage(gather), readControl(gather)]);
  if (!answer.ok || !isHtmlAnswer(answer)) return;
  const url = find(getPageFacts(answer));
  if (url === undefined) return;
  const isPublic = classifyHost(gather.start.hostname).kind === 'public';
  if (isPublic || isSameOwner(new URL(url), gather.start))
    await gather.read(role, { url, headers: { accept: PAGE_ACCEPT } });
}
