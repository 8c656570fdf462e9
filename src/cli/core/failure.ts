import { EXIT } from './usage.ts';
import { formatSafeJson, formatSafeLine } from './terminal.ts';

/** Why a command ended without what was asked for: one shape for people and programs. */
export type CommandFailure = {
  /** A stable word. */
  reason: string;
  /** What happened, as one sentence. */
  message: string;
  /** More of it, a line each. */
  detail?: readonly string[];
  /** What to do next. */
  next?: string;
  exit: 1 | 2 | 3;
};

/** How a command ended: its exit status where it said everything itself. */
export type CommandEnd = number | CommandFailure;

export type RunCommand = (args: readonly string[]) => Promise<CommandEnd>;

/** A refusal of the arguments. The help of the command is what to do next, unless something better is known. */
export const refuseUsage = (message: string, next?: string): CommandFailure => ({
  reason: 'usage',
  message,
  exit: EXIT.usage,
  ...(next === undefined ? {} : { next }),
});

/** A refusal with the reason of who refused; foreign words become harmless. */
export const refuseCommand = (
  reason: string,
  message: string,
  exit: CommandFailure['exit'],
  next?: string,
): CommandFailure => ({
  reason,
  message: formatSafeLine(message, MAX_MESSAGE_CHARS),
  exit,
  ...(next === undefined ? {} : { next }),
});

export const isFailure = (value: unknown): value is CommandFailure =>
  typeof value === 'object' && value !== null && 'exit' in value && 'reason' in value && 'message' in value;

/** Room for a path and a reason. */
const MAX_MESSAGE_CHARS = 1000;

/** Whether errors are wanted as JSON. The words are looked through before they are parsed: what is wrong may be one of them. */
export function hasJsonOutput(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const words = end === -1 ? args : args.slice(0, end);
  return words.some(
    (word, index) =>
      word === '--json' || word === '--format=json' || (word === '--format' && words[index + 1] === 'json'),
  );
}

/** Says on standard error why a command failed. @returns its exit status */
export function printFailure(failure: CommandFailure, { asJson }: { asJson: boolean }): number {
  process.stderr.write(asJson ? formatFailureJson(failure) : formatFailureText(failure));
  return failure.exit;
}

const formatFailureJson = ({ reason, message, detail = [], next, exit }: CommandFailure): string =>
  `${formatSafeJson({ reason, message, detail: detail.length === 0 ? null : detail.join('\n'), next: next ?? null, exit }, 0)}\n`;

const formatFailureText = ({ message, detail = [], next }: CommandFailure): string =>
  [message, ...detail.map((line) => `  ${line}`), ...(next === undefined ? [] : [next]), ''].join('\n');
