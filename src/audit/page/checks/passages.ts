import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { getContentParagraphs, isContent } from '../../text/facts/content.ts';
import { getMainText } from '../../text/facts/sample-text.ts';
import { classifyPage } from '../facts/kind.ts';
import type { Heading, PageFacts, Paragraph } from '../facts/page-facts.ts';
import { extractContentStems } from '../../language/stems.ts';
import { isQuestionHeading, findTopicWord, selectWordLanguage } from '../../language/topic-words.ts';

/** Checks of whether passages of the page have the form in which answers are given. */
export const pagePassageChecks = [
  defineCheck({
    id: 'aeo.answer.question-headings',
    title: 'Some headings are the questions that users ask',
    failureTitle: 'Use questions that users ask as headings',
    weight: 1,
    grade: 'C',
    why: 'A heading that is the question matches what a person asks an assistant. The evidence is a correlation only; 24 % of real pages have one, and the guide of Google for AI answers asks for no special headings. A heading counts when it ends in a question mark or opens with a question word of its language.',
    source:
      'agent-lighthouse and aiseo-audit, question headings (evidence grade C); against it https://developers.google.com/search/docs/fundamentals/ai-optimization-guide',
    read: '2026-11-23',
    fix: 'Phrase two or three headings as the questions your visitors ask, and answer each in the first sentence below.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeQuestions,
  }),
  defineCheck({
    id: 'aeo.answer.lead-first',
    title: 'The first paragraph says what the page is about',
    failureTitle: 'Say in the first paragraph what the page is about',
    weight: 1,
    grade: 'B',
    why: 'The beginning survives when a reader cuts the page, and some cut after 5,000 characters. Looked for is a paragraph of 15 words in the first quarter of the main text that shares words with title or h1; dates, bylines and cookie notices are passed over.',
    source:
      'Agent-Friendly Docs Spec 0.5.0, content-start-position; MCP reference server "fetch" (5,000 characters by default)',
    fix: 'Open the page with one or two sentences that say what it is about, in the words of its title.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeLead,
  }),
  defineCheck({
    id: 'aeo.answer.steps',
    title: 'Processes are numbered lists',
    failureTitle: 'Write processes as numbered lists',
    weight: 1,
    grade: 'C',
    why: 'Steps in an ordered list keep their order when they are taken out of the page. Judged only where title or headings promise a process; numbered headings count half.',
    source: 'agent-lighthouse 9.6; aiseo-audit, steps; HTML, section 4.4.5 (ol)',
    fix: 'Put the steps into one <ol> with an <li> for each.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeSteps,
  }),
  defineCheck({
    id: 'aeo.answer.comparison-table',
    title: 'Comparisons are real tables',
    failureTitle: 'Turn comparisons into tables',
    weight: 1,
    grade: 'C',
    why: 'A table with header cells keeps which value belongs to what when the page becomes Markdown; a grid of boxes does not. Judged only where title or headings promise a comparison or prices. 5.4 % of real pages have such a table.',
    source: 'agent-lighthouse 9.5 and 6.9; HTML, section 4.9.10 (th and scope)',
    fix: 'Write the comparison as a <table> whose first row and column are <th scope="col"> and <th scope="row">.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeTable,
  }),
];

const isVisibleHeading = ({ hidden, text }: Heading): boolean =>
  text !== '' && (hidden === undefined || hidden === 'aria-hidden');

/** Fewer headings than this leave nothing to phrase. */
const MIN_HEADINGS = 2;
const WITHOUT_QUESTIONS = new Set(['checkout', 'login', 'contact']);
const ENOUGH_QUESTIONS = 2;
const ENOUGH_SHARE = 0.2;

function judgeQuestions({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const headings = page.headings.filter(
    (heading) => (heading.level === 2 || heading.level === 3) && isVisibleHeading(heading),
  );
  if (headings.length < MIN_HEADINGS)
    return verdict.notApplicable(`The page has ${formatCount(headings.length, 'heading')} of level 2 or 3.`);
  const { kind, reason } = classifyPage(page, getMainText(page));
  if (WITHOUT_QUESTIONS.has(kind))
    return verdict.notApplicable(`Questions are not expected here (${kind}: ${reason}).`);
  const language = selectWordLanguage(page);
  const asking = headings.filter(({ text, question }) => question || isQuestionHeading(text, language));
  const note = `${asking.length} of ${headings.length} headings ask a question.`;
  const evidence = (asking.length > 0 ? asking : headings)
    .slice(0, 5)
    .map(({ level, line, text }) => buildEvidence(exchange, { selector: `h${level}`, line, excerpt: text }));
  if (asking.length >= ENOUGH_QUESTIONS || asking.length / headings.length >= ENOUGH_SHARE)
    return verdict.pass(note, evidence);
  return asking.length === 1 ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

const LEAD_WORDS = 15;
const LEAD_PART = 0.25;
/** Content words that the lead must share with title or h1, where they have as many. */
const SHARED_STEMS = 2;
/** Main text with fewer words has no lead. */
const MIN_MAIN_WORDS = 30;
/** Openings that say nothing of the topic: cookies, dates, bylines, in the languages where they are longest. */
const NO_LEAD =
  /(?<!\p{L})(?:cookies?|consent|newsletter)(?!\p{L})|^(?:last (?:updated|modified|reviewed)|updated|published|posted|written by|zuletzt|aktualisiert|veröffentlicht|mis à jour|publié|actualizado|publicado|aggiornato|pubblicato|atualizado|bijgewerkt|обновлено|опубликовано)(?!\p{L})/iu;

function judgeLead({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const main = getMainText(page);
  if (main.words < MIN_MAIN_WORDS)
    return verdict.notApplicable(`The main text has ${main.words} words: too few for a lead.`);
  const lead = getContentParagraphs(page).find(
    ({ text, words }) => words >= LEAD_WORDS && !NO_LEAD.test(text.slice(0, 200)),
  );
  if (!lead)
    return verdict.fail(
      'The main content has no paragraph of 15 words.',
      buildEvidence(exchange, { selector: 'main p' }),
    );
  const evidence = buildEvidence(exchange, { selector: 'p', line: lead.line, excerpt: lead.text });
  const early = computeParagraphStart(lead, main.text) <= LEAD_PART;
  const onTopic = hasSharedTopic(lead, page);
  if (early && onTopic)
    return verdict.pass('The first paragraph comes early and takes up the words of the title.', evidence);
  if (!early && !onTopic)
    return verdict.fail('The first paragraph comes late and takes up no words of the title.', evidence);
  return verdict.partial(
    0.5,
    early ? 'The first paragraph does not take up the words of the title.' : 'The first paragraph comes late.',
    evidence,
  );
}

/** Where in the main text a paragraph begins, 0 to 1; 0 when it is not found there as it is. */
function computeParagraphStart({ text }: Paragraph, main: string): number {
  const at = main.replaceAll('\n', ' ').indexOf(text.slice(0, 200));
  return at < 0 || main.length === 0 ? 0 : at / main.length;
}

function hasSharedTopic(lead: Paragraph, page: PageFacts): boolean {
  const headlines = page.headings
    .filter((heading) => heading.level === 1 && isVisibleHeading(heading))
    .map(({ text }) => text);
  const topic = new Set(extractContentStems([page.titles[0] ?? '', ...headlines].join(' ')));
  if (topic.size === 0) return false;
  const said = new Set(extractContentStems(lead.text));
  return [...topic].filter((stem) => said.has(stem)).length >= Math.min(SHARED_STEMS, topic.size);
}

/** Title, h1 and h2 of a page, and the word by which one of them promises a topic. */
function findPromise(page: PageFacts, topic: 'process' | 'compares'): { text: string; line: number } | undefined {
  const language = selectWordLanguage(page);
  const titles = (page.titles[0] ?? '') === '' ? [] : [{ text: page.titles[0] ?? '', line: 1 }];
  const headings = page.headings.filter((heading) => heading.level <= 2 && isVisibleHeading(heading));
  return [...titles, ...headings].find(({ text }) => findTopicWord(text, language, topic) !== undefined);
}

const MIN_STEPS = 3;
const NUMBERED =
  /^(?:(?:step|schritt|étape|paso|passo|passaggio|stap|шаг)\s{0,3})?\d{1,2}(?:[.:)\s]|$)|^(?:步骤|第|手順|단계)/iu;

function judgeSteps({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const promise = findPromise(page, 'process');
  if (!promise) return verdict.notApplicable('Neither title nor headings promise a process.');
  const list = page.lists.find(
    (one) => one.ordered && isContent(page, one) && one.items.filter((item) => item !== '').length >= MIN_STEPS,
  );
  if (list)
    return verdict.pass(
      `A numbered list of ${list.items.length} steps.`,
      buildEvidence(exchange, { selector: 'ol', line: list.line, excerpt: list.items[0] ?? '' }),
    );
  const numbered = page.headings.filter((heading) => isVisibleHeading(heading) && NUMBERED.test(heading.text));
  const evidence = buildEvidence(exchange, { line: promise.line, excerpt: promise.text });
  if (numbered.length >= MIN_STEPS)
    return verdict.partial(0.5, `The steps are ${numbered.length} numbered headings.`, evidence);
  return verdict.fail('A process is promised, and no numbered list of three steps is there.', evidence);
}

const MIN_ROWS = 2;

function judgeTable({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const promise = findPromise(page, 'compares');
  if (!promise) return verdict.notApplicable('Neither title nor headings promise a comparison.');
  const tables = page.tables.filter((table) => table.rows >= MIN_ROWS && table.columns >= 2 && isContent(page, table));
  const scoped = tables.find(({ scopedHeaders }) => scopedHeaders > 0);
  if (scoped)
    return verdict.pass(
      'A table with header cells and their scope.',
      buildEvidence(exchange, { selector: 'th[scope]', line: scoped.line, excerpt: scoped.caption }),
    );
  const headed = tables.find(({ headerCells }) => headerCells > 0);
  if (headed)
    return verdict.partial(
      0.8,
      'A table whose header cells have no scope.',
      buildEvidence(exchange, { selector: 'th', line: headed.line }),
    );
  const [plain] = tables;
  if (plain)
    return verdict.partial(
      0.5,
      'A table without header cells.',
      buildEvidence(exchange, { selector: 'table', line: plain.line }),
    );
  return verdict.fail(
    'A comparison is promised, and no table is there.',
    buildEvidence(exchange, { line: promise.line, excerpt: promise.text }),
  );
}
