import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import type { RenderedOverlay, RenderedTool } from '../facts/rendered-look.ts';
import { judgeTargetSizes, LEAST_TARGET_PX } from '../facts/target-size.ts';

/** Checks of what a browser lays out, names and registers: what an agent that drives one can see and press. */
export const renderedControlChecks = [
  defineCheck({
    id: 'agent.webmcp.registered',
    title: 'WebMCP tools really register',
    failureTitle: 'Make the WebMCP tools register',
    weight: 2,
    grade: 'B',
    why: 'Only a browser shows whether a tool is there: one that a script names, or a form declares, can fail to register. No page needs tools.',
    source: 'https://webmachinelearning.github.io/webmcp/; https://playwright.dev/docs/api/class-webmcp',
    fix: 'Register each tool with document.modelContext.registerTool(): a unique name, a description and an inputSchema. navigator.modelContext is gone.',
    needs: ['start', 'page', 'rendered'],
    judge: judgeTools,
  }),
  defineCheck({
    id: 'agent.ui.target-size',
    title: 'Things to press are at least 24 pixels large or have room around them',
    failureTitle: 'Enlarge or space out things to press',
    weight: 1,
    grade: 'B',
    why: 'Agents that press coordinates of a picture miss small targets that lie close together, as people do. Judged in a window of 1280 by 900; links in sentences, checkboxes and targets with a picture are left out.',
    source: 'WCAG 2.2, success criterion 2.5.8; Lighthouse, target-size',
    fix: 'Give small buttons and links a height and width of 24 CSS pixels by padding, or as much distance to the next one.',
    needs: ['start', 'rendered'],
    judge: judgeSizes,
  }),
  defineCheck({
    id: 'agent.ui.overlay',
    title: 'Nothing unnamed lies over the page',
    failureTitle: 'Name or remove what covers the page',
    weight: 1,
    grade: 'C',
    why: 'An agent that finds a layer over the page has to know what it is and how to close it: from a dialog with a name, and a control with a name.',
    source: 'WAI-ARIA Authoring Practices, dialog (modal); Lighthouse, agentic browsing',
    fix: 'Make the layer a dialog element (or role="dialog") with an accessible name and named buttons, or show it later and smaller.',
    needs: ['start', 'rendered'],
    judge: judgeOverlays,
  }),
  defineCheck({
    id: 'agent.ui.rendered-names',
    title: 'Controls have names in the accessibility tree',
    failureTitle: 'Name controls in the accessibility tree',
    weight: 1,
    grade: 'B',
    why: 'Agents that drive a browser read the accessibility tree: a control without a name there cannot be chosen by what it does. This counts controls that scripts add as well.',
    source: 'https://www.w3.org/TR/accname-1.2/; WCAG 2.2, success criterion 4.1.2',
    fix: 'Give each button, link and field a text, a label or an aria-label.',
    needs: ['start', 'rendered'],
    judge: judgeNames,
  }),
];

const MAX_SHOWN = 5;
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

const isComplete = ({ name, description, hasSchema }: RenderedTool): boolean =>
  TOOL_NAME.test(name) && description.trim() !== '' && hasSchema;

function judgeTools({ start: { exchange }, page, rendered }: FactsOf<'start' | 'page' | 'rendered'>): CheckOutcome {
  if (rendered.state === 'none') return verdict.unknown(rendered.note);
  const { tools } = rendered.look;
  if (tools === null) return verdict.unknown('The browser that looked does not know WebMCP.');
  const claimed = countClaims(page);
  if (tools.length === 0 && claimed === 0)
    return verdict.notApplicable('The page registers no tool, names none, and needs none.');
  if (tools.length === 0) {
    const note = 'The raw HTML names tools; after rendering the browser has none.';
    return verdict.fail(note, buildEvidence(exchange, { excerpt: `${claimed} forms or scripts name WebMCP` }));
  }
  const complete = tools.filter(isComplete);
  const evidence = tools
    .toSorted((one, other) => Number(isComplete(one)) - Number(isComplete(other)))
    .slice(0, MAX_SHOWN)
    .map(({ name, description, declarative }) =>
      buildEvidence(exchange, {
        selector: declarative ? 'form[toolname]' : 'document.modelContext',
        excerpt: `${name.slice(0, 80)}: ${description}`,
      }),
    );
  const note = `After rendering ${formatCount(tools.length, 'tool')} registered; ${complete.length} of them with a legal name, a description and an input schema.`;
  return verdict.byShare(complete.length / tools.length, { passAt: 1, partialAt: 0.01 }, note, evidence);
}

/** Forms and inline scripts of the raw HTML that speak of tools. */
const countClaims = (page: PageFacts): number =>
  page.forms.filter(({ toolName }) => toolName !== '').length + page.modelContext.length;

function judgeSizes({ start: { exchange }, rendered }: FactsOf<'start' | 'rendered'>): CheckOutcome {
  if (rendered.state === 'none') return verdict.unknown(rendered.note);
  const { judged, tooSmall } = judgeTargetSizes(rendered.look.targets);
  if (judged === 0) return verdict.notApplicable('After rendering the page has no target whose size can be judged.');
  const note = `${tooSmall.length} of ${formatCount(judged, 'target')} after rendering are smaller than ${LEAST_TARGET_PX} by ${LEAST_TARGET_PX} pixels, with another one close by.`;
  const evidence = tooSmall.slice(0, MAX_SHOWN).map(({ tag, name, width, height }) =>
    buildEvidence(exchange, {
      selector: tag,
      excerpt: `${Math.round(width)} x ${Math.round(height)}: ${name ?? ''}`,
    }),
  );
  return verdict.byShare(
    1 - tooSmall.length / judged,
    { passAt: 0.95, partialAt: 0.5 },
    note,
    evidence.length > 0 ? evidence : buildEvidence(exchange),
  );
}

/** Of the window; what covers less is a bar or a corner. */
const LARGE_SHARE = 0.3;
/** A layer with as much of the page's text is the page. */
const PAGE_SHARE = 0.5;

const isLarge = ({ share, textShare }: RenderedOverlay): boolean => share >= LARGE_SHARE && textShare < PAGE_SHARE;

const isNamed = ({ dialog, name, controls }: RenderedOverlay): boolean =>
  dialog && (name ?? '').trim() !== '' && controls.some((control) => (control ?? '').trim() !== '');

function judgeOverlays({ start: { exchange }, rendered }: FactsOf<'start' | 'rendered'>): CheckOutcome {
  if (rendered.state === 'none') return verdict.unknown(rendered.note);
  const large = rendered.look.overlays.filter(isLarge);
  if (large.length === 0)
    return verdict.pass('After rendering nothing covers a third of the window.', buildEvidence(exchange));
  const evidence = large.map(({ selector, share, name, controls }) =>
    buildEvidence(exchange, {
      selector,
      excerpt: `covers ${Math.round(share * 100)} %; name: ${name ?? 'no dialog'}; controls: ${controls.join(', ')}`,
    }),
  );
  if (large.every(isNamed))
    return verdict.partial(0.7, 'A layer covers the page; it is a dialog with a name and named controls.', evidence);
  return verdict.fail('A layer covers the page, and its dialog or its controls have no name.', evidence);
}

function judgeNames({ start: { exchange }, rendered }: FactsOf<'start' | 'rendered'>): CheckOutcome {
  if (rendered.state === 'none') return verdict.unknown(rendered.note);
  const known = rendered.look.targets.filter(({ name }) => name !== null);
  if (known.length === 0) return verdict.notApplicable('After rendering the page has no controls.');
  const unnamed = known.filter(({ name }) => (name ?? '').trim() === '');
  const note = `${known.length - unnamed.length} of ${formatCount(known.length, 'control')} have a name after rendering.`;
  const evidence = unnamed
    .slice(0, MAX_SHOWN)
    .map(({ tag, role }) => buildEvidence(exchange, { selector: tag, excerpt: `role ${role ?? 'unknown'}, no name` }));
  return verdict.byShare(
    1 - unnamed.length / known.length,
    { passAt: 0.98, partialAt: 0.5 },
    note,
    evidence.length > 0 ? evidence : buildEvidence(exchange),
  );
}
