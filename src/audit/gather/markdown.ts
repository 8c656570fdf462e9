import { AGENT_ROLES } from '../facts/agent-places.ts';
import type { Gatherer } from '../gather.ts';
import { readStartPage } from './page.ts';

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
