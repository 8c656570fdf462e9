import { page, openApi, a2aCard } from './agent-site.ts';
import { json, type SiteMap, type SiteAnswer, SITE } from './site-fetch.ts';

export const HOME = page('<p>Anvils</p>');

export const api = (value: unknown, more: SiteMap = {}): SiteMap => ({
  '/': HOME,
  '/openapi.json': json(value),
  ...more,
});

/** One operation, GET /v1/anvils, with these members. */
export const operation = (members: object, document: object = {}): object =>
  openApi({ paths: { '/v1/anvils': { get: { operationId: 'list', summary: 'List', ...members } } }, ...document });

export const CATALOG = '/.well-known/api-catalog';

export const linkset = (value: unknown, type = 'application/linkset+json'): SiteAnswer => ({
  status: 200,
  headers: { 'content-type': type },
  body: JSON.stringify(value),
});

export const listed = (members: object = {}): object => ({
  linkset: [{ anchor: `${SITE}/v1`, 'service-desc': [{ href: '/openapi.json' }], ...members }],
});

export const CARD = '/.well-known/agent-card.json';

export const a2aCardAt = (url: string): SiteAnswer =>
  json(a2aCard({ supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] }));
