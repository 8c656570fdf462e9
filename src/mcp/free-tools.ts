import type { Tool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { buildJsonSchema } from '../capabilities/capability.ts';
import { INDEX_TOOL } from '../capabilities/service.ts';
import type { OutputSchema } from './output-schemas.ts';
import type { ToolDoor } from './tool-host.ts';

const reportId = z
  .string()
  .regex(/^[0-9a-f]{32}$/, { error: 'must be the report_id of a result: 32 hex digits' })
  .meta({ description: 'report_id of a result' });

const publishToken = z.string().min(1).max(200).meta({ description: 'publish_token of the purchase' });

/** What each free tool takes. */
export const freeToolBodies = {
  [INDEX_TOOL]: z.strictObject({}),
  publish_report: z.strictObject({ report_id: reportId, publish_token: publishToken }),
} as const;

export type FreeToolName = keyof typeof freeToolBodies;

/** The free tools that work on reports: all but the catalogue. */
export type ReportTool = Exclude<FreeToolName, typeof INDEX_TOOL>;

export const isReportTool = (name: string): name is ReportTool => name !== INDEX_TOOL && isFreeTool(name);

export const isFreeTool = (name: string): name is FreeToolName => Object.hasOwn(freeToolBodies, name);

/** The shape of the arguments as a model reads it: patterns and lengths are judged, not advertised. */
const buildFreeInput = (name: FreeToolName): Tool['inputSchema'] => {
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

const described: Readonly<Record<FreeToolName, Described>> = {
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

/** The free tools of a door: the index, which comes first, and the others. */
export function buildFreeTools(door: ToolDoor): { index: Tool; others: readonly Tool[] } {
  const names = (Object.keys(described) as FreeToolName[]).filter((name) => described[name].doors.includes(door));
  const tools = names.map((name): Tool => {
    const { doors: _doors, ...rest } = described[name];
    return { name, inputSchema: buildFreeInput(name), ...rest };
  });
  const [index, ...others] = tools;
  if (!index) throw new Error('no index');
  return { index, others };
}
