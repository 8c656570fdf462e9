import { computeCurrentRubric } from '../../audit/core/report.ts';
import { presentPanel } from '../../capabilities/panel-presenter.ts';
import { isPanelRecording, parsePanelRecording } from '../../capabilities/panel-recording.ts';
import { parseRecording } from '../../capabilities/recording.ts';
import { presenters } from '../../capabilities/site-work.ts';
import { presentVisibility } from '../../capabilities/visibility-presenters.ts';
import { isVisibilityRecording, parseVisibilityRecording } from '../../capabilities/visibility-recording.ts';
import { formatJcs } from '../../lib/jcs.ts';
import { isSameRubric } from '../../monitors/facts/site-facts.ts';
import { selectHashedMembers } from '../../statements/result-statement.ts';
import { createLocalTools } from '../audit/local-run.ts';

/** `unable`: this program cannot make the result again, which says nothing about the report. */
export type Replay = { kind: 'same' } | { kind: 'other'; detail: string } | { kind: 'unable'; detail: string };

/** What only the order says, and no snapshot. */
const OF_ORDER: readonly string[] = ['capability', 'url', 'report_id', 'brand', 'niche'];

/** Makes the result of a snapshot again and compares it with a report. */
export async function replayResult(snapshot: string, report: Readonly<Record<string, unknown>>): Promise<Replay> {
  const made = await makeResult(snapshot);
  if (made.kind !== 'made') return made;
  const again = JSON.parse(JSON.stringify(made.result)) as Record<string, unknown>;
  const signed = selectHashedMembers(report);
  const names = [...new Set([...Object.keys(again), ...Object.keys(signed)])];
  const other = names.filter(
    (name) =>
      !(OF_ORDER.includes(name) && !(name in again)) &&
      formatJcs(again[name] ?? null) !== formatJcs(signed[name] ?? null),
  );
  if (other.length === 0) return { kind: 'same' };
  return {
    kind: 'other',
    detail: `This version makes another result of the snapshot: ${other.join(', ')}. The version of the day of the report may not.`,
  };
}

type Made = { kind: 'made'; result: object } | (Replay & { kind: 'unable' });

const explainUnable = (detail: string): Made => ({ kind: 'unable', detail });

async function makeResult(text: string): Promise<Made> {
  const json = parseObject(text);
  if (json === undefined) return explainUnable('The snapshot is no JSON object.');
  if (isPanelRecording(json)) {
    const read = await parsePanelRecording(json);
    return read.ok ? toMade(await presentPanel(read.recording)) : explainUnable(read.detail);
  }
  if (isVisibilityRecording(json)) {
    const read = await parseVisibilityRecording(json);
    return read.ok ? toMade(await presentVisibility(read.recording)) : explainUnable(read.detail);
  }
  return makeSiteResult(text);
}

async function makeSiteResult(text: string): Promise<Made> {
  const read = parseRecording(text);
  if (!read.ok) return explainUnable(read.detail);
  const { recording } = read;
  const present = await computeCurrentRubric();
  if (!isSameRubric(recording.rubric, present))
    return explainUnable(
      `The report was judged by rubric ${recording.rubric.version}, and this program has ${present.version}.`,
    );
  const presenter = Object.hasOwn(presenters, recording.capability)
    ? presenters[recording.capability as keyof typeof presenters]
    : undefined;
  if (presenter === undefined) return explainUnable(`${recording.capability} is not made from a snapshot of sites.`);
  return toMade(await presenter(recording, await createLocalTools()));
}

type Presented = { ok: true; result: object; warnings: readonly string[] } | { ok: false; detail: string };

const toMade = (outcome: Presented): Made =>
  outcome.ok
    ? { kind: 'made', result: { ...outcome.result, warnings: outcome.warnings } }
    : explainUnable(`Nothing can be made from the snapshot: ${outcome.detail}`);

function parseObject(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? json : undefined;
  } catch {
    return undefined;
  }
}
