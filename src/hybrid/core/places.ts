import { LineCounter } from 'yaml';
import type { Place } from './problem.ts';

const BOM = '\uFEFF';

/** Tells line and column of offsets in a text. A byte order mark has no column of its own. */
export function placesOf(text: string): (offset: number) => Place {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  const shift = text.startsWith(BOM) ? 1 : 0;
  return (offset) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: line === 1 ? Math.max(1, col - shift) : col };
  };
}
