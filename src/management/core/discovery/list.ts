import { apis } from './apis.ts';

/** The path of an API's discovery document. */
export const getDocumentPath = (name: string, version: string): string => `/discovery/v1/apis/${name}/${version}/rest`;

/**
 * The list of what has a discovery document (`discovery#directoryList`).
 * @param name only the APIs of this name
 */
export function buildDiscoveryList(origin: string, name?: string): Record<string, unknown> {
  const chosen = apis.filter((api) => name === undefined || api.name === name);
  return {
    kind: 'discovery#directoryList',
    discoveryVersion: 'v1',
    items: chosen.map((api) => ({
      kind: 'discovery#directoryItem',
      id: `${api.name}:${api.version}`,
      name: api.name,
      version: api.version,
      title: api.title,
      discoveryRestUrl: `${origin}${getDocumentPath(api.name, api.version)}`,
      preferred: true,
    })),
  };
}
