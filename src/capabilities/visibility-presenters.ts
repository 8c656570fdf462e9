import { analyseBrand, analyseVersus } from '../visibility/metrics/analyse.ts';
import { type CollectedRun, type RunAnswer, MIN_VALID, classifyRun } from '../visibility/run/run.ts';
import { engineFailureWords } from '../models/failure-words-data.ts';
import { demonstrationWarnings, type FailureReason, isDemonstration } from '../models/port.ts';
import { type Prompt, buildPrompts } from '../visibility/run/prompts.ts';
import { selectValidAnswers } from '../visibility/metrics/readings.ts';
import type { WorkOutcome } from './capability.ts';
import { computeTranscriptsSha256, type VisibilityRecording } from './visibility-recording.ts';

/**
 * The result of a measurement from what was recorded. Pure: the same recording gives the same bytes. With fewer than
 * 24 answers there is none.
 */
export async function presentVisibility({ input, run }: VisibilityRecording): Promise<WorkOutcome> {
  const standing = classifyRun(run.answers);
  const valid = selectValidAnswers(run).length;
  if (standing === 'incomplete') {
    const detail = `${valid} of ${run.answers.length} prompts were answered, and ${MIN_VALID} are needed (${describeFailures(run)}).${describeAdvice(run)}`;
    return { ok: false, reason: 'measurement_incomplete', detail };
  }
  const prompts = buildPrompts(input.niche);
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

type AnsweredPrompt = Extract<RunAnswer, { status: 'answered' }>;
const isAnswered = (one: RunAnswer): one is AnsweredPrompt => one.status === 'answered';

/** Why the other prompts have no answer, the commonest reason first. */
function listFailures({ answers }: CollectedRun): readonly (readonly [FailureReason, number])[] {
  const counts = new Map<FailureReason, number>();
  for (const one of answers) if (!isAnswered(one)) counts.set(one.reason, (counts.get(one.reason) ?? 0) + 1);
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
  if (first === undefined) return '';
  const [reason, count] = first;
  const { what, next } = engineFailureWords[reason];
  return ` For ${count} of them ${what}. ${next}`;
}

const listServedModels = (run: CollectedRun): readonly string[] =>
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
    ...(isAnswered(one)
      ? {
          status: one.status,
          served_model: one.servedModel ?? null,
          finish_reason: one.finishReason,
          sha256: one.sha256,
        }
      : { status: one.status, reason: one.reason }),
  }));

/** What is wrong with the engine. The notes say what is wrong with the answers. */
function listEngineWarnings(run: CollectedRun): readonly string[] {
  const models = listServedModels(run).length;
  return [
    ...(run.engine.kind === 'simulated' || run.engine.kind === 'recorded'
      ? [demonstrationWarnings[run.engine.kind]]
      : []),
    ...(models > 1 ? [`the answers came from ${models} different models: see engine.served_models`] : []),
  ];
}
