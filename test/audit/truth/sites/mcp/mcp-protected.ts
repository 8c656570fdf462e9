import { SERVER_CARD_SCHEMA } from '../../../../../src/audit/mcp/facts/server-card.ts';
import { CARD_HEADERS, catalog, entry } from '../../../../support/audit/mcp-site.ts';
import { html, json, type Served, type SiteAnswer, SITE, type SiteMap } from '../../../../support/audit/site-fetch.ts';
import { pageHtml } from '../../document.ts';
import { httpsUpgrade, planted, type TruthSite } from '../../truth-site.ts';

const ENDPOINT = `${SITE}/mcp`;
const PRM = '/.well-known/oauth-protected-resource/mcp';
const ISSUER = 'https://login.acme.example/ledger';

const page = html(
  pageHtml({
    path: '/',
    title: 'Club ledger for programs | Sailing club',
    description:
      'How a treasurer lets an assistant read the ledger of the sailing club, and how to take the right back.',
    content: `# The club ledger for programs

Treasurers may let an assistant read the ledger of the club. Add the MCP server ${ENDPOINT} to your client and sign in with the account that you use for the boats. The assistant sees what you see, and it can change nothing. You can take the right back in your account at any time.`,
  }),
);

const card = {
  $schema: SERVER_CARD_SCHEMA,
  name: 'example.acme/ledger',
  version: '1.0.3',
  description: 'The ledger of the sailing club, for treasurers.',
  remotes: [{ type: 'streamable-http', url: ENDPOINT }],
};

const resource = {
  resource: ENDPOINT,
  authorization_servers: [ISSUER],
  scopes_supported: ['ledger:read'],
  bearer_methods_supported: ['header'],
};

const issuer = {
  issuer: ISSUER,
  authorization_endpoint: 'https://login.acme.example/authorize',
  token_endpoint: 'https://login.acme.example/token',
  jwks_uri: 'https://login.acme.example/jwks',
  response_types_supported: ['code'],
  scopes_supported: ['ledger:read'],
  code_challenge_methods_supported: ['S256'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
};

/** 401 for everybody, with a challenge that says where to learn more, and why a token was refused. */
const guarded: SiteAnswer = ({ headers = {} }) => {
  const token = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  const challenge = `Bearer resource_metadata="${SITE}${PRM}", scope="ledger:read"`;
  const because =
    token === undefined ? challenge : `${challenge}, error="invalid_token", error_description="unknown token"`;
  return json({ error: 'unauthorized' }, { status: 401, headers: { 'www-authenticate': because } });
};

const servedCard: Served = { status: 200, headers: CARD_HEADERS, body: JSON.stringify(card) };

const map: SiteMap = {
  ...httpsUpgrade,
  '/': page,
  '/.well-known/ai-catalog.json': json(
    catalog([
      entry({ identifier: 'urn:air:acme.example:mcp:ledger', displayName: 'Ledger', url: `${ENDPOINT}/server-card` }),
    ]),
  ),
  '/mcp/server-card': servedCard,
  'POST /mcp': guarded,
  '/mcp': guarded,
  [PRM]: json(resource),
  'https://login.acme.example/.well-known/oauth-authorization-server/ledger': json(issuer),
  'https://login.acme.example/jwks': json({ keys: [] }),
};

/** An MCP server behind a login that a client can find its way through. */
export const mcpProtected: TruthSite = {
  name: 'MCP behind a login',
  map,
  truth: planted({
    pass: {
      'mcp.discovery.any': 'A catalog and a card are there.',
      'mcp.card.found': 'The catalog leads to a card.',
      'mcp.card.schema': 'The card is valid by the v1 schema.',
      'mcp.endpoint.reachable': 'The endpoint answers 401 with a Bearer challenge.',
      'mcp.endpoint.https': 'The endpoint is https.',
      'mcp.discovery.docs-page': 'The start page names MCP and the endpoint.',
      'mcp.auth.challenge': 'The challenge names resource_metadata, which is there.',
      'mcp.auth.prm': 'resource equals the endpoint, and one https authorization server is named.',
      'mcp.auth.as-metadata': 'The path-inserted metadata resolves with the very same issuer.',
      'mcp.auth.pkce': 'code_challenge_methods_supported holds S256.',
      'mcp.auth.registration': 'client_id_metadata_document_supported is true.',
      'mcp.auth.endpoints-https': 'Authorization, token and jwks are https.',
      'mcp.auth.bad-token': 'An invented token gets 401 with error="invalid_token".',
      'mcp.auth.query-token': 'bearer_methods_supported lists the header only.',
      'mcp.auth.scopes': 'Metadata and challenge name ledger:read.',
      'mcp.auth.iss': 'authorization_response_iss_parameter_supported is true.',
      'mcp.auth.public-discovery': 'Catalog, card and both metadata documents answer 200 without a token.',
    },
    not_applicable: {
      'mcp.endpoint.modern': 'The endpoint is protected.',
      'mcp.endpoint.legacy': 'The endpoint is protected.',
      'mcp.endpoint.version-error': 'The endpoint is protected.',
      'mcp.endpoint.header-mismatch': 'The endpoint is protected.',
      'mcp.endpoint.unknown-method': 'The endpoint is protected.',
      'mcp.endpoint.bad-json': 'The endpoint is protected.',
      'mcp.endpoint.stateless': 'The endpoint is protected.',
      'mcp.tools.list': 'The endpoint is protected.',
      'mcp.tools.names': 'No tool was listed.',
      'mcp.tools.unknown-tool': 'The endpoint is protected.',
      'mcp.instructions': 'The endpoint is protected.',
      'mcp.card.versions-true': 'The card lists no versions.',
    },
  }),
};
