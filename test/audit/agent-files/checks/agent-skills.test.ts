import { AGENT_TABLE, judgeAgentSite, page } from '../../../support/audit/agent-site.ts';
import { failure, json, markdown, type SiteMap } from '../../../support/audit/site-fetch.ts';
import { expect, test } from 'vitest';
import { type Row, testChecks } from '../../../support/audit/judge-check.ts';

const HOME = page('<p>Anvils</p>');

const skill = (matter: string, body = 'Do it.'): string => `---\n${matter}\n---\n\n# Lift\n\n${body}\n`;

const LIFT = 'name: lift-anvils\ndescription: Lifts anvils. Use it when an anvil must be lifted.';

const rootSkill = (body: string): SiteMap => ({ '/': HOME, '/SKILL.md': markdown(body) });

const INDEX = '/.well-known/agent-skills/index.json';

const indexed = (path: string, body: string): SiteMap => ({
  '/': HOME,
  [INDEX]: json({
    skills: [
      { name: 'lift-anvils', type: 'skill-md', description: 'd', url: path, digest: `sha256:${'0'.repeat(64)}` },
    ],
  }),
  [path]: markdown(body),
});

const rows: Readonly<Record<string, readonly Row[]>> = {
  'agent.skills.skill-md': [
    ['a skill at the root passes', rootSkill(skill(LIFT)), 'pass', /1 skill in the format/],
    ['a skill of the index passes', indexed('/skills/lift-anvils/SKILL.md', skill(LIFT)), 'pass', /1 skill/],
    [
      'all keys of the format pass',
      rootSkill(skill(`${LIFT}\nlicense: MIT\ncompatibility: any\nallowed-tools: Bash\nmetadata:\n  author: acme`)),
      'pass',
      /1 skill/,
    ],
    [
      'a body of 500 lines is partial',
      rootSkill(skill(LIFT, 'x\n'.repeat(500))),
      'partial',
      /500 lines/,
      { value: 0.5 },
    ],
    ['no front matter fails', rootSkill('# Lift\n'), 'fail', /no front matter/],
    ['front matter that is no map fails', rootSkill('---\n- a\n---\nx\n'), 'fail', /no YAML map/],
    ['a name in capitals fails', rootSkill(skill('name: Lift\ndescription: d')), 'fail', /\/name: must be lower-case/],
    ['a double hyphen fails', rootSkill(skill('name: lift--anvils\ndescription: d')), 'fail', /\/name/],
    ['a long name fails', rootSkill(skill(`name: ${'a'.repeat(65)}\ndescription: d`)), 'fail', /64 characters/],
    ['no description fails', rootSkill(skill('name: lift')), 'fail', /\/description: is missing/],
    ['an endless description fails', rootSkill(skill(`name: lift\ndescription: ${'a'.repeat(1025)}`)), 'fail', /1024/],
    ['another key fails', rootSkill(skill(`${LIFT}\nversion: 1`)), 'fail', /\/version: is no key/],
    ['a name that is not the folder fails', indexed('/skills/other/SKILL.md', skill(LIFT)), 'fail', /its folder/],
    [
      'a name that is not the listed one fails',
      indexed('/lift.md', skill('name: other\ndescription: d')),
      'fail',
      /that the index lists/,
    ],
    ['absence is not applicable', { '/': HOME }, 'not_applicable', /no SKILL.md/],
    ['a timeout is unknown', { '/': HOME, '/SKILL.md': failure('timeout') }, 'unknown', /could not be seen/],
  ],
};

testChecks(rows);

const index = (members: object = {}, changes: object = {}): object => ({
  $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
  skills: [
    {
      name: 'lift-anvils',
      type: 'skill-md',
      description: 'Lifts anvils.',
      url: '/skills/lift/SKILL.md',
      digest: `sha256:${'a'.repeat(64)}`,
      ...changes,
    },
  ],
  ...members,
});

const skillFile = { '/skills/lift/SKILL.md': markdown('lift') };

testChecks<SiteMap>(
  {
    'agent.skills.index': [
      ['absence is not applicable', {}, 'not_applicable', /no index/],
      [
        'a digest that differs fails',
        { [INDEX]: json(index()), '/skills/lift/SKILL.md': markdown('other') },
        'fail',
        /digest of a skill/,
      ],
      [
        'an entry without a digest fails',
        { [INDEX]: json(index({}, { digest: undefined })), ...skillFile },
        'fail',
        /\/skills\/0\/digest/,
      ],
      [
        'an index without its schema fails',
        { [INDEX]: json(index({ $schema: undefined })), ...skillFile },
        'fail',
        /\/\$schema/,
      ],
      [
        'a skill that cannot be read is unknown',
        { [INDEX]: json(index()), '/skills/lift/SKILL.md': failure('timeout') },
        'unknown',
        /none of 1 digest/,
      ],
      [
        'a skill of another host is not fetched',
        { [INDEX]: json(index({}, { url: 'https://other.example/SKILL.md' })) },
        'unknown',
        /none of 1 digest/,
      ],
      [
        'an index of draft 0.1 is partial',
        { '/.well-known/skills/index.json': json({ skills: [] }) },
        'partial',
        /0.1/,
      ],
      ['an empty index passes', { [INDEX]: json(index({ skills: [] })) }, 'pass', /0 skills/],
      ['a timeout is unknown', { [INDEX]: failure('timeout') }, 'unknown', /timeout/],
    ],
  },
  AGENT_TABLE,
);

test('a skill whose bytes match the digest of the index verifies', async () => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('lift'));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const outcome = await judgeAgentSite('agent.skills.index', {
    [INDEX]: json(index({}, { digest: `sha256:${hex}` })),
    ...skillFile,
  });
  expect(outcome).toMatchObject({ status: 'pass', note: '1 skill; 1 digest verified.' });
});
