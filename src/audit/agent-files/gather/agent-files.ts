import { sha256Hex } from '../../../lib/digest.ts';
import { readAgentSkills } from '../facts/agent-skills.ts';
import {
  AGENT_ROLES,
  MAX_API_REQUESTS,
  MAX_OPENAPI_BYTES,
  MAX_PAID_PATHS,
  MAX_TEXT_BYTES,
} from '../facts/agent-places.ts';
import { openApiCandidates, readApiCandidate } from '../../api/facts/api-description.ts';
import { readDocument } from '../../mcp/facts/document.ts';
import { type OpenApi, paidPaths } from '../../api/facts/openapi.ts';
import type { Gather, Gatherer } from '../../core/gatherer.ts';
import { readAgentFile } from './agent-reader.ts';
import { readControl, readStartPage } from '../../page/gather/page.ts';

/** Reads the A2A agent card at its current and its former place. */
export const gatherAgentCards: Gatherer = async (gather) => {
  await Promise.all([
    readStartPage(gather),
    readControl(gather),
    readAgentFile(gather, 'agent-card'),
    readAgentFile(gather, 'agent-json'),
  ]);
};

/** Looks for an OpenAPI description, then asks up to two paid paths of it with GET; nothing is ever paid. */
export const gatherOpenApi: Gatherer = async (gather) => {
  await Promise.all([readStartPage(gather), readControl(gather), readAgentFile(gather, 'api-catalog')]);
  const { document, requests } = await findOpenApi(gather);
  if (!document) return;
  const paid = paidPaths(document, gather.start.origin, Math.min(MAX_PAID_PATHS, MAX_API_REQUESTS - requests));
  await Promise.all(
    paid.map(({ url }, index) =>
      gather.read(`${AGENT_ROLES.paid}:${index}`, {
        url,
        headers: { accept: 'application/json' },
        maxBytes: MAX_TEXT_BYTES,
      }),
    ),
  );
};

/** One place after the other, in the order in which they should be believed: the first description ends the search. */
async function findOpenApi(gather: Gather): Promise<{ document: OpenApi | undefined; requests: number }> {
  const candidates = openApiCandidates(gather.find, gather.start).slice(0, MAX_API_REQUESTS);
  for (const [index, url] of candidates.entries()) {
    const headers = { accept: 'application/openapi+json, application/json, application/yaml;q=0.9, */*;q=0.5' };
    const exchange = await gather.read(`${AGENT_ROLES.openapi}:${index}`, {
      url,
      headers,
      maxBytes: MAX_OPENAPI_BYTES,
    });
    const candidate = readApiCandidate(exchange, gather.find('control'));
    if (candidate.state === 'found') return { document: candidate.document, requests: index + 1 };
  }
  return { document: undefined, requests: candidates.length };
}

/** Reads the discovery index of agent skills and one skill of the same host. */
export const gatherAgentSkills: Gatherer = async (gather) => {
  const [exchange] = await Promise.all([readAgentFile(gather, 'skills-index'), readControl(gather)]);
  const index = readDocument(exchange, gather.find('control'), readAgentSkills);
  if (index.state !== 'found') return;
  const own = index.document.skills.flatMap(({ url }) => (url && new URL(url).host === gather.start.host ? [url] : []));
  const hashed = await Promise.all(own.map(async (url) => ({ url, hash: await sha256Hex(url) })));
  const [chosen] = hashed.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  if (chosen) await gather.read(AGENT_ROLES.skill, { url: chosen.url, maxBytes: MAX_TEXT_BYTES });
};
