import type { Tool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { changeMonitorBody, createMonitorBody } from '../monitors/core/monitor-body.ts';

const id = z.string().regex(/^mon_[0-9a-f]{24}$/, { error: 'must be the id of a monitor' });
const cursor = z.string().min(1).max(400).optional();

/** What each tool takes. Bodies are those of `/api/monitors`; what they mean is judged where they are carried out. */
export const monitorToolBodies = {
  create_monitor: createMonitorBody,
  list_monitors: z.strictObject({ cursor }),
  get_monitor: z.strictObject({ id, cursor }),
  update_monitor: z.strictObject({
    id,
    revision: z.int().min(1).optional(),
    ...changeMonitorBody.shape,
  }),
  run_monitor: z.strictObject({ id }),
  delete_monitor: z.strictObject({ id }),
} as const;

export type MonitorTool = keyof typeof monitorToolBodies;

export const isMonitorTool = (name: string): name is MonitorTool => Object.hasOwn(monitorToolBodies, name);

/** Whether a tool decides what runs are paid: no remembered answer about a token will do. */
export const isRunMakingTool = (name: string): boolean =>
  name === 'create_monitor' || name === 'update_monitor' || name === 'run_monitor';

const text = { type: 'string' };
const describeObject = (description: string) => ({ type: 'object', description });
const describeInput = (properties: Tool['inputSchema']['properties'], required: readonly string[] = []) => ({
  type: 'object' as const,
  properties,
  ...(required.length === 0 ? {} : { required: [...required] }),
});

const interval = describeObject('{every: daily|weekly|monthly, at?, time_zone?} or {cron, time_zone?}');
const READS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;
const WRITES = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;
const ONE = describeInput({ id: text }, ['id']);

type Described = Required<Pick<Tool, 'description' | 'inputSchema' | 'annotations'>>;

/** The tools as a model reads them, as short as they can be: every model of an account reads all tools, and OpenAPI has the bodies whole. */
export const monitorTools: Readonly<Record<MonitorTool, Described>> = {
  create_monitor: {
    description: 'Watches a site or brand: runs paid from credits, alerts when something changed.',
    inputSchema: describeInput(
      {
        subject: describeObject(
          '{kind: site, url, competitors?} or {kind: brand, capability: visibility_check, body: {brand, niche}}',
        ),
        interval,
        receivers: {
          type: 'array',
          description: '{kind: webhook|slack|teams, url}, {kind: email, address} or {kind: feed}',
        },
      },
      ['subject', 'interval'],
    ),
    annotations: { ...WRITES, openWorldHint: true },
  },
  list_monitors: {
    description: 'Lists monitors. Free.',
    inputSchema: describeInput({ cursor: text }),
    annotations: READS,
  },
  get_monitor: {
    description: 'A monitor, its runs and alerts. Free.',
    inputSchema: describeInput({ id: text, cursor: text }, ['id']),
    annotations: READS,
  },
  update_monitor: {
    description: 'Pauses, resumes or changes a monitor.',
    inputSchema: describeInput({ id: text, state: { enum: ['active', 'paused'] }, interval: { type: 'object' } }, [
      'id',
    ]),
    annotations: WRITES,
  },
  run_monitor: {
    description: 'Runs it now, from credits.',
    inputSchema: ONE,
    annotations: { ...WRITES, idempotentHint: false, openWorldHint: true },
  },
  delete_monitor: {
    description: 'Deletes it with its history.',
    inputSchema: ONE,
    annotations: { ...WRITES, destructiveHint: true },
  },
};
