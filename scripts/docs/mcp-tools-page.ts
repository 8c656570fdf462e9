import { INDEX_TOOL, MCP_VERSIONS, service } from '../../src/capabilities/service.ts';
import { CATALOGUE, RESOURCE_TEMPLATES } from '../../src/mcp/resources.ts';
import { buildToolTable } from '../../src/mcp/tools.ts';
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
      name === INDEX_TOOL ? '' : `[Members of the result](report-format.md#${name}).`,
    ]),
    '## Result',
    'Each paid tool answers with `structuredContent` of this form. Members of the capability are under `evidence.result`.',
    renderMembers(listTools().find(({ name }) => name !== INDEX_TOOL)?.outputSchema ?? {}),
    '## Resources',
    formatTable(
      ['Resource', 'What it is'],
      [
        [formatCode(CATALOGUE.uri), escapeProse(CATALOGUE.description ?? '')],
        ...RESOURCE_TEMPLATES.map(({ uriTemplate, description = '' }) => [
          formatCode(uriTemplate),
          escapeProse(description),
        ]),
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
