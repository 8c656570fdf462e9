import { MAX_RESOURCE_METADATA_URLS, MAX_SERVER_METADATA_URLS, MCP_ROLES } from '../facts/places.ts';
import {
  type Protected,
  nextResourceMetadataUrl,
  nextServerMetadataUrl,
  readProtection,
  serverMetadataOf,
} from '../facts/protection.ts';
import { GARBAGE_TOKEN, modernRequest, REQUEST_IDS } from '../facts/requests.ts';
import type { Gatherer } from '../../core/gatherer.ts';
import { walkEndpoint } from './endpoint.ts';
import { documentTarget, mcpRead } from './reader.ts';

/** Follows a 401 as a client would: the resource's metadata, then that of its authorization server. Registers nothing. */
export const gatherMcpAuth: Gatherer = async (gather) => {
  const endpoint = await walkEndpoint(gather);
  const read = mcpRead(gather);
  const look = (): Protected | undefined => {
    const protection = readProtection(gather.find, endpoint);
    return protection.state === 'protected' ? protection : undefined;
  };
  const first = look();
  if (!first) return;
  await read(MCP_ROLES.badToken, badTokenTarget(first.url));
  for (let index = 0; index < MAX_RESOURCE_METADATA_URLS; index += 1) {
    const url = nextResourceMetadataUrl(look() ?? first);
    if (url === undefined) break;
    await read(`${MCP_ROLES.resourceMetadata}:${index}`, documentTarget(url, 'application/json'));
  }
  for (let index = 0; index < MAX_SERVER_METADATA_URLS; index += 1) {
    const url = nextServerMetadataUrl(look() ?? first);
    if (url === undefined) break;
    await read(`${MCP_ROLES.serverMetadata}:${index}`, documentTarget(url, 'application/json'));
  }
  const jwks = serverMetadataOf(look() ?? first)?.metadata.endpoints['jwks_uri'];
  if (jwks !== undefined && URL.canParse(jwks)) await read(MCP_ROLES.jwks, documentTarget(jwks, 'application/json'));
};

function badTokenTarget(url: string) {
  const headers = { authorization: `Bearer ${GARBAGE_TOKEN}` };
  return modernRequest(url, { method: 'server/discover', id: REQUEST_IDS.badToken }, headers);
}
