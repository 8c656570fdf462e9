import { scoreNames } from '../../audit/core/check.ts';
import { auditResult } from '../../capabilities/results.ts';
import { parseRecording } from '../../capabilities/recording.ts';
import { presenters } from '../../capabilities/site-work.ts';
import { escapeControlsIn } from '../../lib/safe-text.ts';
import { ASSETS } from '../design/shell.tsx';
import type * as z from 'zod';

/** The recording of an audit of the good demo site, as `scripts/web/record-example.ts` wrote it. Readers may replay it too. */
export const EXAMPLE_RECORDING_PATH = `${ASSETS}/example.json`;

/** Where the example is shown as a whole report. */
export const EXAMPLE_PATH = '/example';

/** The name that the demo site has in its recording. */
export const EXAMPLE_SITE = 'lanternbay.example.com';

const fullAudit = auditResult(scoreNames);

/** The example: a result as a buyer gets it, and when its site was read. */
export type ExampleReport = { result: z.infer<typeof fullAudit>; recordedAtMs: number };

const refuseRewriter = (): never => {
  throw new Error('an audit patches no page');
};

/**
 * Judges the recorded answers by the present checks: what the page shows is what this version of the service says of the site.
 * @throws Error when the recording is not one of an audit: it is our own file, and a test reads it
 */
export async function replayExample(text: string): Promise<ExampleReport> {
  const read = parseRecording(text);
  if (!read.ok) throw new Error(`the recording of the example: ${read.detail}`);
  const { recording } = read;
  const outcome = await presenters.full_audit(recording, { newRewriter: refuseRewriter });
  if (!outcome.ok) throw new Error(`the audit of the example: ${outcome.detail}`);
  const result = fullAudit.parse(
    escapeControlsIn({
      capability: recording.capability,
      url: recording.input.url,
      ...outcome.result,
      warnings: outcome.warnings,
    }),
  );
  return { result, recordedAtMs: recording.snapshots[0]?.clockMs ?? 0 };
}
