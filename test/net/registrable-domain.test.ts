import { expect, test } from 'vitest';
import { getRegistrableDomain } from '../../src/net/registrable-domain.ts';

test.each([
  ['example.com', 'example.com'],
  ['www.example.com', 'example.com'],
  ['a.b.example.com.', 'example.com'],
  ['shop.example.co.uk', 'example.co.uk'],
  ['co.uk', 'co.uk'],
  ['www.com.au', 'www.com.au'],
  ['x.gov.uk', 'x.gov.uk'],
  ['www.google.co.jp', 'google.co.jp'],
  ['blog.example.de', 'example.de'],
  ['alice.github.io', 'alice.github.io'],
  ['docs.alice.github.io', 'alice.github.io'],
  ['github.io', 'github.io'],
  ['api.team.workers.dev', 'team.workers.dev'],
  ['a.b.up.railway.app', 'b.up.railway.app'],
  ['ab.co', 'ab.co'],
  ['127.0.0.1', '127.0.0.1'],
  ['[::1]', '[::1]'],
  ['localhost', 'localhost'],
])('the registrable domain of %s is %s', (host, domain) => expect(getRegistrableDomain(host)).toBe(domain));

test('F4: two customers of one hosting platform are never one site', () => {
  for (const platform of [
    'github.io',
    'pages.dev',
    'workers.dev',
    'vercel.app',
    'netlify.app',
    'herokuapp.com',
    'web.app',
  ]) {
    expect(getRegistrableDomain(`alice.${platform}`)).not.toBe(getRegistrableDomain(`mallory.${platform}`));
  }
});
