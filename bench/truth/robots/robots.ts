import { type Aim, atLeast, atMost } from '../../aims.ts';
import { askedAgents } from './agents-data.ts';
import { countDifferences, decideOurs } from './compare.ts';
import { decodeDecisions } from './decisions.ts';
import { digestPaths, listAskedPaths } from './questions.ts';
import { reasons } from './reasons.ts';
import { readRobotsCase, readRobotsManifest, type RobotsCase } from './robots-corpora.ts';

/** Where ours and Google's parser differ for one reason: `decisions` in how many, `files` in which. */
export type ReasonFigures = { reason: string; decisions: number; files: readonly string[] };

export type RobotsResults = {
  aims: readonly Aim[];
  files: { manifest: number; compared: number; missing: readonly string[] };
  decisions: number;
  equal: number;
  byReason: readonly ReasonFigures[];
  /** Files with differences that their reasons do not account for. */
  unexplained: readonly { file: string; decisions: number }[];
};

type Compared = { one: RobotsCase; asked: number; differ: number; left: number };

const MAX_SHOWN = 20;

/** Decisions of our robots.txt matcher on public files against those of Google's parser, which are kept as data. */
export function measureRobots(folder: string, say: (line: string) => void): RobotsResults {
  const manifest = readRobotsManifest();
  const missing: string[] = [];
  const compared = manifest.flatMap((one): Compared[] => {
    const read = readRobotsCase(folder, one);
    if ('bytes' in read) return [compareCase(one, read.bytes)];
    missing.push(read.missing);
    return [];
  });
  const decisions = compared.reduce((sum, { asked }) => sum + asked, 0);
  const results = {
    files: { manifest: manifest.length, compared: compared.length, missing },
    decisions,
    equal: decisions - compared.reduce((sum, { differ }) => sum + differ, 0),
    byReason: groupByReason(compared),
    unexplained: compared
      .filter(({ left }) => left > 0)
      .map(({ one, left }) => ({ file: nameCase(one), decisions: left })),
  };
  for (const line of describeRobots(results)) say(line);
  return { aims: listRobotsAims(results), ...results };
}

/** @throws Error when other paths would be asked than those that Google's parser was asked about. */
function compareCase(one: RobotsCase, bytes: Uint8Array<ArrayBuffer>): Compared {
  const paths = listAskedPaths(bytes);
  if (digestPaths(paths) !== one.paths) throw new Error(`${nameCase(one)}: the manifest answers other questions`);
  const google = decodeDecisions(one.decisions, { agents: askedAgents.length, paths: paths.length });
  const differ = countDifferences(decideOurs(bytes, paths, []), google);
  const left = differ === 0 ? 0 : countDifferences(decideOurs(bytes, paths, one.reasons), google);
  return { one, asked: askedAgents.length * paths.length, differ, left };
}

const nameCase = ({ corpus, name }: RobotsCase): string => `${corpus}/${name}`;

function groupByReason(compared: readonly Compared[]): readonly ReasonFigures[] {
  const groups = new Map<string, Compared[]>(reasons.map(({ id }) => [id, []]));
  for (const each of compared) {
    if (each.differ === 0 || each.left > 0) continue;
    const id = each.one.reasons.join(' and ');
    groups.set(id, [...(groups.get(id) ?? []), each]);
  }
  return [...groups].map(([reason, own]) => ({
    reason,
    decisions: own.reduce((sum, { differ }) => sum + differ, 0),
    files: own.map(({ one }) => nameCase(one)),
  }));
}

type Figures = Omit<RobotsResults, 'aims'>;

function describeRobots({ files, decisions, equal, byReason, unexplained }: Figures): readonly string[] {
  const share = decisions === 0 ? '' : ` (${((100 * equal) / decisions).toFixed(3)} %)`;
  const shorten = (names: readonly string[]): string =>
    names.slice(0, MAX_SHOWN).join(', ') + (names.length > MAX_SHOWN ? `, and ${names.length - MAX_SHOWN} more` : '');
  return [
    `robots.txt: ${files.compared} of ${files.manifest} files; ${equal} of ${decisions} decisions are those of Google's parser${share}`,
    ...files.missing.slice(0, MAX_SHOWN).map((line) => `  missing: ${line}`),
    ...byReason.flatMap(({ reason, decisions: count, files: names }) => [
      `  ${reason}: ${count} decisions of ${names.length} files: ${shorten(names)}`,
      ...reasons
        .filter(({ id }) => id === reason)
        .map(({ google, ours, source }) => `    Google's parser ${google} Ours ${ours} (${source})`),
    ]),
    ...unexplained.map(({ file, decisions: count }) => `  WITHOUT A REASON: ${count} decisions of ${file}`),
  ];
}

const listRobotsAims = ({ files, unexplained }: Figures): readonly Aim[] => [
  atLeast('truth, robots.txt: files compared', files.compared, 1000, ''),
  atMost(
    "truth, robots.txt: decisions other than Google's parser's, without a reason",
    unexplained.reduce((sum, { decisions }) => sum + decisions, 0),
    0,
    '',
  ),
];
