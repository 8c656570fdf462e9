import { expect, test } from 'vitest';
import { selectPreferredType } from '../../src/openapi/accept.ts';

const OFFERED = ['text/html', 'text/markdown', 'application/json'] as const;

test.each([
  [null, 'text/html'],
  ['', 'text/html'],
  ['*/*', 'text/html'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
  ['application/json', 'application/json'],
  ['application/json, text/plain, */*', 'application/json'],
  ['APPLICATION/JSON', 'application/json'],
  ['text/markdown', 'text/markdown'],
  ['text/markdown, text/html;q=0.9, */*;q=0.1', 'text/markdown'],
  ['text/markdown;q=0.1, text/html', 'text/html'],
  ['text/markdown; q=0.1 , text/html;q=0', 'text/markdown'],
  ['text/html;q=0, */*', 'text/markdown'],
  ['text/*;q=0.2, application/json;q=0.3', 'application/json'],
  ['text/html, text/markdown', 'text/html'],
  ['image/png', 'text/html'],
  ['text/markdown;q=2, text/html;q=0.1', 'text/html'],
  ['text/markdown;q=x, application/json;q=0.1', 'application/json'],
  [`${'x/y, '.repeat(30)}text/markdown`, 'text/html'],
  [`${'a'.repeat(5_000)}, text/markdown`, 'text/html'],
])('Accept %j is answered with %s', (accept, type) => expect(selectPreferredType(accept, OFFERED)).toBe(type));
