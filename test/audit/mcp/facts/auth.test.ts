import { describe, expect, test } from 'vitest';
import {
  readResourceMetadata,
  readServerMetadata,
  classifyResourceFit,
  listResourceMetadataUrls,
  listServerMetadataUrls,
} from '../../../../src/audit/mcp/facts/auth.ts';

const pointers = (issues: readonly { pointer: string }[]): readonly string[] => issues.map(({ pointer }) => pointer);

describe('authorization metadata', () => {
  test.each([
    {
      resource: 'https://a.test/mcp',
      urls: [
        'https://a.test/.well-known/oauth-protected-resource/mcp',
        'https://a.test/.well-known/oauth-protected-resource',
      ],
    },
    {
      resource: 'https://a.test/v1/mcp/?x=1',
      urls: [
        'https://a.test/.well-known/oauth-protected-resource/v1/mcp',
        'https://a.test/.well-known/oauth-protected-resource',
      ],
    },
    { resource: 'https://a.test', urls: ['https://a.test/.well-known/oauth-protected-resource'] },
    { resource: 'nonsense', urls: [] },
  ])(
    'RFC 9728 section 3.1: the metadata of $resource is looked for with its path, then at the root',
    ({ resource, urls }) => {
      expect(listResourceMetadataUrls(resource)).toEqual(urls);
    },
  );

  test.each([
    {
      issuer: 'https://a.test',
      urls: [
        'https://a.test/.well-known/oauth-authorization-server',
        'https://a.test/.well-known/openid-configuration',
      ],
    },
    {
      issuer: 'https://a.test/t',
      urls: [
        'https://a.test/.well-known/oauth-authorization-server/t',
        'https://a.test/.well-known/openid-configuration/t',
        'https://a.test/t/.well-known/openid-configuration',
      ],
    },
    { issuer: 'nonsense', urls: [] },
  ])('MCP authorization server discovery: the metadata of $issuer is looked for in this order', ({ issuer, urls }) => {
    expect(listServerMetadataUrls(issuer)).toEqual(urls);
  });

  test.each([
    ['https://a.test/mcp', 'https://a.test/mcp', 'exact'],
    ['HTTPS://A.test/mcp', 'https://a.test/mcp', 'exact'],
    ['https://a.test:443/mcp', 'https://a.test/mcp', 'exact'],
    ['https://a.test/mcp/', 'https://a.test/mcp', 'prefix'],
    ['https://a.test', 'https://a.test/mcp', 'prefix'],
    ['https://a.test/v1', 'https://a.test/v1/mcp', 'prefix'],
    ['https://a.test/mc', 'https://a.test/mcp', 'other'],
    ['https://a.test/mcp/x', 'https://a.test/mcp', 'other'],
    ['https://b.test/mcp', 'https://a.test/mcp', 'other'],
    ['http://a.test/mcp', 'https://a.test/mcp', 'other'],
    ['mcp', 'https://a.test/mcp', 'other'],
  ])('the resource %s fits the endpoint %s: %s', (resource, endpoint, fit) => {
    expect(classifyResourceFit(resource, endpoint)).toBe(fit);
  });

  test.each([
    { value: { resource: 'https://a.test/mcp#x', authorization_servers: ['https://b.test'] }, at: '/resource' },
    { value: { authorization_servers: ['https://b.test'] }, at: '/resource' },
    { value: { resource: 'https://a.test' }, at: '/authorization_servers' },
    { value: { resource: 'https://a.test', authorization_servers: [] }, at: '/authorization_servers' },
    { value: { resource: 'https://a.test', authorization_servers: ['b'] }, at: '/authorization_servers/0' },
    { value: 'x', at: '' },
  ])('RFC 9728 section 2: $value is refused at "$at"', ({ value, at }) => {
    expect(pointers(readResourceMetadata(value).issues)).toContain(at);
  });

  test.each([
    {
      value: { issuer: 'https://a.test', token_endpoint: 'https://a.test/t', response_types_supported: [] },
      at: '/authorization_endpoint',
    },
    {
      value: {
        authorization_endpoint: 'https://a.test/a',
        token_endpoint: 'https://a.test/t',
        response_types_supported: [],
      },
      at: '/issuer',
    },
    {
      value: {
        issuer: 'https://a.test',
        authorization_endpoint: '/a',
        token_endpoint: 'https://a.test/t',
        response_types_supported: [],
      },
      at: '/authorization_endpoint',
    },
    { value: null, at: '' },
  ])('RFC 8414 section 2: $value is refused at "$at"', ({ value, at }) => {
    expect(pointers(readServerMetadata(value).issues)).toContain(at);
  });
});
