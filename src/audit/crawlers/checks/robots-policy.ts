import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { listTrainingCrawlers } from '../facts/ai-agents.ts';
import { findRenderSign } from '../../reach/facts/html-page.ts';
import { type CrawlerFile, type Robots, decideRobotsAccess } from '../facts/robots-file.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { findTrainingPreference, TRAINING_TOKEN } from '../facts/usage-tokens.ts';
import { computeMatchLimit, findGroups, listRecords } from '../facts/robots.ts';
import type { ExchangeWithAnswer } from '../../reach/facts/site-files.ts';

/** Checks of what robots.txt decides beside the start page: training, and the files that a reader needs. */
export const robotsPolicyChecks = [
  defineCheck({
    id: 'aeo.robots.training-choice',
    title: 'The policy for training crawlers is explicit',
    failureTitle: 'Say in robots.txt what training crawlers may do',
    weight: 1,
    grade: 'C',
    why: 'Whether models may learn from the site is a choice, and either choice is right. What costs points is to leave it open: a crawler that falls under "User-agent: *" follows rules that were not written for it.',
    source:
      'IETF drafts draft-ietf-aipref-attach-05, draft-ietf-aipref-vocab-08 and draft-kelley-aipref-training-preference-signal-00; https://contentsignals.org/; crawler pages of the vendors',
    fix: 'Decide once, then write one group that names the training crawlers and one Content-Signal line with ai-train. A group of __usage_ai-training counts as well.',
    needs: ['robots', 'start'],
    judge: ({ robots, start }, site) => judgeTraining(robots, start, site.start.href),
  }),
  defineCheck({
    id: 'aeo.robots.blocks-render-assets',
    title: 'Scripts and styles that the page needs may be fetched',
    failureTitle: 'Allow the scripts and styles of the page in robots.txt',
    weight: 1,
    grade: 'A',
    why: 'Google renders a page before it judges it; a script or style sheet that robots.txt keeps from Googlebot may hide content. Scripts that load beside the page (async, defer, module) count only where the page is an empty shell without them.',
    source: 'Google Search Central, "Understand the JavaScript SEO basics" and robots.txt introduction',
    fix: 'Allow the folder of scripts and style sheets in robots.txt, for instance "Allow: /assets/".',
    needs: ['start', 'page', 'robots'],
    judge: judgeAssets,
  }),
  defineCheck({
    id: 'aeo.robots.discovery-files-allowed',
    title: 'Files made for crawlers are not forbidden to them',
    failureTitle: 'Allow the files made for crawlers in robots.txt',
    weight: 1,
    grade: 'B',
    why: 'A sitemap, llms.txt or feed that robots.txt forbids is advertised and closed at once. We look at the sitemaps and the llms.txt that we found and at what the page links to for machines, for ClaudeBot and for a crawler that no group names; a crawler that may not read the start page either is a choice and left out.',
    source: 'RFC 9309, section 2.2.2; a14y robots-txt.allows-llms-txt',
    fix: 'Add an Allow line for each file named in the evidence, longer than the rule that forbids it.',
    needs: ['robots', 'crawlerFiles'],
    judge: ({ robots, crawlerFiles }, site) => judgeDiscovery(robots, crawlerFiles, site.start.href),
  }),
];

/** A preference about training in a Content-Signal or Content-Usage value, in the spellings of both vocabularies. */
const TRAINING = /(?:^|[\s,])(?:ai-train|train-ai)\s{0,9}=\s{0,9}(?:yes|no|y|n)(?=$|[\s,;])/i;

function judgeTraining(robots: Robots, start: ExchangeWithAnswer, url: string): CheckOutcome {
  if (robots.kind === 'unreachable')
    return verdict.unknown('robots.txt could not be read.', buildEvidence(robots.exchange));
  const header = start.answer.headers['content-usage'] ?? '';
  if (TRAINING.test(header))
    return verdict.pass(
      'The Content-Usage header states the policy for all.',
      buildEvidence(start.exchange, { header: 'content-usage', excerpt: header }),
    );
  const tokens = listTrainingCrawlers().map(({ token }) => token);
  const verdicts = tokens.map((token) => decideTraining(robots, token, url));
  const evidence = verdicts.map(({ excerpt, line }) =>
    buildEvidence(robots.exchange, { excerpt, ...(line === undefined ? {} : { line }) }),
  );
  const decided = verdicts.filter((decision) => decision.decided).length;
  const note = `${decided} of ${tokens.length} training crawlers are decided by a group of their own or a signal about training.`;
  if (decided === tokens.length) return verdict.pass(note, evidence);
  return verdict.partial(Math.round(500 + (500 * decided) / tokens.length) / 1000, note, evidence);
}

type TrainingVerdict = { decided: boolean; excerpt: string; line?: number };

function decideTraining(robots: Robots, token: string, url: string): TrainingVerdict {
  const decision = decideRobotsAccess(robots, token, url);
  if (robots.kind !== 'file' || decision === 'unknown')
    return { decided: false, excerpt: `${token}: allowed, nothing is said` };
  const { file } = robots;
  const signals = ['content-signal', 'content-usage'].flatMap((key) => listRecords(file, token, key));
  const signal = signals.find(({ value }) => TRAINING.test(value));
  const preference = findTrainingPreference(file, url);
  const { named, groups } = findGroups(file, token);
  const access = decision.allowed ? 'allowed' : 'denied';
  const line = decision.rule?.line ?? signal?.line ?? preference?.line ?? groups[0]?.line;
  const by = named
    ? 'its own group'
    : signal
      ? 'a signal'
      : preference
        ? `the group ${TRAINING_TOKEN}`
        : groupName(groups.length, decision.rule !== undefined);
  return {
    decided: named || signal !== undefined || preference !== undefined,
    excerpt: `${token}: ${access} by ${by}`,
    ...(line === undefined ? {} : { line }),
  };
}

const groupName = (groups: number, hasRule: boolean): string =>
  groups > 0 && hasRule ? 'the group for all' : 'no rule';

const GOOGLEBOT = 'Googlebot';
const MAX_ASSETS = 200;

function judgeAssets({
  start: { exchange, answer },
  page,
  robots,
}: FactsOf<'start' | 'page' | 'robots'>): CheckOutcome {
  const { host } = new URL(answer.url);
  const assets = listNeededAssets(page)
    .filter(({ url }) => /^https?:/.test(url) && new URL(url).host === host)
    .slice(0, robots.kind === 'file' ? computeMatchLimit(robots.file, MAX_ASSETS) : MAX_ASSETS);
  if (assets.length === 0) return verdict.notApplicable('The page needs no script or style sheet of its own host.');
  if (robots.kind === 'unreachable')
    return verdict.unknown('robots.txt could not be read.', buildEvidence(robots.exchange));
  const blocked = assets.flatMap((asset) => {
    const decision = decideRobotsAccess(robots, GOOGLEBOT, asset.url);
    return decision === 'unknown' || decision.allowed ? [] : [{ asset, rule: decision.rule }];
  });
  const note = `${assets.length - blocked.length} of ${assets.length} scripts and style sheets may be fetched by Googlebot.`;
  if (blocked.length === 0) return verdict.pass(note, buildEvidence(exchange));
  const evidence = blocked
    .slice(0, 5)
    .flatMap(({ asset, rule }) => [
      buildEvidence(exchange, { line: asset.line, excerpt: asset.url }),
      ...(rule ? [buildEvidence(robots.exchange, { line: rule.line, excerpt: `Disallow: ${rule.pattern}` })] : []),
    ]);
  return verdict.fail(note, evidence);
}

function listNeededAssets(page: PageFacts): readonly { url: string; line: number }[] {
  const styles = page.linkTags.filter(({ rels }) => rels.includes('stylesheet') && !rels.includes('alternate'));
  const isShell = findRenderSign(page) !== undefined;
  const scripts = page.scriptTags.filter(
    ({ async, defer, type, src }) => src !== '' && (isShell || !(async || defer || type === 'module')),
  );
  return [
    ...styles.map(({ href, line }) => ({ url: href, line })),
    ...scripts.map(({ src, line }) => ({ url: src, line })),
  ];
}

const READERS = ['ClaudeBot', 'unlisted-crawler'];

function judgeDiscovery(robots: Robots, files: readonly CrawlerFile[], startUrl: string): CheckOutcome {
  if (files.length === 0) return verdict.notApplicable('The site has no file for crawlers that we know of.');
  if (robots.kind === 'unreachable')
    return verdict.unknown('robots.txt could not be read.', buildEvidence(robots.exchange));
  const mayRead = (agent: string, url: string): boolean => {
    const decision = decideRobotsAccess(robots, agent, url);
    return decision === 'unknown' || decision.allowed;
  };
  const readers = READERS.filter((agent) => mayRead(agent, startUrl));
  if (readers.length === 0) return verdict.notApplicable('robots.txt keeps these crawlers out of the start page too.');
  const closed = files.flatMap((file) =>
    readers.filter((agent) => !mayRead(agent, file.url)).map((agent) => ({ file, agent })),
  );
  if (closed.length === 0)
    return verdict.pass(
      `${formatCount(files.length, 'file')} for crawlers may be fetched by them.`,
      buildEvidence(robots.exchange),
    );
  const evidence = closed.slice(0, 10).map(({ file, agent }) => {
    const decision = decideRobotsAccess(robots, agent, file.url);
    const rule = decision === 'unknown' ? undefined : decision.rule;
    const excerpt = `${agent}, ${file.what} ${file.url}: Disallow: ${rule?.pattern ?? ''}`;
    return buildEvidence(robots.exchange, { excerpt, ...(rule ? { line: rule.line } : {}) });
  });
  const count = new Set(closed.map(({ file }) => file.url)).size;
  return verdict.fail(
    `${count} of ${formatCount(files.length, 'file')} for crawlers may not be fetched by them.`,
    evidence,
  );
}
