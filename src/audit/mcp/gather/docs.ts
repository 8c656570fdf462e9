import { docsLink } from '../facts/docs.ts';
import { MCP_ROLES } from '../facts/places.ts';
import type { Gatherer } from '../../core/gatherer.ts';
import { walkDiscovery } from './discovery.ts';
import { mcpRead } from './reader.ts';
import { PAGE_ACCEPT } from '../../page/gather/page.ts';

/** Reads the page about MCP that the site links to, if it has an endpoint; often it is a page of the sample as well. */
export const gatherMcpDocs: Gatherer = async (gather) => {
  const discovery = await walkDiscovery(gather);
  if (discovery.sources.length === 0) return;
  const url = docsLink(gather.find, discovery, gather.start);
  if (url !== undefined) await mcpRead(gather)(MCP_ROLES.docs, { url, headers: { accept: PAGE_ACCEPT } });
};

/** Reads the file by which a domain proves to the official registry that names are its own. The registry is not asked. */
export const gatherMcpRegistry: Gatherer = async (gather) => {
  const discovery = await walkDiscovery(gather);
  if (discovery.documents !== 'found' || gather.room() === 0) return;
  const url = new URL('/.well-known/mcp-registry-auth', gather.start).href;
  await mcpRead(gather)(MCP_ROLES.registryProof, { url, headers: { accept: 'text/plain' }, maxBytes: 4096 });
};
