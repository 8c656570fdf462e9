import { EXIT } from '../core/usage.ts';
import type { Io } from './io.ts';

/** How a command ended: it said everything itself, its arguments were wrong, or a file could not be read or written. */
export type CommandOutcome =
  | { kind: 'done'; exitStatus: number }
  | { kind: 'usage'; detail: string }
  | { kind: 'file'; detail: string };

export type HybridCommand = (args: readonly string[], io: Io) => Promise<CommandOutcome>;

export const done: CommandOutcome = { kind: 'done', exitStatus: EXIT.done };
/** The file has errors, or a precondition does not hold. */
export const refused: CommandOutcome = { kind: 'done', exitStatus: EXIT.below };
export const failUsage = (detail: string): CommandOutcome => ({ kind: 'usage', detail });
export const failFile = (detail: string): CommandOutcome => ({ kind: 'file', detail });
