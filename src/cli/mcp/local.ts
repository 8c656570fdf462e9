import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import {
  type AnyCapability,
  type WorkOutcome,
  type CapabilityTools,
  buildBodySchema,
} from '../../capabilities/capability.ts';
import { listBareTargets } from '../../capabilities/bodies.ts';
import { parseBody } from '../../capabilities/parse-body.ts';
import { findCapability, catalog, formatUsd } from '../../capabilities/catalog.ts';
import { service } from '../../capabilities/service.ts';
import { buildProblemResult } from '../../mcp/result.ts';
import { BAD_VIEW, buildSoldResult, readWantedView } from '../../mcp/sold-result.ts';
import { buildProblem } from '../../problems/codes.ts';
import type { ProblemInput } from '../../problems/problem.ts';
import type { ToolCall } from '../../mcp/tool-host.ts';
import { type AddressPolicy, allowPublicAnd } from '../../net/address-policy.ts';
import { parseTargetUrl } from '../../net/canonical-url.ts';
import { type FailureWords, failureWords, type ReadFailure } from '../../net/failure-words-data.ts';
import { createGuardedFetch, type FetchFunction } from '../../net/guarded-fetch.ts';
import { BOT_USER_AGENT } from '../audit/local-fetch.ts';
import { createLocalTools } from '../audit/local-run.ts';
import type { KeptReports } from './kept-reports.ts';

/** Origins beside the public ones that may be audited; fixed when the server starts (rule F2). */
export type AllowedOrigins = ReadonlySet<string>;

/** How this machine reaches sites: `dial` makes the fetch that keeps to a policy at every address. */
export type LocalReach = { allowed: AllowedOrigins; dial: (policy: AddressPolicy) => FetchFunction };

/** Whether a capability can be run on this machine: it asks no answer engine. */
export const canRunHere = (name: string): boolean => findCapability(name)?.engineBacked === false;

/** Runs a capability on this machine, free. Its fetchers reach public addresses and the allowed origins alone (rule F2). */
export async function callHere(
  row: AnyCapability,
  call: ToolCall,
  { reach, kept }: { reach: LocalReach; kept: KeptReports },
): Promise<CallToolResult> {
  const view = readWantedView(call.meta);
  if (view === undefined) return buildProblemResult(buildProblem('invalid_view', { detail: BAD_VIEW }));
  const parsed = parseBody(row, call.arguments);
  if (!parsed.ok) throw new Error('arguments that were not judged'); // `createMcpServer` judged them by the same schema.
  const given = parsed.input;
  const refused = refuseTarget(given, reach.allowed);
  if (refused) return refused;
  const tools = { ...(await createWorkTools(call, reach)), bareTargets: listBareTargets(parsed.body) };
  const outcome = await row.run(given, tools);
  if (!outcome.ok) return buildProblemResult(describeFailedWork(outcome));
  const json = kept.keep(describeLocalResult(row, given, outcome));
  return buildSoldResult(json, { home: undefined, view });
}

/** The words of the failure, where it is one of a site: they say more than those of its code. */
function describeFailedWork({ reason, unread }: WorkOutcome & { ok: false }): ProblemInput {
  const problem = buildProblem(reason);
  return unread === undefined ? problem : { ...problem, ...findServerWords(unread.failure) };
}

/** The tools as this machine offers them: what runs here is free, needs no payment and has no stored report. */
export function listLocalTools(table: readonly Tool[], isHere: (name: string) => boolean): readonly Tool[] {
  return table.map((tool) => (isHere(tool.name) ? toFreeTool(tool) : tool));
}

/** The catalogue of what runs on this machine, for the index tool and the catalogue resource. */
export function buildLocalIndex(hasService: boolean): Record<string, unknown> {
  return {
    name: service.title,
    description: service.description,
    payment: {
      protocol: 'none',
      hint: 'What runs on this machine is free; what asks an answer engine needs a service.',
    },
    capabilities: Object.fromEntries(catalog.map((row) => [row.name, buildIndexRow(row, hasService)])),
  };
}

const buildIndexRow = (row: AnyCapability, hasService: boolean): Record<string, unknown> => ({
  description: row.summary,
  price_usd: formatUsd(row.engineBacked ? row.priceMicroUsdc : 0),
  body_schema: buildBodySchema(row),
  available: hasService || !row.engineBacked,
});

/** A fetcher reads private addresses only where its own site is an allowed origin: a public page cannot point us there. */
export function createOriginPolicy(url: string, allowed: AllowedOrigins): AddressPolicy {
  const { origin } = new URL(url);
  return allowPublicAnd(allowed.has(origin) ? [origin] : [], { alternatePorts: true });
}

async function createWorkTools(
  { signal, progress }: ToolCall,
  { allowed, dial }: LocalReach,
): Promise<CapabilityTools> {
  const tools = await createLocalTools(({ done, total }) =>
    progress?.({ done, ...(total === undefined ? {} : { total }) }),
  );
  return {
    ...tools,
    guardedFetch: (url) => {
      const policy = createOriginPolicy(url, allowed);
      return createGuardedFetch({
        fetch: dial(policy),
        policy,
        clock: Date.now,
        userAgent: BOT_USER_AGENT,
        ...(signal === undefined ? {} : { signal }),
      });
    },
  };
}

/** Says at once, and in our words, that an address is not open to this server. */
function refuseTarget(given: Record<string, unknown>, allowed: AllowedOrigins): CallToolResult | undefined {
  for (const member of ['url', 'competitor']) {
    const url = given[member];
    if (typeof url !== 'string') continue;
    const target = parseTargetUrl(url, createOriginPolicy(url, allowed));
    if (target.ok) continue;
    const { means: detail, next } = findServerWords(target.reason);
    const errors = [{ pointer: `/${member}`, message: 'is not an address that this server may read' }];
    return buildProblemResult({ ...buildProblem('target_refused', { detail, next, errors }), code: target.reason });
  }
  return undefined;
}

/** Only the start of this server opens an address (rule F2), while the table says to use the command line. */
const OPEN_ORIGIN =
  'Use the public address of the site. This one is read only if sightline mcp is started with --allow-private <origin>.';

const findServerWords = (failure: ReadFailure): FailureWords =>
  failure === 'private_target' ? { ...failureWords[failure], next: OPEN_ORIGIN } : failureWords[failure];

/** The result as a service would store it. */
function describeLocalResult(
  row: AnyCapability,
  { url, competitor }: Record<string, unknown>,
  { result, warnings }: WorkOutcome & { ok: true },
): Record<string, unknown> {
  const named = { ...(url === undefined ? {} : { url }), ...(competitor === undefined ? {} : { competitor }) };
  return { capability: row.name, ...named, ...result, warnings };
}

/** What runs here costs nothing and changes nothing. */
function toFreeTool(tool: Tool): Tool {
  const { _meta: meta, ...free } = tool;
  const { x402: _terms, ...kept } = { ...meta };
  const summary = findCapability(tool.name)?.summary ?? '';
  return {
    ...free,
    description: `${summary}. Runs on this machine, free.`,
    annotations: { ...tool.annotations, readOnlyHint: true, idempotentHint: true },
    _meta: kept,
  };
}
