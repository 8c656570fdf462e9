import { classifyHost } from '../../../net/address.ts';
import { CITATION_BYTES, CITATION_ROLE, findCitedSources, selectCitationsToRead } from '../facts/cited-sources.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { listOwnUrls } from '../../page/facts/derived.ts';
import type { Gatherer } from '../../core/artifact.ts';
import { PAGE_ACCEPT, fetchStartPage } from '../../page/gather/page.ts';

/** Asks for the first sources that the start page cites, for their status only. A private host's links are not followed. */
export const gatherCitations: Gatherer = async (gather) => {
  const { answer } = await fetchStartPage(gather);
  if (!answer.ok || !isHtmlAnswer(answer) || classifyHost(gather.start.hostname).kind !== 'public') return;
  const page = getPageFacts(answer);
  const chosen = selectCitationsToRead(findCitedSources(page, listOwnUrls(page)));
  await Promise.all(
    chosen.map(({ href }, index) =>
      gather.read(`${CITATION_ROLE}:${index}`, {
        url: href,
        headers: { accept: PAGE_ACCEPT },
        maxBytes: CITATION_BYTES,
      }),
    ),
  );
};
