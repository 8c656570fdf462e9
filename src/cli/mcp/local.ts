import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import {
  type AnyCapability,
  type WorkOutcome,
  type CapabilityTools,
  buildBodySchema,
} from '../../capabilities/capability.ts';
import { listBareTargets } from '../../capabilities/bodies.ts';
import { findCapability, catalog, formatUsd } from '../../capabilities/catalog.ts';
import { service } from '../../capabilities/service.ts';
import { buildProblemResult, summariseResult } from '../../mcp/result.ts';
import type { ToolCall } from '../../mcp/tool-host.ts';
import { type AddressPolicy, allowPublicAnd } from '../../net/address-policy.ts';
import { parseTargetUrl } from '../../net/canonical-url.ts';
import { createGuardedFetch, type FetchFunction } from '../../net/guarded-fetch.ts';
import { BOT_USER_AGENT, createLocalTools } from '../audit/local-run.ts';

/** Origins beside the public ones that may be audited; fixed when the server starts (rule F2). */
export type AllowedOrigins = ReadonlySet<string>;

/** How this machine reaches sites: `dial` makes the fetch that keeps to a policy at every address. */
export type LocalReach = { allowed: AllowedOrigins; dial: (policy: AddressPolicy) => FetchFunction };

/** Whether a capability can be run on this machine: it asks no answer engine. */
export const canRunHere = (name: string): boolean => findCapability(name)?.engineBacked === false;

/** Runs a capability on this machine, free. Its fetchers reach public addresses and the allowed origins alone (rule F2). */
export async function callHere(row: AnyCapability, call: ToolCall, reach: LocalReach): Promise<CallToolResult> {
  const given = row.body.parse(call.arguments); // `createMcpServer` judged them by the same schema.
  const refused = refuseTarget(given, reach.allowed);
  if (refused) return refused;
  const tools = { ...(await createWorkTools(call, reach)), bareTargets: listBareTargets(call.arguments) };
  const outcome = await row.run(given, tools);
  return outcome.ok ? buildLocalResult(row, given, outcome) : buildProblemResult(FAILURES[outcome.reason]);
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
    if (typeof url !== 'string' || parseTargetUrl(url, createOriginPolicy(url, allowed)).ok) continue;
    return buildProblemResult({
      status: 422,
      code: 'private_target',
      title: 'This address is not open to this server',
      detail: 'Only public addresses are; whoever starts sightline mcp opens others with --allow-private <origin>',
      errors: [{ pointer: `/${member}`, message: 'is not a public address on a web port' }],
    });
  }
  return undefined;
}

const FAILURES = {
  target_unreachable: { status: 502, code: 'target_unreachable', title: 'The site could not be read' },
  target_busy: { status: 429, code: 'target_busy', title: 'The site is being audited already' },
  measurement_incomplete: {
    status: 502,
    code: 'measurement_incomplete',
    title: 'The measurement did not come to an end',
  },
} as const satisfies Record<Extract<WorkOutcome, { ok: false }>['reason'], object>;

function buildLocalResult(
  row: AnyCapability,
  given: Record<string, unknown>,
  outcome: WorkOutcome & { ok: true },
): CallToolResult {
  const { url, competitor } = given;
  const named = { ...(url === undefined ? {} : { url }), ...(competitor === undefined ? {} : { competitor }) };
  const structured = {
    capability: row.name,
    warnings: [...outcome.warnings],
    evidence: { untrusted: true as const, result: { ...named, ...outcome.result } },
  };
  return { content: [{ type: 'text', text: summariseResult(structured) }], structuredContent: structured };
}

function toFreeTool(tool: Tool): Tool {
  const { _meta: _terms, ...free } = tool;
  const description = `${findCapability(tool.name)?.summary ?? ''}. Runs on this machine, free.`;
  if (tool.outputSchema === undefined) return { ...free, description };
  const { required, ...schema } = tool.outputSchema;
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  return { ...free, description, outputSchema: { ...schema, required: names.filter((name) => name !== 'report_id') } };
}
