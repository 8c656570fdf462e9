import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { listFormFields } from '../facts/forms.ts';
import { findModelContextHosts } from '../facts/scripts.ts';
import { MAX_SCRIPT_FILES } from '../../page/facts/script-files.ts';
import type { ControlFacts, FormFacts, PageFacts } from '../../page/facts/page-facts.ts';
import type { Exchange } from '../../core/snapshot.ts';

/** Checks of the tools that a page offers to agents in the browser. No page is required to have any. */
export const webMcpChecks = [
  defineCheck({
    id: 'agent.webmcp.forms',
    title: 'Declarative WebMCP is valid when used',
    failureTitle: 'Correct the declared WebMCP forms',
    weight: 1,
    grade: 'B',
    why: 'A form becomes a tool only with a valid toolname and a tooldescription; made-up attributes such as tool-name do nothing.',
    source:
      'https://github.com/webmachinelearning/webmcp/blob/main/declarative-api-explainer.md; https://developer.chrome.com/docs/ai/webmcp/declarative-api',
    fix: 'Set toolname (letters, digits, _ . -) and tooldescription on the form, and a label or toolparamdescription on each named field.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeForms,
  }),
  defineCheck({
    id: 'agent.webmcp.script',
    title: 'Imperative WebMCP call is detected',
    failureTitle: 'Move the script to the current WebMCP interface',
    weight: 0,
    grade: 'C',
    read: '2026-11-23',
    why: `Reported, not scored: a text search of the page and of at most ${MAX_SCRIPT_FILES} of its own script files (the catalogue says five, which the budget of requests does not allow) is no proof that a tool is registered.`,
    source: 'https://webmachinelearning.github.io/webmcp/',
    fix: 'Register tools with document.modelContext.registerTool(); navigator.modelContext is the older name, which Chromium removed in July 2026.',
    needs: ['start', 'page', 'scriptFiles'],
    judge: judgeScripts,
  }),
];

const MAX_SHOWN = 10;
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** What a tool needs, and whether a form has it. */
type Needs = { name: boolean; description: boolean; fields: boolean; noStray: boolean };

const LACKS: Readonly<Record<keyof Needs, string>> = {
  name: 'toolname is missing, invalid or not unique',
  description: 'tooldescription is missing',
  fields: 'a field has no name, or neither label nor toolparamdescription',
  noStray: 'attributes that no browser knows',
};

function judgeForms({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const tools = page.forms.flatMap((form, index) =>
    form.toolName !== '' || form.toolDescription !== '' || form.strayToolAttributes.length > 0
      ? [{ form, needs: buildNeeds(page, form, index) }]
      : [],
  );
  if (tools.length === 0) return verdict.notApplicable('No form declares a tool, and none has to.');
  const met = tools.flatMap(({ needs }) => Object.values(needs));
  const registered = tools.filter(({ needs }) => needs.name && needs.description).length;
  const flawed = tools.filter(({ needs }) => Object.values(needs).includes(false));
  const note = `${registered} of ${formatCount(tools.length, 'form')} that declare a tool have a valid name and a description; ${formatCount(flawed.length, 'form')} with a fault.`;
  const evidence = (flawed.length > 0 ? flawed : tools).slice(0, MAX_SHOWN).map(({ form, needs }) =>
    buildEvidence(exchange, {
      selector: 'form',
      line: form.line,
      excerpt: [form.toolName.slice(0, 60), ...form.strayToolAttributes.slice(0, 3), ...listLacks(needs)].join('; '),
    }),
  );
  if (registered === 0) return verdict.fail(note, evidence);
  if (flawed.length === 0) return verdict.pass(note, evidence);
  return verdict.partial(Math.round((1000 * met.filter(Boolean).length) / met.length) / 1000, note, evidence);
}

const listLacks = (needs: Needs): readonly string[] =>
  (['name', 'description', 'fields', 'noStray'] as const).filter((need) => !needs[need]).map((need) => LACKS[need]);

function buildNeeds(page: PageFacts, form: FormFacts, index: number): Needs {
  const sameName = page.forms.filter(({ toolName }) => toolName === form.toolName);
  return {
    name: TOOL_NAME.test(form.toolName) && sameName.length === 1,
    description: form.toolDescription !== '',
    fields: listFormFields(page, index).every(isDescribed),
    noStray: form.strayToolAttributes.length === 0,
  };
}

const LABELS = new Set<ControlFacts['labelSource']>(['label', 'aria-label', 'aria-labelledby']);

const isDescribed = ({ name, toolParamDescription, labelSource }: ControlFacts): boolean =>
  name.trim() !== '' && (toolParamDescription !== '' || LABELS.has(labelSource));

/** Said with every finding. */
const CAVEAT = 'Found in the text of scripts: only a browser can tell whether a tool is registered.';

function judgeScripts({
  start: { exchange },
  page,
  scriptFiles: files,
}: FactsOf<'start' | 'page' | 'scriptFiles'>): CheckOutcome {
  const found = [
    ...page.modelContext.map((host) => ({ host, exchange })),
    ...files.exchanges.flatMap((file) => listModelContextHosts(file).map((host) => ({ host, exchange: file }))),
  ];
  const evidence = found
    .slice(0, MAX_SHOWN)
    .map((one) => buildEvidence(one.exchange, { excerpt: `${one.host}.modelContext` }));
  if (found.some(({ host }) => host === 'document'))
    return verdict.pass(`A script names document.modelContext. ${CAVEAT}`, evidence);
  if (found.length > 0)
    return verdict.fail(
      `Scripts name only navigator.modelContext, which Chromium removed in July 2026. ${CAVEAT}`,
      evidence,
    );
  if (page.scriptTags.length === 0) return verdict.notApplicable('The page has no scripts.');
  const wanted = Math.min(files.named, MAX_SCRIPT_FILES);
  const read = files.exchanges.filter(({ answer }) => answer.ok && answer.status < 500).length;
  if (read < wanted)
    return verdict.unknown(
      `Only ${read} of ${formatCount(wanted, 'script file')} could be read: the budget of requests was used up, or there was no answer.`,
      buildEvidence(exchange),
    );
  return verdict.notApplicable(
    `No script names the interface; ${read} of ${formatCount(files.named, 'own script file')} searched.`,
  );
}

const listModelContextHosts = ({ answer }: Exchange): readonly ('document' | 'navigator')[] =>
  answer.ok && answer.status >= 200 && answer.status < 300 ? findModelContextHosts(answer.body) : [];
