import { type Files, type FilesWanted, LAST, type StoredFile } from './files.ts';

/** `delimiter`: names that have it behind the prefix are shown as one, up to and with it; '' for none. */
type Wanted = FilesWanted & { delimiter: string };

/** `next`: there is more behind this name. */
export type FilesPage = { files: readonly StoredFile[]; prefixes: readonly string[]; next?: string };

/** Names that one statement reads where each may be the first of a group that is passed over. */
const LOOKAHEAD = 16;

/** One page of a bucket: files and groups of files by the order of their names, so many together. */
export function pageOfFiles(bucket: string, wanted: Wanted, files: Files): FilesPage {
  const { delimiter, limit } = wanted;
  const shown: StoredFile[] = [];
  const prefixes: string[] = [];
  let { after } = wanted;
  while (shown.length + prefixes.length < limit) {
    const room = limit - shown.length - prefixes.length;
    const found = files.list(bucket, { ...wanted, after, limit: delimiter === '' ? room : Math.min(room, LOOKAHEAD) });
    if (found.length === 0) return { files: shown, prefixes };
    const groupAt = delimiter === '' ? -1 : found.findIndex(({ name }) => groupOf(name, wanted) !== undefined);
    const plain = groupAt < 0 ? found : found.slice(0, groupAt);
    shown.push(...plain);
    after = plain.at(-1)?.name ?? after;
    const group = groupAt < 0 ? undefined : groupOf(found[groupAt]?.name ?? '', wanted);
    if (group === undefined) continue;
    prefixes.push(group);
    after = `${group}${LAST}`;
  }
  const isLast = files.list(bucket, { ...wanted, after, limit: 1 }).length === 0;
  return { files: shown, prefixes, ...(!isLast && { next: after }) };
}

/** `a/` of `a/b` by the delimiter `/`. */
function groupOf(name: string, { prefix, delimiter }: Wanted): string | undefined {
  const at = name.indexOf(delimiter, prefix.length);
  return at < 0 ? undefined : name.slice(0, at + delimiter.length);
}
