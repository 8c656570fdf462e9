import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDocsAddress } from '../../src/web/start/docs-address.ts';

const PROBLEMS = '/docs/reference/problems';

describe('an address of the documentation', () => {
  test.each([
    ['/docs/', { kind: 'page', stem: '/docs/index' }],
    ['/docs/reference/checks/', { kind: 'page', stem: '/docs/reference/checks/index' }],
    [PROBLEMS, { kind: 'page', stem: PROBLEMS }],
    ['/docs/reference/checks/aeo.reach.http-200', { kind: 'page', stem: '/docs/reference/checks/aeo.reach.http-200' }],
    [`${PROBLEMS}.md`, { kind: 'file', path: `${PROBLEMS}.md` }],
    ['/docs/index.md', { kind: 'file', path: '/docs/index.md' }],
    [
      '/docs/assets/chunks/@local_Index.Bj34-aLD.js',
      { kind: 'file', path: '/docs/assets/chunks/@local_Index.Bj34-aLD.js' },
    ],
  ])('%s is read as it is', (sent, address) => {
    expect(parseDocsAddress(sent)).toEqual(address);
  });

  test.each([
    ['/docs/reference%2Fproblems', PROBLEMS],
    ['/docs/%72eference/problems', PROBLEMS],
    ['/docs//reference///problems', PROBLEMS],
    [`${PROBLEMS}.html`, PROBLEMS],
    [`${PROBLEMS}%2Emd`, `${PROBLEMS}.md`],
    ['/docs/index', '/docs/'],
    ['/docs/index.html', '/docs/'],
    ['/docs//', '/docs/'],
    ['/docs/%2F%2Fevil.example/x', '/docs/evil.example/x'],
  ])('%s has one other spelling, which is final', (sent, to) => {
    expect(parseDocsAddress(sent)).toEqual({ kind: 'moved', to });
    expect(parseDocsAddress(to).kind).toMatch(/^(?:page|file)$/);
  });

  test.each([
    '/docs/..%2f..%2fpackage.json',
    '/docs/reference/%2e%2e%2fproblems',
    '/docs/reference/./problems',
    '/docs/reference%5Cproblems',
    '/docs/reference/problems%00',
    '/docs/reference/problems%20',
    '/docs/reference/problems%0d%0ax: y',
    '/docs/reference/problems;v=1',
    '/docs/reference/problems%3Fx',
    '/docs/reference/problems%252Emd',
    '/docs/%C3',
    '/docs/%',
    `/docs/${'a'.repeat(400)}`,
    '/docs',
    '/documents/',
  ])('%s leads nowhere', (sent) => {
    expect(parseDocsAddress(sent)).toEqual({ kind: 'nothing' });
  });
});

test('every page of the sources has an address of this form', () => {
  const docs = join(import.meta.dirname, '../../docs');
  const pages = ['guides', 'operate', 'platform', 'project', 'reference', 'start'].flatMap((folder) =>
    readdirSync(join(docs, folder), { recursive: true })
      .map((name) => `${folder}/${String(name)}`)
      .filter((name) => name.endsWith('.md')),
  );
  expect(pages.length).toBeGreaterThan(300);
  const wrong = pages.filter((name) => {
    const path = `/docs/${name.replace(/(?:(?<=\/)index)?\.md$/, '')}`;
    return parseDocsAddress(path).kind !== 'page' || parseDocsAddress(`/docs/${name}`).kind !== 'file';
  });
  expect(wrong).toEqual([]);
});
