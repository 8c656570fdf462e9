import * as z from 'zod';
import { MAX_PANEL_ENGINES } from '../models/engine-rows.ts';
import type { PromptChoice } from '../visibility/prompts/prompt-set.ts';
import type { CollectedRun } from '../visibility/run/run.ts';
import { type PanelName, panelNames } from './capability-name.ts';
import { MAX_COMPETITORS, panelBody, refusePanel } from './panel-bodies.ts';
import { dropUndefined } from '../lib/json.ts';
import { type CitationEvidence, citationEvidence } from './citation-evidence.ts';
import { buildRun, findRunFault, promptChoice, recordedRun } from './visibility-recording.ts';

/** Of the form of the recording of a panel. */
const PANEL_VERSION = 1;

const { shape: fields } = panelBody;
const recording = z.object({
  panel: z.literal(PANEL_VERSION),
  capability: z.enum(panelNames),
  input: z.object({
    brand: fields.brand,
    niche: fields.niche,
    competitors: z.array(z.string()).max(MAX_COMPETITORS).optional(),
    site: z.string().optional(),
    allow_partial: z.boolean().optional(),
    questions: promptChoice,
  }),
  runs: z.array(recordedRun).min(1).max(MAX_PANEL_ENGINES),
  citations: citationEvidence,
});

/** What a panel was made from: a run of each engine. Presenting it again gives the same result. */
export type PanelRecording = {
  panel: typeof PANEL_VERSION;
  capability: PanelName;
  input: {
    brand: string;
    niche: string;
    competitors?: readonly string[];
    site?: string;
    allow_partial?: boolean;
    questions: PromptChoice;
  };
  runs: readonly CollectedRun[];
  /** What was read of the network for the sources of the answers. */
  citations: CitationEvidence;
};

/** Whether a recording of any kind is one of a panel. */
export const isPanelRecording = (kept: object): kept is PanelRecording => 'panel' in kept;

export type ParsedPanelRecording = { ok: true; recording: PanelRecording } | { ok: false; detail: string };

/** Reads a recording back: every field is checked, and every answer against its hash, as the file may come from anywhere. */
export async function parsePanelRecording(json: unknown): Promise<ParsedPanelRecording> {
  const parsed = recording.safeParse(json);
  if (!parsed.success) return { ok: false, detail: z.prettifyError(parsed.error).slice(0, 500) };
  const { input, runs, citations, ...head } = parsed.data;
  for (const [at, run] of runs.entries()) {
    const fault = await findRunFault(run, input);
    if (fault !== undefined) return { ok: false, detail: `run ${at}: ${fault}` };
  }
  const [refused] = (await refusePanel(input))?.errors ?? [];
  if (refused) return { ok: false, detail: `${refused.pointer.slice(1)} ${refused.message}` };
  const { competitors, site, allow_partial: partial } = input;
  return {
    ok: true,
    recording: {
      ...head,
      input: {
        brand: input.brand,
        niche: input.niche,
        ...(competitors === undefined ? {} : { competitors }),
        ...(site === undefined ? {} : { site }),
        ...(partial === undefined ? {} : { allow_partial: partial }),
        questions: input.questions,
      },
      runs: runs.map(buildRun),
      citations: dropUndefined(citations) as CitationEvidence, // Statuses and reasons are words of ours, stored as text.
    },
  };
}
