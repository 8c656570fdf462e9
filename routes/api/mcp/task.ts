import type { ToolCall } from '../../../src/mcp/tool-host.ts';
import type { Following, RequestScope } from '../bindings/composition.ts';
import type { AppOptions } from '../context.ts';
import type { McpCaller } from './caller.ts';

/** One request of one caller as the MCP server needs it: the only place where tools meet bindings and money. */
export type McpTask = { scope: RequestScope; options: AppOptions; from: McpCaller };

/** Progress goes to who asked for it; a call that is called off before it is paid is not charged (rule Y8). */
export function followingOf({ signal, progress }: ToolCall): Following {
  return {
    ...(signal ? { signal } : {}),
    ...(progress
      ? {
          watcher: {
            accepted: () => undefined,
            progress: ({ done, total }) => progress({ done, ...(total === undefined ? {} : { total }) }),
          },
        }
      : {}),
  };
}
