import { type CheckOutcome, verdict } from '../../core/check.ts';
import { buildRequestEvidence, type CheckEvidence } from '../../core/evidence.ts';
import { formatIssues, type JsonRecord } from '../../structured-data/facts/json-document.ts';
import { type Probe, getRpcResult } from '../facts/endpoint.ts';
import { findRpcError, listToolNames } from '../facts/probes.ts';
import type { ToolFacts } from '../facts/tools.ts';
import { answerText, onAnswer, onOpen, type OpenEndpoint, type ProbeFacts, buildProbeEvidence } from './open.ts';
import { type ToolListing, listNames, onTools } from './tools.ts';
import { defineMcpCheck } from './common.ts';

const TOOLS = 'MCP 2026-07-28 server/tools';

/** What a tool list costs, promises and keeps beyond its names and descriptions. No tool of the server is ever called. */
export const mcpToolQualityChecks = [
  defineMcpCheck({
    id: 'mcp.tools.x-mcp-header',
    title: 'x-mcp-header annotations are legal',
    failureTitle: 'Correct the x-mcp-header annotations',
    weight: 1,
    grade: 'A',
    why: 'Clients over HTTP must drop a tool with an illegal annotation, and its author never hears of it.',
    source:
      'MCP 2026-07-28 basic/transports/streamable-http, "Custom Headers from Tool Parameters": clients MUST reject tool definitions that violate the constraints',
    fix: 'Put x-mcp-header only on properties of type string, integer or boolean that properties alone lead to, with header names that differ in more than letter case.',

    judge: onTools(judgeParamHeaders),
  }),
  defineMcpCheck({
    id: 'mcp.tools.output-schema',
    title: 'outputSchema is valid where there is one',
    failureTitle: 'Correct the outputSchema',
    weight: 1,
    grade: 'B',
    why: 'Clients check structured results against this schema: one that is broken turns good answers into errors.',
    source: `${TOOLS}, "Output Schema": servers MUST provide results that conform to it; MCP 2026-07-28 basic, "Schema Validation": schemas MUST be valid`,
    fix: 'Correct the schema at the pointers shown; for clients of 2025-11-25 its root must have type "object".',

    judge: onOpen((endpoint, facts) =>
      onTools((list, evidence) => judgeOutputs(list.tools, endpoint.era, evidence))(facts),
    ),
  }),
  defineMcpCheck({
    id: 'mcp.tools.deterministic',
    title: 'tools/list order is stable',
    failureTitle: 'Keep the order of tools/list stable',
    weight: 1,
    grade: 'A',
    why: 'The list is at the start of every prompt: in another order it is paid for again, since no prompt cache matches.',
    source: `${TOOLS}, "Capabilities": servers SHOULD return tools in a deterministic order`,
    fix: 'Sort the tools by name, or keep the order in which they are registered, before you answer tools/list.',
    needs: ['mcpProbes'],
    judge: onOpen((_, facts) => onTools(() => judgeOrder(facts))(facts)),
  }),
  defineMcpCheck({
    id: 'mcp.tools.cache-hints',
    title: 'Cache hints are present',
    failureTitle: 'Add cache hints to results',
    weight: 1,
    grade: 'A',
    why: 'Without them clients fetch the same lists again and again, or guess who may share them.',
    source:
      'MCP 2026-07-28 server/utilities/caching, "Cacheable Results": servers MUST include the hints; "Time-to-Live (TTL) Field": ttlMs MUST be >= 0; "Interaction with Pagination": the same cacheScope MUST be on all pages',
    fix: 'Add "ttlMs" (milliseconds, 0 or more) and "cacheScope" ("public" or "private") to the results of server/discover and of every list.',
    needs: ['mcpProbes'],
    judge: onOpen(judgeCacheHints),
  }),
  defineMcpCheck({
    id: 'mcp.tools.count',
    title: 'Tool set is a usable size',
    failureTitle: 'Offer fewer tools',
    weight: 1,
    grade: 'C',
    why: 'Every tool is read by the model at every turn, and models choose worse among many.',
    source:
      'Convention: Lighthouse reports at most 40 WebMCP tools of a page; clients cap their tool sets in the same order',
    fix: 'Merge near-duplicates, leave out what no model needs, or split the server by task; 40 tools or fewer.',

    judge: onTools(judgeCount),
  }),
  defineMcpCheck({
    id: 'mcp.tools.tokens',
    title: 'tools/list fits the context',
    failureTitle: 'Shorten tools/list to fit a context',
    weight: 1,
    grade: 'C',
    why: 'What the definitions take of the context is gone for the task, and is paid for at every turn.',
    source: 'Own rule: characters of the tool definitions / 4; up to 8,000 tokens are good, over 20,000 fail',
    fix: 'Shorten descriptions to what distinguishes the tools, drop examples and repeated subschemas, and split large servers.',
    needs: ['mcpProbes'],
    judge: onOpen((_, facts) => onTools((list) => judgeTokens(list, facts))(facts)),
  }),
  defineMcpCheck({
    id: 'mcp.tools.unknown-tool',
    title: 'Unknown tool call is an error',
    failureTitle: 'Answer a call to an unknown tool with an error',
    weight: 1,
    grade: 'A',
    why: 'Models invent tool names: a server that answers one as if it had run lets the model believe that something happened.',
    source: `${TOOLS}, "Error Handling": an unknown tool is a protocol error (-32602)`,
    fix: 'Answer tools/call with a name you do not list with JSON-RPC error -32602, before anything else is checked.',
    needs: ['mcpProbes'],
    judge: onOpen(judgeUnknownTool),
  }),
];

function judgeParamHeaders({ tools }: ToolListing, evidence: (excerpt: string) => CheckEvidence): CheckOutcome {
  const annotated = tools.filter(({ headers }) => headers.annotations > 0);
  if (annotated.length === 0) return verdict.notApplicable('No tool uses x-mcp-header.');
  const illegal = annotated.filter(({ headers }) => headers.issues.length > 0);
  if (illegal.length === 0)
    return verdict.pass(
      `The annotations of ${annotated.length} tool(s) are legal.`,
      evidence(listNames(annotated.map(({ name }) => name))),
    );
  const shown = illegal.map(({ name, headers }) => `${name}: ${formatIssues(headers.issues)}`).join('; ');
  return verdict.fail(`Clients must drop ${illegal.length} of ${tools.length} tools.`, evidence(shown));
}

function judgeOutputs(
  tools: readonly ToolFacts[],
  era: OpenEndpoint['era'],
  evidence: (excerpt: string) => CheckEvidence,
): CheckOutcome {
  const typed = tools.flatMap(({ name, output }) => (output ? [{ name, output }] : []));
  if (typed.length === 0) return verdict.notApplicable('No tool declares an outputSchema, and none must.');
  const broken = typed.filter(({ output }) => output.issues.length > 0 || (era === 'legacy' && !output.object));
  const note = `${typed.length - broken.length} of ${typed.length} output schemas are valid (${tools.length} tools in all).`;
  const excerpt = broken.map(
    ({ name, output }) => `${name}: ${formatIssues(output.issues, 1) || 'the root must have type "object"'}`,
  );
  return verdict.byShare(
    1 - broken.length / typed.length,
    { passAt: 1, partialAt: 0.5 },
    note,
    evidence(excerpt.join('; ')),
  );
}

function judgeOrder({ mcpProbes }: ProbeFacts): CheckOutcome {
  return onAnswer(mcpProbes.toolsAgain, (probe) => {
    const first = listToolNames(mcpProbes.toolPages[0]) ?? [];
    const second = listToolNames(probe);
    const evidence = buildProbeEvidence(probe);
    if (!second) return verdict.fail(`tools/list worked once, and then was answered ${answerText(probe)}.`, evidence);
    if (JSON.stringify(first) === JSON.stringify(second))
      return verdict.pass(`Two calls list ${first.length} tool(s) in the same order.`, evidence);
    const common = (names: readonly string[], other: readonly string[]): string =>
      JSON.stringify(names.filter((name) => other.includes(name)));
    return common(first, second) === common(second, first)
      ? verdict.partial(
          0.5,
          'Two calls within seconds list different tools, those in common in the same order.',
          evidence,
        )
      : verdict.fail('Two calls within seconds list the tools in different orders.', evidence);
  });
}

function judgeCacheHints({ era, discover }: OpenEndpoint, { mcpProbes }: ProbeFacts): CheckOutcome {
  if (era === 'legacy') return verdict.notApplicable('Older revisions have no cache hints.');
  const { toolPages, resources, prompts } = mcpProbes;
  const results = [discover, ...toolPages, resources, prompts].flatMap((probe) => {
    const result = getRpcResult(probe);
    return probe && result && (result['resultType'] ?? 'complete') === 'complete' ? [{ probe, result }] : [];
  });
  if (results.length === 0) return verdict.notApplicable('No complete result was seen.');
  const bare = results.filter(({ result }) => !hasHints(result));
  const note = `${results.length - bare.length} of ${results.length} results carry ttlMs and cacheScope.`;
  const evidence = (bare.length > 0 ? bare : results)
    .slice(0, 3)
    .map(({ probe, result }) => buildRequestEvidence(probe.exchange, { excerpt: formatCacheHints(result) }));
  if (bare.length > 0)
    return verdict.byShare(1 - bare.length / results.length, { passAt: 1, partialAt: 0.01 }, note, evidence);
  const scopes = new Set(
    toolPages.map((page) => getRpcResult(page)?.['cacheScope']).filter((scope) => scope !== undefined),
  );
  return scopes.size > 1
    ? verdict.partial(0.5, 'The pages of one tool list have different values of cacheScope.', evidence)
    : verdict.pass(note, evidence);
}

const hasHints = ({ ttlMs, cacheScope }: JsonRecord): boolean =>
  Number.isSafeInteger(ttlMs) && Number(ttlMs) >= 0 && (cacheScope === 'public' || cacheScope === 'private');

const formatCacheHints = ({ ttlMs, cacheScope }: JsonRecord): string =>
  `ttlMs: ${JSON.stringify(ttlMs) ?? '(absent)'}, cacheScope: ${JSON.stringify(cacheScope) ?? '(absent)'}`;

/** Tools up to which a list is of good size, and up to which it is bearable. */
const GOOD_TOOLS = 40;
const BEARABLE_TOOLS = 100;

function judgeCount({ tools, cut, exchange }: ToolListing): CheckOutcome {
  const count = tools.length;
  const evidence = buildRequestEvidence(exchange);
  if (count > BEARABLE_TOOLS)
    return verdict.fail(`${cut ? 'At least ' : ''}${count} tools: over ${BEARABLE_TOOLS}.`, evidence);
  if (cut) return verdict.unknown(`${count} tools on the pages that were read, and there are more pages.`, evidence);
  return count <= GOOD_TOOLS
    ? verdict.pass(`${count} tool(s).`, evidence)
    : verdict.partial(0.5, `${count} tools: over ${GOOD_TOOLS}.`, evidence);
}

/** Tokens up to which the definitions are cheap, and up to which they are bearable. */
const GOOD_TOKENS = 8000;
const BEARABLE_TOKENS = 20_000;

function judgeTokens({ cut, exchange }: ToolListing, { mcpProbes }: ProbeFacts): CheckOutcome {
  const chars = mcpProbes.toolPages.reduce((sum, page) => sum + countListChars(page), 0);
  const tokens = Math.ceil(chars / 4);
  const evidence = buildRequestEvidence(exchange);
  const note = `The tool definitions are about ${tokens} tokens (characters / 4).`;
  if (tokens > BEARABLE_TOKENS) return verdict.fail(note, evidence);
  if (cut) return verdict.unknown(`${note} There are more pages than were read.`, evidence);
  return tokens <= GOOD_TOKENS ? verdict.pass(note, evidence) : verdict.partial(0.5, note, evidence);
}

const countListChars = (page: Probe): number => JSON.stringify(getRpcResult(page)?.['tools'] ?? []).length;

function judgeUnknownTool({ era, tools }: OpenEndpoint, { mcpProbes }: ProbeFacts): CheckOutcome {
  if (tools.state !== 'listed') return verdict.notApplicable(`No tool was called: ${tools.note}`);
  return onAnswer(mcpProbes.unknownTool, (probe) => {
    const evidence = buildProbeEvidence(probe);
    const asked = `A call of a tool that does not exist is answered ${answerText(probe)}`;
    const code = findRpcError(probe)?.code;
    if (code === -32_602) return verdict.pass(`${asked}.`, evidence);
    if (code !== undefined) return verdict.partial(0.5, `${asked}; -32602 is due.`, evidence);
    const result = getRpcResult(probe);
    if (!result) return verdict.fail(`${asked}; -32602 is due.`, evidence);
    if (result['isError'] !== true) return verdict.fail(`${asked}, as if it had run.`, evidence);
    const note = 'A call of a tool that does not exist is answered with a result marked isError';
    return era === 'legacy'
      ? verdict.pass(`${note}.`, evidence)
      : verdict.partial(0.5, `${note}; error -32602 is due.`, evidence);
  });
}
