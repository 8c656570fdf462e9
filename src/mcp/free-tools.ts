import type { Tool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { buildJsonSchema } from '../capabilities/capability.ts';
import { INDEX_TOOL } from '../capabilities/service.ts';
import { scoreNames } from '../audit/core/check.ts';
import { sectionNames } from '../results/sections.ts';
import { isMonitorTool, type MonitorTool, monitorToolBodies, monitorTools } from './monitor-tools.ts';
import type { OutputSchema } from './output-schemas.ts';
import type { ToolDoor } from './tool-host.ts';

const reportId = z
  .string()
  .regex(/^[0-9a-f]{32}$/, { error: 'must be the report_id of a result: 32 hex digits' })
  .meta({ description: 'report_id of a result' });

const publishToken = z.string().min(1).max(200).meta({ description: 'publish_token of the purchase' });

const shortText = z.string().min(1).max(200);

/** What each free tool takes. Which filters a section has is judged by the section, in words that name them. */
export const freeToolBodies = {
  [INDEX_TOOL]: z.strictObject({}),
  read_report: z.strictObject({
    report_id: reportId,
    section: z.enum(sectionNames).optional().meta({ description: 'Summary when absent' }),
    status: shortText.optional().meta({ description: 'Such as fail, partial' }),
    score: z.enum(scoreNames).optional().meta({ description: 'Only what counts for it' }),
    id: shortText.optional().meta({ description: 'One check, fix or file' }),
    cursor: shortText.optional().meta({ description: 'next_cursor of the page before' }),
  }),
  get_fix: z.strictObject({
    report_id: reportId,
    fix_id: shortText.meta({ description: 'An id of do_first' }),
  }),
  list_reports: z.strictObject({
    cursor: shortText.optional().meta({ description: 'next_cursor of the page before' }),
  }),
  publish_report: z.strictObject({ report_id: reportId, publish_token: publishToken }),
  ...monitorToolBodies,
} as const;

export type FreeToolName = keyof typeof freeToolBodies;

/** The free tools that work on reports: all but the catalogue and monitors. */
export type ReportTool = Exclude<FreeToolName, typeof INDEX_TOOL | MonitorTool>;

export const isReportTool = (name: string): name is ReportTool =>
  name !== INDEX_TOOL && isFreeTool(name) && !isMonitorTool(name);

export const isFreeTool = (name: string): name is FreeToolName => Object.hasOwn(freeToolBodies, name);

/** The shape of the arguments as a model reads it: patterns and lengths are judged, not advertised. */
const buildFreeInput = (name: keyof typeof described): Tool['inputSchema'] => {
  const schema = buildJsonSchema(freeToolBodies[name], 'input');
  const text = JSON.stringify(schema, (key, value: unknown) => (LEFT_OUT.has(key) ? undefined : value));
  return { ...(JSON.parse(text) as object), type: 'object' };
};

const LEFT_OUT: ReadonlySet<string> = new Set(['pattern', 'minLength', 'maxLength', 'additionalProperties']);

const READS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

type Described = Pick<Tool, 'title' | 'description' | 'annotations'> & {
  outputSchema: OutputSchema;
  doors: readonly ToolDoor[];
};

const text = { type: 'string' };
const evidence = { type: 'object' };

const described: Readonly<Record<Exclude<FreeToolName, MonitorTool>, Described>> = {
  index: {
    title: 'Catalogue',
    description: 'Lists all tools with their prices, body schemas and whether they can be bought now. Free.',
    annotations: READS,
    outputSchema: {
      type: 'object',
      properties: { capabilities: { type: 'object' }, payment: { type: 'object' } },
      required: ['capabilities', 'payment'],
    },
    doors: ['open', 'account', 'stdio'],
  },
  read_report: {
    title: 'Read a report',
    description: 'Reads a report that was bought: its summary, or one section by pages. Free.',
    annotations: READS,
    outputSchema: {
      type: 'object',
      properties: { report_id: text, section: text, total: { type: 'integer' }, next_cursor: text, evidence },
      required: ['evidence'],
    },
    doors: ['open', 'account', 'stdio'],
  },
  get_fix: {
    title: 'Get a fix',
    description: 'Reads one fix of a report whole: instructions, ready texts, how to verify. Free.',
    annotations: READS,
    outputSchema: { type: 'object', properties: { fix_id: text, evidence }, required: ['fix_id', 'evidence'] },
    doors: ['open', 'account', 'stdio'],
  },
  list_reports: {
    title: 'My reports',
    description: 'Lists the reports that this account bought, newest first. Free.',
    annotations: READS,
    outputSchema: {
      type: 'object',
      properties: {
        reports: {
          type: 'array',
          items: { type: 'object', properties: { report_id: text, capability: text } },
        },
        next_cursor: text,
      },
      required: ['reports'],
    },
    doors: ['account'],
  },
  publish_report: {
    title: 'Publish a report',
    description: 'Makes a whole report public, also to search engines; its buyer can take that back. Free.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    outputSchema: {
      type: 'object',
      properties: { report_id: text, published: { const: true }, badge: text, history: text },
      required: ['published'],
    },
    doors: ['open', 'account', 'stdio'],
  },
};

/** The free tools of a door: the index, which comes first, and the others. Monitors belong to accounts. */
export function buildFreeTools(door: ToolDoor): { index: Tool; others: readonly Tool[] } {
  const names = (Object.keys(described) as (keyof typeof described)[]).filter((name) =>
    described[name].doors.includes(door),
  );
  const tools = names.map((name): Tool => {
    const { doors: _doors, ...rest } = described[name];
    return { name, inputSchema: buildFreeInput(name), ...rest };
  });
  const [index, ...others] = tools;
  if (!index) throw new Error('no index');
  const watching = Object.entries(monitorTools).map(([name, rest]): Tool => ({ name, ...rest }));
  return { index, others: door === 'account' ? [...others, ...watching] : others };
}
