/**
 * Draws the verdicts that readers judge after the code is frozen: `node bench/truth/draw-aside.ts SEED FOLDER`. The seed is
 * the commit that was frozen. Writes `aside.tsv`, and into the folder the reading view, the HTML and the questions of each
 * page; no verdict. TRUTH_CORPORA names the corpora, as for the bench.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawVerdicts, listQuestions, type Offered } from './aside.ts';
import { corporaFolder, isInPopulation, readManifest, readTruthPage } from './corpora.ts';
import { judgePage } from './judge-page.ts';
import { readLabels } from './labels.ts';
import { renderReadingView } from './reading-view.ts';

const DRAW = { pages: 40, each: 5, costing: 3 };
const COSTING: ReadonlySet<string> = new Set(['fail', 'partial']);

const [seed, folder, corpora] = [process.argv[2], process.argv[3], corporaFolder()];
if (seed === undefined || folder === undefined || corpora === undefined)
  throw new Error('name a seed and a folder, and the corpora in TRUTH_CORPORA');
const asked = new Set([...readLabels('b').values()].flatMap((answers) => [...answers.keys()]));
const offered: Offered[] = [];
const views = new Map<string, { text: string; bytes: Uint8Array }>();
for (const page of readManifest()) {
  const read = readTruthPage(corpora, page);
  if (page.part !== 'aside' || 'missing' in read || !isInPopulation(page, read.bytes.length)) continue;
  const { results } = await judgePage(page, read.bytes);
  const verdicts = results
    .filter(({ check, outcome }) => asked.has(check.id) && outcome.status !== 'unknown')
    .map(({ check, outcome }) => ({ check: check.id, costs: COSTING.has(outcome.status) }));
  offered.push({ id: page.id, verdicts });
  views.set(page.id, { text: renderReadingView(page, read.bytes), bytes: read.bytes });
}
const drawn = drawVerdicts(offered, { seed, ...DRAW });
mkdirSync(folder, { recursive: true });
for (const page of drawn) {
  const view = views.get(page.id);
  if (view === undefined) continue;
  writeFileSync(
    join(folder, `${page.id}.txt`),
    `PAGE ${page.id}\nQUESTIONS ${listQuestions(page).join(' ')}\n${view.text}`,
  );
  writeFileSync(join(folder, `${page.id}.html`), view.bytes);
}
const rows = drawn.flatMap(({ id, checks }) => checks.map((check) => `${id}\t${check}`));
writeFileSync(new URL('aside.tsv', import.meta.url), `page\tcheck, drawn with the seed ${seed}\n${rows.join('\n')}\n`);
console.log(`${rows.length} verdicts of ${drawn.length} pages, from ${offered.length} pages`);
