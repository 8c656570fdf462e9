import { findCapability } from '../../capabilities/catalog.ts';
import { creditPacks } from '../../capabilities/credit-packs.ts';
import { type CommandFailure, refuseUsage } from '../core/failure.ts';
import { type OutputValues, refuseUnwritableFile } from '../core/output.ts';
import { selectFormat } from './formats.ts';
import { refusePdf } from './pdf.ts';

/** Formats that list checks. */
const OF_CHECKS: ReadonlySet<string> = new Set(['sarif', 'junit']);
/** Formats that take any JSON. */
const OF_ANYTHING: ReadonlySet<string> = new Set(['text', 'json']);

/** Why a result cannot be written as wanted, asked before its work and its costs; undefined where it can. */
export async function refuseOutput(capability: string, values: OutputValues): Promise<CommandFailure | undefined> {
  const unwritable = values.output === undefined ? undefined : refuseUnwritableFile(values.output);
  return refuseFormat(capability, values) ?? (await refusePdf(values)) ?? unwritable;
}

/** A format that the result of this capability does not have. What this build does not know may have any. */
function refuseFormat(capability: string, values: OutputValues): CommandFailure | undefined {
  const { name } = selectFormat(values);
  if (creditPacks.some((pack) => pack.name === capability)) {
    return OF_ANYTHING.has(name)
      ? undefined
      : refuseUsage(`Credits are no report to write as ${name}.`, 'Leave out --format, or take --format json.');
  }
  const shape = findCapability(capability)?.result.shape;
  if (!OF_CHECKS.has(name) || shape === undefined || 'checks' in shape || 'scores' in shape) return undefined;
  return refuseUsage(
    `The result of ${capability} has no checks to write as ${name}.`,
    'Take another format: text, json, md, html or pdf.',
  );
}
