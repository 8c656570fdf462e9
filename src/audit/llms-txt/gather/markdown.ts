import { AGENT_ROLES } from '../../agent-files/facts/agent-places.ts';
import { MARKDOWN_LAST_ACCEPT, markdownVariant, negotiates } from '../facts/markdown-variant.ts';
import type { Gatherer } from '../../core/gatherer.ts';
import { readStartPage } from '../../page/gather/page.ts';

/** Reads the start page as a coding agent asks for it; the answer for people is role `page`. */
export const gatherMarkdown: Gatherer = async (gather) => {
  await Promise.all([
    readStartPage(gather),
    gather.read(AGENT_ROLES.markdown, {
      url: gather.start.href,
      headers: { accept: 'text/markdown, text/html;q=0.5' },
    }),
  ]);
};

/** Asks a start page that negotiates for HTML rather than Markdown. */
export const gatherMarkdownLast: Gatherer = async (gather) => {
  const variant = markdownVariant(gather.find, gather.start.href);
  if (variant.state === 'failed' || !negotiates(variant.value)) return;
  await gather.read('markdown-last', { url: gather.start.href, headers: { accept: MARKDOWN_LAST_ACCEPT } });
};
