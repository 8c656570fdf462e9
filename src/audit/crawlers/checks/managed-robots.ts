import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence, type CheckEvidence } from '../../core/evidence.ts';
import type { Site } from '../../core/site.ts';
import { aiAgents } from '../facts/ai-agents-data.ts';
import { listTrainingCrawlers } from '../facts/ai-agents.ts';
import { isManagedLine, listManagedBlocks, type ManagedBlock } from '../facts/managed-block.ts';
import { parseContentSignal } from '../facts/reservations.ts';
import type { Robots } from '../facts/robots-file.ts';
import { findDecidingRule, findGroupAt, findGroups, type RobotsFile, type RobotsGroup } from '../facts/robots.ts';
import { findTrainingPreference, listUsageTokens, TRAINING_TOKEN } from '../facts/usage-tokens.ts';

/** Checks of what others write into robots.txt, of its tokens for uses, and of how its paths are written. */
export const managedRobotsChecks = [
  defineCheck({
    id: 'aeo.robots.managed-block',
    title: 'A provider’s block in robots.txt agrees with the owner’s file',
    failureTitle: 'Make the provider’s block in robots.txt agree with your rules',
    weight: 2,
    grade: 'B',
    why: 'Some providers write a block in front of robots.txt at their edge. The owner cannot edit it, and often does not know it: what it forbids and the own file allows is read by one crawler so and by another otherwise. Without such a block there is nothing to judge.',
    source:
      'https://developers.cloudflare.com/bots/additional-configurations/managed-robots-txt/; RFC 9309, section 2.2.1',
    read: '2026-11-26',
    fix: 'Decide once: turn the managed robots.txt off at the provider, or take the lines that contradict it out of your own file. Never edit the block itself.',
    needs: ['robots'],
    judge: ({ robots }, site) => judgeManaged(robots, site.start.href),
  }),
  defineCheck({
    id: 'aeo.robots.training-token',
    title: 'A token for training in robots.txt is valid and agrees with the rest',
    failureTitle: 'Correct the token for training in robots.txt',
    weight: 1,
    grade: 'C',
    why: 'A draft of October 2026 states preferences by groups whose User-agent line names a use, and Google announced support. No crawler is known to read it today; a group that contradicts the signals beside it says nothing.',
    source:
      'https://datatracker.ietf.org/doc/draft-kelley-aipref-training-preference-signal/ (00, read in its abstract); https://developers.google.com/crawling/docs/changelog (30 October 2026)',
    read: '2026-11-26',
    fix: `Write a group "User-agent: ${TRAINING_TOKEN}" with Allow or Disallow lines, and say the same in Content-Signal, Content-Usage and the groups of training crawlers.`,
    needs: ['robots', 'usagePreferences'],
    judge: judgeToken,
  }),
  defineCheck({
    id: 'aeo.robots.encoding',
    title: 'Rule paths are percent-encoded',
    failureTitle: 'Percent-encode the rule paths of robots.txt',
    weight: 1,
    grade: 'B',
    why: 'Crawlers compare rules with encoded addresses. A path with characters outside ASCII, a space or a broken escape matches in one parser and not in the next; Google recommends to write it encoded.',
    source:
      'RFC 9309, section 2.2.2; https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec (23 October 2026)',
    read: '2026-11-26',
    fix: 'Write such paths as a browser sends them: UTF-8, each octet outside ASCII as %XX, a space as %20.',
    needs: ['robots'],
    judge: ({ robots }) => judgeEncoding(robots),
  }),
];

type Contradiction = { what: string; managed: number; own: number };

function judgeManaged(robots: Robots, url: string): CheckOutcome {
  if (robots.kind === 'unreachable')
    return verdict.unknown('robots.txt could not be read.', buildEvidence(robots.exchange));
  if (robots.kind !== 'file') return verdict.notApplicable('There is no robots.txt with groups.');
  const { file, exchange, answer } = robots;
  const blocks = listManagedBlocks(answer.body);
  const [first] = blocks;
  if (!first) return verdict.notApplicable('No provider writes a block into robots.txt.');
  const at = buildEvidence(exchange, { line: first.from, excerpt: `${first.provider} Managed content` });
  if (blocks.some(({ isClosed }) => !isClosed))
    return verdict.partial(0.5, 'The block of a provider has no end, so that the own rules seem to be part of it.', at);
  const found = [...listRuleContradictions(file, blocks, url), ...listSignalContradictions(file, blocks)];
  if (found.length === 0)
    return verdict.pass(`The block that ${first.provider} writes does not contradict the own file.`, at);
  const what = found.map((one) => one.what).join('; ');
  const evidence = found.flatMap(({ managed, own }) => [
    buildLineEvidence(robots, managed),
    buildLineEvidence(robots, own),
  ]);
  return verdict.fail(`The block that ${first.provider} writes contradicts the own file: ${what}.`, evidence);
}

const buildLineEvidence = ({ exchange }: Robots, line: number): CheckEvidence => {
  const body = exchange.answer.ok ? exchange.answer.body : '';
  const text = body.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)[line - 1] ?? '';
  return buildEvidence(exchange, { line, excerpt: text.trim() });
};

/** Agents that both parts name and treat otherwise at the start page. */
function listRuleContradictions(
  file: RobotsFile,
  blocks: readonly ManagedBlock[],
  url: string,
): readonly Contradiction[] {
  return aiAgents.flatMap(({ token }) => {
    const { named, groups } = findGroups(file, token);
    if (!named) return [];
    const isManaged = ({ line }: RobotsGroup): boolean => isManagedLine(blocks, line);
    const managed = groups.filter(isManaged);
    const own = groups.filter((group) => !isManaged(group));
    const theirs = findDecidingRule(managed, url);
    const ours = findDecidingRule(own, url);
    if (!theirs || !ours || theirs.allow === ours.allow) return [];
    const word = (allows: boolean): string => (allows ? 'allowed' : 'forbidden');
    const what = `${token} is ${word(theirs.allow)} by the block and ${word(ours.allow)} below`;
    return [{ what, managed: theirs.line, own: ours.line }];
  });
}

/** Content-Signals of both parts for the same crawlers that give different answers. */
function listSignalContradictions(file: RobotsFile, blocks: readonly ManagedBlock[]): readonly Contradiction[] {
  const signals = file.others
    .filter(({ key }) => key === 'content-signal')
    .map(({ value, line }) => ({
      line,
      agents: findGroupAt(file, line)?.agents ?? [],
      ...parseContentSignal(value),
    }));
  const isManaged = ({ line }: { line: number }): boolean => isManagedLine(blocks, line);
  const own = signals.filter((one) => !isManaged(one));
  return signals.filter(isManaged).flatMap((theirs) =>
    own.flatMap((ours) => {
      if (!ours.agents.some((agent) => theirs.agents.includes(agent))) return [];
      const keys = ours.settings.flatMap(({ key, yes }) =>
        theirs.settings.some((one) => one.key === key && one.yes !== yes) ? [key] : [],
      );
      return keys.length === 0
        ? []
        : [{ what: `both say ${keys.join(' and ')}, with different answers`, managed: theirs.line, own: ours.line }];
    }),
  );
}

function judgeToken({ robots, usagePreferences }: FactsOf<'robots' | 'usagePreferences'>, site: Site): CheckOutcome {
  if (robots.kind === 'unreachable')
    return verdict.unknown('robots.txt could not be read.', buildEvidence(robots.exchange));
  const tokens = robots.kind === 'file' ? listUsageTokens(robots.file) : [];
  if (robots.kind !== 'file' || tokens.length === 0)
    return verdict.notApplicable('No group of robots.txt names a use, and none is needed.');
  const { file, exchange } = robots;
  const show = (list: typeof tokens): readonly CheckEvidence[] =>
    list.map(({ name, line }) => buildEvidence(exchange, { line, excerpt: `User-agent: ${name}` }));
  const empty = tokens.filter(({ hasRules }) => !hasRules);
  if (empty.length > 0) return verdict.fail('A group for a use has no Allow or Disallow line.', show(empty));
  const preference = findTrainingPreference(file, site.start.href);
  const against = preference ? listTokenContradictions(file, usagePreferences, preference.allows, site) : [];
  if (preference && against.length > 0)
    return verdict.fail(
      `The group says training is ${preference.allows ? 'wanted' : 'not wanted'}, other places say the opposite.`,
      [buildLineEvidence(robots, preference.line), ...against],
    );
  const unknown = tokens.filter(({ name }) => name !== TRAINING_TOKEN);
  if (unknown.length > 0)
    return verdict.partial(
      0.5,
      `${formatCount(unknown.length, 'group')} for a use that no draft names.`,
      show(unknown),
    );
  return verdict.pass('The group for training has rules, and nothing contradicts it.', show(tokens));
}

function listTokenContradictions(
  file: RobotsFile,
  { statements }: FactsOf<'usagePreferences'>['usagePreferences'],
  allows: boolean,
  site: Site,
): readonly CheckEvidence[] {
  const stated = statements
    .filter(
      ({ topic, agent, source }) => topic === 'train' && agent === undefined && source !== 'Usage token in robots.txt',
    )
    .filter((one) => one.allows !== allows)
    .map(({ evidence }) => evidence);
  // A crawler that is shut out contradicts "wanted"; one that may enter contradicts nothing.
  const shut = allows
    ? listTrainingCrawlers().filter(({ token }) => {
        const { named, groups } = findGroups(file, token);
        return named && findDecidingRule(groups, site.start.href)?.allow === false;
      })
    : [];
  return [
    ...stated,
    ...shut.flatMap(({ token }) => statements.filter(({ agent }) => agent === token).map((one) => one.evidence)),
  ];
}

/** Paths of rules as written, with what is wrong about them. */
function judgeEncoding(robots: Robots): CheckOutcome {
  if (robots.kind === 'unreachable')
    return verdict.unknown('robots.txt could not be read.', buildEvidence(robots.exchange));
  if (robots.kind !== 'file') return verdict.notApplicable('There is no robots.txt with rules.');
  const lines = robots.answer.body.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const paths = lines.flatMap((raw, index) => {
    const found = /^[^\S\n]{0,20}(?:dis)?allow[^\S\n]{0,20}:([^#]{0,2000})/i.exec(raw);
    const path = found?.[1]?.trim() ?? '';
    return path === '' ? [] : [{ path, line: index + 1 }];
  });
  const special = paths.filter(({ path }) => /[^\x21-\x7E]|%/.test(path));
  if (special.length === 0) return verdict.notApplicable('No rule has a character that must be encoded.');
  const broken = special.filter(({ path }) => /%(?![\dA-Fa-f]{2})/.test(path));
  const raw = special.filter(({ path }) => /[^\x21-\x7E]/.test(path));
  const show = (list: typeof paths): readonly CheckEvidence[] =>
    list.map(({ path, line }) => buildEvidence(robots.exchange, { line, excerpt: path }));
  if (broken.length > 0)
    return verdict.fail(`${formatCount(broken.length, 'rule')} with a broken escape.`, show(broken));
  if (raw.length > 0)
    return verdict.partial(0.5, `${formatCount(raw.length, 'rule')} with characters that are not encoded.`, show(raw));
  return verdict.pass(`${formatCount(special.length, 'rule')} with well-formed escapes.`, show(special));
}
