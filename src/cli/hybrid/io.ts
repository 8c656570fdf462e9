import { EXIT } from '../core/usage.ts';

/** What a `hybrid` command reads and writes besides files. */
export type Io = {
  stdin: AsyncIterable<Uint8Array>;
  out: (text: string) => void;
  err: (text: string) => void;
  /** Standard output is a terminal: what steers one is made harmless. */
  isTerminal: boolean;
};

/** Of this process. */
export function createProcessIo(): Io {
  const terminal: { isTTY?: boolean } = process.stdout; // Undefined where it is none.
  return {
    stdin: process.stdin,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    isTerminal: terminal.isTTY === true,
  };
}

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
