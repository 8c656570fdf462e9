/**
 * Writes the reading views that the labels were made from: `node bench/truth/write-views.ts FOLDER`. Each page that has
 * labels gets `<id>.txt`, and its HTML beside it. TRUTH_CORPORA names the corpora, as for the bench.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { corporaFolder, readManifest, readTruthPage } from './corpora.ts';
import { readLabels } from './labels.ts';
import { renderReadingView } from './reading-view.ts';

const [folder, corpora] = [process.argv[2], corporaFolder()];
if (folder === undefined || corpora === undefined) throw new Error('name a folder, and the corpora in TRUTH_CORPORA');
mkdirSync(folder, { recursive: true });
const labelled = readLabels('a');
for (const page of readManifest()) {
  if (!labelled.has(page.id)) continue;
  const read = readTruthPage(corpora, page);
  if ('missing' in read) {
    console.log(read.missing);
    continue;
  }
  writeFileSync(join(folder, `${page.id}.txt`), `PAGE ${page.id}\n${renderReadingView(page, read.bytes)}`);
  writeFileSync(join(folder, `${page.id}.html`), read.bytes);
}
