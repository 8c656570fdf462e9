import { SERVER_CARD_SCHEMA } from '../../../../../src/audit/mcp/facts/server-card.ts';
import { CARD_HEADERS, catalog, entry } from '../../../../support/audit/mcp-site.ts';
import { html, json, type SiteAnswer, SITE, type SiteMap, text } from '../../../../support/audit/site-fetch.ts';
import { pageHtml } from '../../document.ts';
import { httpsUpgrade, planted, type TruthSite } from '../../truth-site.ts';

const ENDPOINT = `${SITE}/mcp`;
const ISSUER = 'https://id.acme.example/t1';

const card = {
  $schema: SERVER_CARD_SCHEMA,
  name: 'example.acme/parcels',
  version: '4.0.0',
  description: 'Where a parcel is.',
  remotes: [
    {
      type: 'streamable-http',
      url: `${ENDPOINT}?access_token={token}`,
      variables: { token: { description: 'Your token.', isSecret: true } },
    },
  ],
};

/** Asks for a token in a scheme that clients do not know, and serves whoever shows any. */
const guarded: SiteAnswer = ({ headers = {}, body = '{}' }) => {
  const token = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  if (token === undefined)
    return json({ error: 'unauthorized' }, { status: 401, headers: { 'www-authenticate': 'Basic realm="parcels"' } });
  const { id } = JSON.parse(body) as { id?: number };
  return json({
    jsonrpc: '2.0',
    id,
    result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} },
  });
};

/** Discovery that itself wants a token. */
const locked: SiteAnswer = ({ headers = {} }) =>
  headers['authorization'] === undefined
    ? json({ error: 'unauthorized' }, { status: 401, headers: { 'www-authenticate': 'Basic realm="parcels"' } })
    : json(card);

const map: SiteMap = {
  ...httpsUpgrade,
  '/': html(
    pageHtml({
      path: '/',
      title: 'Parcel tracking for the islands',
      description:
        'Where your parcel is between the mainland depot and the pier, told four times a day by the ferry crew.',
      content:
        '# Parcel tracking for the islands\n\nThe ferry crew reads every parcel four times a day, and the pages here tell where yours was seen last. Storms delay parcels more often than people do. Ask at the depot before you ask at the pier, since the depot has the list. Heavy goods travel on Fridays, and livestock does not travel by parcel at all.',
    }),
  ),
  '/.well-known/ai-catalog.json': json(
    catalog([
      entry({ identifier: 'urn:air:acme.example:mcp:parcels', displayName: 'Parcels', url: `${SITE}/cards/parcels` }),
      entry({ identifier: 'urn:air:acme.example:mcp:depot', displayName: 'Depot', url: `${SITE}/cards/depot` }),
    ]),
  ),
  '/cards/parcels': {
    status: 200,
    headers: CARD_HEADERS,
    body: JSON.stringify({ ...card, remotes: [{ type: 'streamable-http', url: ENDPOINT }] }),
  },
  '/cards/depot': locked,
  '/.well-known/mcp.json': json({ url: `${ENDPOINT}?access_token={token}` }),
  'POST /mcp': guarded,
  '/mcp': text('Method not allowed', { status: 405 }),
  '/.well-known/oauth-protected-resource/mcp': json({
    resource: 'https://other.example/mcp',
    authorization_servers: [ISSUER],
    bearer_methods_supported: ['header', 'query'],
  }),
  'https://id.acme.example/.well-known/oauth-authorization-server/t1': json({
    issuer: `${ISSUER}/`,
    authorization_endpoint: 'http://id.acme.example/authorize',
    token_endpoint: 'http://id.acme.example/token',
    registration_endpoint: 'https://id.acme.example/register',
    response_types_supported: ['code'],
  }),
};

/** A login that no client can get through, and that anybody can. */
export const mcpGuardedBadly: TruthSite = {
  name: 'MCP behind a bad login',
  map,
  truth: planted({
    pass: {
      'mcp.discovery.any': 'A catalog and a card are there.',
      'mcp.card.found': 'The catalog leads to a card.',
    },
    partial: {
      'mcp.auth.challenge': 'The 401 has a Basic challenge; the metadata is only at the well-known address.',
      'mcp.auth.registration': 'Only Dynamic Client Registration is offered.',
      'mcp.auth.iss': 'authorization_response_iss_parameter_supported is absent.',
      'mcp.discovery.catalog-urls': 'The second url answers 401.',
    },
    fail: {
      'mcp.auth.prm': 'resource is the address of another host.',
      'mcp.auth.as-metadata': 'The issuer differs by a slash from the one that the resource names.',
      'mcp.auth.pkce': 'code_challenge_methods_supported is absent.',
      'mcp.auth.endpoints-https': 'Authorization and token endpoint are plain http.',
      'mcp.auth.bad-token': 'An invented token gets 200.',
      'mcp.auth.query-token': 'bearer_methods_supported lists query.',
      'mcp.auth.public-discovery': 'The card of the depot answers 401 without Authorization.',
      'mcp.auth.scopes': 'Neither metadata nor challenge names a scope.',
    },
    not_applicable: {
      'mcp.endpoint.modern': 'The endpoint is protected.',
    },
  }),
};
