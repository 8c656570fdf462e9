import type { AgentFileRole } from '../facts/agent-places.ts';
import { readAgentSkills } from '../facts/agent-skills.ts';
import { readDocument } from '../../mcp/facts/document.ts';
import { declaredEndpoint, NLWEB_ROLE } from '../facts/nlweb.ts';
import { isSameOwner } from '../../publisher/facts/same-owner.ts';
import type { Gatherer } from '../../core/gatherer.ts';
import { readAgentFile } from './agent-reader.ts';

/** Decoded bytes of an answer to a question that are read. */
const ANSWER_BYTES = 512 * 1024;

/** Reads files, in their order where the budget does not hold them all; none of them counts for a score. */
const gatherWhileRoom =
  (...roles: readonly AgentFileRole[]): Gatherer =>
  async (gather) => {
    if (gather.room() >= roles.length) {
      await Promise.all(roles.map((role) => readAgentFile(gather, role)));
      return;
    }
    for (const role of roles) if (gather.room() > 0) await readAgentFile(gather, role);
  };

/** Reads the retired plugin manifests. */
export const gatherAgentFiles = gatherWhileRoom('ai-plugin', 'agents-json');

/** Reads AGENTS.md and SKILL.md at the root. */
export const gatherAgentDocs = gatherWhileRoom('agents-md', 'skill-md');

/** Reads files that are only reported: text and data mining, security contacts, a map in Markdown, a commerce profile. */
export const gatherReportedFiles = gatherWhileRoom('tdmrep', 'security-txt', 'sitemap-md', 'ucp');

/** Reads the skills index of older drafts where there is none of the current one. */
export const gatherOldSkillsIndex: Gatherer = async (gather) => {
  const index = readDocument(gather.find('skills-index'), gather.find('control'), readAgentSkills);
  if (index.state !== 'found' && gather.room() > 0) await readAgentFile(gather, 'skills-index-old');
};

/** Asks a declared NLWeb endpoint of the site's own one harmless question, with GET. */
export const gatherNlWeb: Gatherer = async (gather) => {
  const endpoint = declaredEndpoint(gather.find);
  if (!endpoint || !isSameOwner(endpoint, gather.start) || gather.room() === 0) return;
  const url = new URL(endpoint);
  url.hash = '';
  url.searchParams.set('query', 'test');
  url.searchParams.set('streaming', 'false');
  await gather.read(NLWEB_ROLE, { url: url.href, headers: { accept: 'application/json' }, maxBytes: ANSWER_BYTES });
};
