import { parityAgents } from '../facts/ai-agents.ts';
import type { Gatherer } from '../../core/gatherer.ts';

/** Reads the start page as a browser and as three AI fetchers announce themselves, one after the other in fixed order. */
export const gatherUserAgents: Gatherer = async (gather) => {
  for (const [index, agent] of parityAgents.entries()) {
    const headers = { 'user-agent': agent.userAgent, accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' };
    await gather.read(`user-agent:${index}`, { url: gather.start.href, headers });
  }
};
