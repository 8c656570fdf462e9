import { describe, expect, test } from 'vitest';
import { readAiCatalog } from '../../../../src/audit/agent-files/facts/ai-catalog.ts';

const pointers = (issues: readonly { pointer: string }[]): readonly string[] => issues.map(({ pointer }) => pointer);

const catalog = (...entries: readonly unknown[]): unknown => ({ specVersion: '1.0', entries });

describe('AI Catalog', () => {
  const entry = {
    identifier: 'urn:air:a.test:mcp:x',
    displayName: 'X',
    type: 'application/mcp-server-card+json',
    url: 'https://a.test/card',
  };

  test.each([
    { name: 'an entry with a URL', value: catalog(entry) },
    { name: 'an entry with inline data', value: catalog({ identifier: 'urn:air:a:b', type: 'a/b', data: {} }) },
    { name: 'another URI as identifier', value: catalog({ ...entry, identifier: 'https://a.test/x' }) },
    { name: 'two representative queries', value: catalog({ ...entry, representativeQueries: ['a', 'b'] }) },
    { name: 'no entries', value: catalog() },
    {
      name: 'the older name mediaType',
      value: catalog({ identifier: 'a:b', mediaType: 'a/b', url: 'https://a.test' }),
    },
  ])('$name is valid', ({ value }) => {
    expect(readAiCatalog(value).issues).toEqual([]);
  });

  test.each([
    { name: 'no specVersion', value: { entries: [] }, at: '/specVersion' },
    { name: 'a number as specVersion', value: { specVersion: 1, entries: [] }, at: '/specVersion' },
    { name: 'entries that are no list', value: { specVersion: '1.0', entries: {} }, at: '/entries' },
    { name: 'an entry that is no object', value: catalog('x'), at: '/entries/0' },
    { name: 'no identifier', value: catalog({ type: 'a/b', url: 'https://a.test' }), at: '/entries/0/identifier' },
    { name: 'a type that is no media type', value: catalog({ ...entry, type: 'mcp' }), at: '/entries/0/type' },
    { name: 'neither url nor data', value: catalog({ identifier: 'a:b', type: 'a/b' }), at: '/entries/0' },
    { name: 'both url and data', value: catalog({ ...entry, data: {} }), at: '/entries/0' },
    { name: 'a relative URL', value: catalog({ ...entry, url: '/card' }), at: '/entries/0/url' },
    {
      name: 'six representative queries',
      value: catalog({ ...entry, representativeQueries: ['1', '2', '3', '4', '5', '6'] }),
      at: '/entries/0/representativeQueries',
    },
  ])('$name is refused at $at', ({ value, at }) => {
    expect(pointers(readAiCatalog(value).issues)).toContain(at);
  });

  test('a missing displayName and an older name are warnings', () => {
    const { warnings, entries } = readAiCatalog(
      catalog({ identifier: 'a:b', mediaType: 'a/b', url: 'https://a.test' }),
    );
    expect(pointers(warnings)).toEqual(['/entries/0', '/entries/0/mediaType']);
    expect(entries[0]?.type).toBe('a/b');
  });
});
