import type { PackedFix } from '../../fixes/files/fix.ts';
import { FIX_FILES } from '../../fixes/core/recipe.ts';
import type { Question } from '../../fixes/core/slot-answers.ts';
import { formatCodeCell, formatCodeSpan } from '../../lib/safe-text.ts';
import { escapeReferences, renderFixSection } from '../../report/markdown.ts';
import type { Reportable } from '../../report/reportable.ts';

/** What a file of the folder is. */
export type FolderFileKind =
  | 'guide'
  | 'report'
  | 'questions'
  | 'facts'
  /** To be deployed as it is, under `target` of the site. */
  | 'ready'
  /** The same once its facts are filled in. */
  | 'draft'
  /** The audited page, where it is not the start page: its owner knows which file it is served from. */
  | 'page'
  /** The change of one fix in `target`. */
  | 'diff'
  /** Text of one fix to put into `target`. */
  | 'snippet'
  /** A whole new `target` of one fix. */
  | 'whole'
  /** Settings of a server: `target` is its name. */
  | 'server'
  | 'skill';

/** A file of the folder. `checks`: those that it is for; `facts`: keys of facts.json that it waits for. */
export type FolderFile = {
  path: string;
  content: string;
  kind: FolderFileKind;
  target?: string;
  checks?: readonly string[];
  facts?: readonly string[];
};

type Guided = {
  report: Reportable;
  fixes: readonly PackedFix[];
  files: readonly FolderFile[];
  questions: readonly Question[];
};

/** `manifest.json`: every fix with its files and facts, and every file with what it is for. */
export function formatManifest({ report, fixes, files, questions }: Guided): string {
  const { url, rubric, ignored } = report;
  const manifest = {
    version: 1,
    url,
    ...(rubric === undefined ? {} : { rubric }),
    ...(ignored === undefined ? {} : { ignored }),
    fixes: fixes
      .map((fix, index) => ({ fix, index, facts: listFacts(fix, questions) }))
      .map(({ fix, index, facts }) => ({
        order: index + 1,
        check: fix.id,
        title: fix.title,
        state: fix.state,
        action: fix.action,
        effort: fix.effort,
        gains: fix.gains,
        target: fix.file,
        paths: listFiles(fix, files).map(({ path }) => path),
        facts: facts.keys,
        other_facts: facts.words,
      })),
    files: files.map(({ content: _content, ...row }) => row),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

const listFiles = ({ id }: PackedFix, files: readonly FolderFile[]): readonly FolderFile[] =>
  files.filter(({ checks }) => checks?.includes(id) === true);

/** What a fix asks its reader for: keys of facts.json, and in words what has no key. */
function listFacts(
  fix: PackedFix,
  questions: readonly Question[],
): { keys: readonly string[]; words: readonly string[] } {
  const isOwn = ({ scope }: Question): boolean => scope === fix.id || scope === fix.file;
  const answers = fix.facts_needed.map((asks) => {
    const asking = questions.filter((question) => question.asks === asks);
    return { asks, keys: (asking.some(isOwn) ? asking.filter(isOwn) : asking).map(({ key }) => key) };
  });
  return {
    keys: [...new Set(answers.flatMap(({ keys }) => keys))],
    words: answers.filter(({ keys }) => keys.length === 0).map(({ asks }) => asks),
  };
}

/** `FIXES.md`: what the folder holds, each fix with its file and what to do with it, then the fixes themselves. */
export function formatGuide(guided: Guided): string {
  const { report, fixes, files } = guided;
  const count = (state: PackedFix['state']): number => fixes.filter((fix) => fix.state === state).length;
  const sections = [
    `# Fixes for ${formatCodeSpan(report.url)}`,
    `${fixes.length} fixes: ${count('ready')} can be deployed as they are, ${count('draft')} wait for facts that only you know, ${count('work')} are work by hand.`,
    ...(report.warnings ?? []).map((warning) => `> **Note:** ${escapeReferences(warning)}`),
    ['## What is in this folder', '', '| Path | What to do with it |', '| --- | --- |', ...listPlaces(files)].join(
      '\n',
    ),
    ...(fixes.length === 0 ? [] : [formatTable(guided), renderFixSection(report)]),
  ];
  return `${sections.join('\n\n')}\n`;
}

const PLACES: readonly (readonly [path: string, use: string])[] = [
  ['site/', 'Deploy: each file goes to the same path of your site, in place of the one that is there.'],
  ['audited-page.html', 'The audited page with its fixes. Deploy it in place of the file that it is served from.'],
  ['drafts/', 'Do not deploy: these files wait for facts. With their answers they move to `site/`.'],
  [
    'QUESTIONS.md',
    'What only you know. Write the answers into `facts.json`, then run `sightline fix` again with `--facts`.',
  ],
  ['server/', 'Settings for nginx or Apache: include those of your server. Other hosts: the fixes below have theirs.'],
  [
    'fixes/',
    'One diff or text for each fix, for changes that you make by hand. `site/` has those that fit into a whole file.',
  ],
  ['skill/', 'The same fixes for a coding agent.'],
  ['REPORT.md', 'The report: scores, what was seen, why it matters, and every check.'],
  ['report.json', 'The same for `sightline compare` and `--baseline`.'],
  ['manifest.json', 'For programs: every fix with its files, and every file with what it is for.'],
];

const listPlaces = (files: readonly FolderFile[]): readonly string[] =>
  PLACES.filter(
    ([place]) =>
      place === 'manifest.json' ||
      files.some(({ path }) => (place.endsWith('/') ? path.startsWith(place) : path === place)),
  ).map(([path, use]) => `| ${formatCodeCell(path)} | ${use} |`);

function formatTable({ fixes, files, questions }: Guided): string {
  const rows = fixes.map((fix, index) => {
    const { keys, words } = listFacts(fix, questions);
    const facts = [...keys.map((key) => formatCodeCell(key)), ...words.map(escapeReferences)];
    const gains = Object.entries(fix.gains).map(([name, points]) => `+${points} ${name}`);
    return `| ${index + 1} | ${escapeReferences(fix.title)} | ${gains.join(', ')} | ${describeUse(fix, listFiles(fix, files))} | ${facts.join('; ')} |`;
  });
  return [
    '## What to do, the most useful first',
    '',
    '| # | Fix | Gains | What to do | What only you know |',
    '| --: | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** What to do with the files of a fix. */
function describeUse(fix: PackedFix, files: readonly FolderFile[]): string {
  const find = (kind: FolderFileKind): FolderFile | undefined => files.find((file) => file.kind === kind);
  const [whole, draft] = [find('ready') ?? find('page'), find('draft')];
  const servers = files.filter(({ kind }) => kind === 'server').map(({ path }) => formatCodeCell(path));
  const single = find('diff') ?? find('snippet') ?? find('whole');
  const steps = [
    ...(whole === undefined ? [] : [`deploy ${formatCodeCell(whole.path)}`]),
    ...(whole === undefined && draft !== undefined ? [`answer the facts of ${formatCodeCell(draft.path)}`] : []),
    ...(servers.length === 0 ? [] : [`include ${servers.join(', ')}: those of your server`]),
    ...(whole === undefined && draft === undefined && single !== undefined ? [describeSingle(single)] : []),
    ...(fix.state === 'work' || files.length === 0 ? ['see the fix below for the work by hand'] : []),
  ];
  const text = steps.join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Files of no site: what they name is a setting or work. */
const NOTES: ReadonlySet<string> = new Set([FIX_FILES.server, FIX_FILES.mcpServer, FIX_FILES.api]);

function describeSingle({ kind, path, target = '' }: FolderFile): string {
  const shown = formatCodeCell(path);
  if (kind === 'snippet' && NOTES.has(target)) return `follow ${shown}`;
  if (kind === 'diff') return `apply ${shown} to ${formatCodeCell(target)}`;
  return kind === 'whole'
    ? `publish ${shown} as ${formatCodeCell(target)}`
    : `put ${shown} into ${formatCodeCell(target)}`;
}
