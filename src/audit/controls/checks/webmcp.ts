import {
  type AnyCheck,
  type Outcome,
  defineCheck,
  fail,
  notApplicable,
  partial,
  pass,
  unknown,
} from '../../core/check.ts';
import { seen } from '../../core/evidence.ts';
import { fieldsOf } from '../facts/form-kinds.ts';
import { modelContextIn } from '../facts/model-context.ts';
import { MAX_SCRIPT_FILES, type ScriptFiles } from '../../page/facts/script-files.ts';
import type { ControlFacts, FormFacts, PageFacts } from '../../page/facts/page-facts.ts';
import type { Answered } from '../../reach/facts/site-files.ts';
import type { Exchange } from '../../core/snapshot.ts';
import { plural } from '../../core/wording.ts';

/** Checks of the tools that a page offers to agents in the browser. Nobody is asked to have any. */
export const webMcpChecks: readonly AnyCheck[] = [
  defineCheck({
    id: 'agent.webmcp.forms',
    title: 'Declarative WebMCP is valid when used',
    scores: ['agent'],
    weight: 1,
    grade: 'B',
    why: 'A form becomes a tool only with a valid toolname and a tooldescription; made-up attributes such as tool-name do nothing.',
    source:
      'https://github.com/webmachinelearning/webmcp/blob/main/declarative-api-explainer.md; https://developer.chrome.com/docs/ai/webmcp/declarative-api',
    fix: 'Set toolname (letters, digits, _ . -) and tooldescription on the form, and a label or toolparamdescription on each named field.',
    needs: ['start', 'page'],
    judge: ({ start, page }) => judgeForms(start, page),
  }),
  defineCheck({
    id: 'agent.webmcp.script',
    title: 'Imperative WebMCP call is detected',
    scores: ['agent'],
    weight: 0,
    grade: 'C',
    why: `Reported, not scored: a text search of the page and of at most ${MAX_SCRIPT_FILES} of its own script files (the catalogue says five, which the budget of requests does not allow) is no proof that a tool is registered.`,
    source: 'https://webmachinelearning.github.io/webmcp/',
    fix: 'Register tools with document.modelContext.registerTool(); navigator.modelContext is the older name.',
    needs: ['start', 'page', 'scriptFiles'],
    judge: ({ start, page, scriptFiles }) => judgeScripts(start, page, scriptFiles),
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

function judgeForms({ exchange }: Answered, page: PageFacts): Outcome {
  const tools = page.forms.flatMap((form, index) =>
    form.toolName !== '' || form.toolDescription !== '' || form.strayToolAttributes.length > 0
      ? [{ form, needs: needsOf(page, form, index) }]
      : [],
  );
  if (tools.length === 0) return notApplicable('No form declares a tool, and none has to.');
  const met = tools.flatMap(({ needs }) => Object.values(needs));
  const registered = tools.filter(({ needs }) => needs.name && needs.description).length;
  const flawed = tools.filter(({ needs }) => Object.values(needs).includes(false));
  const note = `${registered} of ${plural(tools.length, 'form')} that declare a tool have a valid name and a description; ${plural(flawed.length, 'form')} with a fault.`;
  const evidence = (flawed.length > 0 ? flawed : tools).slice(0, MAX_SHOWN).map(({ form, needs }) =>
    seen(exchange, {
      selector: 'form',
      line: form.line,
      excerpt: [form.toolName.slice(0, 60), ...form.strayToolAttributes.slice(0, 3), ...lacking(needs)].join('; '),
    }),
  );
  if (registered === 0) return fail(note, evidence);
  if (flawed.length === 0) return pass(note, evidence);
  return partial(Math.round((1000 * met.filter(Boolean).length) / met.length) / 1000, note, evidence);
}

const lacking = (needs: Needs): readonly string[] =>
  (['name', 'description', 'fields', 'noStray'] as const).filter((need) => !needs[need]).map((need) => LACKS[need]);

function needsOf(page: PageFacts, form: FormFacts, index: number): Needs {
  const sameName = page.forms.filter(({ toolName }) => toolName === form.toolName);
  return {
    name: TOOL_NAME.test(form.toolName) && sameName.length === 1,
    description: form.toolDescription !== '',
    fields: fieldsOf(page, index).every(isDescribed),
    noStray: form.strayToolAttributes.length === 0,
  };
}

const LABELS = new Set<ControlFacts['labelSource']>(['label', 'aria-label', 'aria-labelledby']);

const isDescribed = ({ name, toolParamDescription, labelSource }: ControlFacts): boolean =>
  name.trim() !== '' && (toolParamDescription !== '' || LABELS.has(labelSource));

/** Said with every finding. */
const CAVEAT = 'Found in the text of scripts: only a browser can tell whether a tool is registered.';

function judgeScripts({ exchange }: Answered, page: PageFacts, files: ScriptFiles): Outcome {
  const found = [
    ...page.modelContext.map((host) => ({ host, exchange })),
    ...files.exchanges.flatMap((file) => hostsIn(file).map((host) => ({ host, exchange: file }))),
  ];
  const evidence = found.slice(0, MAX_SHOWN).map((one) => seen(one.exchange, { excerpt: `${one.host}.modelContext` }));
  if (found.some(({ host }) => host === 'document'))
    return pass(`A script names document.modelContext. ${CAVEAT}`, evidence);
  if (found.length > 0)
    return partial(0.5, `Scripts name only navigator.modelContext, which is deprecated. ${CAVEAT}`, evidence);
  if (page.scriptTags.length === 0) return notApplicable('The page has no scripts.');
  const wanted = Math.min(files.named, MAX_SCRIPT_FILES);
  const read = files.exchanges.filter(({ answer }) => answer.ok && answer.status < 500).length;
  if (read < wanted)
    return unknown(
      `Only ${read} of ${plural(wanted, 'script file')} could be read: the budget of requests was used up, or there was no answer.`,
      seen(exchange),
    );
  return notApplicable(`No script names the interface; ${read} of ${plural(files.named, 'own script file')} searched.`);
}

const hostsIn = ({ answer }: Exchange): readonly ('document' | 'navigator')[] =>
  answer.ok && answer.status >= 200 && answer.status < 300 ? modelContextIn(answer.body) : [];
