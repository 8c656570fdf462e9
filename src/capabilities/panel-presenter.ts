import { isDemonstration } from '../models/port.ts';
import { analysePanel } from '../visibility/panel/analyse-panel.ts';
import { getEngineName, isMeasured } from '../visibility/panel/engine-readings.ts';
import type { Prompt } from '../visibility/run/prompts.ts';
import { classifyRun, type CollectedRun } from '../visibility/run/run.ts';
import { selectValidAnswers } from '../visibility/metrics/readings.ts';
import type { CapabilityTools, WorkOutcome } from './capability.ts';
import type { CitationEvidence } from './citation-evidence.ts';
import { collectCitationEvidence, presentCitations } from './citation-work.ts';
import { isPanelSold, PANEL_WORST_CASE_S } from './panel-bodies.ts';
import type { CitedAnswer } from '../visibility/citations/cited-answers.ts';
import type { PanelRecording } from './panel-recording.ts';
import { describeIncomplete, listEngineWarnings, listServedModels } from './visibility-presenters.ts';
import { loadAskedPrompts } from './visibility-questions.ts';
import { computeTranscriptsSha256 } from './visibility-recording.ts';

/**
 * The result of a panel from what was recorded. Pure: the same recording gives the same bytes. Without a measurement of every
 * engine there is none, unless the caller took that in advance; without one of any engine there is none at all.
 */
export async function presentPanel({ input, runs, citations }: PanelRecording): Promise<WorkOutcome> {
  const missing = runs.filter((run) => !isMeasured(run));
  if (!isPanelSold(input, missing.length, runs.length)) {
    const detail = missing.map((run) => `${getEngineName(run)}: ${describeIncomplete(run)}`).join(' ');
    return { ok: false, reason: 'measurement_incomplete', detail };
  }
  const { prompts, promptSet, language = 'en' } = await loadAskedPrompts(input.niche, input.questions);
  const { brand, competitors = [] } = input;
  const { engines, ...analysis } = analysePanel(runs, { brand, competitors }, prompts);
  const reports = new Map(engines.map((report) => [report.name, report]));
  const result = {
    brand,
    niche: input.niche,
    language,
    degraded: missing.length > 0 || runs.some(({ answers }) => classifyRun(answers) === 'degraded'),
    prompts: {
      set: promptSet.id,
      sha256: promptSet.sha256,
      total: prompts.length,
      asked: prompts.map((prompt) => describePrompt(prompt, runs)),
    },
    engines: await Promise.all(
      runs.map(async (run) => ({ ...(await describeEngine(run)), ...describeStatus(run, reports) })),
    ),
    ...analysis,
    citations: presentCitations(
      listCitedAnswers(runs),
      {
        rivals: [...competitors, ...analysis.pooled.rivals.map(({ name }) => name)],
        seed: joinRunIds(runs),
        url: input.site,
      },
      citations,
    ),
  };
  const warnings = [...new Set(runs.flatMap((run, at) => listEngineWarnings(run, `engines[${at}]`)))];
  return { ok: true, result, warnings };
}

/**
 * Reads what the sources of the answers need of the network, in the time that the price allows. Nothing is read for a panel that
 * will not be delivered.
 */
export async function collectPanelCitations(
  { input, runs }: Omit<PanelRecording, 'citations'>,
  tools: Pick<CapabilityTools, 'guardedFetch' | 'atTarget' | 'clockMs' | 'bareTargets'>,
): Promise<CitationEvidence> {
  if (!isPanelSold(input, runs.filter((run) => !isMeasured(run)).length, runs.length)) return { resolutions: [] };
  const spentMs = Math.max(...runs.map(({ endedAtMs }) => endedAtMs)) - tools.clockMs;
  const about = { rivals: input.competitors ?? [], seed: joinRunIds(runs), url: input.site };
  return collectCitationEvidence(listCitedAnswers(runs), about, tools, PANEL_WORST_CASE_S * 1000 - spentMs);
}

const joinRunIds = (runs: readonly CollectedRun[]): string => runs.map(({ runId }) => runId).join(' ');

/** The real answers of the engines that were measured. */
const listCitedAnswers = (runs: readonly CollectedRun[]): readonly CitedAnswer[] =>
  runs.filter(isMeasured).flatMap((run) =>
    selectValidAnswers(run).map(({ index, text, citations, sources }) => ({
      index,
      text,
      ...(citations === undefined ? {} : { citations }),
      ...(sources === undefined ? {} : { sources }),
    })),
  );

const describeEngine = async (run: CollectedRun) => ({
  name: getEngineName(run),
  kind: run.engine.kind,
  model: run.engine.model,
  served_models: listServedModels(run),
  web_search: run.engine.webSearch ?? false,
  country: run.engine.country ?? null,
  simulated: isDemonstration(run.engine),
  run_id: run.runId,
  valid: selectValidAnswers(run).length,
  transcripts_sha256: await computeTranscriptsSha256(run),
});

function describeStatus(run: CollectedRun, reports: ReadonlyMap<string, object>): object {
  const report = reports.get(getEngineName(run));
  return report === undefined
    ? { status: 'unavailable', detail: describeIncomplete(run) }
    : { status: 'measured', degraded: classifyRun(run.answers) === 'degraded', ...report };
}

const describePrompt = ({ index, id, intent, text }: Prompt, runs: readonly CollectedRun[]) => ({
  index,
  id,
  intent,
  prompt: text,
  answers: runs.flatMap((run): readonly object[] => {
    const answer = run.answers[index];
    if (answer === undefined) return [];
    const engine = getEngineName(run);
    if (answer.status === 'failed') return [{ engine, status: answer.status, reason: answer.reason }];
    return [
      {
        engine,
        status: answer.status,
        ...(answer.status === 'refused' ? { refusal: answer.refusal } : {}),
        served_model: answer.servedModel ?? null,
        finish_reason: answer.finishReason,
        sha256: answer.sha256,
      },
    ];
  }),
});
