import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { searchRefusal, searchResult } from '../../../support/management/search-envelope.ts';
import { bytesOf, call, gzipOf } from '../world.ts';

const ITEMS = '/client/v4/accounts/acme/ai-search/instances/docs/items';

// The Worker knows the tenant from one test to the next, its registry does not.
beforeEach(async () => {
  await env.TENANT_REGISTRY.getByName('tenants').tenant('C00000001', 'sandbox');
});

type Part = { name: string; text: string; filename?: string; type?: string };

const BOUNDARY = 'edge';
const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
const HELLO: Part = { name: 'file', filename: 'hello.md', type: 'text/markdown', text: '# Hello\n\nA page.\n' };

/** A form as clients write it. */
const formOf = (...parts: readonly Part[]): string =>
  [
    ...parts.map(({ name, text, filename, type }) => {
      const file = filename === undefined ? '' : `; filename="${filename}"`;
      const typed = type === undefined ? '' : `\r\nContent-Type: ${type}`;
      return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}${typed}\r\n\r\n${text}\r\n`;
    }),
    `--${BOUNDARY}--\r\n`,
  ].join('');

const MIB = 1_048_576;

test.each([
  [
    'of another type',
    '{}',
    { 'content-type': 'application/json' },
    '415 7011: An upload is multipart/form-data, with the part file',
  ],
  ['without a type', bytesOf('x'), {}, '415 7011: An upload is multipart/form-data, with the part file'],
  [
    'without a boundary',
    formOf(HELLO),
    { 'content-type': 'multipart/form-data; charset=utf-8' },
    /^400 7001: The body is not the multipart/,
  ],
  [
    'with another boundary',
    formOf(HELLO),
    { 'content-type': 'multipart/form-data; boundary=other' },
    /^400 7001: The body is not the multipart/,
  ],
  ['that breaks off', formOf(HELLO).slice(0, 90), FORM, /^400 7001: The body is not the multipart/],
  ['of no bytes', '', FORM, /^400 7001: The body is not the multipart/],
  [
    'without a file',
    formOf({ name: 'metadata', text: '{}' }),
    FORM,
    '400 7001: file: a part with a file name is required',
  ],
  [
    'whose file is text',
    formOf({ name: 'file', text: 'x' }),
    FORM,
    '400 7001: file: a part with a file name is required',
  ],
  [
    'whose file has an empty name',
    formOf({ ...HELLO, filename: '' }),
    FORM,
    '400 7001: file: a part with a file name is required',
  ],
  ['with two files', formOf(HELLO, HELLO), FORM, '400 7001: file: given more than once'],
  [
    'whose metadata is no JSON',
    formOf(HELLO, { name: 'metadata', text: '{' }),
    FORM,
    '400 7056: invalid_metadata_format',
  ],
  [
    'whose metadata is a list',
    formOf(HELLO, { name: 'metadata', text: '[1]' }),
    FORM,
    '400 7056: invalid_metadata_format',
  ],
  [
    'whose metadata is a file',
    formOf(HELLO, { ...HELLO, name: 'metadata' }),
    FORM,
    '400 7001: metadata: must be text, not a file',
  ],
  [
    'whose metadata has a name twice',
    formOf(HELLO, { name: 'metadata', text: '{"a":1,"a":2}' }),
    FORM,
    '400 7056: invalid_metadata_format',
  ],
  [
    'that waits for perhaps',
    formOf(HELLO, { name: 'wait_for_completion', text: 'perhaps' }),
    FORM,
    '400 7001: wait_for_completion: true or false, not perhaps',
  ],
  [
    'of a file of 4 MiB and a byte',
    formOf({ ...HELLO, text: 'x'.repeat(4 * MIB + 1) }),
    FORM,
    '413 7008: The file is too large: at most 4194304 bytes are taken',
  ],
  [
    'of more than a file and its form can have',
    formOf({ ...HELLO, text: 'x'.repeat(5 * MIB) }),
    FORM,
    '413 7008: The request is too large: at most 4259840 bytes are allowed.',
  ],
])('a form %s is refused before anybody is asked', async (_what, body, headers, said) => {
  const told = await searchRefusal(call(ITEMS, { method: 'POST', body, headers }));
  if (typeof said === 'string') expect(told).toBe(said);
  else expect(told).toMatch(said);
});

test('K9: a gzip that grows beyond the limit is refused, however short it is sent', async () => {
  const body = await gzipOf(formOf({ ...HELLO, text: '\0'.repeat(32 * MIB) }));
  expect(body.byteLength).toBeLessThan(100_000);
  const headers = { ...FORM, 'content-encoding': 'gzip' };
  expect(await searchRefusal(call(ITEMS, { method: 'POST', body, headers }))).toMatch(/^413 7008: /);
});

test('a name with a quote comes through the form as it is', async () => {
  const instances = '/client/v4/accounts/acme/ai-search/instances';
  await env.TENANT_REGISTRY.getByName('tenants').claim('C00000001', 'accounts/acme');
  await searchResult(call(instances, { method: 'POST', body: { id: 'docs' } }));
  const send = (filename: string) =>
    call(ITEMS, { method: 'POST', body: bytesOf(formOf({ ...HELLO, filename })), headers: FORM });
  expect(await searchResult(send('a %22b%22 100%25.md'))).toMatchObject({ key: 'a "b" 100%25.md' });
  expect(await searchRefusal(send('a%0Db.md'))).toMatch(/^400 7001: key: /);
  expect(await searchRefusal(send('a%0Ab.md'))).toMatch(/^400 7001: key: /);
});
