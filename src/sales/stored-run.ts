import { MAX_RECORDING_CHARS } from '../capabilities/recording.ts';
import { isPanelRecording, parsePanelRecording } from '../capabilities/panel-recording.ts';
import { loadAskedPrompts } from '../capabilities/visibility-questions.ts';
import {
  loadRecordedPrompts,
  parseVisibilityRecording,
  type StoredRuns,
} from '../capabilities/visibility-recording.ts';
import type { ReportStore } from './reports/report-store.ts';

/** The answers behind the report of a measurement; undefined where none are stored, or in a form that is not read. */
export async function readStoredRun(
  reports: Pick<ReportStore, 'snapshot'>,
  reportId: string,
): Promise<StoredRuns | undefined> {
  const snapshot = await reports.snapshot(reportId);
  const text = snapshot === undefined ? undefined : await new Response(snapshot).text();
  if (text === undefined || text.length > MAX_RECORDING_CHARS) return undefined;
  const json: unknown = JSON.parse(text);
  if (typeof json === 'object' && json !== null && isPanelRecording(json)) return readPanelRuns(json);
  const read = await parseVisibilityRecording(json);
  return read.ok ? { prompts: await loadRecordedPrompts(read.recording), runs: [read.recording.run] } : undefined;
}

async function readPanelRuns(json: unknown): Promise<StoredRuns | undefined> {
  const read = await parsePanelRecording(json);
  if (!read.ok) return undefined;
  const { input, runs } = read.recording;
  return { prompts: (await loadAskedPrompts(input.niche, input.questions)).prompts, runs };
}
