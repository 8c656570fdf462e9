import { classifyHost } from '../../../net/address.ts';
import { CITATION_BYTES, CITATION_ROLE, findCitedSources, selectCitationsToRead } from '../facts/cited-sources.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { listOwnUrls } from '../../page/facts/derived.ts';
import type { Plan } from '../../core/artifact.ts';
import { fetchStartPage } from '../../page/gather/page.ts';
import { PAGE_ACCEPT } from '../../page/gather/page-target.ts';

/** The first sources that the start page cites, for their status only. A private host's links are not followed. */
export const planCitations: Plan = async (gather) => {
  const { answer } = await fetchStartPage(gather);
  if (!answer.ok || !isHtmlAnswer(answer) || classifyHost(gather.start.hostname).kind !== 'public') return [];
  const page = getPageFacts(answer);
  const chosen = selectCitationsToRead(findCitedSources(page, listOwnUrls(page)));
  return chosen.map(({ href }, index) => ({
    role: `${CITATION_ROLE}:${index}`,
    target: { url: href, headers: { accept: PAGE_ACCEPT }, maxBytes: CITATION_BYTES },
  }));
};
