import { describe, expect, test } from 'vitest';
import { readAgentSkills } from '../../../../src/audit/agent-files/facts/agent-skills.ts';

describe('agent skills', () => {
  const digest = `sha256:${'0'.repeat(64)}`;
  const skill = (members: object = {}): object => ({
    name: 'a-b',
    type: 'skill-md',
    description: 'd',
    url: 's/SKILL.md',
    digest,
    ...members,
  });
  const read = (skills: readonly unknown[]): ReturnType<typeof readAgentSkills> =>
    readAgentSkills(
      { $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json', skills },
      'https://acme.example/.well-known/agent-skills/index.json',
    );

  test('a relative address resolves against the index', () => {
    expect(read([skill()])).toMatchObject({
      issues: [],
      skills: [{ url: 'https://acme.example/.well-known/agent-skills/s/SKILL.md', sha256: '0'.repeat(64) }],
    });
  });

  test.each<[string, object, string]>([
    ['an upper-case name', { name: 'A' }, '/skills/0/name'],
    ['a name with two hyphens in a row', { name: 'a--b' }, '/skills/0/name'],
    ['a name of 65 characters', { name: 'a'.repeat(65) }, '/skills/0/name'],
    ['another type', { type: 'zip' }, '/skills/0/type'],
    ['an empty description', { description: '' }, '/skills/0/description'],
    ['no address', { url: undefined }, '/skills/0/url'],
    ['an upper-case digest', { digest: `sha256:${'A'.repeat(64)}` }, '/skills/0/digest'],
    ['another hash', { digest: `md5:${'0'.repeat(32)}` }, '/skills/0/digest'],
  ])('%s is a fault', (_name, members, pointer) => {
    expect(read([skill(members)])?.issues).toMatchObject([{ pointer }]);
  });

  test('a repeated name is a fault, and an address that is no web address is dropped', () => {
    expect(read([skill(), skill()])?.issues).toMatchObject([{ pointer: '/skills/1/name' }]);
    expect(read([skill({ url: 'javascript:x' })])?.skills[0]?.url).toBeUndefined();
  });
});
