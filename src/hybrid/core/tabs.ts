import { isScalar, visit, type YAMLMap } from 'yaml';
import type { Range } from './lexemes.ts';

const TAB_IN_INDENTATION = /^ *\t[ \t]*(?=[^ \t\r\n#])/gm;

/** Where lines are indented by a tab; lines inside of a text of several lines are its own. */
export function indentingTabs(text: string, root: YAMLMap): readonly number[] {
  const found = [...text.matchAll(TAB_IN_INDENTATION)].map(({ index }) => index);
  if (found.length === 0) return [];
  const texts = longTexts(text, root);
  let next = 0;
  return found.filter((at) => {
    while ((texts[next]?.end ?? Infinity) <= at) next += 1;
    return !((texts[next]?.start ?? Infinity) < at);
  });
}

/** In their order: texts do not lie within each other. */
function longTexts(text: string, root: YAMLMap): readonly Range[] {
  const ranges: Range[] = [];
  visit(root, (_key, node) => {
    if (!isScalar(node) || !node.range) return;
    const [start, end] = node.range;
    if (text.slice(start, end).includes('\n')) ranges.push({ start, end });
  });
  return ranges;
}
