/**
 * Writes `src/openapi/examples.generated.json`: results that the capabilities make of the fixture sites, cut to what an OpenAPI
 * document has room for. `test/openapi/examples.test.ts` makes them again, compares, and checks them against their schemas.
 */
import { demoBrands } from '../src/models/adapters/simulated/answer.ts';
import { writeFileSync } from 'node:fs';
import * as z from 'zod';
import { capabilityNames, type CapabilityName } from '../src/capabilities/capability-name.ts';
import { formatUsd } from '../src/capabilities/catalog.ts';
import { creditPacks } from '../src/capabilities/credit-packs.ts';
import { selectExample } from '../src/openapi/examples.ts';
import { renderView } from '../src/results/view.ts';
import { REPORT_ID, storedResult } from '../test/results/stored-results.ts';
import { fixtureTools } from '../test/support/stack/local-tools.ts';

/** Characters of a text that an example shows; addresses are shown whole. */
const MAX_TEXT_CHARS = 24;
const CUT_MARK = '…';
const PLACE = { baseUrl: 'https://sightline.example', reportId: REPORT_ID };

/** The summary of results, a purchase of credits, and a check, a fix and a file. */
export type Examples = { results: Record<string, unknown>; parts: Record<'Check' | 'Fix' | 'File', unknown> };

/** @throws Error when a fixture site has no failed check, or no file is generated */
export async function makeExamples(): Promise<Examples> {
  const shown = capabilityNames.filter((name) => selectExample(name) === name);
  const results = await Promise.all(shown.map(async (name) => [name, await makeSummary(name)] as const));
  const report = fullReport.parse(JSON.parse(await storedResult('full_report')));
  const [fix] = report.fixes.filter(({ diff, configure }) => diff === undefined && configure === undefined);
  const check = report.scores.aeo.checks.find(({ id }) => id === fix?.id);
  return {
    results: { ...Object.fromEntries(results), credits: await makePurchase() },
    parts: { Check: cutExample(check), Fix: cutExample(fix), File: cutExample(report.files[0]) },
  };
}

/** Links are shown once; those of sections are made from `report_url` in the same way. */
async function makeSummary(name: CapabilityName): Promise<unknown> {
  const text = renameRivals(renderView(await storedResult(name), { view: 'summary' }, PLACE));
  const { sections, ...summary } = z.looseObject({ sections: z.array(z.looseObject({})) }).parse(JSON.parse(text));
  return cutExample({ ...summary, sections: sections.map(({ url: _url, ...rest }) => rest) });
}

/** Brands of the simulated market must not be in the code that is deployed: an answer that names one would pass for a real one. */
const renameRivals = (text: string): string =>
  demoBrands
    .map(({ name }) => name)
    .filter((name) => !NEUTRAL.has(name))
    .reduce((renamed, name) => renamed.replaceAll(JSON.stringify(name), '"Rival"'), text);

/** The names that bodies of examples have. */
const NEUTRAL: ReadonlySet<string> = new Set(['Example Desk', 'Sample Support']);

/** Credits are sold for payments only: this one is made up. */
async function makePurchase(): Promise<unknown> {
  const [pack] = creditPacks;
  const outcome = await pack?.run({}, { ...fixtureTools({}), topUp: () => Promise.resolve(undefined) });
  if (pack === undefined || !outcome?.ok) throw new Error('no credits');
  const payment = {
    method: 'x402',
    transaction: `0x${'5e'.repeat(32)}`,
    network: 'eip155:8453',
    payer: `0x${'7a'.repeat(20)}`,
    amount: String(pack.priceMicroUsdc),
    amount_usd: formatUsd(pack.priceMicroUsdc),
    settled_at: '2026-01-15T09:00:00.000Z',
  };
  return { capability: pack.name, report_id: REPORT_ID, ...outcome.result, warnings: outcome.warnings, payment };
}

const fullReport = z.object({
  scores: z.object({ aeo: z.object({ checks: z.array(z.looseObject({ id: z.string() })) }) }),
  fixes: z.array(z.looseObject({ id: z.string(), diff: z.string().optional(), configure: z.unknown().optional() })),
  files: z.array(z.unknown()),
});

/** Records whose members are alike. */
const SCORES: ReadonlySet<string> = new Set(['scores', 'competitor_scores']);
const selectFirst = (value: unknown): unknown =>
  Array.isArray(value) ? value : Object.fromEntries(Object.entries(Object(value)).slice(0, 1));

/** A value with the first item of each list and of scores, and the beginning of each long text. */
function cutExample(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length <= MAX_TEXT_CHARS || /^https?:\/\/\S+$/.test(value)
      ? value
      : `${value.slice(0, MAX_TEXT_CHARS - 1)}${CUT_MARK}`;
  if (Array.isArray(value)) return value.slice(0, 1).map(cutExample);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, cutExample(SCORES.has(name) ? selectFirst(one) : one)]),
  );
}

if (import.meta.main) {
  const path = new URL('../src/openapi/examples.generated.json', import.meta.url);
  writeFileSync(path, `${JSON.stringify(await makeExamples(), null, 1)}\n`);
  console.log('wrote src/openapi/examples.generated.json');
}
