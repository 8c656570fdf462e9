import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Public corpora from which the pages come, each with the commit whose files the manifest names. None is in this repository. */
export const corpora = {
  aeb: { repository: 'scrapinghub/article-extraction-benchmark', commit: '4a3bc979f76c0df73cb95fe272e2fc1b96f9f010' },
  extruct: { repository: 'scrapinghub/extruct', commit: 'a31daaadb82ec684b7d468d3b15734b8ae3b7265' },
  readability: { repository: 'mozilla/readability', commit: 'ab4027a8b37669745016869a37a504727992b2ba' },
  trafilatura: { repository: 'adbar/trafilatura', commit: 'e90b0ef51ab026fdb905fb6c5b3c84dd3d784fd5' },
} as const;

export type CorpusName = keyof typeof corpora;

/**
 * What a page may be used for. `open`: its labels may be looked at while the engine is changed. `frozen`: its labels are
 * only counted. `aside`: not looked at before the code is frozen.
 */
export const parts = ['open', 'frozen', 'aside'] as const;
export type Part = (typeof parts)[number];

/** A page of the manifest. `host` is `made` where neither its corpus nor the page says which address it had. */
export type TruthPage = {
  id: string;
  corpus: CorpusName;
  part: Part;
  host: 'own' | 'made';
  sha256: string;
  path: string;
  url: string;
};

/** Shorter files are fragments of a test suite, longer ones archives of a page with all that it loads. */
const POPULATION_BYTES = { from: 8000, to: 900_000 };

/** Whether labelled pages could be drawn from this page: how often a verdict falls is counted over these pages alone. */
export const isInPopulation = ({ host }: Pick<TruthPage, 'host'>, bytes: number): boolean =>
  host === 'own' && bytes >= POPULATION_BYTES.from && bytes <= POPULATION_BYTES.to;

/** Folder with a checkout of each corpus at `<owner>/<name>`. */
export const corporaFolder = (): string | undefined => process.env['TRUTH_CORPORA'];

/** All pages of the manifest, in its order. @throws Error when a row is not of its form. */
export function readManifest(): readonly TruthPage[] {
  const [, ...lines] = readFileSync(new URL('pages.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => {
    const [id = '', corpus = '', part = '', host = '', sha256 = '', path = '', url = ''] = line.split('\t');
    if (!isCorpusName(corpus) || !isPart(part) || !URL.canParse(url)) throw new Error(`pages.tsv: ${line}`);
    return { id, corpus, part, host: host === 'own' ? 'own' : 'made', sha256, path, url };
  });
}

const isCorpusName = (name: string): name is CorpusName => Object.hasOwn(corpora, name);
const isPart = (name: string): name is Part => parts.some((part) => part === name);

/** The bytes of a page as its corpus has them; or why there are none, in a sentence. */
export function readTruthPage(
  folder: string,
  page: TruthPage,
): { bytes: Uint8Array<ArrayBuffer> } | { missing: string } {
  const { repository, commit } = corpora[page.corpus];
  const file = join(folder, repository, page.path);
  if (!existsSync(file)) return { missing: `${repository} at ${commit}: ${page.path} is not in the folder` };
  const raw = readFileSync(file);
  const sha256 = createHash('sha256').update(raw).digest('hex');
  if (sha256 !== page.sha256) return { missing: `${repository}: ${page.path} is another file than at ${commit}` };
  return { bytes: new Uint8Array(page.path.endsWith('.gz') ? gunzipSync(raw) : raw) };
}
