import { computeSha256Hex } from '../../../lib/digest.ts';
import { openApiCandidates, readApiCandidate } from '../../api/facts/api-description.ts';
import { listPaymentPaths, type OpenApi } from '../../api/facts/openapi.ts';
import type { Gather, Gatherer, Plan, Wanted } from '../../core/artifact.ts';
import type { Exchange } from '../../core/snapshot.ts';
import { readDocument } from '../../mcp/facts/document.ts';
import { fetchStartPage, readControl, preparePage } from '../../page/gather/page.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';
import {
  AGENT_FILES,
  AGENT_ROLES,
  type AgentFileRole,
  MAX_API_REQUESTS,
  MAX_OPENAPI_BYTES,
  MAX_PAID_PATHS,
  MAX_TEXT_BYTES,
} from '../facts/agent-places.ts';
import { readAgentSkills } from '../facts/agent-skills.ts';
import { findDeclaredEndpoint, NLWEB_ROLE } from '../facts/well-known-files.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { findPriceLink, isOwnSection, PRICE_ROLE } from '../facts/price-page.ts';

/** A GET of a file at its fixed place on the start URL's origin. */
export function prepareAgentFile({ start }: Gather, role: AgentFileRole): Wanted {
  const { path, accept } = AGENT_FILES[role];
  return { role, target: { url: new URL(path, start).href, headers: { accept }, maxBytes: MAX_TEXT_BYTES } };
}

/** Reads such a file. */
export function readAgentFile(gather: Gather, role: AgentFileRole): Promise<Exchange> {
  return gather.read(role, prepareAgentFile(gather, role).target);
}

/** Decoded bytes of an answer to a question that are read. */
const ANSWER_BYTES = 512 * 1024;

/** Files that are read while there is room, in their order; most sites have none of them. */
const planFiles =
  (...roles: readonly AgentFileRole[]): Plan =>
  (gather) =>
    roles.map((role) => ({ ...prepareAgentFile(gather, role), ifRoom: true }));

/** The retired plugin manifests. */
export const planAgentFiles = planFiles('ai-plugin', 'agents-json');

/** AGENTS.md and SKILL.md at the root. */
export const planAgentDocs = planFiles('agents-md', 'skill-md');

/** Files that are only reported: text and data mining, security contacts, a map in Markdown, a commerce profile. */
export const planReportedFiles = planFiles('tdmrep', 'security-txt', 'sitemap-md', 'ucp');

/** Files of protocols that few sites use, after what every audit needs. */
export const planYoungFiles = planFiles('acp', 'auth-md');

/** The skills index of older drafts where there is none of the current one. */
export const planOldSkillsIndex: Plan = (gather) => {
  const index = readDocument(gather.find('skills-index'), gather.find('control'), readAgentSkills);
  return index.state === 'found' ? [] : [{ ...prepareAgentFile(gather, 'skills-index-old'), ifRoom: true }];
};

/** One harmless question to a declared NLWeb endpoint of the site's own, with GET. */
export const planNlWeb: Plan = (gather) => {
  const endpoint = findDeclaredEndpoint(gather.find);
  if (!endpoint || !isSameOwner(endpoint, gather.start)) return [];
  const url = new URL(endpoint);
  url.hash = '';
  url.searchParams.set('query', 'test');
  url.searchParams.set('streaming', 'false');
  const target = { url: url.href, headers: { accept: 'application/json' }, maxBytes: ANSWER_BYTES };
  return [{ role: NLWEB_ROLE, target, ifRoom: true }];
};

/** Reads the A2A agent card at its current and its former place. */
export const gatherAgentCards: Gatherer = async (gather) => {
  await Promise.all([
    fetchStartPage(gather),
    readControl(gather),
    readAgentFile(gather, 'agent-card'),
    readAgentFile(gather, 'agent-json'),
  ]);
};

/** Looks for an OpenAPI description, then asks up to two paid paths of it with GET; nothing is ever paid. */
export const gatherOpenApi: Gatherer = async (gather) => {
  await Promise.all([fetchStartPage(gather), readControl(gather), readAgentFile(gather, 'api-catalog')]);
  const { document, requests } = await findOpenApi(gather);
  if (!document) return;
  const paid = listPaymentPaths(document, gather.start.origin, Math.min(MAX_PAID_PATHS, MAX_API_REQUESTS - requests));
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
  const hashed = await Promise.all(own.map(async (url) => ({ url, hash: await computeSha256Hex(url) })));
  const [chosen] = hashed.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  if (chosen) await gather.read(AGENT_ROLES.skill, { url: chosen.url, maxBytes: MAX_TEXT_BYTES });
};

/** The page of prices that the start page links; where the sample holds it, the request is shared. */
export const planPricePage: Plan = (gather) => {
  const answer = gather.find('page')?.answer;
  if (!answer?.ok || !isHtmlAnswer(answer)) return [];
  const page = getPageFacts(answer);
  const href = findPriceLink(page, gather.start);
  if (href === undefined || isOwnSection(href, page)) return [];
  return [preparePage(PRICE_ROLE, href.split('#')[0] ?? href)];
};
