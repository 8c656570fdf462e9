import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** For hangs only: a mail goes out some moments after the answer to the request that asked for it. */
const ARRIVES_WITHIN_MS = 30_000;
const NEWEST = /<article><h2>([^<]*)<\/h2>/;

/** Does what has a stack send a mail, waits for that mail, and opens its link. @returns the link */
export async function openMailedLink(page: Page, stackUrl: string, ask: () => Promise<void>): Promise<string> {
  const mailsUrl = `${stackUrl}/local/mails`;
  const readNewest = async (): Promise<string | undefined> =>
    NEWEST.exec(await (await page.context().request.get(mailsUrl)).text())?.[1];
  const before = await readNewest();
  await ask();
  await expect.poll(readNewest, { timeout: ARRIVES_WITHIN_MS }).not.toBe(before);
  await page.goto(mailsUrl);
  const link = page.locator('article').first().getByRole('link').last();
  const href = (await link.getAttribute('href')) ?? '';
  await link.click();
  await page.waitForURL(/\/signin\/email\?token=/);
  return href;
}
