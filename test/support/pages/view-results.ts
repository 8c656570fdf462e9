import type * as z from 'zod';
import { catalog } from '../../../src/capabilities/catalog.ts';
import type { CapabilityName } from '../../../src/capabilities/capability-name.ts';
import { compareResult, filesResult, fullReportResult } from '../../../src/capabilities/results.ts';
import { versusResult, visibilityFixResult, visibilityResult } from '../../../src/capabilities/visibility-results.ts';
import { createVisibilityWork } from '../../../src/capabilities/visibility-work.ts';
import type { AnswerEngine } from '../../../src/models/port.ts';
import { intents } from '../../../src/visibility/run/intents.ts';
import { demoBrands, createSimulatedEngine } from '../../../src/models/adapters/simulated/answer.ts';
import { loadAskedPrompts } from '../../../src/capabilities/visibility-questions.ts';
import type { StoredRuns } from '../../../src/capabilities/visibility-recording.ts';
import type { AskedPrompts, CollectedRun } from '../../../src/visibility/run/run.ts';
import { measureHere } from '../../../src/visibility/run/measure.ts';
import { goodSite } from '../../sites/good.ts';
import { bareSite } from '../../sites/poor.ts';
import { fixtureTools } from '../stack/local-tools.ts';
import { SITE, type SiteMap } from '../audit/site-fetch.ts';

/** Results as capabilities make them over fixture sites and engines, for the pages that show them. */

const OTHER = 'https://rival.example';
const sites: SiteMap = {
  ...bareSite,
  ...Object.fromEntries(Object.entries(goodSite).map(([path, served]) => [`${OTHER}${path}`, served])),
};

async function resultOf(name: CapabilityName, given: Record<string, unknown>): Promise<unknown> {
  const row = catalog.find((candidate) => candidate.name === name);
  const outcome = await row?.run(row.body.parse(given), fixtureTools(sites));
  if (!outcome?.ok) throw new Error(`no result: ${JSON.stringify(outcome)}`);
  return outcome.result;
}

/** A bare site against a good one. */
export const compareExample = async (): Promise<z.infer<typeof compareResult>> =>
  compareResult.parse(await resultOf('compare', { url: `${SITE}/`, competitor: `${OTHER}/` }));

export const fullReportExample = async (): Promise<z.infer<typeof fullReportResult>> =>
  fullReportResult.parse(await resultOf('full_report', { url: `${SITE}/` }));

export const filesExample = async (): Promise<z.infer<typeof filesResult>> =>
  filesResult.parse(await resultOf('generate_llms_txt', { url: `${SITE}/` }));

const measured = { brand: 'Example Desk', niche: 'help desk software' };
const simulated = createSimulatedEngine({ seed: 'recording', brands: demoBrands });

/** Answers as real engines give them: two failed, some were cut, some name their sources. */
export const variedEngine: AnswerEngine = {
  ...simulated,
  kind: 'openai-compatible',
  model: 'some-model',
  answer: async (prompt, signal) => {
    if (prompt.index === 9 || prompt.index === 19)
      return { ok: false, reason: 'filtered', detail: 'finish reason content_filter', retryable: false };
    const answer = await simulated.answer(prompt, signal);
    if (!answer.ok) return answer;
    return {
      ...answer,
      servedModel: prompt.index % 2 === 0 ? 'even-model' : 'odd-model',
      finishReason: prompt.index % 7 === 0 ? 'length' : 'stop',
      citations: [`https://source-${prompt.index % 3}.example/page`],
    };
  },
};

/** An engine that answers no prompt of one kind, as a filter of its provider may have it. */
export const silentOnPrices: AnswerEngine = {
  ...simulated,
  kind: 'openai-compatible',
  answer: async (prompt, signal) =>
    prompt.intent === intents[4]
      ? { ok: false, reason: 'refused', detail: 'refused', retryable: false }
      : simulated.answer(prompt, signal),
};

/** What the examples ask. */
const askedPrompts = await loadAskedPrompts(measured.niche, { set: 'v1' });

/** The answers behind the examples, as they are stored. */
export const storedRunsOf = (run: CollectedRun): StoredRuns => ({ prompts: askedPrompts.prompts, runs: [run] });

/** The run that the examples of an engine are made from. */
export const measureOn = (
  engine: AnswerEngine = variedEngine,
  asked: AskedPrompts = askedPrompts,
): Promise<CollectedRun> =>
  measureHere(asked, {
    engine,
    runId: '0123456789abcdef'.repeat(2),
    runMs: 60_000,
    callMs: 1000,
    now: () => Date.UTC(2026, 10, 21),
    random: () => 0,
    sleep: () => Promise.resolve(),
    log: () => {},
    onProgress: () => {},
  });

async function measurement(
  capability: 'visibility_check' | 'visibility_vs_competitor',
  input: { brand: string; niche: string; competitor_brand?: string },
  engine: AnswerEngine,
): Promise<unknown> {
  const measure = async (asked: AskedPrompts): Promise<readonly CollectedRun[]> => [await measureOn(engine, asked)];
  const outcome = await createVisibilityWork(capability)(input, { ...fixtureTools({}), measure });
  if (!outcome.ok) throw new Error(`no result: ${JSON.stringify(outcome)}`);
  return outcome.result;
}

export const visibilityExample = async (
  engine: AnswerEngine = variedEngine,
  brand: string = measured.brand,
): Promise<z.infer<typeof visibilityResult>> =>
  visibilityResult.parse(await measurement('visibility_check', { ...measured, brand }, engine));

export const versusExample = async (
  engine: AnswerEngine = variedEngine,
  competitor: string = 'Sample Support',
): Promise<z.infer<typeof versusResult>> =>
  versusResult.parse(
    await measurement('visibility_vs_competitor', { ...measured, competitor_brand: competitor }, engine),
  );

export const visibilityFixExample = async (): Promise<z.infer<typeof visibilityFixResult>> => {
  const { weak_spots: spots } = await visibilityExample();
  return visibilityFixResult.parse(await resultOf('visibility_fix_pack', { ...measured, weak_spots: spots }));
};
