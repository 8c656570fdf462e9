import { exampleBodies } from '../capabilities/bodies.ts';
import type { CapabilityName } from '../capabilities/capability-name.ts';
import { catalog } from '../capabilities/catalog.ts';
import { INDEX_TOOL } from '../capabilities/service.ts';
import { capabilityTitles } from '../capabilities/titles-data.ts';
import { formatShortUsd } from '../mcp/tools.ts';

/** Skills that cost nothing, with what they are called over MCP. */
export const FREE_SKILLS = [INDEX_TOOL, 'read_report', 'get_fix'] as const;
export type FreeSkill = (typeof FREE_SKILLS)[number];

export const isFreeSkill = (name: string): name is FreeSkill => FREE_SKILLS.some((one) => one === name);

const REPORT_ID = '0123456789abcdef0123456789abcdef';

const free: Readonly<Record<FreeSkill, { name: string; description: string; input: Record<string, unknown> }>> = {
  index: { name: 'Catalogue', description: 'All skills with prices and input schemas. Free.', input: {} },
  read_report: {
    name: 'Read a report',
    description: 'A report that was bought: its summary, or one section by pages. Free.',
    input: { report_id: REPORT_ID, section: 'checks' },
  },
  get_fix: {
    name: 'Get a fix',
    description: 'One fix of a report whole: instructions, ready texts, how to verify. Free.',
    input: { report_id: REPORT_ID, fix_id: 'agent.llms.found' },
  },
};

const MODES = ['application/json', 'text/plain'] as const;

export type AgentSkill = {
  id: string;
  name: string;
  description: string;
  tags: readonly string[];
  examples: readonly string[];
  inputModes: readonly string[];
  outputModes: readonly string[];
};

const formatExample = (skill: string, input: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ skill, input });

const describeTags = (name: CapabilityName, isMeasured: boolean): readonly string[] => [
  isMeasured ? 'ai-visibility' : 'website-audit',
  name.split('_')[0] ?? name,
  'x402',
];

/** What the agent can do, for its card: a skill for each capability of the catalogue, and the free ones first. */
export const listSkills = (): readonly AgentSkill[] => [
  ...FREE_SKILLS.map((id) => ({
    id,
    name: free[id].name,
    description: free[id].description,
    tags: ['free'],
    examples: [formatExample(id, free[id].input)],
    inputModes: MODES,
    outputModes: MODES,
  })),
  ...catalog.map((row) => ({
    id: row.name,
    name: capabilityTitles[row.name],
    description: `${row.summary}. Costs ${formatShortUsd(row.priceMicroUsdc)} USDC.`,
    tags: describeTags(row.name, row.engineBacked),
    examples: [formatExample(row.name, exampleBodies[row.name])],
    inputModes: MODES,
    outputModes: MODES,
  })),
];
