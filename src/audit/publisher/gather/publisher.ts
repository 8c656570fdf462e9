import { type AboutRole, findAboutLink } from '../facts/about-pages.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import type { Gather, Plan, Wanted } from '../../core/artifact.ts';
import { fetchStartPage, readControl, preparePage } from '../../page/gather/page.ts';
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

const ABOUT_ROLES: readonly AboutRole[] = ['about', 'contact'];

/** The About page and the Contact page that the start page links to: one request each. */
export const planAbout: Plan = async (gather) => {
  const { answer } = await fetchStartPage(gather);
  if (!answer.ok || !isHtmlAnswer(answer)) return [];
  return ABOUT_ROLES.flatMap((role) => {
    const href = findAboutLink(getPageFacts(answer), role, gather.start.host)?.href;
    return href === undefined ? [] : [preparePage(role, href.split('#')[0] ?? href)];
  });
};

/** The page that the start page, or else a sampled page, names for its author. */
export const planAuthor: Plan = (gather) =>
  prepareNamed(gather, AUTHOR_ROLE, (page) => (findAuthorLink(page) ?? findSampledAuthor(gather.find)?.link)?.url);

/** The licence that the start page names, unless its address is that of a public licence. */
export const planLicence: Plan = (gather) =>
  prepareNamed(gather, LICENCE_ROLE, (page) => {
    const url = findLicence(page)?.url;
    return url === undefined || url === '' || isKnownLicence(url) ? undefined : url;
  });

/** One request for the address that a page names. A private host's audit asks no other owner. */
async function prepareNamed(
  gather: Gather,
  role: string,
  find: (page: PageFacts) => string | undefined,
): Promise<readonly Wanted[]> {
  const [{ answer }] = await Promise.all([fetchStartPage(gather), readControl(gather)]);
  if (!answer.ok || !isHtmlAnswer(answer)) return [];
  const url = find(getPageFacts(answer));
  if (url === undefined) return [];
  const isPublic = classifyHost(gather.start.hostname).kind === 'public';
  return isPublic || isSameOwner(new URL(url), gather.start) ? [preparePage(role, url)] : [];
}
