import { buildJsonSchema } from '../../src/capabilities/capability.ts';
import { MCP_VERSIONS, service } from '../../src/capabilities/service.ts';
import { REPORT_CARD_URI } from '../../src/mcp/card/card.ts';
import { isFreeTool } from '../../src/mcp/free-tools.ts';
import { PROMPTS } from '../../src/mcp/prompts.ts';
import { CATALOGUE, RESOURCE_TEMPLATES } from '../../src/mcp/resources.ts';
import { buildToolTable } from '../../src/mcp/tools.ts';
import { resultSummary } from '../../src/results/summary-shape.ts';
import { escapeProse, formatCode, formatGeneratedPage, formatTable } from './markdown.ts';
import { listMembers } from './schema-members.ts';

/** Names of all tools, as both endpoints list them. */
export const listTools = () => buildToolTable({ payTo: undefined, door: 'account' });

/** `docs/reference/mcp-tools.md`: the tools and resources of both endpoints. */
export const mcpToolsPage = (): string =>
  formatGeneratedPage('MCP tools', '`src/mcp/tools.ts`', [
    `Two endpoints serve the same tools. \`/mcp\` is open: a client pays with each call by x402. \`/mcp-account\` asks for a sign-in (OAuth 2.1) and pays from prepaid credits. \`sightline mcp\` serves them on standard input and output. All speak the protocol versions ${MCP_VERSIONS.join(', ')}.`,
    '## What a client is asked to do',
    escapeProse(service.instructions),
    '## Tools',
    formatTable(
      ['Tool', 'What it does', 'Changes nothing', 'Reads the web'],
      listTools().map(({ name, description = '', annotations = {} }) => [
        `[${formatCode(name)}](#${name})`,
        escapeProse(description),
        formatHint(annotations.readOnlyHint),
        formatHint(annotations.openWorldHint),
      ]),
    ),
    ...listTools().flatMap(({ name, title = name, inputSchema }) => [
      `### ${name}`,
      `${escapeProse(title)}. Arguments:`,
      renderMembers(inputSchema),
      isFreeTool(name) ? '' : `[Members of its full view](report-format.md#${name}).`,
    ]),
    '## Result',
    'Each paid tool answers with the summary below as `structuredContent`, at most 8 KB, and with the same as text. `_meta["sightline/view"]` of a call asks for `standard` (open checks and fixes too, under `evidence`) or `full` (everything, under `evidence.result`).',
    renderMembers(buildJsonSchema(resultSummary, 'output')),
    'What fails as expected is a result with `isError` and a [problem](problems.md) as `structuredContent`.',
    '## Prompts',
    formatTable(
      ['Prompt', 'What it does', 'Arguments'],
      PROMPTS.map(({ name, description = '', arguments: given = [] }) => [
        formatCode(name),
        escapeProse(description),
        given.map((one) => formatCode(one.name)).join(', '),
      ]),
    ),
    '## Resources',
    formatTable(
      ['Resource', 'What it is'],
      [
        [formatCode(CATALOGUE.uri), escapeProse(CATALOGUE.description ?? '')],
        ...RESOURCE_TEMPLATES.map(({ uriTemplate, description = '' }) => [
          formatCode(uriTemplate),
          escapeProse(description),
        ]),
        [formatCode(REPORT_CARD_URI), 'Scores and first fixes of a result as a page, for clients that show MCP Apps'],
      ],
    ),
  ]);

const formatHint = (hint: boolean | undefined): string => (hint === true ? 'yes' : 'no');

function renderMembers(schema: object): string {
  const members = listMembers(schema);
  if (members.length === 0) return 'None.';
  return formatTable(
    ['Name', 'Type', 'Required', 'What it is'],
    members.map(({ path, type, isRequired, description }) => [
      formatCode(path),
      type,
      isRequired ? 'yes' : 'no',
      escapeProse(description),
    ]),
  );
}
