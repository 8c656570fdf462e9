import * as z from 'zod';
import {
  MAX_ISSUES,
  getString,
  isJsonRecord,
  listSchemaIssues,
  type Issue,
} from '../../structured-data/facts/json-document.ts';

/** Skills of one index that are judged; a longer list is cut, in order. */
export const MAX_INDEXED_SKILLS = 100;

/** `url` is absolute; undefined when it cannot be made so. `sha256` is the 64 hex digits of a well-formed digest. */
export type IndexedSkill = { name: string; type: string; url: string | undefined; sha256: string | undefined };

/** `issues` are judged by Discovery 0.2.0; an index without its `$schema` is of an older draft. */
export type AgentSkillsIndex = { current: boolean; skills: readonly IndexedSkill[]; issues: readonly Issue[] };

const DIGEST = /^sha256:([0-9a-f]{64})$/u;

const skill = z.looseObject(
  {
    name: z
      .string('must be a string')
      .max(64, 'must have at most 64 characters')
      .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/u, 'must be lower-case words joined by single hyphens'),
    type: z.enum(['skill-md', 'archive'], 'must be skill-md or archive'),
    description: z
      .string('must be a string')
      .min(1, 'must not be empty')
      .max(1024, 'must have at most 1024 characters'),
    url: z.string('must be a string').min(1, 'must not be empty'),
    digest: z.string('must be a string').regex(DIGEST, 'must be sha256: and 64 lower-case hex digits'),
  },
  'must be an object',
);

const index = z.looseObject({
  $schema: z.string('must be a string').regex(/\/discovery\/0\.2\.0\//u, 'must name the schema of Discovery 0.2.0'),
  skills: z.array(skill, 'must be an array'),
});

/**
 * Reads a parsed `/.well-known/agent-skills/index.json`; undefined when the value has no skills list. Never throws.
 * @param url where it was found: relative skill URLs resolve against it.
 * @see https://github.com/cloudflare/agent-skills-discovery-rfc version 0.2.0
 */
export function readAgentSkills(value: unknown, url: string): AgentSkillsIndex | undefined {
  if (!isJsonRecord(value) || !Array.isArray(value['skills'])) return undefined;
  const skills: readonly unknown[] = value['skills'].slice(0, MAX_INDEXED_SKILLS);
  const names = skills.map((item) => getString(item, 'name'));
  const repeated = names.flatMap((name, at) =>
    name !== undefined && names.indexOf(name) < at
      ? [{ pointer: `/skills/${at}/name`, message: 'repeats an earlier name' }]
      : [],
  );
  return {
    current: getString(value, '$schema') !== undefined,
    skills: skills.map((item) => ({
      name: (getString(item, 'name') ?? '').slice(0, 64),
      type: (getString(item, 'type') ?? '').slice(0, 20),
      url: toAbsoluteUrl(getString(item, 'url'), url),
      sha256: DIGEST.exec(getString(item, 'digest') ?? '')?.[1],
    })),
    issues: [...listSchemaIssues(index, { ...value, skills }), ...repeated].slice(0, MAX_ISSUES),
  };
}

function toAbsoluteUrl(reference: string | undefined, base: string): string | undefined {
  const url = reference === undefined || reference.length > 2048 ? null : URL.parse(reference, base);
  return url && /^https?:$/u.test(url.protocol) ? url.href : undefined;
}
