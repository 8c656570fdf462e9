import type { Gatherer } from '../../core/artifact.ts';
import { fetchStartPage } from '../../page/gather/page.ts';
import { isHtmlAnswer } from '../../reach/facts/html-page.ts';

/** Looks at the start page in a browser, where there is one and the page is HTML that was served. */
export const gatherRendered: Gatherer = async (gather) => {
  if (!gather.render) return;
  const { answer } = await fetchStartPage(gather);
  if (answer.ok && answer.status >= 200 && answer.status < 300 && isHtmlAnswer(answer)) gather.render(answer);
};
