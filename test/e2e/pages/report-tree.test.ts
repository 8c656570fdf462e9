import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CapabilityName } from '../../../src/capabilities/capability-name.ts';
import { storedExamples } from '../../support/management/stored-examples.ts';
import { type PageServer, servePages } from '../../support/pages/page-server.ts';
import { pageOf } from '../../support/pages/report-view.ts';
import { type Opened, openBrowser } from '../../support/stack/browser.ts';

/** Reports of which is kept what a screen reader gets to read. */
const READ: readonly CapabilityName[] = ['full_audit', 'visibility_check'];
const isAccepting = process.env['PICTURES'] === 'accept';
const fileOf = (name: string): string =>
  fileURLToPath(new URL(`../../data/pictures/trees/${name}.yaml`, import.meta.url));

let server: PageServer;
let browser: Opened;
beforeAll(async () => {
  const examples = await storedExamples();
  server = await servePages((path) => {
    const text = examples.get(path.slice(1) as CapabilityName);
    return text === undefined ? Promise.resolve(undefined) : pageOf(text);
  });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

/** Roles, names and states in the order of reading, as the accessibility tree has them. */
test.each(READ.map((name) => [name]))('%s reads as the text that is kept', async (name) => {
  const page = await browser.page();
  await page.goto(`${server.url}/${name}`);
  const tree = `${await page.locator('body').ariaSnapshot()}\n`;
  await page.close();
  const file = fileOf(name);
  if (isAccepting) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, tree);
  }
  expect(tree).toBe(readFileSync(file, 'utf8'));
});
