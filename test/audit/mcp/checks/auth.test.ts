import { testMcpChecks } from '../../../support/audit/mcp-rows.ts';
import {
  AS_URL,
  CHALLENGE,
  ENDPOINT,
  ISSUER,
  mcpSite,
  PRM_PATH,
  protectedServer,
  protectedSite,
  resourceMetadata,
  result,
  serverMetadata,
} from '../../../support/audit/mcp-site.ts';
import { failure, json, notFound, redirect, SITE, type SiteMap, text } from '../../../support/audit/site-fetch.ts';

const withServerMetadata = (members: object): SiteMap =>
  protectedSite({ [AS_URL]: json(serverMetadata({ ...members })) });

testMcpChecks({
  'mcp.auth.challenge': [
    ['a Bearer challenge with metadata', protectedSite(), 'pass'],
    [
      'a bare Bearer challenge, metadata at its place',
      protectedSite({ 'POST /mcp': protectedServer('Bearer realm="a"') }),
      'pass',
    ],
    [
      'a challenge after another scheme',
      protectedSite({ 'POST /mcp': protectedServer(`Basic realm="a", ${CHALLENGE}`) }),
      'pass',
    ],
    [
      'no challenge, metadata at its place',
      protectedSite({ 'POST /mcp': protectedServer('') }),
      'partial',
      undefined,
      { value: 0.5 },
    ],
    ['a parameter twice', protectedSite({ 'POST /mcp': protectedServer(`${CHALLENGE}, scope="b"`) }), 'partial'],
    [
      'a URL that leads nowhere',
      protectedSite({ 'POST /mcp': protectedServer(`Bearer resource_metadata="${SITE}/none"`) }),
      'partial',
    ],
    ['nothing', protectedSite({ 'POST /mcp': protectedServer(''), [PRM_PATH]: undefined }), 'fail'],
    [
      'Bearer without any metadata',
      protectedSite({ 'POST /mcp': protectedServer('Bearer'), [PRM_PATH]: undefined }),
      'fail',
    ],
    ['an open server', mcpSite(), 'not_applicable'],
  ],
  'mcp.auth.prm': [
    ['valid', protectedSite(), 'pass'],
    [
      'at the root',
      protectedSite({
        'POST /mcp': protectedServer('Bearer'),
        [PRM_PATH]: undefined,
        '/.well-known/oauth-protected-resource': json(resourceMetadata()),
      }),
      'pass',
    ],
    [
      'a trailing slash more',
      protectedSite({ [PRM_PATH]: json(resourceMetadata({ resource: `${ENDPOINT}/` })) }),
      'pass',
      /slash/,
    ],
    [
      'the origin as resource',
      protectedSite({ [PRM_PATH]: json(resourceMetadata({ resource: SITE })) }),
      'pass',
      /parent/,
    ],
    ['another resource', protectedSite({ [PRM_PATH]: json(resourceMetadata({ resource: `${SITE}/other` })) }), 'fail'],
    [
      'no authorization servers',
      protectedSite({ [PRM_PATH]: json(resourceMetadata({ authorization_servers: [] })) }),
      'fail',
      /authorization_servers/,
    ],
    [
      'a plain http authorization server',
      protectedSite({
        [PRM_PATH]: json(resourceMetadata({ authorization_servers: ['http://auth.test/tenant'] })),
      }),
      'fail',
    ],
    ['nowhere', protectedSite({ [PRM_PATH]: undefined }), 'fail'],
    ['not read', protectedSite({ [PRM_PATH]: failure('timeout') }), 'unknown'],
    ['an open server', mcpSite(), 'not_applicable'],
    [
      'another host',
      protectedSite({ [PRM_PATH]: json(resourceMetadata({ resource: 'https://other.example/mcp' })) }),
      'fail',
    ],
    [
      'of an open server that publishes it all the same',
      mcpSite({ [PRM_PATH]: json(resourceMetadata()) }),
      'pass',
      /valid/,
    ],
    [
      'another host, of an open server',
      mcpSite({ [PRM_PATH]: json(resourceMetadata({ resource: 'https://other.example/mcp' })) }),
      'fail',
      /another address/,
    ],
    [
      'another host, where the endpoint answers 405',
      mcpSite({
        'POST /mcp': text('', { status: 405 }),
        [PRM_PATH]: json(resourceMetadata({ resource: 'https://other.example/mcp' })),
      }),
      'fail',
      /another address/,
    ],
  ],
  'mcp.auth.as-metadata': [
    ['path inserted', protectedSite(), 'pass'],
    [
      'OpenID, path inserted',
      protectedSite({
        [AS_URL]: notFound,
        'https://auth.test/.well-known/openid-configuration/tenant': json(serverMetadata()),
      }),
      'pass',
    ],
    [
      'OpenID, path in front',
      protectedSite({
        [AS_URL]: notFound,
        'https://auth.test/.well-known/openid-configuration/tenant': notFound,
        'https://auth.test/tenant/.well-known/openid-configuration': json(serverMetadata()),
      }),
      'pass',
    ],
    ['no response types', withServerMetadata({ response_types_supported: undefined }), 'partial'],
    [
      'another issuer',
      protectedSite({
        [AS_URL]: json(serverMetadata({ issuer: `${ISSUER}/` })),
        'https://auth.test/.well-known/openid-configuration/tenant': notFound,
        'https://auth.test/tenant/.well-known/openid-configuration': notFound,
      }),
      'fail',
      /must not use/,
    ],
    [
      'nowhere',
      protectedSite({
        [AS_URL]: notFound,
        'https://auth.test/.well-known/openid-configuration/tenant': notFound,
        'https://auth.test/tenant/.well-known/openid-configuration': notFound,
      }),
      'fail',
    ],
    ['no resource metadata that names an issuer', protectedSite({ [PRM_PATH]: undefined }), 'fail'],
    ['not read', protectedSite({ [AS_URL]: undefined }), 'unknown'],
    ['an open server', mcpSite(), 'not_applicable'],
  ],
  'mcp.auth.pkce': [
    ['S256', protectedSite(), 'pass'],
    ['absent', withServerMetadata({ code_challenge_methods_supported: undefined }), 'fail', /must stop/],
    ['plain', withServerMetadata({ code_challenge_methods_supported: ['plain'] }), 'fail'],
    [
      'plain, of an open server that publishes its metadata',
      mcpSite({
        [PRM_PATH]: json(resourceMetadata()),
        [AS_URL]: json(serverMetadata({ code_challenge_methods_supported: ['plain'] })),
      }),
      'fail',
      /S256 is not among/,
    ],
    ['no metadata', protectedSite({ [PRM_PATH]: undefined }), 'not_applicable'],
    ['metadata that was not read', protectedSite({ [AS_URL]: undefined }), 'unknown'],
  ],
  'mcp.auth.registration': [
    ['client ID metadata documents', protectedSite(), 'pass'],
    [
      'only dynamic registration',
      withServerMetadata({
        client_id_metadata_document_supported: undefined,
        registration_endpoint: 'https://auth.test/register',
      }),
      'partial',
      undefined,
      { value: 0.5 },
    ],
    [
      'neither',
      withServerMetadata({ client_id_metadata_document_supported: false }),
      'partial',
      undefined,
      { value: 0.25 },
    ],
    ['an open server', mcpSite(), 'not_applicable'],
  ],
  'mcp.auth.endpoints-https': [
    ['all https', protectedSite(), 'pass'],
    [
      'a plain http token endpoint',
      withServerMetadata({ token_endpoint: 'http://auth.test/token' }),
      'fail',
      /token_endpoint/,
    ],
    [
      'keys that redirect to another host',
      protectedSite({
        'https://auth.test/jwks': redirect('https://keys.test/jwks'),
        'https://keys.test/jwks': json({ keys: [] }),
      }),
      'fail',
    ],
    ['a local site', protectedSite(), 'not_applicable', undefined, { local: true }],
  ],
  'mcp.auth.bad-token': [
    ['invalid_token', protectedSite(), 'pass'],
    [
      '401 without a reason',
      protectedSite({
        'POST /mcp': protectedServer(CHALLENGE, json({}, { status: 401, headers: { 'www-authenticate': CHALLENGE } })),
      }),
      'partial',
      undefined,
      { value: 0.5 },
    ],
    [
      'let in',
      protectedSite({ 'POST /mcp': protectedServer(CHALLENGE, result(4, { resultType: 'complete' })) }),
      'fail',
    ],
    ['a crash', protectedSite({ 'POST /mcp': protectedServer(CHALLENGE, text('oops', { status: 500 })) }), 'fail'],
    ['not read', protectedSite({ 'POST /mcp': protectedServer(CHALLENGE, failure('timeout')) }), 'unknown'],
    ['an open server', mcpSite(), 'not_applicable'],
  ],
});
