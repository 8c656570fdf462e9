import { printToPdf } from '../../report/pdf.ts';
import type { CommandFailure } from '../core/failure.ts';
import { createLocalBrowser, findChromium, HOW_TO_INSTALL } from '../core/local-browser.ts';
import type { OutputValues } from '../core/output.ts';
import { EXIT } from '../core/usage.ts';

/** Why no PDF can come of a command, asked before its work and its costs; undefined where one can, or none is wanted. */
export async function refusePdf(
  { format, output }: OutputValues,
  { isTTY = false }: { isTTY?: boolean } = process.stdout,
  env: NodeJS.ProcessEnv = process.env,
): Promise<CommandFailure | undefined> {
  if (format !== 'pdf') return undefined;
  if (output === undefined && isTTY)
    return {
      reason: 'usage',
      message: 'A PDF is not shown on a terminal.',
      next: 'Name a file: --output report.pdf',
      exit: EXIT.usage,
    };
  return (await findChromium(env)) === undefined ? refuseWithoutBrowser('there is none here') : undefined;
}

const refuseWithoutBrowser = (why: string): CommandFailure => ({
  reason: 'browser_missing',
  message: `--format pdf needs Chromium, and ${why}.`,
  next: `${HOW_TO_INSTALL} Without it: --format html -o report.html, and print that page in any browser.`,
  exit: EXIT.usage,
});

/** Prints the report, a whole HTML file, with Chromium of this machine, which has no network. */
export async function printLocalPdf(
  page: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Uint8Array | CommandFailure> {
  const body = new TextEncoder().encode(page);
  const printed = await printToPdf(
    async (path) => (path === '/' ? { type: 'text/html; charset=utf-8', body } : undefined),
    createLocalBrowser(env),
  );
  return printed.ok ? printed.pdf : refuseWithoutBrowser(`it failed: ${printed.detail}`);
}
