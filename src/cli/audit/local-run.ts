import { type WorkOutcome, type CapabilityTools, isAboutSite } from '../../capabilities/capability.ts';
import { catalog } from '../../capabilities/catalog.ts';
import type { Reportable } from '../../report/reportable.ts';
import { suggestWord } from '../commands/suggest.ts';
import { type CommandFailure, refuseCommand, refuseUsage } from '../core/failure.ts';
import { formatSafeLine, createProgressBar } from '../core/terminal.ts';
import { refuseUnreadSite } from '../core/unreachable.ts';
import { EXIT } from '../core/usage.ts';
import { createLocalFetch } from './local-fetch.ts';

/**
 * Tools for doing a capability's work on this machine. Each site has a fetcher of its own that reads private addresses
 * only on the origin typed for it: a public site that points at a private one the user also named gets nothing (rule F1).
 */
export async function createLocalTools(onProgress?: CapabilityTools['onProgress']): Promise<CapabilityTools> {
  const { HTMLRewriter } = await import('htmlrewriter');
  return {
    guardedFetch: (url, limits = {}) => createLocalFetch(url, limits),
    atTarget: (_url, task) => task(),
    clockMs: Date.now(),
    newRewriter: () => new HTMLRewriter(),
    ...(onProgress === undefined ? {} : { onProgress }),
  };
}

/** Characters of what a site does not say, page by page. */
const MAX_DETAIL_CHARS = 2000;

export type LocalResult = Reportable & { capability: string } & Record<string, unknown>;
export type LocalRun =
  | { ok: true; result: LocalResult; outcome: WorkOutcome & { ok: true } }
  | { ok: false; failure: CommandFailure };

/**
 * Does the work of a capability on this machine, free: the same code that the paid route runs, with its body.
 * @param quiet no progress on standard error
 */
export async function runLocally(
  capability: string,
  body: Readonly<Record<string, unknown>>,
  { quiet = false }: { quiet?: boolean | undefined } = {},
): Promise<LocalRun> {
  const row = catalog.find(({ name }) => name === capability);
  if (!row) return { ok: false, failure: refuseUsage(describeUnknownCapability(capability)) };
  if (!isAboutSite(row))
    return {
      ok: false,
      failure: refuseUsage(
        `${capability} is not done on this machine.`,
        capability.startsWith('visibility') ? 'Use sightline visibility, or sightline buy.' : 'Buy it: sightline buy.',
      ),
    };
  const input = row.body.safeParse(body);
  if (!input.success) {
    const [issue] = input.error.issues;
    return {
      ok: false,
      failure: refuseUsage(formatSafeLine(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`)),
    };
  }
  const bar = createProgressBar(quiet ? { write: () => true } : process.stderr);
  const outcome = await row.run(input.data, await createLocalTools(bar.step));
  bar.end();
  const { url, competitor } = input.data as { url: string; competitor?: string }; // Rows without an engine have a url.
  if (!outcome.ok) return { ok: false, failure: refuseWork(outcome, url) };
  const named = { capability, url, ...(competitor === undefined ? {} : { competitor }) };
  return { ok: true, outcome, result: { ...named, ...outcome.result, warnings: outcome.warnings } };
}

/** Of a comparison, the site that could not be read is named, which may be either. */
function refuseWork({ reason, detail, unread }: WorkOutcome & { ok: false }, url: string): CommandFailure {
  if (reason === 'nothing_to_generate')
    return refuseCommand(reason, `${url}: ${formatSafeLine(detail, MAX_DETAIL_CHARS)}`, EXIT.below);
  if (unread === undefined) return refuseCommand(reason, `${url}: ${detail}`, EXIT.unreachable);
  return refuseUnreadSite(unread.url, unread.failure, [`GET ${unread.url}: ${unread.detail}`]);
}

function describeUnknownCapability(capability: string): string {
  const names = catalog.filter((row) => isAboutSite(row)).map(({ name }) => name);
  const near = suggestWord(capability, names);
  const hint = near === undefined ? ` There are ${names.join(', ')}.` : ` Did you mean ${near}?`;
  return `Unknown capability ${formatSafeLine(capability)}.${hint}`;
}
