import { isHtmlAnswer } from '../../reach/facts/html-answer.ts';
import { pageOf } from '../../reach/facts/page-of.ts';
import { MAX_SCRIPT_BYTES, MAX_SCRIPT_FILES, ownScriptFiles, SCRIPT_ROLE } from '../facts/script-files.ts';
import { SEARCH_ROLE, searchTargetOf } from '../facts/site-search.ts';
import type { Gatherer } from '../../core/gatherer.ts';
import { PAGE_ACCEPT, readStartPage } from './page.ts';

/** Searches the site once, for a fixed word, when its start page says at which address of its own. */
export const gatherSiteSearch: Gatherer = async (gather) => {
  const { answer } = await readStartPage(gather);
  if (!answer.ok || !isHtmlAnswer(answer)) return;
  const target = searchTargetOf(pageOf(answer), gather.start);
  if (target.state === 'url') await gather.read(SEARCH_ROLE, { url: target.url, headers: { accept: PAGE_ACCEPT } });
};

/** Reads the first script files of the page's own origin, while there is room for requests. */
export const gatherScriptFiles: Gatherer = async (gather) => {
  const { answer } = await readStartPage(gather);
  if (!answer.ok || !isHtmlAnswer(answer)) return;
  for (const [index, url] of ownScriptFiles(pageOf(answer)).slice(0, MAX_SCRIPT_FILES).entries()) {
    if (gather.room() === 0) return;
    await gather.read(`${SCRIPT_ROLE}:${index}`, { url, headers: { accept: '*/*' }, maxBytes: MAX_SCRIPT_BYTES });
  }
};
