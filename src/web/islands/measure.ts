import { mountBuying } from './parts/buying.ts';

const form = document.getElementById('measure-form');
const panel = document.querySelector<HTMLElement>('[data-buy="panel"]');
if (panel && form instanceof HTMLFormElement) mountBuying(panel, () => readOrder(form, panel));

/** What the fields hold, as the service takes it, and what has to be filled in first. */
function readOrder(filled: HTMLFormElement, { dataset }: HTMLElement) {
  const fields = [...filled.querySelectorAll('input')];
  const empty = fields.find(({ value }) => value.trim() === '');
  const body = Object.fromEntries(fields.map(({ name, value }) => [name, value.trim()]));
  const order = { capability: dataset['capability'] ?? '', body };
  if (!empty) return order;
  return { ...order, missing: `Fill in the field “${empty.labels?.[0]?.textContent ?? empty.name}” above first.` };
}
