import { html, json, type SiteMap } from '../../../support/audit/site-fetch.ts';
import { testCheck } from '../../../support/audit/judge-check.ts';

const site = (paths: object, { links = '', info = {} }: { links?: string; info?: object } = {}): SiteMap => ({
  '/': html(`<h1>Anvils</h1>${links}`),
  '/openapi.json': json({ openapi: '3.1.0', info: { title: 'x', version: '1', ...info }, paths }),
});
const answer = { responses: { 200: { description: 'x' } } };
const LINKS = '<a href="/changelog">Changes</a><a href="https://status.acme.example/">Status</a>';
const key = { parameters: [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }] };
const old = (headers: object) => ({ get: { deprecated: true, responses: { 200: { description: 'x', headers } } } });

testCheck('agent.api.change-policy', [
  [
    'reads only, with both pages',
    site({ '/a': { get: answer } }, { links: LINKS }),
    'pass',
    /a change log, a status page/,
  ],
  [
    'the change log in the document',
    site({ '/a': { get: answer } }, { info: { description: 'See the changelog.' } }),
    'partial',
    /a status page/,
    { value: 0.5 },
  ],
  ['writes without a key', site({ '/a': { post: answer } }, { links: LINKS }), 'partial', /Idempotency-Key/],
  ['writes with a key', site({ '/a': { post: { ...answer, ...key } } }, { links: LINKS }), 'pass'],
  ['deprecated without a date', site({ '/a': old({}) }, { links: LINKS }), 'partial', /Deprecation or Sunset/],
  ['deprecated with a date', site({ '/a': old({ Sunset: { schema: {} } }) }, { links: LINKS }), 'pass'],
  ['nothing', site({ '/a': { get: answer } }), 'fail', /Not found/],
  ['no description', { '/': html('<h1>x</h1>') }, 'not_applicable'],
]);
