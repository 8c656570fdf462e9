import { describe, expect, test } from 'vitest';
import { buildBodySchema } from '../../src/capabilities/capability.ts';
import { findCapability } from '../../src/capabilities/catalog.ts';
import { parseBody } from '../../src/capabilities/parse-body.ts';

function getRow(name: string) {
  const row = findCapability(name);
  if (!row) throw new Error(`no ${name}`);
  return row;
}

const compare = getRow('compare');
const URL = 'https://example.com/';
const OTHER = 'https://example.org/';

describe('competitor_url of compare', () => {
  test('is competitor', () => {
    expect(parseBody(compare, { url: URL, competitor_url: OTHER })).toEqual({
      ok: true,
      input: { url: URL, competitor: OTHER },
      body: { url: URL, competitor: OTHER },
    });
  });

  test.each(['example.org', 'https://EXAMPLE.org:443', 'https://example.org/#top', OTHER])(
    'may be sent beside it where both are one address: %s',
    (other) => {
      expect(parseBody(compare, { url: URL, competitor: OTHER, competitor_url: other })).toMatchObject({
        ok: true,
        input: { url: URL, competitor: OTHER },
      });
    },
  );

  test.each([['https://example.net/'], [7], [null], [{}]])('is refused beside it where it says %j', (other) => {
    expect(parseBody(compare, { url: URL, competitor: OTHER, competitor_url: other })).toEqual({
      ok: false,
      issues: [
        { code: 'custom', path: ['competitor_url'], message: 'must be the address of competitor, or be left out' },
      ],
    });
  });

  test('names itself where it is no address', () => {
    const read = parseBody(compare, { url: URL, competitor_url: 'ftp://example.org/' });
    expect(read).toMatchObject({ ok: false, issues: [{ path: ['competitor_url'] }] });
  });

  test('is in no schema, and belongs to no other capability', () => {
    expect(JSON.stringify(buildBodySchema(compare))).not.toContain('competitor_url');
    expect(parseBody(getRow('full_audit'), { url: URL, competitor_url: OTHER })).toMatchObject({
      ok: false,
      issues: [{ code: 'unrecognized_keys' }],
    });
  });
});

test.each([[undefined], [null], ['text'], [[URL, OTHER]]])('a body that is %j is refused by its schema', (given) => {
  expect(parseBody(compare, given)).toMatchObject({ ok: false });
});
