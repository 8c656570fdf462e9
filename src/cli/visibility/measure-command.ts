import { writeFileSync } from 'node:fs';
import type { AnyRecording } from '../../capabilities/recording.ts';
import type { WorkOutcome } from '../../capabilities/capability.ts';
import { loadAskedPrompts, requirePromptChoice } from '../../capabilities/visibility-questions.ts';
import type { StoredRuns } from '../../capabilities/visibility-recording.ts';
import { sum } from '../../lib/numbers.ts';
import { describeRunEngine } from '../../visibility/run/measure.ts';
import { readMeasuredBrand } from '../../visibility/trend/measured-run.ts';
import { buildMeasuredFixes, type FixFilling, readFixFilling } from '../audit/fix-filling.ts';
import { createLocalTools } from '../audit/local-run.ts';
import { refuseOutput } from '../audit/output-check.ts';
import { loadStoredRuns, printMeasurement, refuseAnswerOptions } from '../audit/print-measurement.ts';
import { replaceSettingNames } from '../audit/typed-engine.ts';
import { type GivenWords, parseCommand } from '../commands/parse.ts';
import type { CommandTable } from '../commands/table.ts';
import { findConfigFile, type FoundConfig, readConfig } from '../config/read-config.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseCommand } from '../core/failure.ts';
import {
  createHints,
  listNamedFiles,
  refuseReplacing,
  refuseUnwritable,
  refuseUnwritableFile,
} from '../core/output.ts';
import { EXIT } from '../core/usage.ts';
import {
  type BaselineChange,
  compareWithBaseline,
  formatBaselineChange,
  judgeBaselineChange,
  readMeasuredBaseline,
} from '../history/baseline.ts';
import { type MeasuredFile, readMeasuredRates } from '../history/measured-file.ts';
import { checkEngines, describeEngineHint } from './ask-engines.ts';
import { type AskedEngines, selectAskedEngines } from './asked-engines.ts';
import { measureAsked } from './measure-asked.ts';
import { listMeasuredNames, readTypedMeasurement, type TypedMeasurement } from './typed-measurement.ts';

type Values = GivenWords<CommandTable['visibility']['options']>['values'];

/**
 * `sightline visibility --brand A --niche B [--competitor C]`: measures from this machine, with the prompts, the
 * analysis and the retries of the paid capabilities: one engine, or a panel of those of the configuration. Keys of
 * engines come from the environment alone: arguments can be read by every process.
 */
export async function runVisibilityCommand(args: readonly string[]): Promise<CommandEnd> {
  const given = parseCommand('visibility', args);
  if (isFailure(given)) return given;
  const { values } = given;
  const input = await readTypedMeasurement(values);
  if (isFailure(input)) return input;
  const found = readConfig(values, process.cwd());
  // All that can be refused is, before an engine is asked, which may cost money.
  const refused = await refuseOutputs(values);
  if (refused !== undefined) return refused;
  const asked = selectAskedEngines(values, found, process.env);
  if (isFailure(asked)) return asked;
  const filling = readFixFilling({ ...values, isPanel: asked.engines.length > 1 });
  if (isFailure(filling)) return filling;
  const { prompts, promptSet } = await loadAskedPrompts(
    input.niche,
    await requirePromptChoice(input, listMeasuredNames(input)),
  );
  const { baseline: named } = values;
  const engines = asked.engines.map(describeRunEngine);
  const baseline =
    named === undefined ? undefined : await readMeasuredBaseline(named, { ...input, promptSet, engines });
  if (isFailure(baseline)) return baseline;
  announceCost(asked, found, values);
  const checked = await checkEngines(asked, prompts);
  if (isFailure(checked)) return checked;
  const { capability, outcome } = await measureAsked({ input, engines: checked, site: filling.url }, values);
  if (!outcome.ok)
    return refuseCommand(
      outcome.reason,
      `The measurement is not complete: ${replaceSettingNames(outcome.detail, values, process.env)}`,
      EXIT.unreachable,
      describeEngineHint(asked),
    );
  return print({ capability, input, outcome, baseline, filling }, values);
}

const refuseOutputs = async (values: Values): Promise<CommandFailure | undefined> =>
  refuseAnswerOptions(values) ??
  refuseReplacedFiles(values) ??
  (await refuseOutput('visibility_check', values)) ??
  (values.snapshot === undefined ? undefined : refuseUnwritableFile(values.snapshot));

/** What the configuration says that the engines take, where it says so of any. */
function announceCost(
  { engines }: AskedEngines,
  found: FoundConfig | undefined | CommandFailure,
  values: Values,
): void {
  const usd = sum(engines.map(({ usdPerRun = 0 }) => usdPerRun));
  if (usd === 0 || found === undefined || isFailure(found)) return;
  const names = engines.map(({ name, kind }) => name ?? kind).join(', ');
  createHints(values)(`Asking ${names}: about ${usd.toFixed(2)} USD for 30 questions, as ${found.file} says.`);
}

type Printed = {
  capability: string;
  input: TypedMeasurement;
  outcome: WorkOutcome & { ok: true };
  baseline: MeasuredFile | undefined;
  filling: FixFilling;
};

async function print({ capability, input, outcome, baseline, filling }: Printed, values: Values): Promise<CommandEnd> {
  const { measurement } = outcome;
  const fixes =
    values.fixes === true
      ? await buildMeasuredFixes(input, outcome.result, filling, await createLocalTools())
      : undefined;
  const runs = measurement && (await loadStoredRuns(measurement));
  const change = baseline && runs && compareNow(baseline, input, { result: outcome.result, runs });
  const compared = change === undefined || isFailure(change) ? {} : { change };
  const warnings = [...outcome.warnings, ...(fixes?.warnings ?? [])];
  const result = { capability, ...outcome.result, ...fixes?.members, ...compared, warnings };
  const below = change === undefined || isFailure(change) ? [] : formatBaselineChange(change);
  // First: a file that cannot be written must not cost the answers.
  const printed = await printMeasurement(result, values, { runs, below });
  if (isFailure(printed)) return printed;
  const saved = values.snapshot === undefined ? printed : keep(values.snapshot, measurement);
  if (isFailure(saved) || change === undefined) return saved;
  return isFailure(change) ? change : (judgeBaselineChange(change) ?? saved);
}

function compareNow(
  baseline: MeasuredFile,
  { brand, niche, competitor_brand: competitor }: TypedMeasurement,
  { result, runs }: { result: Record<string, unknown>; runs: StoredRuns },
): BaselineChange | CommandFailure | undefined {
  const others = competitor === undefined ? [] : [competitor];
  const now = readMeasuredBrand({ brand, niche, others }, runs);
  return now && compareWithBaseline(baseline, now, readMeasuredRates(result));
}

/** Files that no option names; those of options are seen where options are read. */
const refuseReplacedFiles = (values: Values): CommandFailure | undefined =>
  refuseReplacing({
    read: listNamedFiles({
      ANSWER_ENGINE_FILE: process.env['ANSWER_ENGINE_FILE'],
      'the configuration': findConfigFile(values, process.cwd()),
    }),
    written: listNamedFiles({ '--output': values.output, '--snapshot': values.snapshot }),
  });

function keep(file: string, measurement: AnyRecording | undefined): CommandEnd {
  try {
    writeFileSync(file, JSON.stringify(measurement));
    return EXIT.done;
  } catch (error) {
    return refuseUnwritable(file, error);
  }
}
