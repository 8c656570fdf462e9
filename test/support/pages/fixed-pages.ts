import { readFileSync } from 'node:fs';
import { findCapability } from '../../../src/capabilities/catalog.ts';
import { type SitePreview, runSitePreview } from '../../../src/audit/core/preview.ts';
import { formatUsdAmount } from '../../../src/payment/terms/constants.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { type AuditPage, auditPage } from '../../../src/web/audit/page.tsx';
import { type BuyPanelProps, describeAuditOrder, type Goods } from '../../../src/web/buying/panel.tsx';
import { formatCapabilityLink } from '../../../src/web/capability/address.ts';
import { judgeOrder, type PageRow } from '../../../src/web/capability/faults.ts';
import { type CapabilityPage, renderCapabilityPage } from '../../../src/web/capability/page.tsx';
import { describeRowGoods, findExampleBody } from '../../../src/web/capability/rows.ts';
import { renderErrorPage } from '../../../src/web/design/error-page.tsx';
import type { PageLanguage } from '../../../src/web/language/language.ts';
import { replayExample } from '../../../src/web/start/example.ts';
import { renderSitePage } from '../../../src/web/start/page.tsx';
import { buildPricesText } from '../../../src/web/start/prices-text.ts';
import { startPage } from '../../../src/web/start/start-page.tsx';
import { startText } from '../../../src/web/start/text.ts';
import { bareSite } from '../../sites/poor.ts';
import { buildPrompts } from '../../../src/visibility/run/prompts.ts';
import { CLOCK_MS } from '../audit/audit.ts';
import { SITE, siteFetch } from '../audit/site-fetch.ts';

/** Pages of the service as its page functions make them of data that is the same in every run. */

export const BASE_URL = 'https://sightline.test';
export const PAY_TO = `0x${'7a'.repeat(20)}`;
const operator = { contact: 'operator@sightline.test', identities: ['https://github.com/example'] };
const recording = new URL('../../../src/web/static/example.json', import.meta.url);

export const renderStart = async (language: PageLanguage = 'en'): Promise<string> => {
  const example = await replayExample(readFileSync(recording, 'utf8'));
  const page = startText(BASE_URL, language);
  return String(await startPage({ page, baseUrl: BASE_URL, operator, language, example }));
};

export const renderPrices = async (language: PageLanguage = 'en'): Promise<string> =>
  String(await renderSitePage({ page: buildPricesText(BASE_URL, language), baseUrl: BASE_URL, operator, language }));

type Sold = { capability: string; priceMicroUsdc: number; goods: Goods; language: PageLanguage };

const buyPanel = ({ capability, priceMicroUsdc, goods, language }: Sold): BuyPanelProps => ({
  language,
  capability,
  priceUsd: formatUsdAmount(priceMicroUsdc),
  mode: { kind: 'wallet' },
  payTo: PAY_TO,
  baseUrl: BASE_URL,
  goods,
});

export const findRow = (name: string): PageRow => {
  const row = findCapability(name);
  if (row === undefined) throw new Error(`no capability is called ${name}`);
  return row;
};

/** The page of a row, with its fields as an address fills them. */
export async function renderOrder(
  name: string,
  filled?: Readonly<Record<string, string>>,
  language: PageLanguage = 'en',
): Promise<string> {
  const row = findRow(name);
  const read = (field: string): string | undefined => filled?.[field];
  const judged = filled === undefined ? undefined : await judgeOrder(row, read, language);
  const body = judged?.faults.length === 0 ? judged.body : undefined;
  const page: CapabilityPage = {
    row,
    baseUrl: BASE_URL,
    language,
    address: formatCapabilityLink(row.name, filled ?? {}),
    index: filled === undefined,
    read,
    faults: judged?.faults,
    body,
    buy: buyPanel({
      capability: row.name,
      priceMicroUsdc: row.priceMicroUsdc,
      goods: describeRowGoods(row, body ?? findExampleBody(row), language),
      language,
    }),
    engine: row.engineBacked ? { kind: 'openai-compatible', model: 'model-1' } : undefined,
    questions: body === undefined ? undefined : listQuestions(body),
  };
  return String(await renderCapabilityPage(page));
}

const listQuestions = ({ niche }: Readonly<Record<string, unknown>>): CapabilityPage['questions'] =>
  typeof niche === 'string' ? { texts: buildPrompts(niche).map(({ text }) => text), language: 'en' } : undefined;

/** The live audit with an offer to buy. */
export const renderAudit = async (page: Partial<AuditPage>): Promise<string> => {
  const { language = 'en' } = page;
  const { priceMicroUsdc } = findRow('full_audit');
  const goods = describeAuditOrder(page.url, language);
  const buy = buyPanel({ capability: 'full_audit', priceMicroUsdc, goods, language });
  return String(await auditPage({ baseUrl: BASE_URL, url: '', buy, ...page }));
};

/** What the live audit shows of a bare site. */
export async function makePreview(): Promise<SitePreview> {
  const outcome = await runSitePreview(`${SITE}/`, {
    fetch: siteFetch(bareSite),
    clockMs: CLOCK_MS,
    onStep: () => undefined,
    pause: () => Promise.resolve(),
    signal: new AbortController().signal,
  });
  if (!outcome.ok) throw new Error(outcome.reason);
  return { preview: outcome.preview, reused: false, made_at: new Date(CLOCK_MS).toISOString() };
}

export const renderNotFound = async (language: PageLanguage = 'en'): Promise<string> =>
  String(
    await renderErrorPage({ ...buildProblem('not_found'), requestId: '4bf92f3577b34da6a3ce929d0e0e4736', language }),
  );
