/**
 * `npm run ranges` asks the owners of AI agents for the addresses that they publish and writes `agent-ranges-data.ts` again.
 * What an owner does not answer stays as it was, is named, and makes the run fail. `--from ORIGIN` asks the same paths of a
 * mirror; `--out FILE` writes another data file; `--json FILE` also writes what `sightline logs --ranges FILE` reads.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { formatIsoDay } from '../../src/lib/time.ts';
import { type PublishedList, publishedLists } from '../../src/traffic/ranges/agent-ranges-data.ts';
import { agentSources } from '../../src/traffic/ranges/agent-sources-data.ts';
import { type FetchedList, fetchList } from './fetch-list.ts';
import { withLists } from './format-lists.ts';

const DATA = new URL('../../src/traffic/ranges/agent-ranges-data.ts', import.meta.url);

/** The lists after asking every owner, and a line about each; `failed` counts those that stay as they were. */
export type Refreshed = { lists: readonly PublishedList[]; lines: readonly string[]; failed: number };

/** Asks for one list after the other: owners are strangers, and there is no hurry. */
export async function refreshLists(
  known: readonly PublishedList[],
  ask: (url: string, form: 'json' | 'page') => Promise<FetchedList>,
  today: string,
): Promise<Refreshed> {
  const lists: PublishedList[] = [];
  const lines: string[] = [];
  let failed = 0;
  for (const { list: source, form } of agentSources) {
    const before = known.find((each) => each.source === source);
    const answer = await ask(source, form);
    if (answer.ok) {
      const prefixes = answer.prefixes.join(' ');
      lists.push({ source, copy: '', date: answer.date === '' ? today : answer.date, read: today, prefixes });
      lines.push(`${source}: ${answer.prefixes.length} blocks of ${answer.date === '' ? 'no date' : answer.date}`);
      continue;
    }
    failed += 1;
    if (before !== undefined) lists.push(before);
    const left = before === undefined ? 'there is no list of it' : `that of ${before.date} stays`;
    lines.push(`${source}: NOT READ, ${left} (${answer.detail})`);
  }
  return { lists, lines, failed };
}

/** The file for `--ranges`. */
export const formatRangesFile = (lists: readonly PublishedList[]): string =>
  `${JSON.stringify({
    ranges: agentSources.flatMap(({ tokens, list }) =>
      lists
        .filter(({ source }) => source === list)
        .map(({ source, date, prefixes }) => ({ tokens, source, date, prefixes: prefixes.trim().split(/\s+/) })),
    ),
  })}\n`;

/** Runs the command. @returns its exit code: 1 when any list was not read */
export async function runRefresh(args: readonly string[], print: (line: string) => void): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { from: { type: 'string' }, out: { type: 'string' }, json: { type: 'string' } },
  });
  const { from } = values;
  const place = (url: string): string => (from === undefined ? url : new URL(new URL(url).pathname, from).href);
  const { lists, lines, failed } = await refreshLists(
    publishedLists,
    async (url, form) => await fetchList(place(url), form),
    formatIsoDay(Date.now()),
  );
  for (const line of lines) print(line);
  writeFileSync(values.out ?? DATA, withLists(readFileSync(DATA, 'utf8'), lists));
  if (values.json !== undefined) writeFileSync(values.json, formatRangesFile(lists));
  print(failed === 0 ? `All ${lines.length} lists were read.` : `${failed} of ${lines.length} lists were not read.`);
  return failed === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = await runRefresh(process.argv.slice(2), (line) => console.log(line));
