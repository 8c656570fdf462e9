import {
  buildElementPlace,
  type ElementCollector,
  extractElementText,
  type Frame,
  getAttribute,
  hasListRoom,
  type PageReadState,
  toAbsolutePageUrl,
} from '../../page/facts/state.ts';
import { openInnerNames } from '../../page/facts/inner-names.ts';
import { type ControlFacts, PAGE_LIMITS } from '../../page/facts/page-facts.ts';

const collectForm: ElementCollector = (reading, frame) => {
  if (!hasListRoom(reading, 'forms')) return undefined;
  reading.forms.push({
    ...buildElementPlace(frame),
    action: toAbsolutePageUrl(reading, getAttribute(frame, 'action')),
    rawAction: frame.attributes['action'] === undefined ? null : getAttribute(frame, 'action').trim(),
    method: getAttribute(frame, 'method').trim().toLowerCase() || 'get',
    id: getAttribute(frame, 'id'),
    label: getAttribute(frame, 'aria-label').trim(),
    toolName: getAttribute(frame, 'toolname').trim(),
    toolDescription: getAttribute(frame, 'tooldescription').trim(),
    strayToolAttributes: listStrayTools(frame, []),
  });
  reading.openForm = reading.forms.length - 1;
  return () => {
    reading.openForm = -1;
  };
};

/** Spellings that tutorials and tools made up; the draft has `toolname`, `tooldescription`, `toolparamdescription`, `toolautosubmit`. */
const STRAY_TOOL =
  /^(?:data-)?(?:web)?mcp(?:$|-)|^(?:data-)?tool-(?:name|desc|description|param|parameter|input|auto-?submit)(?:$|-)|^data-tool(?:name|description|param|autosubmit)/;

/** What is known already, and the attributes of one more element that only look like WebMCP. */
function listStrayTools(frame: Frame, known: readonly string[]): readonly string[] {
  const found = Object.keys(frame.attributes).filter((name) => STRAY_TOOL.test(name));
  return found.length === 0
    ? known
    : [...new Set([...known, ...found.map((name) => name.slice(0, 60))])].slice(0, PAGE_LIMITS.strayToolAttributes);
}

const collectControl: ElementCollector = (reading, frame) => {
  const owner = reading.forms[reading.openForm];
  if (owner) owner.strayToolAttributes = listStrayTools(frame, owner.strayToolAttributes);
  if (!hasListRoom(reading, 'controls')) return undefined;
  const entry = createControl(reading, frame);
  reading.controls.push(entry);
  applyAttributeName(entry, frame);
  if (WEAK.has(entry.labelSource)) reading.openLabels.at(-1)?.controls.push(entry);
  if (frame.name !== 'button') return undefined;
  const closeNames = openInnerNames(reading, frame);
  return () => {
    const inner = closeNames();
    const text = extractElementText(reading, frame) || inner;
    if (entry.labelSource === 'none' || entry.labelSource === 'title') applyControlName(entry, text, 'text');
  };
};

/** Ways to hide a menu or a dialog until it is opened; what lies outside of the screen or has no size is a trap for robots. */
const CLOSED: ReadonlySet<string> = new Set(['display-none', 'hidden-attribute', 'visibility-hidden', 'aria-hidden']);

const SWITCH_NAMES =
  /(?:^|[^a-z])(?:toggle|toggler|switch|switcher|flyout|burger|hamburger|drawer|offcanvas|menu|nav|navigation|slide|slider|carousel|accordion|collapse)(?:[^a-z]|$)/i;

const hasSwitchName = (frame: Frame): boolean =>
  ['id', 'name', 'class'].some((name) => SWITCH_NAMES.test(getAttribute(frame, name).slice(0, 200)));

const MODAL = /(?:^|\s)modal(?:\s|$)/;
const OPENED = /(?:^|\s)(?:show|in|is-active)(?:\s|$)/;
const MODAL_PART = /(?:^|\s)modal-(?:dialog|content|card)(?:\s|$)/;

/** Dialogs of Bootstrap and its kin, which their style sheets hide until a script opens them. */
function isInClosedDialog({ stack }: PageReadState): boolean {
  const at = stack.findLastIndex(({ attributes }) => MODAL.test(attributes['class']?.slice(0, 200) ?? ''));
  if (at < 0 || OPENED.test(stack[at]?.attributes['class'] ?? '')) return false;
  return stack.slice(at + 1).some(({ attributes }) => MODAL_PART.test(attributes['class']?.slice(0, 200) ?? ''));
}

function createControl(reading: PageReadState, frame: Frame): ControlFacts {
  const type = getAttribute(frame, 'type').trim().toLowerCase();
  const usual = frame.name === 'input' ? 'text' : frame.name === 'button' ? 'submit' : frame.name;
  return {
    ...buildElementPlace(frame),
    tag: frame.name,
    type: type || usual,
    name: getAttribute(frame, 'name'),
    id: getAttribute(frame, 'id'),
    form: findOwnerForm(reading, frame),
    label: '',
    labelSource: 'none',
    ...(CLOSED.has(reading.stack.at(-1)?.hidden ?? '') || isInClosedDialog(reading) ? { inClosed: true as const } : {}),
    ...((type === 'checkbox' || type === 'radio') && hasSwitchName(frame) ? { movesPage: true as const } : {}),
    required: frame.attributes['required'] !== undefined,
    autocomplete: getAttribute(frame, 'autocomplete').trim().toLowerCase(),
    toolParamDescription: getAttribute(frame, 'toolparamdescription').trim(),
  };
}

/** A control may name a form elsewhere in the page, of those that precede it. */
function findOwnerForm(reading: PageReadState, frame: Frame): number {
  const id = getAttribute(frame, 'form').trim();
  return id === '' ? reading.openForm : reading.forms.findIndex((form) => form.id === id);
}

/** An element named by another one counts as named: the naming text may be anywhere in the page. */
function applyAttributeName(entry: ControlFacts, frame: Frame): void {
  const others = getAttribute(frame, 'aria-labelledby').trim();
  if (others !== '') {
    entry.labelSource = 'aria-labelledby';
    entry.label = others;
    return;
  }
  applyControlName(entry, getAttribute(frame, 'aria-label'), 'aria-label');
  const isButton = entry.tag === 'input' && ['submit', 'reset', 'button'].includes(entry.type);
  if (isButton) applyControlName(entry, readButtonValue(entry, frame), 'value');
  if (entry.tag === 'input' && entry.type === 'image') applyControlName(entry, getAttribute(frame, 'alt'), 'value');
  applyControlName(entry, getAttribute(frame, 'title'), 'title');
  applyControlName(entry, getAttribute(frame, 'placeholder'), 'placeholder');
}

/** Browsers write a word of their own on a button without a value, and nothing on one with an empty value. */
const readButtonValue = ({ type }: ControlFacts, frame: Frame): string =>
  frame.attributes['value'] === undefined && type !== 'button' ? type : getAttribute(frame, 'value');

/** Weaker names give way to a `label` element. */
const WEAK = new Set<ControlFacts['labelSource']>(['none', 'title', 'placeholder', 'value']);

function applyControlName(entry: ControlFacts, name: string, source: ControlFacts['labelSource']): void {
  if (name.trim() === '' || (entry.labelSource !== 'none' && source !== 'label' && source !== 'text')) return;
  entry.label = name.trim();
  entry.labelSource = source;
}

const label: ElementCollector = (reading, frame) => {
  const open = { controls: [] as ControlFacts[] };
  reading.openLabels.push(open);
  return () => {
    reading.openLabels.pop();
    const text = extractElementText(reading, frame);
    const target = getAttribute(frame, 'for');
    if (target !== '' && reading.labels.length < reading.controls.length + LABELS_AHEAD)
      reading.labels.push({ target, text });
    for (const entry of open.controls) applyControlName(entry, text, 'label');
  };
};

/** Labels kept beyond the controls seen so far: a label may precede its control. */
const LABELS_AHEAD = 500;

/** Joins `label[for]` elements to their controls once both are known. */
export function joinLabels(reading: PageReadState): void {
  const byTarget = new Map(reading.labels.map(({ target, text }) => [target, text]));
  for (const entry of reading.controls) {
    const text = entry.id === '' ? undefined : byTarget.get(entry.id);
    if (text !== undefined && WEAK.has(entry.labelSource)) applyControlName(entry, text, 'label');
  }
}

export const controlOpeners: readonly (readonly [string, ElementCollector])[] = [
  ['form', collectForm],
  ['label', label],
  ...['input', 'select', 'textarea', 'button'].map((name) => [name, collectControl] as const),
];
