import { getPageFacts } from '../../reach/facts/page-of.ts';
import { isHtmlAnswer } from '../../reach/facts/html-answer.ts';
import { isOwnSection, PRICE_ROLE, findPriceLink } from '../facts/price-page.ts';
import type { Gatherer } from '../../core/gatherer.ts';
import { PAGE_ACCEPT } from '../../page/gather/page.ts';

/** Reads the page of prices that the start page links; where the sample holds it, the request is shared. */
export const gatherPricePage: Gatherer = async (gather) => {
  const answer = gather.find('page')?.answer;
  if (!answer?.ok || !isHtmlAnswer(answer)) return;
  const page = getPageFacts(answer);
  const href = findPriceLink(page, gather.start);
  if (href === undefined || isOwnSection(href, page)) return;
  await gather.read(PRICE_ROLE, { url: href.split('#')[0] ?? href, headers: { accept: PAGE_ACCEPT } });
};
