import { computeSha256Hex } from '../../../lib/digest.ts';
import { listTargetUrls, MAX_CATALOG_TARGETS, readCatalog } from '../facts/api-catalog.ts';
import { readApiCandidate } from '../facts/api-description.ts';
import { API_ROLES, findErrorPath, findForeignServer, isPrivateHost } from '../facts/api-probes.ts';
import { A2A_ROLES, type EndpointRoles, findInterfaceUrl } from '../../agent-files/facts/a2a-card.ts';
import { findCommerceEndpoint, UCP_ROLES } from '../../agent-files/facts/commerce-endpoint.ts';
import { AGENT_ROLES, MAX_API_REQUESTS } from '../../agent-files/facts/agent-places.ts';
import type { OpenApi } from '../facts/openapi.ts';
import { prepareAgentFile } from '../../agent-files/gather/agent-files.ts';
import { canProbe } from '../../mcp/facts/probe-policy.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';
import type { Gather, Plan, Wanted } from '../../core/artifact.ts';
import { RUBRIC_VERSION } from '../../core/rubric-version.ts';
import { preparePage } from '../../page/gather/page.ts';
import { PAGE_ACCEPT } from '../../page/gather/page-target.ts';
import { extractValidators, HTTP_ROLES } from '../facts/http-behaviour.ts';
import type { SnapshotAnswer } from '../../core/snapshot.ts';
import { DROPPED } from '../../hidden-text/gather/secrets.ts';

/** Decoded bytes of a probe's answer that are read. */
const PROBE_BYTES = 64 * 1024;

/** A path that a described API does not have, and its server on another origin, whether it answers. GET only. */
export const planApiProbes: Plan = async (gather) => {
  const api = findOpenApi(gather);
  if (!api) return [];
  const folder = findErrorPath(api, gather.start);
  const server = findForeignServer(api, gather.start);
  return [
    ...(folder === undefined ? [] : [await prepareError(gather, folder)]),
    ...(server ? [{ role: API_ROLES.server, target: { url: server.href, maxBytes: PROBE_BYTES } }] : []),
  ];
};

function findOpenApi({ find }: Gather): OpenApi | undefined {
  for (let index = 0; index < MAX_API_REQUESTS; index += 1) {
    const exchange = find(`${AGENT_ROLES.openapi}:${index}`);
    const candidate = exchange && readApiCandidate(exchange, find('control'));
    if (candidate?.state === 'found') return candidate.document;
  }
  return undefined;
}

/** The name is drawn from the host, as that of the control path is, so that every audit asks for the same. */
async function prepareError(gather: Gather, folder: string): Promise<Wanted> {
  const name = (await computeSha256Hex(`${gather.start.host}${RUBRIC_VERSION}/api`)).slice(0, 32);
  const headers = { accept: 'application/problem+json, application/json;q=0.9' };
  return { role: API_ROLES.error, target: { url: `${folder}${name}`, headers, maxBytes: PROBE_BYTES } };
}

/** Up to two targets of the API catalogue, asked for as pages so that one that is in the sample costs nothing; a private site sends us to no stranger. */
export const planCatalogTargets: Plan = (gather) => {
  const catalog = readCatalog(gather.find);
  if (catalog.state !== 'found') return [];
  const urls = listTargetUrls(catalog.document).filter((url) => isOurs(gather, url) && !hasReadUrl(gather, url));
  return urls.slice(0, MAX_CATALOG_TARGETS).map((url, index) => preparePage(`${API_ROLES.target}:${index}`, url));
};

const isOurs = ({ start }: Gather, url: string): boolean => !isPrivateHost(start) || isSameOwner(new URL(url), start);

function hasReadUrl({ find }: Gather, url: string): boolean {
  const roles = Array.from({ length: MAX_API_REQUESTS }, (_, index) => `${AGENT_ROLES.openapi}:${index}`);
  return roles.some((role) => find(role)?.url === url);
}

/**
 * The first interface of the agent card, with GET. An endpoint that knows only POST may answer 404 to that, so where
 * it does OPTIONS is asked too, if the interface is the site's own (rule F4). Nothing is sent to the agent.
 */
export const planA2aInterface: Plan = (gather) => prepareWhetherThere(gather, findInterfaceUrl(gather.find), A2A_ROLES);

/** The first endpoint of the commerce profile, in the same way. Nothing is bought, and no checkout is opened. */
export const planCommerceEndpoint: Plan = (gather) => {
  if (!gather.find('ucp')) return [{ ...prepareAgentFile(gather, 'ucp'), ifRoom: true, leads: true }];
  const [get, ...options] = prepareWhetherThere(gather, findCommerceEndpoint(gather.find), UCP_ROLES);
  return get === undefined ? [] : [{ ...get, ifRoom: true }, ...options];
};

function prepareWhetherThere(gather: Gather, url: URL | undefined, roles: EndpointRoles): readonly Wanted[] {
  if (!url || !isOurs(gather, url.href)) return [];
  const headers = { accept: 'application/json, */*;q=0.5' };
  const get = { role: roles.get, target: { url: url.href, headers, maxBytes: PROBE_BYTES }, leads: true } as const;
  const answer = gather.find(roles.get)?.answer;
  if (answer?.ok !== true || answer.status !== 404 || !canProbe(gather.start, url)) return [get];
  return [get, { role: roles.options, target: { url: url.href, method: 'OPTIONS', maxBytes: PROBE_BYTES } }];
}

/** The head of the start page, and the page again on condition that it has changed. */
export const planHttpBehaviour: Plan = (gather) => {
  const answer = gather.find('page')?.answer;
  if (!answer?.ok || answer.status < 200 || answer.status > 299) return [];
  const url = getFinalUrl(gather, answer);
  const headers = { accept: PAGE_ACCEPT };
  const validators = extractValidators(answer);
  return [
    { role: HTTP_ROLES.head, target: { url, method: 'HEAD', headers } },
    ...(Object.keys(validators).length === 0
      ? []
      : [{ role: HTTP_ROLES.replay, target: { url, headers: { ...headers, ...validators } } }]),
  ];
};

/** Where redirects ended, so that they are not walked again; the start URL where a secret was dropped from that address. */
const getFinalUrl = (gather: Gather, answer: SnapshotAnswer): string =>
  answer.redirects.length === 0 || answer.url.includes(DROPPED) ? gather.start.href : answer.url;
