import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyStates } from '../../support/pages/key-states.ts';
import { type PageServer, servePages } from '../../support/pages/page-server.ts';
import { judgePicture, openPictureBrowser, type PictureBrowser } from '../../support/pages/pictures.ts';

/** A telephone and a desk; only what is seen first is kept. */
const VIEWPORTS = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
] as const;
const SCHEMES = ['light', 'dark'] as const;

let server: PageServer;
let pictures: PictureBrowser;
beforeAll(async () => {
  server = await servePages(async (path) => keyStates.find(({ name }) => path === `/${name}`)?.html());
  pictures = await openPictureBrowser();
});
afterAll(async () => {
  await pictures.close();
  await server.close();
});

test('states have names of their own', () => {
  expect(new Set(keyStates.map(({ name }) => name)).size).toBe(keyStates.length);
});

describe('key states look as their pictures', () => {
  const rows = VIEWPORTS.flatMap((viewport) => SCHEMES.map((colorScheme) => ({ viewport, colorScheme })));
  test.for(rows)('$viewport.width px, $colorScheme', async ({ viewport, colorScheme }, { skip }) => {
    if (!pictures.isKept) {
      console.warn(`No pictures are kept of Chromium ${pictures.major}: nothing was compared.`);
      skip();
    }
    const browsing = await pictures.browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
    const page = await browsing.newPage();
    const found: (string | undefined)[] = [];
    for (const { name, act } of keyStates) {
      await page.goto(`${server.url}/${name}`, { waitUntil: 'load' });
      await act?.(page);
      found.push(await judgePicture(page, pictures.major, `${name}-${viewport.width}-${colorScheme}`));
    }
    await browsing.close();
    expect(found.filter((one) => one !== undefined)).toEqual([]);
  });
});
