import type { Page } from 'playwright-core';
import type { CapabilityName } from '../../../src/capabilities/capability-name.ts';
import { NETWORK, USDC } from '../../../src/payment/terms/constants.ts';
import { readStoredAnswers } from '../../../src/web/report/answers/stored-answers.ts';
import { readStored } from '../../../src/web/report/stored.ts';
import { encodeJsonBase64 } from '../../../src/web/islands/buying/payment-signing.ts';
import type { PageLanguage } from '../../../src/web/language/language.ts';
import { SITE } from '../audit/site-fetch.ts';
import { storedExamples } from '../management/stored-examples.ts';
import {
  findRow,
  makePreview,
  PAY_TO,
  renderAudit,
  renderNotFound,
  renderOrder,
  renderPrices,
  renderStart,
} from './fixed-pages.ts';
import { renderAccount, renderConsoleOverview, renderDelete, renderSignIn } from './fixed-people-pages.ts';
import { pageOf } from './report-view.ts';
import { measureOn, storedRunsOf } from './view-results.ts';

/** One state of a page that a person must be able to rely on: what is drawn, and what is done before one looks. */
export type KeyState = { name: string; html: () => Promise<string>; act?: (page: Page) => Promise<void> };

let stored: Promise<ReadonlyMap<CapabilityName, string>> | undefined;

async function exampleOf(capability: CapabilityName): Promise<string> {
  stored ??= storedExamples();
  const text = (await stored).get(capability);
  if (text === undefined) throw new Error(`no example of ${capability}`);
  return text;
}

const reportOf =
  (capability: CapabilityName, language: PageLanguage = 'en') =>
  async (): Promise<string> =>
    pageOf(await exampleOf(capability), { language });

/** A measurement with the answers that it was made from. */
async function renderAnswers(): Promise<string> {
  const text = await exampleOf('visibility_check');
  const shownAnswers = await readStoredAnswers(readStored(text), storedRunsOf(await measureOn()));
  if (shownAnswers === undefined) throw new Error('the example has no answers');
  return pageOf(text, { shownAnswers });
}

const BRAND = { brand: 'Example Desk', niche: 'help desk software' };
const SOLD = 'check_health';

/** The terms of the sale, as the service would send them: the page asks for them when the form of a transfer opens. */
const terms = () => ({
  x402Version: 2,
  resource: { url: `https://sightline.test/api/agent/${SOLD}` },
  accepts: [
    {
      scheme: 'exact',
      network: NETWORK,
      amount: String(findRow(SOLD).priceMicroUsdc),
      asset: USDC,
      payTo: PAY_TO,
      maxTimeoutSeconds: 300,
    },
  ],
  extensions: { 'direct-transfer': { info: { confirmations: 2, maxAgeSeconds: 86_400, proofRequired: false } } },
});

/** What sells is loaded once its panel is near, and says whether there is a wallet: in the picture or below it. */
async function waitForSale(page: Page): Promise<void> {
  const note = page.locator('[data-buy="wallet-note"]');
  const box = await note.boundingBox();
  if ((box?.y ?? 0) < (page.viewportSize()?.height ?? 0))
    await note.filter({ hasText: 'No wallet was found' }).waitFor();
}

async function openTransfer(page: Page): Promise<void> {
  await page.route(`**/api/agent/${SOLD}`, (route) =>
    route.fulfill({ status: 402, headers: { 'payment-required': encodeJsonBase64(terms()) }, body: '{}' }),
  );
  await page.locator('[data-buy="hash-way"] > summary').click();
  await page.locator('[data-buy="conditions"]', { hasText: '24' }).waitFor();
  await page.locator('[data-buy="panel"]').evaluate((panel) => panel.scrollIntoView());
  await waitForSale(page);
}

const openAnswers = async (page: Page): Promise<void> =>
  page.locator('#answers').evaluate((answers) => answers.scrollIntoView());

/** The states that have pictures, at two widths and in both schemes. */
export const keyStates: readonly KeyState[] = [
  { name: 'start', html: renderStart },
  { name: 'start-german', html: () => renderStart('de') },
  { name: 'prices', html: renderPrices },
  { name: 'audit', html: () => renderAudit({}) },
  {
    name: 'audit-result',
    html: async () => renderAudit({ url: `${SITE}/`, made: await makePreview() }),
    act: waitForSale,
  },
  {
    name: 'audit-failed',
    html: () => renderAudit({ url: `${SITE}/`, problem: { code: 'target_unreachable', failure: 'dns' } }),
  },
  { name: 'order', html: () => renderOrder(SOLD), act: waitForSale },
  { name: 'order-faults', html: () => renderOrder('visibility_fix_pack', { ...BRAND, niche: '' }), act: waitForSale },
  { name: 'order-questions', html: () => renderOrder('visibility_check', BRAND), act: waitForSale },
  { name: 'order-transfer', html: () => renderOrder(SOLD, { url: `${SITE}/` }), act: openTransfer },
  { name: 'report-full-audit', html: reportOf('full_audit') },
  { name: 'report-german', html: reportOf('full_report', 'de') },
  { name: 'report-fix-pack', html: reportOf('fix_pack') },
  { name: 'report-check-health', html: reportOf('check_health') },
  { name: 'report-skill', html: reportOf('generate_skill') },
  { name: 'report-compare', html: reportOf('compare') },
  { name: 'report-visibility', html: renderAnswers },
  { name: 'report-answers', html: renderAnswers, act: openAnswers },
  { name: 'report-versus', html: reportOf('visibility_vs_competitor') },
  { name: 'not-found', html: renderNotFound },
  { name: 'account', html: renderAccount },
  { name: 'account-delete', html: renderDelete },
  { name: 'signin', html: renderSignIn },
  { name: 'console', html: renderConsoleOverview },
];
