import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type Snapshot, getExchangeLookup } from '../../core/snapshot.ts';
import { readAgentSkillsFacts } from './agent-files.ts';
import { type Issue, isJsonRecord } from '../../structured-data/facts/json-document.ts';
import { readTextFile, type SiteTextFile } from '../../llms-txt/facts/llms-files.ts';
import { readFences, splitFrontMatter } from '../../llms-txt/facts/markdown-quality.ts';
import { parseJsonOrYaml } from '../../api/facts/yaml-document.ts';

/** Lines of one SKILL.md that are read. */
const MAX_LINES = 20_000;
/** The specification recommends a body below this many lines. */
export const SKILL_LINES = 500;

/** A SKILL.md as read: `issues` are breaches of the format, which loaders refuse; `bodyLines` without the front matter. */
export type SkillFile = { name: string; issues: readonly Issue[]; bodyLines: number };

/** A SKILL.md that was found, and how it must be called: by its folder, and by the index that lists it. */
export type SkillFinding = { exchange: Exchange; skill: SkillFile };

/** `blind`: a place could not be read, so a skill may be there that is not listed. */
export type SkillFiles = { found: readonly SkillFinding[]; blind: boolean };

/** Artifact `skillFiles`: the skill of the discovery index that was fetched, and /SKILL.md. Never fails as a whole. */
export function readSkillFiles(snapshot: Snapshot): Artifact<SkillFiles> {
  const find = getExchangeLookup(snapshot);
  const control = find('control');
  const facts = readAgentSkillsFacts(snapshot);
  const index = facts.state === 'ready' ? facts.value.index : undefined;
  const listed = facts.state === 'ready' ? facts.value.checked : [];
  const indexed = listed
    .filter(({ skill }) => skill.type !== 'archive')
    .map(({ skill, exchange }) => ({ file: readTextFile(exchange, control), listedAs: skill.name }));
  const root = { file: readTextFile(find('skill-md'), control), listedAs: undefined };
  const files: readonly { file: SiteTextFile; listedAs: string | undefined }[] = [...indexed, root];
  const found = files.flatMap(({ file, listedAs }) =>
    file.state === 'found'
      ? [
          {
            exchange: file.exchange,
            skill: parseSkill(file.answer.body, { folder: findSkillFolder(file.url), listedAs }),
          },
        ]
      : [],
  );
  const blind = files.some(({ file }) => file.state === 'unreadable') || index?.state === 'unreadable';
  return { state: 'ready', value: { found, blind } };
}

/** The folder that contains a SKILL.md; undefined at the root or for a file with another name. */
function findSkillFolder(url: string): string | undefined {
  const parts = new URL(url).pathname.split('/');
  return parts.at(-1)?.toLowerCase() === 'skill.md' && parts.length > 2 ? parts.at(-2) : undefined;
}

const KEYS = new Set(['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']);

/**
 * Reads a SKILL.md by the rules of agentskills.io. Never throws.
 * @see https://agentskills.io/specification
 */
export function parseSkill(
  body: string,
  expected: { folder: string | undefined; listedAs: string | undefined },
): SkillFile {
  const text = body.startsWith('\uFEFF') ? body.slice(1) : body;
  const { lines } = readFences(text.split(/\r\n|\n|\r/u).slice(0, MAX_LINES));
  const { matter, rest } = splitFrontMatter(lines);
  const bodyLines = rest.length;
  if (matter.length === 0) return { name: '', issues: [{ pointer: '', message: 'has no front matter' }], bodyLines };
  const parsed = parseJsonOrYaml(matter.map((line) => line.text).join('\n'));
  if (!parsed.ok || !isJsonRecord(parsed.value))
    return { name: '', issues: [{ pointer: '', message: 'has front matter that is no YAML map' }], bodyLines };
  const { value } = parsed;
  const name = typeof value['name'] === 'string' ? value['name'] : '';
  const issues = [
    ...listNameIssues(value['name'], expected),
    ...listTextIssues(value, 'description', { required: true, most: 1024 }),
    ...listTextIssues(value, 'compatibility', { required: false, most: 500 }),
    ...Object.keys(value)
      .filter((key) => !KEYS.has(key))
      .slice(0, 10)
      .map((key) => ({ pointer: `/${key.slice(0, 60)}`, message: 'is no key of the format' })),
    ...(value['metadata'] === undefined || isJsonRecord(value['metadata'])
      ? []
      : [{ pointer: '/metadata', message: 'must be a map' }]),
  ];
  return { name: name.slice(0, 64), issues, bodyLines };
}

function listNameIssues(
  name: unknown,
  { folder, listedAs }: { folder: string | undefined; listedAs: string | undefined },
): readonly Issue[] {
  const pointer = '/name';
  if (typeof name !== 'string' || name === '') return [{ pointer, message: 'is missing' }];
  if (name.length > 64) return [{ pointer, message: 'has more than 64 characters' }];
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/u.test(name))
    return [{ pointer, message: 'must be lower-case words joined by single hyphens' }];
  if (folder !== undefined && folder !== name) return [{ pointer, message: 'is not the name of its folder' }];
  return listedAs !== undefined && listedAs !== name
    ? [{ pointer, message: 'is not the name that the index lists' }]
    : [];
}

function listTextIssues(
  value: Readonly<Record<string, unknown>>,
  key: string,
  { required, most }: { required: boolean; most: number },
): readonly Issue[] {
  const text = value[key];
  const pointer = `/${key}`;
  if (text === undefined || text === null) return required ? [{ pointer, message: 'is missing' }] : [];
  if (typeof text !== 'string') return [{ pointer, message: 'must be a string' }];
  if (text.trim() === '') return [{ pointer, message: 'must not be empty' }];
  return Array.from(text).length > most ? [{ pointer, message: `has more than ${most} characters` }] : [];
}
