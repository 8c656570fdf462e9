import { BASE_SCOPE, CREDIT_SCOPE, serviceScopes } from '../authorization/oauth/scopes.ts';
import { ACCOUNT_MCP_PATH, PATHS } from '../authorization/oauth/resources.ts';
import { MCP_VERSIONS } from '../capabilities/service.ts';
import { RESOURCE_METADATA_PATH } from './discovery-documents.ts';
import { defineFixedOperation } from './operation.ts';

const MCP_SOURCE = `JSON-RPC 2.0 of the Model Context Protocol, versions ${MCP_VERSIONS.join(', ')}.`;

const describeJson = (description: string, schema: Record<string, unknown> = { type: 'object' }) => ({
  description,
  content: { 'application/json': { schema } },
});

const rpcSchema = {
  type: 'object',
  required: ['jsonrpc', 'method'],
  properties: {
    jsonrpc: { const: '2.0' },
    id: { type: ['string', 'integer'] },
    method: { type: 'string', examples: ['tools/list', 'tools/call', 'server/discover'] },
    params: { type: 'object' },
  },
} as const;

const rpcRequest = {
  description: MCP_SOURCE,
  required: true,
  content: { 'application/json': { schema: rpcSchema, example: { jsonrpc: '2.0', id: 1, method: 'tools/list' } } },
};

const rpcAnswers = {
  200: {
    description: 'The result, as JSON or as one event stream',
    content: {
      'application/json': { schema: { type: 'object' } },
      'text/event-stream': { schema: { type: 'string' } },
    },
  },
  400: describeJson('Malformed JSON-RPC, headers that contradict the body, or an unknown protocol version'),
  403: describeJson('A foreign Origin, or a scope is missing'),
  404: describeJson('An unknown method or session'),
  413: describeJson('The body is larger than 256 KiB'),
};

const describeMcp = (operationId: string, summary: string, security: unknown, more: Record<string, unknown> = {}) => ({
  operationId,
  summary,
  security,
  requestBody: rpcRequest,
  responses: { ...rpcAnswers, ...more },
});

const challenge = {
  description: 'No valid token: WWW-Authenticate names the metadata and the scopes',
  headers: { 'WWW-Authenticate': { description: 'Bearer challenge (RFC 6750)', schema: { type: 'string' } } },
  content: { 'application/json': { schema: { type: 'object' } } },
};

/** An error of OAuth 2.1: `error` and words. */
const oauthError = describeJson('An OAuth error', {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string', examples: ['invalid_grant'] }, error_description: { type: 'string' } },
});

const describeForm = (description: string, required: readonly string[], names: readonly string[]) => ({
  description,
  required: true,
  content: {
    'application/x-www-form-urlencoded': {
      schema: {
        type: 'object',
        required,
        properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      },
    },
  },
});

const describeMetadata = (operationId: string, summary: string) => ({
  operationId,
  summary,
  security: [],
  responses: { 200: describeJson(summary) },
});

const describeQueryParameter = (name: string, description: string, required = true) => ({
  name,
  in: 'query',
  required,
  description,
  schema: { type: 'string' },
});

const authorizeDescription = {
  operationId: 'authorize',
  summary: 'Sign-in and consent of a person, in a browser (OAuth 2.1 authorization code with PKCE)',
  security: [],
  parameters: [
    describeQueryParameter('response_type', 'Always code'),
    describeQueryParameter('client_id', 'A registered client, or the https URL of a client id metadata document'),
    describeQueryParameter(
      'redirect_uri',
      'One of the redirect addresses of the client, exactly; the port of a loopback is free',
    ),
    describeQueryParameter('code_challenge', 'PKCE challenge, base64url of SHA-256'),
    describeQueryParameter('code_challenge_method', 'Always S256'),
    describeQueryParameter('resource', 'The resource that the token is for (RFC 8707)'),
    describeQueryParameter('scope', 'Scopes, separated by spaces', false),
    describeQueryParameter('state', 'Comes back unchanged', false),
  ],
  responses: {
    200: { description: 'The consent page', content: { 'text/html': { schema: { type: 'string' } } } },
    302: { description: 'To sign-in, or back to the client with code, state and iss, or with an error' },
    400: {
      description: 'A request that must not be redirected',
      content: { 'text/html': { schema: { type: 'string' } } },
    },
  },
};

const registration = {
  description: 'Client metadata (RFC 7591)',
  required: true,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['redirect_uris'],
        properties: {
          redirect_uris: { type: 'array', items: { type: 'string', format: 'uri' } },
          client_name: { type: 'string' },
          application_type: { enum: ['native', 'web'] },
        },
      },
      example: { client_name: 'My agent', redirect_uris: ['http://127.0.0.1/callback'], application_type: 'native' },
    },
  },
};

const tokenFields = ['grant_type', 'code', 'redirect_uri', 'client_id', 'code_verifier', 'refresh_token', 'resource'];

/** The MCP endpoints and the authorization server. Their errors are those of JSON-RPC and OAuth, not problem documents. */
export const protocolOperations = {
  mcp: defineFixedOperation(
    'POST',
    '/mcp',
    describeMcp('mcp', 'MCP endpoint, open: tools are paid per call by x402; Authorization is not read', []),
  ),
  mcpAccount: defineFixedOperation(
    'POST',
    ACCOUNT_MCP_PATH,
    describeMcp(
      'mcpAccount',
      'MCP endpoint for signed-in accounts: tools are paid from prepaid credits',
      [{ oauth: [BASE_SCOPE] }],
      { 401: challenge },
    ),
  ),
  resourceMetadata: defineFixedOperation(
    'GET',
    RESOURCE_METADATA_PATH,
    describeMetadata('resourceMetadata', 'Metadata of the protected MCP endpoint (RFC 9728)'),
  ),
  /** RFC 8414, section 3: the metadata of an issuer without a path. */
  serverMetadata: defineFixedOperation(
    'GET',
    '/.well-known/oauth-authorization-server',
    describeMetadata('serverMetadata', 'Authorization server metadata (RFC 8414)'),
  ),
  authorize: defineFixedOperation('GET', PATHS.authorize, authorizeDescription),
  token: defineFixedOperation('POST', PATHS.token, {
    operationId: 'token',
    summary: 'Token and revocation endpoint',
    security: [],
    requestBody: describeForm('A grant, or a token to revoke (RFC 7009)', [], [...tokenFields, 'token']),
    responses: { 200: describeJson('Tokens'), 400: oauthError, 401: oauthError, 429: oauthError },
  }),
  register: defineFixedOperation('POST', PATHS.register, {
    operationId: 'register',
    summary: 'Dynamic client registration (RFC 7591)',
    security: [],
    requestBody: registration,
    responses: { 201: describeJson('The registered client'), 400: oauthError, 429: oauthError },
  }),
};

/** OAuth as OpenAPI declares it. */
export const describeOAuthScheme = (baseUrl: string): Record<string, unknown> => ({
  type: 'oauth2',
  description: 'Tokens for the protected MCP endpoint; clients discover the rest from its 401 answer.',
  flows: {
    authorizationCode: {
      authorizationUrl: `${baseUrl}/authorize`,
      tokenUrl: `${baseUrl}/oauth/token`,
      refreshUrl: `${baseUrl}/oauth/token`,
      scopes: Object.fromEntries(
        ([BASE_SCOPE, CREDIT_SCOPE] as const).map((scope) => [scope, serviceScopes[scope].text]),
      ),
    },
  },
});
