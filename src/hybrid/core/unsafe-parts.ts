import { isAlias, isCollection, isNode, isPair, isScalar, type Node, visit } from 'yaml';
import { TOUCHED } from './keys-data.ts';
import { buildOverridesProblem, type OverridesProblem } from './problem.ts';
import type { ProblemCode } from './problems-data.ts';
import type { OverridesSource } from './source.ts';

/** Reported places. */
const MAX_PLACES = 20;

/**
 * What makes a splice unsafe in the parts that are read or changed: anchors, aliases, merge keys, tags, keys that are no
 * text. Elsewhere they stay as they are.
 */
export function findUnsafeParts(source: OverridesSource): readonly OverridesProblem[] {
  const problems: OverridesProblem[] = [];
  const add: Add = (code, at = 0, message, sign = '') => {
    // A node begins after its anchor and tag.
    const signAt = sign === '' ? at : source.text.lastIndexOf(sign, at);
    const first = source.text.startsWith('!!', signAt - 1) ? signAt - 1 : signAt;
    if (problems.length < MAX_PLACES)
      problems.push(buildOverridesProblem(code, source.placeOf(Math.max(first, 0)), message));
  };
  judge(source.root, add, false);
  for (const { key, value } of source.root.items) {
    if (!isScalar(key)) {
      add('complex-key', isNode(key) ? key.range?.[0] : 0, 'A key of the file is no plain text.');
      continue;
    }
    judge(key, add, true);
    if (key.value === '<<') add('anchor', key.range?.[0], 'A merge key brings in keys from elsewhere.');
    if (TOUCHED.has(String(key.value)) && isNode(value)) judgeAll(value, add);
  }
  return problems;
}

type Add = (code: ProblemCode, at: number | undefined, message: string, sign?: string) => void;

function judgeAll(part: Node, add: Add): void {
  visit(part, (_key, node) => {
    if (isPair(node)) {
      if (!isScalar(node.key))
        add('complex-key', isNode(node.key) ? node.key.range?.[0] : part.range?.[0], 'A key here is no plain text.');
      else if (node.key.value === '<<')
        add('anchor', node.key.range?.[0], 'A merge key brings in keys from elsewhere.');
    } else if (isNode(node)) judge(node, add, true);
  });
}

function judge(node: Node, add: Add, aliasToo: boolean): void {
  const at = node.range?.[0];
  if (isAlias(node)) {
    if (aliasToo) add('anchor', at, 'An alias stands for a value from elsewhere.');
    return;
  }
  if ((isScalar(node) || isCollection(node)) && node.anchor !== undefined)
    add('anchor', at, 'An anchor lets other parts share this value.', `&${node.anchor}`);
  if (node.tag !== undefined) add('tag', at, 'A tag says of what type this value is.', '!');
}
