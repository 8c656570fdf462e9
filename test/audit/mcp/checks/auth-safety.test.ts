import { expect, test } from 'vitest';
import { connectMention, readRegistryProof } from '../../../../src/audit/mcp/facts/advertised.ts';
import { onlyMcpJson } from '../../../support/audit/mcp-variants.ts';
import { judgeMcp, testMcpChecks } from '../../../support/audit/mcp-rows.ts';
import {
  AS_URL,
  catalog,
  CHALLENGE,
  ENDPOINT,
  mcpSite,
  modernServer,
  PRM_PATH,
  protectedServer,
  protectedSite,
  resourceMetadata,
  serverMetadata,
} from '../../../support/audit/mcp-site.ts';
import { failure, html, json, siteFetch } from '../../../support/audit/site-fetch.ts';

const unauthorized = json({ error: 'unauthorized' }, { status: 401, headers: { 'www-authenticate': CHALLENGE } });

testMcpChecks({
  'mcp.auth.query-token': [
    ['nothing said', protectedSite(), 'pass'],
    [
      'header alone',
      protectedSite({ [PRM_PATH]: json(resourceMetadata({ bearer_methods_supported: ['header'] })) }),
      'pass',
    ],
    [
      'query',
      protectedSite({ [PRM_PATH]: json(resourceMetadata({ bearer_methods_supported: ['header', 'query'] })) }),
      'fail',
    ],
    [
      'a token in the URL of mcp.json',
      protectedSite({
        '/.well-known/mcp.json': json({
          servers: [{ url: '/mcp?access_token={token}' }, { url: `${ENDPOINT}?api_key=x` }],
        }),
      }),
      'fail',
      /1 declared/,
    ],
    ['metadata not read', protectedSite({ [PRM_PATH]: failure('timeout') }), 'unknown'],
    ['no metadata', protectedSite({ [PRM_PATH]: undefined }), 'not_applicable'],
    ['an open server', mcpSite(), 'not_applicable'],
  ],
  'mcp.auth.scopes': [
    ['in both', protectedSite(), 'pass'],
    [
      'in the metadata alone',
      protectedSite({ 'POST /mcp': protectedServer('Bearer') }),
      'pass',
      /scopes_supported lists 1/,
    ],
    [
      'in the challenge alone',
      protectedSite({ [PRM_PATH]: json(resourceMetadata({ scopes_supported: undefined })) }),
      'pass',
      /challenge/,
    ],
    [
      'in neither',
      protectedSite({
        'POST /mcp': protectedServer('Bearer'),
        [PRM_PATH]: json(resourceMetadata({ scopes_supported: [] })),
      }),
      'fail',
    ],
    [
      'no scope in the challenge, metadata not read',
      protectedSite({ 'POST /mcp': protectedServer('Bearer'), [PRM_PATH]: failure('timeout') }),
      'unknown',
    ],
    ['an open server', mcpSite(), 'not_applicable'],
  ],
  'mcp.auth.resource-param': [
    ['a protected server', protectedSite(), 'not_applicable', /cannot be observed/],
    ['an open server', mcpSite(), 'not_applicable'],
  ],
  'mcp.auth.iss': [
    ['said', protectedSite(), 'pass'],
    [
      'not said',
      protectedSite({
        [AS_URL]: json(serverMetadata({ authorization_response_iss_parameter_supported: undefined })),
      }),
      'partial',
      undefined,
      { value: 0.5 },
    ],
    [
      'denied',
      protectedSite({
        [AS_URL]: json(serverMetadata({ authorization_response_iss_parameter_supported: false })),
      }),
      'partial',
    ],
    ['metadata not read', protectedSite({ [AS_URL]: undefined }), 'unknown'],
    ['an open server', mcpSite(), 'not_applicable'],
  ],
  'mcp.auth.public-discovery': [
    ['catalog and card', mcpSite(), 'pass', /AI Catalog, the Server Card/],
    ['and metadata', protectedSite(), 'pass', /authorization server metadata/],
    [
      'a guarded place where a card might be',
      onlyMcpJson(
        { url: '/mcp' },
        { '/mcp/server-card': unauthorized, '/.well-known/ai-catalog.json': json(catalog([])) },
      ),
      'pass',
    ],
    [
      'a guarded place before the one with metadata',
      protectedSite({
        'POST /mcp': protectedServer('Bearer'),
        [PRM_PATH]: unauthorized,
        '/.well-known/oauth-protected-resource': json(resourceMetadata()),
      }),
      'pass',
    ],
    ['a guarded card', mcpSite({ '/mcp/server-card': unauthorized }), 'fail', /Server Card/],
    ['guarded metadata', protectedSite({ [PRM_PATH]: unauthorized }), 'fail', /Resource Metadata/],
    ['a guarded catalog', onlyMcpJson({ url: '/mcp' }, { '/.well-known/ai-catalog.json': unauthorized }), 'fail'],
    ['no such document', onlyMcpJson({ url: '/mcp' }), 'not_applicable'],
    [
      'a catalog that cannot be read',
      onlyMcpJson({ url: '/mcp' }, { '/.well-known/ai-catalog.json': failure('timeout') }),
      'unknown',
    ],
  ],
});

test('a site that wants a token for every path it does not have guards no catalog by that', async () => {
  const site = { '/': html('<p>Hello.'), '/.well-known/mcp.json': json({ url: '/mcp' }), 'POST /mcp': modernServer() };
  const { outcomes } = await judgeMcp({}, { fetch: siteFetch(site, { catchAll: unauthorized }) });
  expect(outcomes['mcp.auth.public-discovery']?.status).toBe('not_applicable');
});

test.each([
  ['v=MCPv1; k=ed25519; p=8LE9YOct4SKYuIJT8JGMK6z9lhfPMbCM5pQCp5FTRBg=', 'valid'],
  ['v=MCPv1;k=ed25519;p=8LE9YOct4SKYuIJT8JGMK6z9lhfPMbCM5pQCp5FTRBg=\n', 'valid'],
  [`v=MCPv1; k=ecdsap384; p=${'A'.repeat(65)}=`.replace('A=', 'A=='), 'broken'],
  [`v=MCPv1; k=ecdsap384; p=${'A'.repeat(66)}==`, 'valid'],
  ['v=MCPv1; k=rsa; p=AAAA', 'broken'],
  ['v=MCPv2; k=ed25519; p=8LE9YOct4SKYuIJT8JGMK6z9lhfPMbCM5pQCp5FTRBg=', 'broken'],
  ['p=8LE9YOct4SKYuIJT8JGMK6z9lhfPMbCM5pQCp5FTRBg=; v=MCPv1; k=ed25519', 'broken'],
  ['v=MCPv1; k=ed25519; p=====', 'broken'],
  ['', 'broken'],
])('the proof %j is %s', (line, state) => expect(readRegistryProof(line).state).toBe(state));

test.each([
  ['Connect by MCP to https://a.test/mcp.', true],
  ['Connect by MCP to a.test/mcp/ today', true],
  ['MCP: https://a.test/mcp?x=1', true],
  ['Model Context Protocol: {"mcpServers": {}}', true],
  ['MCP: https://sub.a.test/mcp', false],
  ['MCP: https://a.test/mcp/tools', false],
  ['MCP: https://a.test/mcp2', false],
  ['MCP soon', false],
  ['', false],
])('the text %j tells how to connect: %s', (words, tells) => {
  expect(connectMention(words, ['https://a.test/mcp']) !== undefined).toBe(tells);
});
