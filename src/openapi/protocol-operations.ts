import { BASE_SCOPE, CREDIT_SCOPE, serviceScopes } from '../authorization/oauth/scopes.ts';
import { ACCOUNT_MCP_PATH, PATHS } from '../authorization/oauth/resources.ts';
import { A2A_PATH, MCP_VERSIONS } from '../capabilities/service.ts';
import { linkSchema } from '../lib/json-schema.ts';
import { RESOURCE_METADATA_PATH } from './discovery-documents.ts';
import { MONITORS_METADATA_PATH } from './monitors/monitor-operations.ts';
import { defineFixedOperation } from './operation.ts';

const MCP_SOURCE = `JSON-RPC 2.0 of the Model Context Protocol, versions ${MCP_VERSIONS.join(', ')}.`;

const open = { type: 'object', additionalProperties: true } as const;

const describeJson = (description: string, schema: Record<string, unknown> = open) => ({
  description,
  content: { 'application/json': { schema } },
});

/** Schemas of JSON-RPC and OAuth. */
export const protocolSchemas = {
  RpcRequest: {
    type: 'object',
    description: MCP_SOURCE,
    required: ['jsonrpc', 'method'],
    properties: {
      jsonrpc: { const: '2.0' },
      id: { type: ['string', 'integer'] },
      method: { type: 'string', examples: ['tools/list', 'tools/call', 'server/discover'] },
      params: open,
    },
  },
  RpcAnswer: {
    type: 'object',
    description: 'Either `result` or `error`.',
    required: ['jsonrpc'],
    properties: {
      jsonrpc: { const: '2.0' },
      id: { type: ['string', 'integer', 'null'] },
      result: open,
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { type: 'integer' }, message: { type: 'string' }, data: {} },
      },
    },
  },
  OAuthError: {
    type: 'object',
    required: ['error'],
    properties: { error: { type: 'string', examples: ['invalid_grant'] }, error_description: { type: 'string' } },
  },
  Tokens: {
    ...open,
    description: 'Empty after a revocation.',
    properties: {
      access_token: { type: 'string' },
      token_type: { type: 'string' },
      expires_in: { type: 'integer', description: 'Seconds' },
      refresh_token: { type: 'string' },
      scope: { type: 'string' },
    },
  },
  ClientMetadata: {
    ...open,
    description: 'Client metadata (RFC 7591)',
    required: ['redirect_uris'],
    properties: {
      redirect_uris: { type: 'array', items: { type: 'string', format: 'uri' } },
      client_name: { type: 'string' },
      application_type: { type: 'string', enum: ['native', 'web'] },
    },
  },
  RegisteredClient: {
    ...open,
    required: ['client_id', 'redirect_uris'],
    properties: { client_id: { type: 'string' }, redirect_uris: { type: 'array', items: { type: 'string' } } },
  },
} as const;

const rpcRequest = {
  description: MCP_SOURCE,
  required: true,
  content: {
    'application/json': {
      schema: linkSchema('RpcRequest'),
      example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    },
  },
};

const describeRpc = (description: string) => describeJson(description, linkSchema('RpcAnswer'));

/** Answers that several of these operations have. */
export const protocolResponses = {
  RpcResult: {
    description: 'The result, as JSON or as one event stream',
    content: {
      'application/json': { schema: linkSchema('RpcAnswer') },
      'text/event-stream': { schema: { type: 'string' } },
    },
  },
  RpcMalformed: describeRpc('Malformed JSON-RPC, headers that contradict the body, or an unknown protocol version'),
  RpcForbidden: describeRpc('A foreign Origin, or a scope is missing'),
  RpcUnknown: describeRpc('An unknown method or session'),
  RpcTooLarge: describeRpc('The body is larger than 256 KiB'),
  /** An error of OAuth 2.1: `error` and words. */
  OAuthError: describeJson('An OAuth error', linkSchema('OAuthError')),
} as const;

const linkResponse = (name: keyof typeof protocolResponses) => ({ $ref: `#/components/responses/${name}` });

const rpcAnswers = {
  200: linkResponse('RpcResult'),
  400: linkResponse('RpcMalformed'),
  403: linkResponse('RpcForbidden'),
  404: linkResponse('RpcUnknown'),
  413: linkResponse('RpcTooLarge'),
};

const describeMcp = (operationId: string, summary: string, security: unknown, more: Record<string, unknown> = {}) => ({
  operationId,
  tags: ['mcp'],
  summary,
  description: 'Answers any client of the Model Context Protocol. Call the tool `index` first: it is free.',
  security,
  requestBody: rpcRequest,
  responses: { ...rpcAnswers, ...more },
});

const challenge = {
  description: 'No valid token: WWW-Authenticate names the metadata and the scopes',
  headers: { 'WWW-Authenticate': { description: 'Bearer challenge (RFC 6750)', schema: { type: 'string' } } },
  content: { 'application/json': { schema: linkSchema('RpcAnswer') } },
};

const oauthError = linkResponse('OAuthError');

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
  tags: ['oauth'],
  summary,
  description: 'Clients find it by themselves from the 401 of the protected endpoint.',
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
  tags: ['oauth'],
  summary: 'Sign-in and consent of a person, in a browser',
  description: 'OAuth 2.1 authorization code with PKCE.',
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
      schema: linkSchema('ClientMetadata'),
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
    describeMcp('call_mcp', 'MCP endpoint, open: tools are paid per call by x402; Authorization is not read', []),
  ),
  mcpAccount: defineFixedOperation(
    'POST',
    ACCOUNT_MCP_PATH,
    describeMcp(
      'call_mcp_account',
      'MCP endpoint for signed-in accounts: tools are paid from prepaid credits',
      [{ oauth: [BASE_SCOPE] }],
      { 401: challenge },
    ),
  ),
  a2a: defineFixedOperation('POST', A2A_PATH, {
    operationId: 'call_a2a',
    tags: ['mcp'],
    summary: 'A2A endpoint: each capability is a skill, paid per task by x402',
    description: 'JSON-RPC of A2A 1.0, and of 0.3 without A2A-Version. /.well-known/agent-card.json lists the skills.',
    security: [],
    requestBody: {
      description: 'One call',
      required: true,
      content: {
        'application/json': {
          schema: linkSchema('RpcRequest'),
          example: {
            jsonrpc: '2.0',
            id: 1,
            method: 'SendMessage',
            params: { message: { messageId: '1', role: 'ROLE_USER', parts: [{ text: 'index' }] } },
          },
        },
      },
    },
    responses: { 200: linkResponse('RpcResult'), 400: linkResponse('RpcMalformed'), 413: linkResponse('RpcTooLarge') },
  }),
  resourceMetadata: defineFixedOperation(
    'GET',
    RESOURCE_METADATA_PATH,
    describeMetadata('read_resource_metadata', 'Metadata of the protected MCP endpoint (RFC 9728)'),
  ),
  monitorsMetadata: defineFixedOperation(
    'GET',
    MONITORS_METADATA_PATH,
    describeMetadata('read_monitors_metadata', 'Metadata of the interface of monitors (RFC 9728)'),
  ),
  /** RFC 8414, section 3: the metadata of an issuer without a path. */
  serverMetadata: defineFixedOperation(
    'GET',
    '/.well-known/oauth-authorization-server',
    describeMetadata('read_server_metadata', 'Authorization server metadata (RFC 8414)'),
  ),
  authorize: defineFixedOperation('GET', PATHS.authorize, authorizeDescription),
  token: defineFixedOperation('POST', PATHS.token, {
    operationId: 'request_token',
    tags: ['oauth'],
    summary: 'Token and revocation endpoint',
    description: 'A form with a `grant_type` asks for tokens; one with `token` and without a grant revokes it.',
    security: [],
    requestBody: describeForm('A grant, or a token to revoke (RFC 7009)', [], [...tokenFields, 'token']),
    responses: {
      200: describeJson('Tokens', linkSchema('Tokens')),
      400: oauthError,
      401: oauthError,
      429: oauthError,
    },
  }),
  register: defineFixedOperation('POST', PATHS.register, {
    operationId: 'register_client',
    tags: ['oauth'],
    summary: 'Dynamic client registration (RFC 7591)',
    description: 'Open to anyone; a client that has an https metadata document needs no registration.',
    security: [],
    requestBody: registration,
    responses: {
      201: describeJson('The registered client', linkSchema('RegisteredClient')),
      400: oauthError,
      429: oauthError,
    },
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
