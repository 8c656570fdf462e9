import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CapabilityTools, ProgressStep } from '../../capabilities/capability.ts';
import { sum } from '../../lib/numbers.ts';
import { engineFailureWords } from '../../models/failure-words-data.ts';
import { isDemonstration } from '../../models/port.ts';
import { measureHere } from '../../visibility/run/measure.ts';
import { askFirstPrompt } from '../../visibility/run/preflight.ts';
import type { Prompt } from '../../visibility/run/prompts.ts';
import type { RunProgress } from '../../visibility/run/run.ts';
import type { AskedEngine } from '../audit/typed-engine.ts';
import { type CommandFailure, isFailure, refuseCommand } from '../core/failure.ts';
import { formatSafeLine } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';
import type { AskedEngines } from './asked-engines.ts';

const CALL_MS = 45_000;
const RUN_MS = 600_000;
const RUN_ID_BYTES = 16;

/** What to do about an engine that does not answer. */
export const describeEngineHint = ({ engines }: Pick<AskedEngines, 'engines'>): string =>
  engines.length > 1
    ? 'Check its address, model and key, or leave it out with --engines, then run it again.'
    : 'Check the address, the model and ANSWER_ENGINE_KEY of the engine, then run it again.';

/** The engines, once each has answered the first prompt: 30 prompts and their retries would take most of a minute to fail. */
export async function checkEngines(
  asked: AskedEngines,
  prompts: readonly Prompt[],
): Promise<readonly AskedEngine[] | CommandFailure> {
  const checked = await Promise.all(asked.engines.map((engine) => checkEngine(engine, prompts, asked)));
  const engines: AskedEngine[] = [];
  for (const one of checked) {
    if (isFailure(one)) return one;
    engines.push(one);
  }
  return engines;
}

async function checkEngine(
  engine: AskedEngine,
  prompts: readonly Prompt[],
  asked: AskedEngines,
): Promise<AskedEngine | CommandFailure> {
  if (isDemonstration(engine)) return engine;
  const checked = await askFirstPrompt(engine, prompts, { callMs: CALL_MS, sleep });
  if (checked.ok) return { ...engine, ...checked.engine };
  const { reason, detail } = checked.failure;
  const { url } = asked.settings ?? {};
  const where = url !== undefined && URL.canParse(url) ? ` at ${new URL(url).origin}` : '';
  const which = asked.engines.length > 1 ? ` ${formatSafeLine(engine.name ?? engine.kind)}` : '';
  return refuseCommand(
    'measurement_incomplete',
    `The engine${which}${where} did not answer the first prompt: ${engineFailureWords[reason].what} (${reason}: ${detail}). The other ${prompts.length - 1} were not asked.`,
    EXIT.unreachable,
    describeEngineHint(asked),
  );
}

/** Has prompts answered by all engines at the same time: a run for each, in their order. */
export const createMeasure =
  (engines: readonly AskedEngine[]): NonNullable<CapabilityTools['measure']> =>
  (asked, onProgress) => {
    const steps = engines.map((): Counted => ({ done: 0, total: asked.prompts.length, failed: 0 }));
    return Promise.all(
      engines.map((engine, at) =>
        measureHere(asked, {
          engine,
          runId: randomBytes(RUN_ID_BYTES).toString('hex'),
          runMs: RUN_MS,
          callMs: CALL_MS,
          now: Date.now,
          random: Math.random,
          sleep,
          log: () => {},
          onProgress: (step) => {
            steps[at] = step;
            onProgress(joinSteps(steps));
          },
        }),
      ),
    );
  };

type Counted = Pick<RunProgress, 'done' | 'failed' | 'total'>;

function joinSteps(steps: readonly Counted[]): ProgressStep {
  const total = sum(steps.map((step) => step.total));
  return {
    done: sum(steps.map((step) => step.done)),
    failed: sum(steps.map((step) => step.failed)),
    total,
    label: `of ${total} prompts`,
  };
}
