import { expect, test } from 'vitest';
import { formatEntityTag, isKnownTag } from '../../src/net/entity-tag.ts';

const tag = formatEntityTag('ab'.repeat(32));

test('a tag is quoted, and has 128 bits of the hash', () => expect(tag).toBe(`"${'ab'.repeat(16)}"`));

test.each([
  [tag, true],
  [`W/${tag}`, true],
  [`"other", ${tag}`, true],
  ['*', true],
  ['"other"', false],
  [tag.slice(1, -1), false],
  ['', false],
  [undefined, false],
  [`${'"x",'.repeat(20)}${tag}`, false],
])('If-None-Match %j names it: %s', (sent, isKnown) => expect(isKnownTag(sent, tag)).toBe(isKnown));
