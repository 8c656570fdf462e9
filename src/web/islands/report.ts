import { filterAnswers } from './parts/answer-filter.ts';
import { showCopyButtons } from './parts/copying.ts';
import { showShareButtons } from './parts/sharing.ts';

/** Waits after a key before it filters, in milliseconds: a long report is not laid out anew for each letter. */
const TYPING_MS = 120;

const form = document.querySelector<HTMLFormElement>('form[data-filter]');
const checks = [...document.querySelectorAll<HTMLDetailsElement>('details[data-check]')];

showCopyButtons(document);
showShareButtons(document);
filterAnswers(document);
if (form) showFilter(form);
openTarget();
addEventListener('hashchange', openTarget);

/** Shows the filter, and what it chooses. */
function showFilter(filter: HTMLFormElement): void {
  filter.hidden = false;
  const texts = new Map(checks.map((check) => [check, check.textContent.toLowerCase()]));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const apply = (): void => show(filter, texts);
  filter.addEventListener('change', apply);
  filter.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(apply, TYPING_MS);
  });
  filter.addEventListener('submit', (event) => {
    event.preventDefault();
    apply();
  });
  for (const button of filter.querySelectorAll<HTMLButtonElement>('button[data-open]'))
    button.addEventListener('click', () => {
      for (const check of checks) if (!check.hidden) check.open = button.dataset['open'] === 'true';
    });
  apply(); // Browsers keep what was chosen when a page is loaded again.
}

function show(filter: HTMLFormElement, texts: ReadonlyMap<HTMLDetailsElement, string>): void {
  const fields = new FormData(filter);
  const statuses = new Set(fields.getAll('status'));
  const score = getFieldText(fields, 'score');
  const words = getFieldText(fields, 'text').toLowerCase().trim();
  let shown = 0;
  for (const check of checks) {
    const { status = '', scores = '' } = check.dataset;
    const fits = statuses.has(status) && (score === '' || scores.split(' ').includes(score));
    check.hidden = !fits || !(texts.get(check) ?? '').includes(words);
    if (!check.hidden) shown += 1;
  }
  for (const group of document.querySelectorAll<HTMLElement>('[data-group]'))
    group.hidden = group.querySelector('details[data-check]:not([hidden])') === null;
  const output = filter.querySelector('output[data-shown]');
  if (output) output.textContent = `${shown} of ${checks.length} checks shown`;
}

function getFieldText(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
}

/** Following a link to a check opens it, though a filter hides it: browsers without that habit of their own, too. */
function openTarget(): void {
  const id = decodeURIComponent(location.hash.slice(1));
  const target = id === '' ? null : document.getElementById(id);
  const details = target?.closest('details');
  if (!target || !details) return;
  const group = details.closest<HTMLElement>('[data-group]');
  if (group) group.hidden = false;
  details.hidden = false;
  details.open = true;
  details.scrollIntoView();
}
