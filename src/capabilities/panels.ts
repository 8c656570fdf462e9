import type { AnyCapability, CapabilityTools, WorkOutcome } from './capability.ts';
import type { SoldRow } from './credit-packs.ts';
import { isPanelSold, PANEL_WORST_CASE_S, panelBody, refusePanel } from './panel-bodies.ts';
import type { PanelName } from './capability-name.ts';
import { panelResult } from './panel-results.ts';
import type { PanelRecording } from './panel-recording.ts';
import { loadOnce } from '../lib/concurrency.ts';
import { loadAskedPrompts, type QuestionFields, requirePromptChoice } from './visibility-questions.ts';

/** A measurement by several engines at a fixed price. */
export type Panel = SoldRow & { name: PanelName; engineCount: number };

const definePanel = (name: PanelName, engineCount: number, priceMicroUsdc: number): Panel => ({
  name,
  engineCount,
  priceMicroUsdc,
  summary: `Brand visibility in ${engineCount} AI engines at once: each by itself, pooled, and where they differ`,
  body: panelBody,
  result: panelResult,
  worstCaseS: PANEL_WORST_CASE_S,
  engineBacked: true,
  refuse: refusePanel as AnyCapability['refuse'] & object, // It is called with the output of this row's `body`.
  isSoldWithout: (input, missing) => isPanelSold(input, missing, engineCount),
  run: (input, tools): Promise<WorkOutcome> => runPanel(name, input as PanelInput, tools),
});

/** The panels, sold at `POST /api/panels/<name>`. They are no rows of the catalogue, which has 19. */
export const panels: readonly Panel[] = [
  definePanel('visibility_panel_2', 2, 3_500_000),
  definePanel('visibility_panel_4', 4, 6_500_000),
];

/** The path of a panel, e.g. `/api/panels/visibility_panel_2`. */
export const formatPanelPath = ({ name }: Pick<Panel, 'name'>): string => `/api/panels/${name}`;

/** The panel of a route segment; undefined for every other text. */
export const findPanel = (name: string): Panel | undefined => panels.find((one) => one.name === name);

// Its word lists take longer to lay out than an audit's Worker should take to start.
const loadPresenter = loadOnce(() => import('./panel-presenter.ts'));

type PanelInput = {
  brand: string;
  niche: string;
  competitors?: readonly string[] | undefined;
  site?: string | undefined;
  allow_partial?: boolean | undefined;
} & QuestionFields;

/** Has the prompts answered by each engine of the order and presents what was collected. */
async function runPanel(
  capability: PanelName,
  { brand, niche, competitors, site, allow_partial: partial, ...fields }: PanelInput,
  tools: CapabilityTools,
): Promise<WorkOutcome> {
  if (!tools.measure) throw new Error(`${capability} was run without answer engines`); // Reported before the payment.
  const questions = await requirePromptChoice(fields, [brand, ...(competitors ?? [])]);
  const runs = await tools.measure(await loadAskedPrompts(niche, questions), (step) => tools.onProgress?.(step));
  const { collectPanelCitations, presentPanel } = await loadPresenter();
  const recorded = {
    panel: 1,
    capability,
    input: {
      brand,
      niche,
      ...(competitors === undefined ? {} : { competitors }),
      ...(site === undefined ? {} : { site }),
      ...(partial === undefined ? {} : { allow_partial: partial }),
      questions,
    },
    runs,
  } as const;
  const measurement: PanelRecording = { ...recorded, citations: await collectPanelCitations(recorded, tools) };
  const outcome = await presentPanel(measurement);
  return outcome.ok ? { ...outcome, measurement } : outcome;
}
