import type { AnyCapability, WorkOutcome } from './capability.ts';
import type { SoldRow } from './credit-packs.ts';
import { PANEL_WORST_CASE_S, panelBody, refusePanel } from './panel-bodies.ts';
import type { PanelName } from './capability-name.ts';
import { panelResult } from './panel-results.ts';
import { runPanel } from './panel-work.ts';

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
  run: (input, tools): Promise<WorkOutcome> => runPanel(name, input as PanelInput, tools),
});

type PanelInput = Parameters<typeof runPanel>[1];

/** The panels, sold at `POST /api/panels/<name>`. They are no rows of the catalogue, which has 19. */
export const panels: readonly Panel[] = [
  definePanel('visibility_panel_2', 2, 3_500_000),
  definePanel('visibility_panel_4', 4, 6_500_000),
];

/** The path of a panel, e.g. `/api/panels/visibility_panel_2`. */
export const formatPanelPath = ({ name }: Pick<Panel, 'name'>): string => `/api/panels/${name}`;

/** The panel of a route segment; undefined for every other text. */
export const findPanel = (name: string): Panel | undefined => panels.find((one) => one.name === name);
