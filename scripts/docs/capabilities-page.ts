import { exampleBodies } from '../../src/capabilities/bodies.ts';
import { type AnyCapability, buildBodySchema } from '../../src/capabilities/capability.ts';
import { catalog, formatUsd } from '../../src/capabilities/catalog.ts';
import { creditPacks, packPath } from '../../src/capabilities/credit-packs.ts';
import { panelBody } from '../../src/capabilities/panel-bodies.ts';
import { formatPanelPath, panels } from '../../src/capabilities/panels.ts';
import { formatToolPath, soldTools } from '../../src/capabilities/sold-tools.ts';
import { listReportForms } from '../../src/web/report/forms.ts';
import { escapeProse, formatCode, formatFence, formatGeneratedPage, formatTable } from './markdown.ts';
import { listMembers } from './schema-members.ts';

const formatPrice = (microUsdc: number): string => `${formatUsd(microUsdc).replace(/0{4}$/, '')} USD`;

/** `docs/reference/capabilities.md`: a section for each capability, whose anchor is its name. */
export const capabilitiesPage = (): string =>
  formatGeneratedPage('Capabilities', '`src/capabilities/catalog.ts`', [
    `The service sells ${catalog.length} capabilities. You buy one by \`POST /api/agent/<name>\`, by the MCP tool of the same name, or on the web page of the audit. You are charged only when the result is delivered.`,
    formatTable(
      ['Capability', 'What it returns', 'Price', 'Needs an answer engine'],
      catalog.map((row) => [
        `[${formatCode(row.name)}](#${row.name})`,
        escapeProse(row.summary),
        formatPrice(row.priceMicroUsdc),
        row.engineBacked ? 'yes' : 'no',
      ]),
    ),
    ...catalog.flatMap(renderCapability),
    '## Tools',
    'A tool is sold beside the catalogue, at a path of its own. `seller_check` sends GET, HEAD and one unpaid request to the named origin and never pays; [Check a seller](../guides/seller-doctor.md) has its rows and limits.',
    formatTable(
      ['Tool', 'What it returns', 'Price', 'Operation'],
      soldTools.map((row) => [
        formatCode(row.name),
        escapeProse(row.summary),
        formatPrice(row.priceMicroUsdc),
        formatCode(`POST ${formatToolPath(row)}`),
      ]),
    ),
    '## Panels',
    'A panel asks several answer engines the same prompts. It is sold where as many are configured; the free catalogue lists them by name. An engine that could not be measured makes the whole panel 502 and free of charge, unless the body says `allow_partial: true`: then the price stays and the answer names what is missing. All fields of the body are in [the description of the API](http-api.md), those that choose the questions as in [visibility_check](#visibility_check).',
    formatTable(
      ['Panel', 'What it returns', 'Price', 'Operation'],
      panels.map((row) => [
        formatCode(row.name),
        escapeProse(row.summary),
        formatPrice(row.priceMicroUsdc),
        formatCode(`POST ${formatPanelPath(row)}`),
      ]),
    ),
    formatTable(
      ['Field of the body', 'Type', 'Required', 'What it is'],
      listMembers(buildBodySchema({ body: panelBody })).map(({ path, type, isRequired, description }) => [
        formatCode(path),
        type,
        isRequired ? 'yes' : 'no',
        escapeProse(description),
      ]),
    ),
    '## Credits',
    'An account that signs in buys credits once and spends them at `/mcp-account`.',
    formatTable(
      ['Pack', 'Price', 'Operation'],
      creditPacks.map((pack) => [
        formatCode(pack.name),
        formatPrice(pack.priceMicroUsdc),
        formatCode(`POST ${packPath(pack)}`),
      ]),
    ),
  ]);

function renderCapability(row: AnyCapability): readonly string[] {
  return [
    `## ${row.name}`,
    `${escapeProse(row.summary)}. **${formatPrice(row.priceMicroUsdc)}** per call, done within ${row.worstCaseS} s.${row.engineBacked ? ' It needs an answer engine; without one it answers 503 before any payment.' : ''}`,
    formatTable(
      ['Field of the body', 'Type', 'Required', 'What it is'],
      listMembers(buildBodySchema(row)).map(({ path, type, isRequired, description }) => [
        formatCode(path),
        type,
        isRequired ? 'yes' : 'no',
        escapeProse(description),
      ]),
    ),
    formatFence('sh', formatCall(row)),
    `Without payment the answer is 402 with the terms. The stored report has the forms ${listReportForms(row.name).join(', ')}. [Members of the result](report-format.md#${row.name}).`,
  ];
}

const formatCall = ({ name }: AnyCapability): string =>
  `curl -i https://sightline.example/api/agent/${name} \\\n  -H 'content-type: application/json' \\\n  -d '${JSON.stringify(exampleBodies[name])}'`;
