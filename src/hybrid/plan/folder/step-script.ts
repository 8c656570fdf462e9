import { CURL, IF_REMOVAL_ALLOWED, parseScriptFile } from '../commands.ts';
import type { Command, UpgradeStep } from '../plan.ts';
import { splitCommandLines, toSingleLine } from '../render.ts';
import { quoteLiteral } from '../shell.ts';
import { API_FUNCTION } from './lib-script.ts';
import { formatStepNumber } from './step-number.ts';
import { STEP_TOOLS, UNDO_TOOLS } from './tools-data.ts';

/** Texts are wrapped here, so that a script can be read side by side with another. */
const MAX_LINE_CHARS = 100;

const READ_LIB = '. "$(dirname -- "$0")/../lib.sh"';

/** `steps/NN-id.sh`: the commands, each with its number, then the checks. */
export const formatStepScript = (step: UpgradeStep, commands: readonly Command[]): string =>
  formatScript([
    ...formatComment(`Step ${step.number}: ${step.title}${step.isPointOfNoReturn ? ' (POINT OF NO RETURN)' : ''}`),
    ...formatComment(step.why),
    READ_LIB,
    formatBegin('step', step, commands.length, STEP_TOOLS[step.id]),
    ...commands.flatMap((command, index) => ['', ...formatNumbered(command, index + 1)]),
    '',
    'end_commands',
    '',
    '# The check.',
    ...step.check.commands.flatMap((command) => ['', ...formatCheck(command)]),
    '',
    `finish ${formatTexts(step.check.expect)}`,
  ]);

/** `undo/NN-id.sh`: how to go back from a step. */
export const formatUndoScript = (step: UpgradeStep): string =>
  formatScript([
    ...formatComment(`Undo of step ${step.number}: ${step.title}`),
    ...formatComment('Undo the later steps first, the last one before all others.'),
    READ_LIB,
    formatBegin('undo', step, step.undo.length, UNDO_TOOLS[step.id]),
    ...step.undo.flatMap((command, index) => ['', ...formatNumbered(command, index + 1)]),
    '',
    'finish_undo',
  ]);

/** What must hold before anything is done: `begin` of lib.sh judges it. */
const formatBegin = (kind: 'step' | 'undo', { number }: UpgradeStep, commands: number, tool = 'any'): string =>
  `begin ${kind} ${formatStepNumber(number)} ${commands} ${tool}`;

const formatScript = (lines: readonly string[]): string => `#!/bin/sh\n${lines.join('\n')}\n`;

function formatNumbered({ command, text }: Command, number: number): readonly string[] {
  return [
    `if at ${number}${text === undefined ? '' : ` ${formatTexts(text)}`}; then`,
    ...(command === undefined ? ['by_hand'] : formatCommand(command)),
    'passed $?',
    'fi',
  ];
}

const formatCheck = ({ command, text }: Command): readonly string[] => [
  ...(text === undefined ? [] : [`say ${formatTexts(text)}`]),
  ...(command === undefined ? [] : [...formatCommand(command), 'checked $?']),
];

/** Commands start at the beginning of their lines, because the line that ends a here-document must. */
function formatCommand(command: string): readonly string[] {
  const script = parseScriptFile(command);
  if (script !== undefined) return [`copy_script ${quoteLiteral(script.name)}`];
  const called = command.replaceAll(CURL.script, API_FUNCTION);
  if (!called.startsWith(IF_REMOVAL_ALLOWED)) return splitCommandLines(called);
  const removal = splitCommandLines(called.slice(IF_REMOVAL_ALLOWED.length).trimStart());
  return [IF_REMOVAL_ALLOWED, 'note_removal', ...removal];
}

/** A text as words of a shell, one a line of it. */
const formatTexts = (text: string): string => wrapText(text).map(quoteLiteral).join(' \\\n  ');

const formatComment = (text: string): readonly string[] => wrapText(text).map((line) => `# ${line}`);

/** Lines of whole words; a longer word has a line of its own. */
function wrapText(text: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of toSingleLine(text).trim().split(' ')) {
    if (line !== '' && line.length + 1 + word.length > MAX_LINE_CHARS) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
