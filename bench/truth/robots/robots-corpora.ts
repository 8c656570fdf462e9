import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Public collections of robots.txt files, each with the commit and the folder whose files the manifest names. */
export const robotsCorpora = {
  p: { repository: 'scrapy/protego', commit: '81f1b35d1a2b86595fb3ff656a58a68631ba06da', folder: 'tests/test_data' },
  e: { repository: 'egonkm/Robots.txt', commit: '602c54464c98b31c9eb28b1d003f9c972ebe6728', folder: 'robots' },
  i: { repository: 'KqSMea8/ISI-PROJECT2', commit: '76dcc5a4067c1a052b1e3b57c13c8b78b2563cab', folder: 'RobotsFiles' },
} as const;

/** A file of the manifest, and what Google's parser decided about it. `sha256` is base64url, `paths` a digest of them. */
export type RobotsCase = {
  corpus: keyof typeof robotsCorpora;
  name: string;
  sha256: string;
  paths: string;
  reasons: readonly string[];
  decisions: string;
};

const HEAD = 'corpus\tname\tsha256\tpaths\treasons\tdecisions';
const manifest = new URL('manifest.tsv', import.meta.url);

/** All files of the manifest, in its order. @throws Error when a row is not of its form. */
export function readRobotsManifest(): readonly RobotsCase[] {
  const [head, ...lines] = readFileSync(manifest, 'utf8').trimEnd().split('\n');
  if (head !== HEAD) throw new Error(`manifest.tsv begins with ${head}`);
  return lines.map((line) => {
    const [corpus = '', name = '', sha256 = '', paths = '', reasons = '', decisions = ''] = line.split('\t');
    if (!isCorpus(corpus) || sha256.length !== 43 || decisions === '') throw new Error(`manifest.tsv: ${line}`);
    return { corpus, name, sha256, paths, reasons: reasons === '' ? [] : reasons.split(','), decisions };
  });
}

const isCorpus = (name: string): name is keyof typeof robotsCorpora => Object.hasOwn(robotsCorpora, name);

/** The manifest as text. */
export const renderRobotsManifest = (cases: readonly RobotsCase[]): string =>
  [
    HEAD,
    ...cases.map(({ corpus, name, sha256, paths, reasons, decisions }) =>
      [corpus, name, sha256, paths, reasons.join(','), decisions].join('\t'),
    ),
    '',
  ].join('\n');

export const digestFile = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');

export const locateRobotsFile = (folder: string, { corpus, name }: Pick<RobotsCase, 'corpus' | 'name'>): string =>
  join(folder, robotsCorpora[corpus].repository, robotsCorpora[corpus].folder, name);

/** The bytes of a file as its corpus has them; or why there are none, in a sentence. */
export function readRobotsCase(
  folder: string,
  one: RobotsCase,
): { bytes: Uint8Array<ArrayBuffer> } | { missing: string } {
  const { repository, commit } = robotsCorpora[one.corpus];
  const file = locateRobotsFile(folder, one);
  if (!existsSync(file)) return { missing: `${repository} at ${commit}: ${one.name} is not in the folder` };
  const bytes = new Uint8Array(readFileSync(file));
  return digestFile(bytes) === one.sha256
    ? { bytes }
    : { missing: `${repository}: ${one.name} is another file than at ${commit}` };
}
