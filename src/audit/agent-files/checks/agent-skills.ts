import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import type { AgentSkills } from '../facts/agent-files.ts';
import { issueNote } from '../../structured-data/facts/json-document.ts';
import type { MissingDocument } from '../../mcp/facts/document.ts';
import { SKILL_LINES } from '../facts/skill-files.ts';
import { buildRequestEvidence, extractBodyStart } from '../../core/evidence.ts';

export const agentSkillChecks = [
  defineCheck({
    id: 'agent.skills.index',
    title: 'Agent Skills discovery index is valid when present',
    failureTitle: 'Correct the index of Agent Skills',
    weight: 2,
    grade: 'A',
    why: 'A client must refuse a skill whose bytes do not match the digest of the index, so a stale index hides every skill.',
    source: 'https://github.com/cloudflare/agent-skills-discovery-rfc 0.2.0',
    fix: 'Write the index with $schema 0.2.0 and the sha256 digest of every skill as it is served.',
    needs: ['agentSkills'],
    judge: judgeIndex,
  }),
  defineCheck({
    id: 'agent.skills.skill-md',
    title: 'SKILL.md follows the format',
    failureTitle: 'Correct the format of SKILL.md',
    weight: 1,
    grade: 'A',
    why: 'A loader refuses a skill whose front matter breaks the rules. Judged are one skill of the discovery index and /SKILL.md, where they are; at the root there is no folder for the name to match. A body of 500 lines or more is only advised against, and counts half.',
    source: 'https://agentskills.io/specification',
    fix: 'Begin the file with front matter that has a name (lower-case words and hyphens, that of its folder) and a description of at most 1024 characters; generate_skill writes one.',
    needs: ['skillFiles'],
    judge: judgeSkills,
  }),
];

function judgeIndex({ agentSkills: { index, old, checked } }: FactsOf<'agentSkills'>): CheckOutcome {
  if (index.state !== 'found') return withoutIndex(index, old);
  const { issues, skills } = index.document;
  const faults = issues.map(({ pointer, message }) =>
    buildRequestEvidence(index.exchange, { selector: pointer || '/', excerpt: message }),
  );
  if (issues.length > 0) return verdict.fail(`${formatCount(issues.length, 'fault')}: ${issueNote(issues, 3)}`, faults);
  const evidence = [
    buildRequestEvidence(index.exchange),
    ...checked.map(({ skill, exchange }) =>
      buildRequestEvidence(exchange, { excerpt: `${skill.name}: sha256:${skill.sha256 ?? ''}` }),
    ),
  ];
  const wrong = checked.find(({ digest }) => digest === 'differs');
  if (wrong) return verdict.fail('The digest of a skill is not that of what its address serves.', evidence);
  const verified = checked.filter(({ digest }) => digest === 'matches').length;
  if (skills.length > 0 && verified === 0)
    return verdict.unknown(
      `The index has no fault; none of ${formatCount(skills.length, 'digest')} could be verified.`,
      evidence,
    );
  return verdict.pass(`${formatCount(skills.length, 'skill')}; ${formatCount(verified, 'digest')} verified.`, evidence);
}

function withoutIndex({ state, why, exchange }: MissingDocument, old: AgentSkills['old']): CheckOutcome {
  if (state === 'unreadable' || state === 'not_read') return verdict.unknown(`The index ${why}.`);
  if (state === 'invalid') {
    return verdict.fail(
      `The index ${why}.`,
      exchange ? buildRequestEvidence(exchange, { excerpt: extractBodyStart(exchange) }) : [],
    );
  }
  if (old.state === 'found') {
    return verdict.partial(
      0.5,
      'There is only an index at /.well-known/skills/, the address of draft 0.1.',
      buildRequestEvidence(old.exchange),
    );
  }
  if (old.state === 'unreadable') return verdict.unknown(`The older index ${old.why}.`);
  return verdict.notApplicable('There is no index of agent skills.');
}

function judgeSkills({ skillFiles: { found, blind } }: FactsOf<'skillFiles'>): CheckOutcome {
  if (found.length === 0)
    return blind
      ? verdict.unknown('Whether there is a SKILL.md could not be seen.')
      : verdict.notApplicable('There is no SKILL.md.');
  const faulty = found.filter(({ skill }) => skill.issues.length > 0);
  const faults = faulty.flatMap(({ exchange, skill }) =>
    skill.issues.map(({ pointer, message }) =>
      buildRequestEvidence(exchange, { selector: pointer || 'front matter', excerpt: message }),
    ),
  );
  if (faults.length > 0)
    return verdict.fail(
      `${formatCount(faults.length, 'fault')}: ${issueNote(
        faulty.flatMap(({ skill }) => skill.issues),
        3,
      )}`,
      faults,
    );
  const evidence = found.map(({ exchange, skill }) => buildRequestEvidence(exchange, { excerpt: skill.name }));
  const long = found.some(({ skill }) => skill.bodyLines >= SKILL_LINES);
  return long
    ? verdict.partial(0.5, `A skill has ${SKILL_LINES} lines or more, which its readers may not hold.`, evidence)
    : verdict.pass(`${formatCount(found.length, 'skill')} in the format.`, evidence);
}
