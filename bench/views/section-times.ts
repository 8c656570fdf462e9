/**
 * Child of the views part: reads a page of 50 checks from the stored result in the file that it is given, again and again,
 * from its JSON text to the text of the answer, and prints the size and times.
 */
import { readFileSync } from 'node:fs';
import { parseBought } from '../../src/results/bought.ts';
import { MAX_SECTION_ITEMS, readSectionPage } from '../../src/results/section-page.ts';

export type SectionTimes = { items: number; bytes: number; cpuMs: readonly number[] };

const WARM_UP = 30;
const RUNS = 50;
const PLACE = { baseUrl: 'https://sightline.example', reportId: '0123456789abcdef'.repeat(2) };

const stored = readFileSync(process.argv[2] ?? '', 'utf8');

async function readPage(): Promise<{ items: number; text: string }> {
  const result = parseBought(stored);
  const read = result && (await readSectionPage({ result }, 'checks', { score: 'agent' }, PLACE));
  if (read?.ok !== true) throw new Error('no page');
  return { items: read.page.items.length, text: JSON.stringify(read.page) };
}

async function cpuOfOne(): Promise<number> {
  const before = process.cpuUsage();
  await readPage();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

for (let run = 0; run < WARM_UP; run += 1) await readPage();
const cpuMs: number[] = [];
for (let run = 0; run < RUNS; run += 1) cpuMs.push(await cpuOfOne());
const { items, text } = await readPage();
if (items !== MAX_SECTION_ITEMS) throw new Error(`the page has ${items} checks`);
console.log(JSON.stringify({ items, bytes: Buffer.byteLength(text), cpuMs } satisfies SectionTimes));
