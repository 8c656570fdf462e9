import type { WorkOutcome, CapabilityTools } from '../../capabilities/capability.ts';
import { listBareTargets } from '../../capabilities/bodies.ts';
import { catalog } from '../../capabilities/catalog.ts';
import { allowPublicAnd } from '../../net/address-policy.ts';
import { parseTargetUrl } from '../../net/canonical-url.ts';
import { readTypedAddress } from '../../net/typed-address.ts';
import type { FetchLimits } from '../../net/fetch-budget.ts';
import type { GuardedFetch } from '../../net/fetched.ts';
import { formatBotUserAgent, createGuardedFetch } from '../../net/guarded-fetch.ts';
import type { Reportable } from '../../report/reportable.ts';
import { createNodeFetch } from '../core/node-fetch.ts';
import { formatSafeLine, createProgressBar } from '../core/terminal.ts';
import { EXIT, printFailure, printUsageError } from '../core/usage.ts';

/** The service whose page explains our User-Agent, for audits from a user's own machine. */
const BOT_HOME = 'https://sightline.example';
/** Names audits from a user's own machine. */
export const BOT_USER_AGENT = formatBotUserAgent(BOT_HOME);

/** What a user typed as a site, judged. `isBare`: without a scheme, so that http may be tried. */
type TypedTarget = { ok: true; url: string; isBare: boolean } | { ok: false; detail: string };

/** Private addresses pass where they are typed: the person at this machine may audit what runs on it (rule F1). */
export function parseTypedTarget(text: string): TypedTarget {
  const { url, isBare } = readTypedAddress(text);
  const target = parseTargetUrl(url, allowPublicAnd(URL.canParse(url) ? [url] : [], { alternatePorts: true }));
  return target.ok
    ? { ok: true, url: target.url.href, isBare }
    : { ok: false, detail: `${target.reason}: ${formatSafeLine(target.detail)}` };
}

/** A fetcher that reads private addresses only on the origin of this URL (rule F1). */
export function createLocalFetch(url: string, limits: Partial<FetchLimits> = {}): GuardedFetch {
  const policy = allowPublicAnd([url], { alternatePorts: true });
  const fetch = createNodeFetch(policy);
  return createGuardedFetch({ fetch, policy, clock: Date.now, userAgent: BOT_USER_AGENT, limits });
}

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

export type LocalResult = Reportable & { capability: string } & Record<string, unknown>;
export type LocalRun =
  | { ok: true; result: LocalResult; outcome: WorkOutcome & { ok: true } }
  | { ok: false; status: number };

/**
 * Does the work of a capability on this machine, free: the same code that the paid route runs, with its body.
 * Says on standard error why there is no result.
 */
export async function runLocally(capability: string, body: Readonly<Record<string, unknown>>): Promise<LocalRun> {
  const row = catalog.find(({ name }) => name === capability);
  if (!row)
    return {
      ok: false,
      status: printUsageError(`No capability ${formatSafeLine(capability)}: ${listRunnableNames().join(', ')}.`),
    };
  if (!Object.hasOwn(row.body.shape, 'url'))
    return { ok: false, status: printUsageError(`${capability} is not done on this machine: buy it from a service.`) };
  const input = row.body.safeParse(body);
  if (!input.success) {
    const [issue] = input.error.issues;
    return {
      ok: false,
      status: printUsageError(formatSafeLine(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`)),
    };
  }
  const bar = createProgressBar(process.stderr);
  const tools = { ...(await createLocalTools(bar.step)), bareTargets: listBareTargets(body) };
  const outcome = await row.run(input.data, tools);
  bar.end();
  if (!outcome.ok)
    return {
      ok: false,
      status: printFailure(`${outcome.reason}: ${formatSafeLine(outcome.detail)}`, EXIT.unreachable),
    };
  const { url, competitor } = input.data as { url: string; competitor?: string }; // Rows without an engine have a url.
  const named = { capability, url, ...(competitor === undefined ? {} : { competitor }) };
  return { ok: true, outcome, result: { ...named, ...outcome.result, warnings: outcome.warnings } };
}

const listRunnableNames = (): readonly string[] =>
  catalog.filter(({ body }) => Object.hasOwn(body.shape, 'url')).map(({ name }) => name);
