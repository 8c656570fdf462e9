import type { Opener } from '../../page/facts/opener.ts';
import { type ControlFacts, PAGE_LIMITS } from '../../page/facts/page-facts.ts';
import { type Frame, type Reading, absolute, attribute, hasRoom, ownText, place } from '../../page/facts/state.ts';

const form: Opener = (reading, frame) => {
  if (!hasRoom(reading, 'forms')) return undefined;
  reading.forms.push({
    ...place(frame),
    action: absolute(reading, attribute(frame, 'action')),
    rawAction: frame.attributes['action'] === undefined ? null : attribute(frame, 'action').trim(),
    method: attribute(frame, 'method').trim().toLowerCase() || 'get',
    id: attribute(frame, 'id'),
    label: attribute(frame, 'aria-label').trim(),
    toolName: attribute(frame, 'toolname').trim(),
    toolDescription: attribute(frame, 'tooldescription').trim(),
    strayToolAttributes: strayTools(frame, []),
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
function strayTools(frame: Frame, known: readonly string[]): readonly string[] {
  const found = Object.keys(frame.attributes).filter((name) => STRAY_TOOL.test(name));
  return found.length === 0
    ? known
    : [...new Set([...known, ...found.map((name) => name.slice(0, 60))])].slice(0, PAGE_LIMITS.strayToolAttributes);
}

const control: Opener = (reading, frame) => {
  const owner = reading.forms[reading.openForm];
  if (owner) owner.strayToolAttributes = strayTools(frame, owner.strayToolAttributes);
  if (!hasRoom(reading, 'controls')) return undefined;
  const entry = newControl(reading, frame);
  reading.controls.push(entry);
  nameByAttribute(entry, frame);
  if (WEAK.has(entry.labelSource)) reading.openLabels.at(-1)?.controls.push(entry);
  if (frame.name !== 'button') return undefined;
  return () => {
    const text = ownText(reading, frame);
    if (entry.labelSource === 'none' || entry.labelSource === 'title') nameIt(entry, text, 'text');
  };
};

function newControl(reading: Reading, frame: Frame): ControlFacts {
  const type = attribute(frame, 'type').trim().toLowerCase();
  const usual = frame.name === 'input' ? 'text' : frame.name === 'button' ? 'submit' : frame.name;
  return {
    ...place(frame),
    tag: frame.name,
    type: type || usual,
    name: attribute(frame, 'name'),
    id: attribute(frame, 'id'),
    form: reading.openForm,
    label: '',
    labelSource: 'none',
    required: frame.attributes['required'] !== undefined,
    autocomplete: attribute(frame, 'autocomplete').trim().toLowerCase(),
    toolParamDescription: attribute(frame, 'toolparamdescription').trim(),
  };
}

/** An element named by another one is taken as named: its text may stand anywhere in the page. */
function nameByAttribute(entry: ControlFacts, frame: Frame): void {
  const others = attribute(frame, 'aria-labelledby').trim();
  if (others !== '') {
    entry.labelSource = 'aria-labelledby';
    entry.label = others;
    return;
  }
  nameIt(entry, attribute(frame, 'aria-label'), 'aria-label');
  const isButton = entry.tag === 'input' && ['submit', 'reset', 'button'].includes(entry.type);
  if (isButton) nameIt(entry, attribute(frame, 'value') || (entry.type === 'button' ? '' : entry.type), 'value');
  if (entry.tag === 'input' && entry.type === 'image') nameIt(entry, attribute(frame, 'alt'), 'value');
  nameIt(entry, attribute(frame, 'title'), 'title');
  nameIt(entry, attribute(frame, 'placeholder'), 'placeholder');
}

/** Weaker names give way to a `label` element. */
const WEAK = new Set<ControlFacts['labelSource']>(['none', 'title', 'placeholder', 'value']);

function nameIt(entry: ControlFacts, name: string, source: ControlFacts['labelSource']): void {
  if (name.trim() === '' || (entry.labelSource !== 'none' && source !== 'label' && source !== 'text')) return;
  entry.label = name.trim();
  entry.labelSource = source;
}

const label: Opener = (reading, frame) => {
  const open = { controls: [] as ControlFacts[] };
  reading.openLabels.push(open);
  return () => {
    reading.openLabels.pop();
    const text = ownText(reading, frame);
    const target = attribute(frame, 'for');
    if (target !== '' && reading.labels.length < reading.controls.length + LABELS_AHEAD)
      reading.labels.push({ target, text });
    for (const entry of open.controls) nameIt(entry, text, 'label');
  };
};

/** Labels kept beyond the controls seen so far: a label may precede its control. */
const LABELS_AHEAD = 500;

/** Joins `label[for]` elements to their controls once both are known. */
export function joinLabels(reading: Reading): void {
  const byTarget = new Map(reading.labels.map(({ target, text }) => [target, text]));
  for (const entry of reading.controls) {
    const text = entry.id === '' ? undefined : byTarget.get(entry.id);
    if (text !== undefined && WEAK.has(entry.labelSource)) nameIt(entry, text, 'label');
  }
}

export const controlOpeners: readonly (readonly [string, Opener])[] = [
  ['form', form],
  ['label', label],
  ...['input', 'select', 'textarea', 'button'].map((name) => [name, control] as const),
];
