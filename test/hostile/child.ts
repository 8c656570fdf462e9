/**
 * Runs the rows of one table from the given one on, in a process with a small heap, and prints a line before and after each:
 * what ends the process is known by the line that is missing. Arguments: the table, and the row to begin with.
 */
import { counted, lookOutside, startCounting } from './counters.ts';
import type { Seen } from './shape.ts';
import { loadRows } from './tables.ts';
import { inflated } from './workerd-inflater.ts';

const [table = '', first = '0'] = process.argv.slice(2);
const rows = await loadRows(table);
const counters = await startCounting();
for (const [index, row] of rows.entries()) {
  if (index < Number(first)) continue;
  say({ index, begun: true });
  const work = row.make();
  await counters.reset();
  const { outcome, result } = await work();
  const out = JSON.stringify(result)?.length ?? 0;
  lookOutside();
  const seen: Seen = { ...counted, outcome, out, held: inflated.most, calls: await counters.calls() };
  say({ index, seen });
}
process.exit(0); // A stream that a row left open must not keep the process.

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
