import { findCapability } from '../../capabilities/catalog.ts';
import { creditPacks } from '../../capabilities/credit-packs.ts';
import { type CommandFailure, refuseUsage } from '../core/failure.ts';
import { type OutputValues, refuseUnwritableFile } from '../core/output.ts';
import { selectFormat } from './formats.ts';
import { refusePdf } from './pdf.ts';

/** Formats that list checks: of what has none, such a document would be empty. */
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
  const mayHaveChecks = shape === undefined || (capability !== COMPARISON && ('checks' in shape || 'scores' in shape));
  return mayHaveChecks ? undefined : refuseWithoutChecks(describeResult(capability), values);
}

const COMPARISON = 'compare';
const describeResult = (capability: string): string => {
  if (capability === COMPARISON) return 'A comparison';
  return isMeasurement(capability) ? 'A measurement' : `The result of ${capability}`;
};
const isMeasurement = (capability: string): boolean =>
  capability === 'visibility_check' || capability === 'visibility_vs_competitor';

/** Why a result without checks has no document in the wanted format; undefined where it has one. */
export const refuseWithoutChecks = (what: string, values: OutputValues): CommandFailure | undefined => {
  const { name } = selectFormat(values);
  return OF_CHECKS.has(name)
    ? refuseUsage(`${what} has no checks to write as ${name}.`, 'Name another format, such as md, html or json.')
    : undefined;
};

/** With --out the files are the result, and what is printed is their list: no report is made that another format could show. */
export function refuseFolderFormat(values: OutputValues & { out?: string | undefined }): CommandFailure | undefined {
  const { name } = selectFormat(values);
  return values.out === undefined || name === 'text' || name === 'json'
    ? undefined
    : refuseUsage(
        `--out writes files and prints their list as text or json, not as ${name}.`,
        'Leave out --out, or --format.',
      );
}
