import { describe, expect, test } from 'vitest';
import { parseChallenges } from '../../../../src/audit/mcp/facts/www-authenticate.ts';

const shown = (header: string): unknown =>
  parseChallenges(header).map(({ scheme, params, token68, malformed }) => [
    scheme,
    Object.fromEntries(params),
    token68 ?? '',
    malformed,
  ]);

describe('WWW-Authenticate', () => {
  test.each([
    { header: 'Bearer', gives: [['bearer', {}, '', false]] },
    { header: 'bearer realm="x"', gives: [['bearer', { realm: 'x' }, '', false]] },
    {
      header: 'Bearer Realm=x, error = "invalid_token"',
      gives: [['bearer', { realm: 'x', error: 'invalid_token' }, '', false]],
    },
    { header: 'Bearer realm="a, b=\\"c\\""', gives: [['bearer', { realm: 'a, b="c"' }, '', false]] },
    {
      header: 'Basic realm="a", Bearer realm="b", scope="c d"',
      gives: [
        ['basic', { realm: 'a' }, '', false],
        ['bearer', { realm: 'b', scope: 'c d' }, '', false],
      ],
    },
    {
      header: 'Negotiate abc==, Bearer',
      gives: [
        ['negotiate', {}, 'abc==', false],
        ['bearer', {}, '', false],
      ],
    },
    {
      header: 'Basic, Bearer realm=b',
      gives: [
        ['basic', {}, '', false],
        ['bearer', { realm: 'b' }, '', false],
      ],
    },
    { header: ' , Bearer realm=b , ', gives: [['bearer', { realm: 'b' }, '', false]] },
    { header: 'Bearer realm="a" error="b"', gives: [['bearer', { realm: 'a', error: 'b' }, '', true]] },
    { header: 'Bearer realm="a", realm="b"', gives: [['bearer', { realm: 'b' }, '', true]] },
    { header: 'Bearer realm="a', gives: [['bearer', {}, '', true]] },
    { header: '"nonsense"', gives: [['', {}, '', true]] },
    { header: '', gives: [] },
  ])('$header', ({ header, gives }) => {
    expect(shown(header)).toEqual(gives);
  });
});
