import type { Gatherer } from '../../core/gatherer.ts';
import { readAgentFile } from '../../agent-files/gather/agent-files.ts';
import { readControl } from '../../page/gather/page.ts';

/** Reads llms.txt as the checks of agent files do, so that a whole audit makes the request once. At most one of its own. */
export const gatherCrawlerFiles: Gatherer = async (gather) => {
  await Promise.all([readAgentFile(gather, 'llms'), readControl(gather)]);
};
