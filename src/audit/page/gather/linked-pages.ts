import type { Gather, Plan } from '../../core/artifact.ts';
import { MAX_SAMPLE } from '../../core/sample.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { findNextLink, LANGUAGE_ROLE, listVersionsToAsk, NEXT_PAGE_ROLE } from '../facts/linked-pages.ts';
import type { PageFacts } from '../facts/page-facts.ts';
import { preparePage } from './page.ts';

/** The first versions of the start page in other languages. */
export const planLanguageVersions: Plan = (gather) => {
  const page = findReadPage(gather, 'page');
  const urls = page ? listVersionsToAsk(page, gather.start) : [];
  return urls.map((url, index) => ({ ...preparePage(`${LANGUAGE_ROLE}:${index}`, url), ifRoom: true }));
};

/** The second page of the first list among the pages that were read. */
export const planNextPage: Plan = (gather) => {
  const roles = ['page', ...Array.from({ length: MAX_SAMPLE }, (_, index) => `sample:${index}`)];
  for (const role of roles) {
    const page = findReadPage(gather, role);
    const next = page && findNextLink(page);
    if (next) return [{ ...preparePage(NEXT_PAGE_ROLE, next.href), ifRoom: true }];
  }
  return [];
};

function findReadPage(gather: Gather, role: string): PageFacts | undefined {
  const answer = gather.find(role)?.answer;
  return answer?.ok && answer.status === 200 && isHtmlAnswer(answer) ? getPageFacts(answer) : undefined;
}
