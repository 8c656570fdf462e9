import { analyseBrand, analyseVersus } from '../visibility/metrics/analyse.ts';
import { type CollectedRun, type RunAnswer, computeMinValid, classifyRun } from '../visibility/run/run.ts';
import { engineFailureWords } from '../models/failure-words-data.ts';
import { demonstrationWarnings, type FailureReason, isDemonstration } from '../models/port.ts';
import type { Prompt } from '../visibility/run/prompts.ts';
import { selectValidAnswers } from '../visibility/metrics/readings.ts';
import type { WorkOutcome } from './capability.ts';
import { computeTranscriptsSha256, loadRecordedPrompts, type VisibilityRecording } from './visibility-recording.ts';

/**
 * The result of a measurement from what was recorded. Pure: the same recording gives the same bytes. With fewer than
 * 24 answers there is none.
 */
export async function presentVisibility(recording: VisibilityRecording): Promise<WorkOutcome> {
  const { input, run } = recording;
  const standing = classifyRun(run.answers);
  const valid = selectValidAnswers(run).length;
  if (standing === 'incomplete')
    return { ok: false, reason: 'measurement_incomplete', detail: describeIncomplete(run) };
  const prompts = await loadRecordedPrompts(recording);
  const { brand, competitor_brand: competitor } = input;
  const report =
    competitor === undefined ? analyseBrand(run, brand, prompts) : analyseVersus(run, brand, competitor, prompts);
  const result = {
    brand,
    ...(competitor === undefined ? {} : { competitor_brand: competitor }),
    niche: input.niche,
    run_id: run.runId,
    ...report,
    degraded: standing === 'degraded',
    engine: describeEngine(run),
    prompts: {
      set: run.promptSet.id,
      sha256: run.promptSet.sha256,
      total: prompts.length,
      valid,
      asked: listAskedPrompts(run, prompts),
    },
    transcripts_sha256: await computeTranscriptsSha256(run),
  };
  return { ok: true, result, warnings: listEngineWarnings(run) };
}

type FailedPrompt = Extract<RunAnswer, { status: 'failed' }>;
const isFailed = (one: RunAnswer): one is FailedPrompt => one.status === 'failed';

/** Texts that are no answers. */
export const countRefused = ({ answers }: CollectedRun): number =>
  answers.filter(({ status }) => status === 'refused').length;

/** Why a run measured nothing: how many real answers there are, what became of the others, and what can be done. */
export function describeIncomplete(run: CollectedRun): string {
  const { answers } = run;
  const valid = selectValidAnswers(run).length;
  const counts = [describeRefusals(run), describeFailures(run)].filter((one) => one !== '').join(', ');
  return `${valid} of ${answers.length} prompts were answered, and ${computeMinValid(answers.length)} are needed (${counts}).${describeAdvice(run)}`;
}

/** `no real answer 6`, or nothing: `refused 6` is a failure of the engine's interface. */
function describeRefusals(run: CollectedRun): string {
  const refused = countRefused(run);
  return refused === 0 ? '' : `no real answer ${refused}`;
}

/** Why the other prompts have no answer, the commonest reason first. */
function listFailures({ answers }: CollectedRun): readonly (readonly [FailureReason, number])[] {
  const counts = new Map<FailureReason, number>();
  for (const one of answers) if (isFailed(one)) counts.set(one.reason, (counts.get(one.reason) ?? 0) + 1);
  return [...counts].toSorted(([a, one], [b, other]) => other - one || a.localeCompare(b));
}

/** `unavailable 5, timeout 2`. */
const describeFailures = (run: CollectedRun): string =>
  listFailures(run)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ');

/** What the commonest failure is, and what can be done about it. */
function describeAdvice(run: CollectedRun): string {
  const [first] = listFailures(run);
  const refused = countRefused(run);
  if (refused > 0 && refused >= (first === undefined || first[0] === 'stopped' ? 0 : first[1]))
    return ` The engine refused to answer ${refused} of them, or wrote something that is no answer. Describe the market in other words, or ask an engine that answers such questions.`;
  if (first === undefined) return '';
  const [reason, count] = first;
  const { what, next } = engineFailureWords[reason];
  return ` For ${count} of them ${what}. ${next}`;
}

export const listServedModels = (run: CollectedRun): readonly string[] =>
  [...new Set(selectValidAnswers(run).flatMap(({ servedModel }) => servedModel ?? []))].toSorted();

const describeEngine = (run: CollectedRun) => ({
  kind: run.engine.kind,
  model: run.engine.model,
  served_models: listServedModels(run),
  simulated: isDemonstration(run.engine),
});

const listAskedPrompts = ({ answers }: CollectedRun, prompts: readonly Prompt[]) =>
  answers.map((one, at) => ({
    index: one.index,
    id: prompts[at]?.id ?? '',
    intent: prompts[at]?.intent ?? '',
    prompt: prompts[at]?.text ?? '',
    ...(isFailed(one)
      ? { status: one.status, reason: one.reason }
      : {
          status: one.status,
          ...(one.status === 'refused' ? { refusal: one.refusal } : {}),
          served_model: one.servedModel ?? null,
          finish_reason: one.finishReason,
          sha256: one.sha256,
        }),
  }));

/** What is wrong with the engine. The notes say what is wrong with the answers. @param place where the result has the engine */
export function listEngineWarnings(run: CollectedRun, place = 'engine'): readonly string[] {
  const models = listServedModels(run).length;
  return [
    ...(run.engine.kind === 'simulated' || run.engine.kind === 'recorded'
      ? [demonstrationWarnings[run.engine.kind]]
      : []),
    ...(models > 1 ? [`the answers came from ${models} different models: see ${place}.served_models`] : []),
  ];
}
