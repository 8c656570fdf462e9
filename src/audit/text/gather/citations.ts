import { classifyHost } from '../../../net/address.ts';
import { CITATION_BYTES, CITATION_ROLE, citationsToRead } from '../facts/citations.ts';
import { findCitedSources } from '../facts/cited-sources.ts';
import { isHtmlAnswer } from '../../reach/facts/html-answer.ts';
import { pageOf } from '../../reach/facts/page-of.ts';
import { ownUrlsOf } from '../../page/facts/derived.ts';
import type { Gatherer } from '../../core/gatherer.ts';
import { PAGE_ACCEPT, readStartPage } from '../../page/gather/page.ts';

/** Asks for the first sources that the start page cites, for their status only. A private host's links are not followed. */
export const gatherCitations: Gatherer = async (gather) => {
  const { answer } = await readStartPage(gather);
  if (!answer.ok || !isHtmlAnswer(answer) || classifyHost(gather.start.hostname).kind !== 'public') return;
  const page = pageOf(answer);
  const chosen = citationsToRead(findCitedSources(page, ownUrlsOf(page)));
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
