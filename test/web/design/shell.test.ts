import { expect, test } from 'vitest';
import { renderDocument } from '../../../src/web/design/shell.tsx';

const listCurrent = async (path: string): Promise<readonly string[]> => {
  const html = String(await renderDocument({ title: 'A page', path }));
  return [...html.matchAll(/<a href="([^"]+)" aria-current="([^"]+)"/g)].map(([, href, kind]) => `${href} ${kind}`);
};

test.each([
  ['/account', ['/account page']],
  ['/account?done=signed_in', ['/account page']],
  ['/account/reports', ['/account true']],
  ['/account/reports?after=1', ['/account true']],
  ['/accounting', []],
  ['/visibility/compare', ['/visibility true']],
  ['/docs/guides', []],
  ['/', []],
])('the navigation of %s marks %j', async (path, marked) => {
  expect(await listCurrent(path)).toEqual(marked);
});
