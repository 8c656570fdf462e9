import type { CapabilityTools, WorkOutcome } from '../../capabilities/capability.ts';
import type { PanelName } from '../../capabilities/capability-name.ts';
import { findPanel } from '../../capabilities/panels.ts';
import { createVisibilityWork } from '../../capabilities/visibility-work.ts';
import { createTypedFetch } from '../audit/local-fetch.ts';
import { createLocalTools } from '../audit/local-run.ts';
import type { AskedEngine } from '../audit/typed-engine.ts';
import { createProgressBar } from '../core/terminal.ts';
import { createMeasure } from './ask-engines.ts';
import type { TypedMeasurement } from './typed-measurement.ts';

/** `site`: what a panel reads of the brand's own pages. */
type Wanted = { input: TypedMeasurement; engines: readonly AskedEngine[]; site?: string | undefined };
type Measured = { capability: string; outcome: WorkOutcome };
type Values = { quiet?: boolean | undefined };

/** Measures a brand with engines that answer: one, or a panel of them. */
export const measureAsked = (wanted: Wanted, values: Values): Promise<Measured> =>
  wanted.engines.length > 1 ? measurePanel(wanted, values) : measureOne(wanted, values);

async function measureOne({ input, engines }: Wanted, values: Values): Promise<Measured> {
  const capability = input.competitor_brand === undefined ? 'visibility_check' : 'visibility_vs_competitor';
  const outcome = await withProgress(values, async (tools) =>
    createVisibilityWork(capability)(input, { ...tools, measure: createMeasure(engines) }),
  );
  return { capability, outcome };
}

/** As the service measures a panel. An engine that fails in the middle is named in the result, which is not lost for it. */
async function measurePanel({ input, engines, site }: Wanted, values: Values): Promise<Measured> {
  const { competitor_brand: competitor, ...about } = input;
  const capability: PanelName = engines.length > 2 ? 'visibility_panel_4' : 'visibility_panel_2';
  const body = {
    ...about,
    allow_partial: true,
    ...(competitor === undefined ? {} : { competitors: [competitor] }),
    ...(site === undefined ? {} : { site }),
  };
  const row = findPanel(capability);
  if (row === undefined) throw new Error(`${capability} is no panel`);
  const outcome = await withProgress(values, (tools) =>
    row.run(body, {
      ...tools,
      // Engines name the pages that are read: none of them is an address that a person typed.
      guardedFetch: (_url, limits = {}) => createTypedFetch(site === undefined ? [] : [site], limits),
      measure: createMeasure(engines),
    }),
  );
  return { capability, outcome };
}

async function withProgress(
  { quiet }: Values,
  work: (tools: CapabilityTools) => Promise<WorkOutcome>,
): Promise<WorkOutcome> {
  const bar = createProgressBar(quiet === true ? { write: () => true } : process.stderr);
  try {
    return await work(await createLocalTools(bar.step));
  } finally {
    bar.end();
  }
}
