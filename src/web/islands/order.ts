import { isText } from '../../lib/json.ts';
import { buildOrderBody, type FilledField, type TypedValueKind } from '../capability/order-body.ts';
import { mountBuying } from './parts/buying.ts';
import { showCopyButtons } from './parts/copying.ts';
import { hasShape, isListOf } from './parts/shape.ts';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Longest wait for the judgement of the fields, in milliseconds; without one the sale judges them. */
const JUDGE_TIMEOUT_MS = 10_000;
/** The status of fields that make no order. */
const INVALID = 422;

const listFields = (filled: HTMLFormElement): readonly Field[] => [...filled.querySelectorAll<Field>('[data-kind]')];

/** The fields as the page has made them of the schema. Boxes of one name are lines of one field. */
function readFields(filled: HTMLFormElement): readonly FilledField[] {
  const read = new Map<string, FilledField>();
  for (const field of listFields(filled)) {
    const isOff = field instanceof HTMLInputElement && field.type === 'checkbox' && !field.checked;
    const texts = [read.get(field.name)?.text ?? '', isOff ? '' : field.value].filter((text) => text !== '');
    const kind = field.dataset['kind'] as TypedValueKind; // As `form.tsx` wrote it.
    read.set(field.name, { name: field.name, kind, text: texts.join('\n') });
  }
  return [...read.values()];
}

/** Has the service judge what is filled in before anything is signed: what is wrong is said beside its field. */
async function judgeFields(filled: HTMLFormElement): Promise<string | undefined> {
  const faults = await askFaults(filled);
  showFaults(filled, faults);
  return faults.size === 0 ? undefined : (faults.get('') ?? filled.dataset['correct'] ?? '');
}

const isFaultList = hasShape({ errors: isListOf(hasShape({ pointer: isText, message: isText })) });

/** What is wrong, by the name of the field; with an empty name it is about the form. */
async function askFaults(filled: HTMLFormElement): Promise<ReadonlyMap<string, string>> {
  try {
    const answer = await fetch(filled.getAttribute('action') ?? '', {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(readFields(filled).map(({ name, text }) => [name, text])),
      signal: AbortSignal.timeout(JUDGE_TIMEOUT_MS),
    });
    const json: unknown = answer.status === INVALID ? await answer.json() : undefined;
    const errors = isFaultList(json) ? json.errors : [];
    return new Map(errors.map(({ pointer, message }) => [pointer.slice(1).replaceAll('/', '.'), message]));
  } catch {
    return new Map(); // Of the network. Nothing is known to be wrong, and the sale judges again.
  }
}

function showFaults(filled: HTMLFormElement, faults: ReadonlyMap<string, string>): void {
  document.querySelector('[data-faults]')?.remove(); // Of the page as it came, and out of date.
  const fields = listFields(filled);
  for (const field of fields) showFault(field, faults.get(field.name));
  const first = fields.find(({ name }) => faults.has(name));
  for (let around = first?.closest('details'); around; around = around.parentElement?.closest('details'))
    around.open = true;
  first?.focus();
}

function showFault(field: Field, fault: string | undefined): void {
  const note = document.getElementById(`order-${field.name.replaceAll('.', '-')}-fault`);
  if (fault === undefined) field.removeAttribute('aria-invalid');
  else field.setAttribute('aria-invalid', 'true');
  if (note === null) return;
  note.textContent = fault ?? '';
  note.hidden = fault === undefined;
}

const form = document.getElementById('order-form');
const panel = document.querySelector<HTMLElement>('[data-buy="panel"]');
showCopyButtons(document);
if (panel && form instanceof HTMLFormElement) {
  const { capability = '' } = panel.dataset;
  mountBuying(panel, () => ({
    capability,
    body: buildOrderBody(readFields(form)).body,
    check: () => judgeFields(form),
  }));
}
