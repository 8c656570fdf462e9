import { formatJsonFile } from '../../../fixes/files/generated-file.ts';
import {
  FIX_FILES,
  defineAdvice,
  reportOnly,
  type FixDraft,
  type Recipe,
  type Recipes,
} from '../../../fixes/core/recipe.ts';
import { formatSlot } from '../../../fixes/core/fix-slots.ts';
import { buildServerRecipe } from './server.ts';

const METADATA = {
  issuer: formatSlot('issuer'),
  authorization_endpoint: `${formatSlot('issuer')}/authorize`,
  token_endpoint: `${formatSlot('issuer')}/token`,
  jwks_uri: `${formatSlot('issuer')}/jwks.json`,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
  scopes_supported: [formatSlot('scope')],
};

const RESOURCE = {
  resource: formatSlot('endpoint'),
  authorization_servers: [formatSlot('issuer')],
  scopes_supported: [formatSlot('scope')],
  bearer_methods_supported: ['header'],
};

const RESOURCE_PATH = '/.well-known/oauth-protected-resource';
const SERVER_PATH = '/.well-known/oauth-authorization-server';

type RecipeDraft = Pick<FixDraft, 'expect'> & Partial<FixDraft>;

/** Recipes of one JSON document, each with what is its own. */
const createDocumentRecipe =
  ({ file, action, content, at }: Required<Pick<FixDraft, 'file' | 'action' | 'content' | 'at'>>) =>
  (draft: RecipeDraft): Recipe =>
    defineAdvice({ file, action, effort: 'hours', content, media_type: 'application/json', at, ...draft });

const buildResourceRecipe = createDocumentRecipe({
  file: FIX_FILES.resourceMetadata,
  action: 'create',
  content: formatJsonFile(RESOURCE),
  at: RESOURCE_PATH,
});

const buildMetadataRecipe = createDocumentRecipe({
  file: FIX_FILES.serverMetadata,
  action: 'replace',
  content: formatJsonFile(METADATA),
  at: SERVER_PATH,
});

/** How a protected MCP server lets clients in. */
export const mcpAuthRecipes: Recipes = {
  'mcp.auth.challenge': buildServerRecipe({
    ask: 'mcpDiscover',
    effort: 'minutes',
    content: `HTTP/1.1 401 Unauthorized\nWWW-Authenticate: Bearer resource_metadata="https://${formatSlot('apiPath')}${RESOURCE_PATH}/mcp", scope="${formatSlot('scope')}"\n`,
    expect: 'A request without a token answers 401 with WWW-Authenticate: Bearer and resource_metadata.',
  }),
  'mcp.auth.prm': buildResourceRecipe({
    how: 'The path of the endpoint follows the well-known one: for /mcp the file lies at /.well-known/oauth-protected-resource/mcp.',
    expect: 'JSON whose resource is the address of the endpoint, with an https authorization server.',
  }),
  'mcp.auth.as-metadata': buildMetadataRecipe({
    how: 'An issuer with a path has it after the well-known one.',
    expect: 'JSON whose issuer is spelled exactly as in authorization_servers.',
  }),
  'mcp.auth.pkce': buildMetadataRecipe({
    effort: 'minutes',
    how: 'And refuse code requests without a code_challenge.',
    expect: 'code_challenge_methods_supported holds S256.',
  }),
  'mcp.auth.registration': buildMetadataRecipe({
    how: 'Dynamic registration goes on beside it until clients have moved.',
    expect: 'client_id_metadata_document_supported is true.',
  }),
  'mcp.auth.endpoints-https': buildMetadataRecipe({
    effort: 'minutes',
    expect: 'All endpoints of the metadata are https.',
  }),
  'mcp.auth.bad-token': buildServerRecipe({
    ask: 'mcpBadToken',
    content: 'HTTP/1.1 401 Unauthorized\nWWW-Authenticate: Bearer error="invalid_token"\n',
    how: 'Check signature, issuer, audience (the address of the endpoint) and expiry, in this order.',
    expect: 'A made-up token answers 401 with error="invalid_token".',
  }),
  'mcp.auth.query-token': buildResourceRecipe({
    effort: 'minutes',
    how: 'Refuse access_token in a query as well.',
    expect: 'bearer_methods_supported does not list query.',
  }),
  'mcp.auth.scopes': buildResourceRecipe({
    effort: 'minutes',
    expect: 'scopes_supported, or scope in the challenge, names the scopes.',
  }),
  'mcp.auth.resource-param': reportOnly('This cannot be seen from outside (RFC 8707).'),
  'mcp.auth.iss': buildMetadataRecipe({
    effort: 'minutes',
    how: 'RFC 9207 has the rules.',
    expect: 'authorization_response_iss_parameter_supported is true.',
  }),
  'mcp.auth.public-discovery': buildServerRecipe({
    effort: 'minutes',
    content: 'location ^~ /.well-known/ {\n    auth_basic off;\n    auth_request off;\n}\n',
    how: 'The content is for nginx.',
    expect: 'Status 200 without an Authorization header.',
    at: '/.well-known/ai-catalog.json',
  }),
};
