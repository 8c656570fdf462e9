import { EXIT } from '../core/usage.ts';
import type { Io } from './io.ts';

/** How a command ended: it said everything itself, its arguments were wrong, or a file could not be read or written. */
export type Outcome =
  | { kind: 'done'; exitStatus: number }
  | { kind: 'usage'; detail: string }
  | { kind: 'file'; detail: string };

export type HybridCommand = (args: readonly string[], io: Io) => Promise<Outcome>;

export const done: Outcome = { kind: 'done', exitStatus: EXIT.done };
/** The file has errors, or a precondition does not hold. */
export const refused: Outcome = { kind: 'done', exitStatus: EXIT.below };
export const wrongUsage = (detail: string): Outcome => ({ kind: 'usage', detail });
export const fileFault = (detail: string): Outcome => ({ kind: 'file', detail });
