import { AGENT_FILES, type AgentFileRole, MAX_TEXT_BYTES } from '../facts/agent-places.ts';
import type { Gather } from '../../core/gatherer.ts';
import type { Exchange } from '../../core/snapshot.ts';

/** GETs a file at its fixed place on the start URL's origin. */
export function readAgentFile(gather: Gather, role: AgentFileRole): Promise<Exchange> {
  const { path, accept } = AGENT_FILES[role];
  return gather.read(role, { url: new URL(path, gather.start).href, headers: { accept }, maxBytes: MAX_TEXT_BYTES });
}
