import type { MethodRow, Parameter } from '../../src/management/table/method-row.ts';

const inPath: Parameter = { in: 'path', type: 'string', required: true };

const ACCOUNT = '/client/v4/accounts/{account_id}';
const AI_SEARCH: readonly (readonly [id: string, version: string, path: string])[] = [
  ['aisearch.instances.chatCompletions', 'new', `${ACCOUNT}/ai-search/instances/{id}/chat/completions`],
  ['aisearch.instances.search', 'new', `${ACCOUNT}/ai-search/instances/{id}/search`],
  ['autorag.rags.aiSearch', 'legacy', `${ACCOUNT}/autorag/rags/{id}/ai-search`],
  ['autorag.rags.search', 'legacy', `${ACCOUNT}/autorag/rags/{id}/search`],
];

const aiSearch = AI_SEARCH.map(([id, version, path]): MethodRow => {
  const parameters = { account_id: inPath, id: inPath };
  return { id, interface: 'aisearch', version, httpMethod: 'POST', path, parameters, scopes: [], inSeed: true };
});

const batch: MethodRow = {
  id: 'conventions.batch',
  interface: 'conventions',
  version: '-',
  httpMethod: 'POST',
  path: '/batch/{api}/{version}',
  parameters: { api: inPath, version: inPath },
  scopes: [],
  inSeed: true,
};

/** The rows that no package has: Cloudflare AI Search, batch, and the seed's second path of `directory.users.watch`. */
export function handWritten(rows: readonly MethodRow[]): MethodRow[] {
  const watch = rows.find(({ id }) => id === 'directory.users.watch');
  if (watch === undefined) throw new Error('directory.users.watch is missing');
  return [
    ...aiSearch,
    batch,
    { ...watch, id: 'directory.users.watchSwapped', path: '/admin/directory/users/v1/watch' },
  ];
}
