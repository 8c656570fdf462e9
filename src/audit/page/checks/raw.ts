import { type AnyCheck, type CheckOutcome, defineCheck, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { FEW_WORDS, findRenderSign } from '../../reach/facts/client-rendered.ts';
import type { PageFacts } from '../facts/page-facts.ts';
import { hasScriptDemand } from '../../controls/facts/script-walls.ts';
import type { ExchangeWithAnswer } from '../../reach/facts/site-files.ts';
import { formatShare } from '../../core/wording.ts';

type Facts = { start: ExchangeWithAnswer; page: PageFacts };

/** Checks of what a reader without scripts and style sheets gets. */
export const pageRawChecks: readonly AnyCheck[] = [
  defineCheck({
    id: 'aeo.render.head-tags-static',
    title: 'Title and description stand in the raw head',
    weight: 1,
    grade: 'A',
    why: 'Tags that a script adds do not exist for a fetcher that runs none. What a script would add cannot be seen from here either, so canonical link and JSON-LD have checks of their own.',
    source: 'Vercel, "The rise of the AI crawler"; HTML, section 4.2',
    fix: 'Let the server or the build write title and meta description into the head.',
    needs: ['start', 'page'],
    judge: judgeHead,
  }),
  defineCheck({
    id: 'aeo.render.hidden-text',
    title: 'Most of the text is visible',
    weight: 1,
    grade: 'B',
    why: 'Text that attributes or inline styles hide looks like cloaking, or is content that readers of the raw HTML miss. Closed details elements are not hidden, text with aria-hidden is seen, and style sheets are not read.',
    source: 'Google Search Central, spam policies, "Hidden text and link abuse"; HTML, section 6.1 (hidden)',
    fix: 'Show the text of tabs and panels, put it into details elements, or leave it out of this page.',
    needs: ['start', 'page'],
    judge: judgeHidden,
  }),
  defineCheck({
    id: 'aeo.render.noscript-wall',
    title: 'No "enable JavaScript" wall',
    weight: 1,
    grade: 'B',
    why: 'A page that says nothing but "enable JavaScript" is all that a fetcher without scripts can quote. A page of few words without such a notice is judged by aeo.render.ssr-text.',
    source: 'Agent-Friendly Docs Spec 0.5.0, rendering-strategy; Vercel, "The rise of the AI crawler"',
    fix: 'Put the content, or at least a readable summary with links, into the HTML that the server sends.',
    needs: ['start', 'page'],
    judge: judgeWall,
  }),
];

function judgeHead({ start: { exchange }, page }: Facts): CheckOutcome {
  const title = page.titles.find((text) => text !== '');
  const description = page.metas.find(
    ({ name, content, inHead }) => name === 'description' && inHead && content !== '',
  );
  const sign = findRenderSign(page);
  const evidence = buildEvidence(exchange, { selector: 'head', excerpt: title ?? '' });
  if (title !== undefined && description)
    return verdict.pass('Title and description stand in the HTML itself.', evidence);
  if (title === undefined && sign)
    return verdict.fail(
      'The HTML has no title, and a sign that a script adds the page.',
      buildEvidence(exchange, sign),
    );
  if (title === undefined && !description)
    return verdict.fail('Neither title nor description stands in the HTML.', evidence);
  const missing = title === undefined ? 'title' : 'description';
  return verdict.partial(0.5, `The head has no ${missing} in the HTML itself.`, evidence);
}

function judgeHidden({ start: { exchange }, page }: Facts): CheckOutcome {
  const all = page.text.length + page.hiddenChars;
  if (all === 0) return verdict.notApplicable('The page has no text.');
  const share = page.hiddenChars / all;
  const [first] = page.hiddenTexts
    .filter(({ how }) => how !== 'aria-hidden')
    .toSorted((a, b) => b.text.length - a.text.length);
  const evidence = buildEvidence(
    exchange,
    first ? { selector: `${first.tag} (${first.how})`, line: first.line, excerpt: first.text } : {},
  );
  const note = `${formatShare(share)} of the text is hidden by attributes or inline styles.`;
  if (share <= 0.2) return verdict.pass(note, evidence);
  return share <= 0.5 ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

function judgeWall({ start: { exchange }, page }: Facts): CheckOutcome {
  if (page.words >= FEW_WORDS)
    return verdict.pass(`${page.words} words can be read without scripts.`, buildEvidence(exchange));
  const wall = page.noscripts.find(hasScriptDemand);
  if (wall !== undefined)
    return verdict.fail(
      `The page says that it needs JavaScript, and has ${page.words} words beside that.`,
      buildEvidence(exchange, { selector: 'noscript', excerpt: wall }),
    );
  if (findRenderSign(page) && hasScriptDemand(page.text))
    return verdict.fail(
      'The page says little but that it needs JavaScript.',
      buildEvidence(exchange, { excerpt: page.text }),
    );
  return verdict.notApplicable(`The page has ${page.words} words, and no notice that it needs JavaScript.`);
}
