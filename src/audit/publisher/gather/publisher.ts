import { type AboutRole, findAboutLink } from '../facts/about-pages.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import type { Gather, Gatherer } from '../../core/artifact.ts';
import { fetchStartPage, PAGE_ACCEPT, readControl } from '../../page/gather/page.ts';
import { classifyHost } from '../../../net/address.ts';
import {
  AUTHOR_ROLE,
  findAuthorLink,
  findLicence,
  findSampledAuthor,
  isKnownLicence,
  LICENCE_ROLE,
} from '../facts/stated-links.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';

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

/** Reads the page that the start page, or else a sampled page, names for its author. */
export const gatherAuthor: Gatherer = (gather) =>
  readNamed(gather, AUTHOR_ROLE, (page) => (findAuthorLink(page) ?? findSampledAuthor(gather.find)?.link)?.url);

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
