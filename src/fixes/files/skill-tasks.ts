import { findInstructions } from '../../audit/hidden-text/facts/instruction-patterns.ts';
import type { Fix, FixAction } from './fix.ts';
import { safeCommand } from './safe-command.ts';
import { codeSpan, fenced, plainLine } from '../../lib/safe-text.ts';
import { assetMembers, assetPath } from './skill-assets.ts';

/** Characters of an instruction and of what a verification must show: texts of ours, cut like any other. */
const MAX_WORDS_CHARS = 1200;
const MAX_TITLE_CHARS = 150;

const ACTIONS: Readonly<Record<FixAction, string>> = {
  create: 'create the file',
  replace: 'replace the file',
  insert: 'change one place of the file, keep the rest',
  configure: 'change a setting',
};

/**
 * One task as Markdown: what, where, how, and how to see that it works. All of it is our own text, names of a fixed list
 * and numbers; what the site says stands in the asset that the task names.
 */
export function taskLines(fix: Fix, position: number, start: URL): readonly string[] {
  const { id, title, status, file, action, effort, points, facts_needed: facts, verify } = fix;
  const gain = points > 0 ? `+${points} ${points === 1 ? 'point' : 'points'}` : 'no points by itself';
  return [
    `## Task ${position}: ${plainLine(title, MAX_TITLE_CHARS)}`,
    '',
    `- Check: ${codeSpan(id)}, now ${status}; gain: ${gain}; effort: ${effort}`,
    `- File: ${codeSpan(file)}; action: ${ACTIONS[action]}`,
    `- Do: ${ourWords(fix.instructions)}`,
    ...assetLines(fix, position),
    ...(facts.length === 0 ? [] : [`- Facts to ask for first: ${facts.length}, under \`facts_needed\` of that file`]),
    `- Verify: ${ourWords(verify.expect)}`,
    '',
    fenced(safeCommand(verify.command, start), 'sh'),
    '',
  ];
}

function assetLines(fix: Fix, position: number): readonly string[] {
  const members = assetMembers(fix);
  if (members.length === 0) return [];
  const path = assetPath(fix, position);
  const named = members.map((name) => `\`${name}\``).join(', ');
  return [`- Data: [${path}](${path}) with ${named}: ${codeSpan(`jq -r '.${members[0] ?? ''}' ${path}`)}`];
}

/** Texts of a fix are ours by contract. Should one ever repeat words of a site that speak to a model, they end here. */
function ourWords(text: string): string {
  const line = plainLine(text, MAX_WORDS_CHARS);
  const hostile = findInstructions(line).some(({ severity }) => severity === 'hostile');
  return hostile ? 'see the title of this task.' : line;
}
