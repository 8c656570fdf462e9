import { scoreNames } from '../../audit/core/check.ts';
import { parseRecording, type Recording } from '../../capabilities/recording.ts';
import { presenters, type PresentTools } from '../../capabilities/site-work.ts';

/** Capabilities whose snapshot holds what scores need. */
const WITH_ALL_SCORES: ReadonlySet<string> = new Set(['full_audit', 'fix_pack', 'full_report']);

/** `report`: the result as the row of the catalogue would make it today, with its address. */
export type JudgedSnapshot =
  | { ok: true; report: Readonly<Record<string, unknown>>; recording: Recording }
  | { ok: false; detail: string };

/**
 * The report of a snapshot by the rubric of this build, whatever rubric judged it first. Checks whose requests the snapshot lacks
 * are unknown.
 */
export async function judgeSnapshotAgain(text: string, tools: PresentTools): Promise<JudgedSnapshot> {
  const read = parseRecording(text);
  if (!read.ok) return { ok: false, detail: `The snapshot cannot be read: ${read.detail}` };
  const { recording } = read;
  const judgeAgain = selectPresenter(recording);
  if (!judgeAgain) return { ok: false, detail: `It is a snapshot of ${recording.capability}, which has no scores.` };
  const outcome = await judgeAgain(recording, tools);
  return outcome.ok
    ? { ok: true, report: { ...outcome.result, url: recording.input.url }, recording }
    : { ok: false, detail: `The snapshot has no scores: ${outcome.detail}` };
}

function selectPresenter({ capability }: Recording) {
  if (WITH_ALL_SCORES.has(capability)) return presenters.full_audit;
  const single = scoreNames.find((name) => capability === `score_${name}`);
  return single === undefined ? undefined : presenters[`score_${single}`];
}
