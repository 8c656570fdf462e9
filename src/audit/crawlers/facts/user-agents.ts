import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type Snapshot, numbered } from '../../core/snapshot.ts';
import { parityAgents } from './ai-agents.ts';

/** The start page as one User-Agent got it. */
export type AgentAnswer = { name: string; exchange: Exchange };

/** Artifact `userAgents`: the browser's answer first, then those of the AI fetchers; failed when the browser got none. */
export function readUserAgents(snapshot: Snapshot): Artifact<readonly AgentAnswer[]> {
  const answers = numbered(snapshot, 'user-agent').map((exchange, index) => ({
    name: parityAgents[index]?.name ?? '',
    exchange,
  }));
  const browser = answers[0];
  if (!browser) return { state: 'failed', reason: 'not_fetched', url: snapshot.url };
  const { answer, url } = browser.exchange;
  return answer.ok ? { state: 'ready', value: answers } : { state: 'failed', reason: answer.reason, url };
}
