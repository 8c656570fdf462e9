import { parseMediaType } from '../../../lib/media-type.ts';
import { type CheckOutcome, defineCheck, type FactsOf, formatCount, formatShare, verdict } from '../../core/check.ts';
import {
  buildHeaderEvidence,
  buildRequestEvidence,
  extractBodyStart,
  type CheckEvidence,
} from '../../core/evidence.ts';
import { isOwnInstaller } from '../facts/installers.ts';
import type { LlmsFile } from '../facts/llms-files.ts';
import type { LlmsTxt } from '../facts/llms-txt.ts';

const LLMS_TXT = 'https://llmstxt.org/ (v2, August 2026)';
/** Characters that fit one fetch of every common agent, and those that fit one of some. */
const ONE_FETCH_CHARS = 50_000;
const SOME_FETCH_CHARS = 100_000;
/** An llms-full.txt with less than this holds no documentation. */
const MIN_FULL_BYTES = 1024;

export type Llms = Exclude<LlmsFile, { state: 'unreadable' }>;
type AvailableLlms = Llms & { state: 'found' };

/** Puts the question for the file in front of a judge. */
export const onLlms =
  (judge: (llms: AvailableLlms) => CheckOutcome) =>
  ({ llms }: { llms: Llms }): CheckOutcome =>
    llms.state === 'found'
      ? judge(llms)
      : verdict.notApplicable('There is no llms.txt to judge; see agent.llms.exists.');

export const llmsFileChecks = [
  defineCheck({
    id: 'agent.llms.exists',
    title: 'llms.txt exists and is text',
    failureTitle: 'Publish llms.txt',
    weight: 2,
    grade: 'C',
    why: 'Coding agents and documentation tools read it; few others do (84 of 62,100 bot requests in one study), and Google Search ignores it.',
    source: LLMS_TXT,
    fix: 'Publish the file that generate_llms_txt writes at /llms.txt, and answer 404 for files that do not exist.',
    capabilities: ['check_llms_txt'],
    needs: ['llms'],
    judge: judgeExists,
  }),
  defineCheck({
    id: 'agent.llms.content-type',
    title: 'llms.txt has a text media type',
    failureTitle: 'Serve llms.txt as text',
    weight: 1,
    grade: 'C',
    why: 'Under another media type some clients download the file or refuse it, and under another charset its names come out garbled.',
    source: `${LLMS_TXT}; https://www.rfc-editor.org/rfc/rfc7763`,
    fix: 'Serve it with Content-Type: text/markdown; charset=utf-8 (text/plain is fine too).',
    capabilities: ['check_llms_txt'],
    needs: ['llms'],
    judge: onLlms(judgeType),
  }),
  defineCheck({
    id: 'agent.llms.h1-first',
    title: 'First block is a single H1',
    failureTitle: 'Begin llms.txt with one H1',
    weight: 2,
    grade: 'A',
    why: 'The name of the site as an H1 is the only part the format requires. Parsers look for it at the top; the reference parser also finds one below a line of a generator, and takes the first of several.',
    source: `${LLMS_TXT}, "Format": the H1 is the only required section; https://github.com/AnswerDotAI/llms-txt miniparse.py`,
    fix: 'Make "# Name of the site" the first line, and demote every other level-1 heading to "##".',
    capabilities: ['check_llms_txt'],
    needs: ['llms'],
    judge: onLlms(judgeH1),
  }),
  defineCheck({
    id: 'agent.llms.summary',
    title: 'Blockquote summary follows the H1',
    failureTitle: 'Add a summary below the H1 of llms.txt',
    weight: 1,
    grade: 'C',
    why: 'It says in one line what the site is, before a reader decides to go on.',
    source: `${LLMS_TXT}, "Format"`,
    fix: 'Put "> one sentence about the site" between the H1 and the first H2; the meta description is a good draft.',
    capabilities: ['check_llms_txt'],
    needs: ['llms'],
    judge: onLlms(judgeSummary),
  }),
  defineCheck({
    id: 'agent.llms.sections',
    title: 'H2 sections with link lists',
    failureTitle: 'Add sections with links to llms.txt',
    weight: 2,
    grade: 'B',
    why: 'The lists under H2 headings are what programs read: without them the file is prose.',
    source: `${LLMS_TXT}; https://github.com/AnswerDotAI/llms-txt miniparse.py`,
    fix: 'Group your pages under "## Section" headings as "- [Name](url): note" items.',
    capabilities: ['check_llms_txt'],
    needs: ['llms'],
    judge: onLlms(judgeSections),
  }),
  defineCheck({
    id: 'agent.llms.size',
    title: 'llms.txt fits one fetch',
    failureTitle: 'Shorten llms.txt to fit one fetch',
    weight: 1,
    grade: 'B',
    why: 'Agents cut what they fetch, commonly at 100,000 characters or fewer; what lies beyond is lost without a word.',
    source: 'Agent-Friendly Docs Spec 0.5.0, llms-txt-size: 50,000 and 100,000 characters',
    fix: 'Split the file: a short /llms.txt that links to llms.txt files of the parts.',
    capabilities: ['check_llms_txt'],
    needs: ['llms'],
    judge: onLlms(judgeSize),
  }),
  defineCheck({
    id: 'agent.llms.full',
    title: 'llms-full.txt is real when present',
    failureTitle: 'Fill llms-full.txt with text',
    weight: 0,
    grade: 'D',
    why: 'Most addresses that answer for it serve a web page; a reader that asks for it gets a page of markup instead of the documentation.',
    source: 'https://github.com/commoncrawl/llms-txt-experiments',
    fix: 'Publish the whole documentation as Markdown there, or let the address answer 404.',
    capabilities: ['check_llms_txt'],
    needs: ['llmsFull'],
    judge: judgeFull,
  }),
  defineCheck({
    id: 'agent.llms.statistics',
    title: 'Report llms.txt statistics',
    failureTitle: 'Review the figures of llms.txt',
    weight: 0,
    grade: 'C',
    why: 'Size and shape of the file in numbers, to compare with what a reader can take.',
    source: 'Counts of this audit; tokens are estimated as characters / 4',
    fix: 'Nothing to fix: this row only reports.',
    capabilities: ['check_llms_txt'],
    needs: ['llms'],
    judge: onLlms(({ file, exchange }) => verdict.pass(formatStatistics(file), buildRequestEvidence(exchange))),
  }),
  defineCheck({
    id: 'agent.llms.no-injection',
    title: 'llms.txt has no hostile instructions',
    failureTitle: 'Remove instructions to agents from llms.txt',
    weight: 2,
    grade: 'B',
    why: 'Agents follow what these files say, so a planted line in one of them acts with the rights of everyone who reads it.',
    source: 'https://genai.owasp.org/llmrisk/llm01-prompt-injection/; https://github.com/aisa-group/skill-inject',
    fix: 'Remove the lines shown; link to an installer instead of piping a download into a shell.',
    capabilities: ['check_llms_txt', 'check_agent_files'],
    needs: ['agentTexts', 'ownPlaces'],
    judge: judgeInjection,
  }),
];

const ABSENCES = {
  empty: 'The file is empty.',
  same_as_control: 'The site answers so for any path (a soft 404).',
  html: 'The address serves an HTML page.',
  binary: 'The address serves no text.',
} as const;

function judgeExists({ llms }: FactsOf<'llms'>): CheckOutcome {
  if (llms.state === 'absent') {
    const { answer, why, exchange } = llms;
    const note = why === 'status' ? `There is none: the address answers ${answer.status}.` : ABSENCES[why];
    return verdict.fail(note, buildRequestEvidence(exchange, { excerpt: extractBodyStart(exchange) }));
  }
  const type = parseMediaType(llms.answer.headers['content-type'] ?? '');
  const evidence = [
    buildRequestEvidence(llms.exchange, { excerpt: extractBodyStart(llms.exchange) }),
    buildHeaderEvidence(llms.exchange, 'content-type'),
  ];
  if (type === '' || isTextType(type)) return verdict.pass('The file is there and is text.', evidence);
  return verdict.partial(0.5, 'The file is there, served as another type than text or Markdown.', evidence);
}

const isTextType = (type: string): boolean => ['text/plain', 'text/markdown', 'text/x-markdown'].includes(type);

function judgeType({ exchange, answer }: AvailableLlms): CheckOutcome {
  const value = answer.headers['content-type'] ?? '';
  const charset = /charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/iu.exec(value)?.[1]?.toLowerCase() ?? 'utf-8';
  const evidence = buildHeaderEvidence(exchange, 'content-type');
  const type = parseMediaType(value);
  if (!isTextType(type))
    return verdict.fail(
      type === '' ? 'There is no media type.' : 'The media type is not that of text or Markdown.',
      evidence,
    );
  if (charset !== 'utf-8' && charset !== 'utf8') return verdict.fail('The charset is not utf-8.', evidence);
  return verdict.pass(`The media type is ${type}.`, evidence);
}

function judgeH1({ exchange, file }: AvailableLlms): CheckOutcome {
  const { firstBlock, sections } = file;
  const titles = file.h1s.filter(({ text }) => text !== '');
  const [title, second] = titles;
  const at = firstBlock ? { line: firstBlock.line, excerpt: firstBlock.text } : {};
  if (!title) return verdict.fail('The first block is no H1. There is no H1.', buildRequestEvidence(exchange, at));
  const [section] = sections;
  if (section && section.line < title.line)
    return verdict.fail(
      `The first block is no H1. The first H1 is on line ${title.line}, below the first H2.`,
      buildRequestEvidence(exchange, at),
    );
  if (firstBlock?.kind !== 'h1')
    return verdict.partial(
      0.5,
      `The H1 is on line ${title.line}, below other text.${second ? ` There are ${titles.length} H1 headings.` : ''}`,
      buildRequestEvidence(exchange, at),
    );
  if (second)
    return verdict.partial(
      0.5,
      `The first block is an H1, and there are ${titles.length} H1 headings; the next is on line ${second.line}.`,
      buildRequestEvidence(exchange, { line: second.line, excerpt: second.text }),
    );
  return verdict.pass('The first block is the only H1.', buildRequestEvidence(exchange, at));
}

function judgeSummary({ exchange, file: { summary } }: AvailableLlms): CheckOutcome {
  if (summary.kind === 'none')
    return verdict.fail('There is nothing between the H1 and the first H2.', buildRequestEvidence(exchange));
  const evidence = buildRequestEvidence(exchange, { line: summary.line, excerpt: summary.text });
  if (summary.kind === 'blockquote') return verdict.pass('A blockquote sums the site up.', evidence);
  return verdict.partial(0.5, 'A paragraph, not a blockquote, sums the site up.', evidence);
}

function judgeSections({ exchange, file }: AvailableLlms): CheckOutcome {
  const { sections, links } = file;
  const filled = sections.filter((section) => section.links > 0);
  const [first] = filled;
  const counts = `${formatCount(sections.length, 'H2 section')}, ${formatCount(links.length, 'list link')}`;
  if (!first)
    return verdict.fail(
      `No H2 section holds a list item that leads with a link (${counts}).`,
      buildRequestEvidence(exchange),
    );
  return verdict.pass(
    `${filled.length} of ${counts}.`,
    buildRequestEvidence(exchange, { line: first.line, excerpt: `## ${first.title}` }),
  );
}

function judgeSize({ exchange, answer, file }: AvailableLlms): CheckOutcome {
  const { chars } = file.statistics;
  const note = answer.truncated ? `Over ${chars} characters: we stopped reading.` : `${chars} characters.`;
  if (answer.truncated || chars > SOME_FETCH_CHARS) return verdict.fail(note, buildRequestEvidence(exchange));
  return chars > ONE_FETCH_CHARS
    ? verdict.partial(0.5, note, buildRequestEvidence(exchange))
    : verdict.pass(note, buildRequestEvidence(exchange));
}

function judgeFull({ llmsFull: full }: FactsOf<'llmsFull'>): CheckOutcome {
  if (full.state === 'absent') {
    if (full.why === 'status') return verdict.notApplicable('There is no llms-full.txt, and none is needed.');
    return verdict.fail(
      `/llms-full.txt answers 200 without being the file. ${ABSENCES[full.why]}`,
      buildRequestEvidence(full.exchange, { excerpt: extractBodyStart(full.exchange) }),
    );
  }
  const { exchange, answer, file } = full;
  if (answer.bodyBytes < MIN_FULL_BYTES)
    return verdict.fail(`It has ${answer.bodyBytes} bytes, under ${MIN_FULL_BYTES}.`, buildRequestEvidence(exchange));
  return file.h1s.length > 0
    ? verdict.pass('It is text with an H1.', buildRequestEvidence(exchange))
    : verdict.fail('It has no H1.', buildRequestEvidence(exchange));
}

function formatStatistics({ statistics: s }: LlmsTxt): string {
  const shares =
    s.describedShare === null || s.markdownShare === null
      ? ''
      : `, ${formatShare(s.describedShare)} described, ${formatShare(s.markdownShare)} to Markdown`;
  return (
    `${formatCount(s.bytes, 'byte')}, ${formatCount(s.chars, 'character')}, about ${formatCount(s.tokens.estimate, 'token')} (${s.tokens.method}), ` +
    `${formatCount(s.h2, 'H2 heading')}, ${formatCount(s.links, 'link')}${shares}; language ${s.language}.`
  );
}

/** Files shown when several carry hostile lines. */
const MAX_SHOWN = 10;

function judgeInjection({ agentTexts: texts, ownPlaces }: FactsOf<'agentTexts' | 'ownPlaces'>): CheckOutcome {
  const hostile = texts.flatMap(({ path, file, hits }) =>
    file.state === 'found' ? hits.filter((hit) => hit.severity === 'hostile').map((hit) => ({ path, file, hit })) : [],
  );
  const found = hostile.filter(({ file, hit }) => !isOwnInstaller(file.answer.body, hit, ownPlaces));
  const evidence: CheckEvidence[] = found
    .slice(0, MAX_SHOWN)
    .map(({ file, hit }) => buildRequestEvidence(file.exchange, { line: hit.line, excerpt: hit.excerpt }));
  const acting = found.filter(({ hit }) => !hit.quoted);
  const named = (list: typeof found): string =>
    [...new Set(list.map(({ path, hit }) => `${path} (${hit.kind})`))].join(', ');
  if (acting.length > 0) return verdict.fail(`Hostile instructions in ${named(acting)}.`, evidence);
  if (found.length > 0) return verdict.partial(0.5, `Hostile phrases in quotation marks in ${named(found)}.`, evidence);
  const read = texts.filter(({ file }) => file.state === 'found');
  const unread = texts.filter(({ file }) => file.state === 'unreadable');
  if (unread.length > 0) return verdict.unknown(`Could not read ${unread.map(({ path }) => path).join(', ')}.`);
  if (read.length === 0) return verdict.notApplicable('There are no llms.txt, llms-full.txt, AGENTS.md and SKILL.md.');
  const installers =
    hostile.length === 0
      ? ''
      : ` ${formatCount(hostile.length, 'command')} to install from the site's own places, shown as code.`;
  return verdict.pass(
    `No known pattern in ${read.map(({ path }) => path).join(', ')}.${installers}`,
    read.flatMap(({ file }) => (file.state === 'found' ? [buildRequestEvidence(file.exchange)] : [])),
  );
}
