import { type CheckOutcome, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildRequestEvidence, type CheckEvidence } from '../../core/evidence.ts';
import { findInstructions } from '../../hidden-text/facts/instruction-patterns.ts';
import { formatIssues, getString } from '../../structured-data/facts/json-document.ts';
import type { McpEndpoint, ToolList } from '../facts/endpoint.ts';
import type { ToolFacts } from '../facts/tools.ts';
import { withoutProbe } from './endpoint.ts';
import { defineMcpCheck, type McpSurface } from './common.ts';

const TOOLS = 'MCP 2026-07-28 server/tools';

export const mcpToolChecks = [
  defineMcpCheck({
    id: 'mcp.tools.list',
    title: 'tools/list works',
    failureTitle: 'Repair tools/list',
    weight: 3,
    grade: 'A',
    why: 'A server whose tools cannot be listed offers a model nothing to call.',
    source: `${TOOLS}, "Capabilities": servers that declare tools MUST respond to tools/list`,
    fix: 'Answer tools/list with a tools array, on every page that nextCursor leads to.',

    judge: judgeList,
  }),
  defineMcpCheck({
    id: 'mcp.tools.names',
    title: 'Tool names are valid and unique',
    failureTitle: 'Give tools valid and unique names',
    weight: 2,
    grade: 'B',
    why: 'Clients and model interfaces refuse names with other characters, and of two tools of one name only one can be called.',
    source: `${TOOLS}, "Tool Names": SHOULD have 1 to 128 characters of A-Z a-z 0-9 _ - . and SHOULD be unique`,
    fix: 'Rename the tools shown: letters, digits, underscore, hyphen and dot, each name once.',

    judge: onTools(judgeNames),
  }),
  defineMcpCheck({
    id: 'mcp.tools.input-schema',
    title: 'inputSchema is a valid object schema',
    failureTitle: 'Make each inputSchema a valid object schema',
    weight: 3,
    grade: 'A',
    why: 'Clients drop a tool whose arguments they cannot describe to the model.',
    source: `${TOOLS}, "Tool": inputSchema MUST be a valid JSON Schema object (not null), 2020-12 by default`,
    fix: 'Give every tool an inputSchema of type "object" that describes all required properties; for no arguments {"type":"object","additionalProperties":false}.',

    judge: onTools(judgeSchemas),
  }),
  defineMcpCheck({
    id: 'mcp.tools.descriptions',
    title: 'Tools are described',
    failureTitle: 'Describe the tools',
    weight: 2,
    grade: 'B',
    why: 'The description is all a model has to choose between tools.',
    source: `${TOOLS}, "Tool": description, "human-readable description of functionality"`,
    fix: 'Write 20 to 1,024 characters for each tool: what it does, when to use it, what it returns.',

    judge: onTools(judgeDescriptions),
  }),
  defineMcpCheck({
    id: 'mcp.tools.param-descriptions',
    title: 'Parameters are described',
    failureTitle: 'Describe the parameters of tools',
    weight: 2,
    grade: 'B',
    why: 'A model that has to guess what an argument means guesses wrong.',
    source: `${TOOLS}, "Tool": inputSchema; JSON Schema 2020-12 section 9.1, description`,
    fix: 'Add a description to each property of inputSchema: meaning, unit, format, an example.',

    judge: onTools(judgeParameters),
  }),
  defineMcpCheck({
    id: 'mcp.tools.annotations',
    title: 'Behaviour hints are present and plausible',
    failureTitle: 'Add behaviour hints that match what the tools do',
    weight: 2,
    grade: 'B',
    why: 'Clients decide by these hints whether to ask their user first; a false readOnlyHint lets harm through.',
    source: `${TOOLS}, annotations; schema ToolAnnotations (readOnlyHint, destructiveHint, idempotentHint, openWorldHint)`,
    fix: 'Set readOnlyHint on every tool, to false for all that change anything, cost money or publish.',

    judge: onTools(judgeAnnotations),
  }),
  defineMcpCheck({
    id: 'mcp.tools.injection',
    title: 'Tool text has no hidden instructions',
    failureTitle: 'Remove hidden instructions from tool texts',
    weight: 3,
    grade: 'B',
    why: "Tool text goes straight into a model's context: instructions in it steer the model against its user.",
    source: 'OWASP MCP Top 10, tool poisoning; MCP 2026-07-28 server/tools, "Security Considerations"',
    fix: "Describe what the tool does, and nothing about other tools, secrecy or the user's files; remove invisible characters.",
    gate: { caps: { mcp: 40 } },

    judge: (facts) => judgeInjection(facts.mcpEndpoint),
  }),
];

export type ToolListing = Extract<ToolList, { state: 'listed' }>;

/** Runs a judge over a non-empty tool list; anything else is judged by `mcp.tools.list` alone. */
export function onTools(
  judge: (list: ToolListing, evidence: (excerpt: string) => CheckEvidence) => CheckOutcome,
): (facts: McpSurface) => CheckOutcome {
  return ({ mcpEndpoint }) => {
    if (mcpEndpoint.state !== 'probed') return withoutProbe(mcpEndpoint);
    const { tools: list } = mcpEndpoint;
    if (list.state === 'unread') return verdict.unknown(list.note, buildRequestEvidence(list.exchange));
    if (list.state !== 'listed') return verdict.notApplicable(list.note);
    if (list.tools.length === 0) return verdict.notApplicable('The server lists no tools.');
    return judge(list, (excerpt) => buildRequestEvidence(list.exchange, { excerpt }));
  };
}

function judgeList({ mcpEndpoint: endpoint }: FactsOf<'mcpEndpoint'>): CheckOutcome {
  if (endpoint.state !== 'probed') return withoutProbe(endpoint);
  const { tools: list } = endpoint;
  if (list.state === 'not_asked') return verdict.notApplicable(list.note);
  if (list.state === 'unread') return verdict.unknown(list.note, buildRequestEvidence(list.exchange));
  if (list.state === 'failed')
    return verdict.fail(list.note, buildRequestEvidence(list.exchange, { excerpt: list.note }));
  const more = list.cut ? ', and there are more pages' : '';
  return verdict.pass(
    `${list.tools.length} tool(s) on ${list.pages} page(s)${more}.`,
    buildRequestEvidence(list.exchange),
  );
}

const VALID_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

function judgeNames({ tools }: ToolListing, evidence: (excerpt: string) => CheckEvidence): CheckOutcome {
  const names = tools.map(({ name }) => name);
  const twice = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  if (twice.length > 0)
    return verdict.fail(`${formatCount(twice.length, 'name')} listed more than once.`, evidence(listNames(twice)));
  const odd = names.filter((name) => !VALID_NAME.test(name));
  if (odd.length === 0)
    return verdict.pass(`All ${names.length} tool names are valid and unique.`, evidence(listNames(names)));
  const share = Math.round((1 - odd.length / names.length) * 1000) / 1000;
  return verdict.partial(
    Math.max(share, 0.1),
    `${odd.length} of ${names.length} tool names have other characters or lengths.`,
    evidence(listNames(odd)),
  );
}

function judgeSchemas({ tools }: ToolListing, evidence: (excerpt: string) => CheckEvidence): CheckOutcome {
  const broken = tools.filter(({ schemaIssues }) => schemaIssues.length > 0);
  const shown = broken
    .map(({ name, schemaIssues }) => `${name || '(no name)'} ${formatIssues(schemaIssues, 2)}`)
    .join('; ');
  const note =
    broken.length === 0
      ? `All ${tools.length} input schemas are sound.`
      : `${broken.length} of ${tools.length} input schemas are not sound: ${formatFaultKinds(broken)}.`;
  return verdict.byShare(1 - broken.length / tools.length, { passAt: 1, partialAt: 0.5 }, note, evidence(shown));
}

const formatFaultKinds = (tools: readonly ToolFacts[]): string =>
  [...new Set(tools.flatMap(({ schemaIssues }) => schemaIssues.map(({ message }) => message)))].join('; ');

function judgeDescriptions({ tools }: ToolListing, evidence: (excerpt: string) => CheckEvidence): CheckOutcome {
  const poor = tools.filter(({ name, description }) => {
    const text = description.trim();
    return text.length < 20 || text.length > 1024 || text.toLowerCase() === name.toLowerCase();
  });
  const names = listNames(poor.map(({ name }) => name));
  const note = `${tools.length - poor.length} of ${tools.length} tools have a description of 20 to 1,024 characters.`;
  return verdict.byShare(1 - poor.length / tools.length, { passAt: 0.95, partialAt: 0.5 }, note, evidence(names));
}

function judgeParameters({ tools }: ToolListing, evidence: (excerpt: string) => CheckEvidence): CheckOutcome {
  const parameters = tools.flatMap((tool) => tool.parameters.map((parameter) => ({ ...parameter, tool: tool.name })));
  if (parameters.length === 0) return verdict.notApplicable('No tool takes parameters.');
  const bare = parameters.filter(({ described }) => !described).map(({ tool, name }) => `${tool}.${name}`);
  const note = `${parameters.length - bare.length} of ${parameters.length} parameters have a description.`;
  return verdict.byShare(
    1 - bare.length / parameters.length,
    { passAt: 0.8, partialAt: 0.5 },
    note,
    evidence(listNames(bare)),
  );
}

const CHANGING_VERBS = new Set(['delete', 'remove', 'send', 'pay', 'buy', 'publish']);

const EFFECT_WORDS = {
  costs: 'a price',
  pays: 'a payment among its arguments',
  publishes: 'an argument that publishes',
};

/** Why a tool cannot be read-only, in its own words and ours; undefined where nothing speaks against it. */
function findContradiction({ name, effects }: ToolFacts): string | undefined {
  if (splitNameWords(name).some((word) => CHANGING_VERBS.has(word))) return 'its name';
  const [first] = effects;
  return first && EFFECT_WORDS[first];
}

function judgeAnnotations({ tools }: ToolListing, evidence: (excerpt: string) => CheckEvidence): CheckOutcome {
  const lying = tools.flatMap((tool) => {
    const why = tool.annotations?.['readOnlyHint'] === true ? findContradiction(tool) : undefined;
    return why === undefined ? [] : [{ name: tool.name, why }];
  });
  if (lying.length > 0) {
    const reasons = [...new Set(lying.map(({ why }) => why))].join(', ');
    return verdict.fail(
      `${formatCount(lying.length, 'tool')} said to be read-only, though something says otherwise: ${reasons}.`,
      evidence(listNames(lying.map(({ name }) => name))),
    );
  }
  const hinted = tools.filter((tool) => typeof tool.annotations?.['readOnlyHint'] === 'boolean').length;
  const note = `${hinted} of ${tools.length} tools say whether they only read (readOnlyHint).`;
  return verdict.byShare(hinted / tools.length, { passAt: 0.95, partialAt: 0.2 }, note, evidence(note));
}

/** `deleteUser`, `delete_user` and `user.delete` all hold the word `delete`. */
const splitNameWords = (name: string): readonly string[] =>
  name
    .slice(0, 200)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);

const INSTRUCTIONS = 'the instructions';

/** The server's own instructions reach the model as tool text does, and are judged with it. */
function judgeInjection(endpoint: McpEndpoint): CheckOutcome {
  if (endpoint.state !== 'probed') return withoutProbe(endpoint);
  const { tools: list, handshake } = endpoint;
  const instructions = getString(handshake, 'instructions') ?? '';
  const tools: readonly Pick<ToolFacts, 'name' | 'text'>[] = list.state === 'listed' ? list.tools : [];
  const texts = [...tools, ...(instructions === '' ? [] : [{ name: INSTRUCTIONS, text: instructions }])];
  if (texts.length === 0) return verdict.notApplicable('Neither tool text nor server instructions were seen.');
  const exchange = list.state === 'listed' ? list.exchange : endpoint.discover.exchange;
  const hits = texts.flatMap(({ name, text }) => findInstructions(text).map((hit) => ({ ...hit, name })));
  const evidence = hits
    .slice(0, 20)
    .map(({ name, kind, excerpt }) => buildRequestEvidence(exchange, { excerpt: `${name}: ${kind}: ${excerpt}` }));
  const hostile = hits.filter(({ severity, quoted }) => severity === 'hostile' && !quoted);
  if (hostile.length > 0) {
    const count = new Set(hostile.map(({ name }) => name)).size;
    const own = hostile.some(({ name }) => name === INSTRUCTIONS) ? `, ${INSTRUCTIONS} of the server among them` : '';
    return verdict.fail(`Text meant to steer a model in ${formatCount(count, 'text')}${own}.`, evidence);
  }
  if (hits.length > 0)
    return verdict.partial(
      0.5,
      `${hits.length} phrase(s) that speak to a model instead of describing the tool.`,
      evidence,
    );
  return verdict.pass(`No instructions to a model in ${texts.length} text(s).`, buildRequestEvidence(exchange));
}

/** The first names of a list, for evidence: each cut short, and how many more there are. */
export const listNames = (names: readonly string[]): string =>
  names
    .slice(0, 8)
    .map((name) => name.slice(0, 60) || '(no name)')
    .join(', ') + (names.length > 8 ? ` and ${names.length - 8} more` : '');
