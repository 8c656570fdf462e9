import type { Gather, Gatherer } from '../../core/artifact.ts';
import { MAX_SAMPLE } from '../../core/sample.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { findNextLink, LANGUAGE_ROLE, listVersionsToAsk, NEXT_PAGE_ROLE } from '../facts/linked-pages.ts';
import type { PageFacts } from '../facts/page-facts.ts';
import { PAGE_ACCEPT } from './page.ts';

/** Reads the first versions of the start page in other languages. */
export const gatherLanguageVersions: Gatherer = async (gather) => {
  const page = findReadPage(gather, 'page');
  if (!page) return;
  for (const [index, url] of listVersionsToAsk(page, gather.start).entries()) {
    if (gather.room() === 0) return;
    await gather.read(`${LANGUAGE_ROLE}:${index}`, { url, headers: { accept: PAGE_ACCEPT } });
  }
};

/** Reads the second page of the first list among the pages that were read. */
export const gatherNextPage: Gatherer = async (gather) => {
  const roles = ['page', ...Array.from({ length: MAX_SAMPLE }, (_, index) => `sample:${index}`)];
  for (const role of roles) {
    const page = findReadPage(gather, role);
    const next = page && findNextLink(page);
    if (!next) continue;
    if (gather.room() > 0) await gather.read(NEXT_PAGE_ROLE, { url: next.href, headers: { accept: PAGE_ACCEPT } });
    return;
  }
};

function findReadPage(gather: Gather, role: string): PageFacts | undefined {
  const answer = gather.find(role)?.answer;
  return answer?.ok && answer.status === 200 && isHtmlAnswer(answer) ? getPageFacts(answer) : undefined;
}
