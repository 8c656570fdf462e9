import { filterWords } from '../../audit/filter-words.ts';
import { DEFAULT_LANGUAGE, parseLanguage } from '../../language/language.ts';

/** What is looked for; empty texts look for everything. */
type FilterCriteria = { text: string; status: string; score: string };

/** Waits after a key before it filters, in milliseconds: a long report is not laid out again for each letter. */
const TYPING_MS = 120;

/** Brings the filter of the checks below `root` to life; nothing where there is none. */
export function filterChecks(root: ParentNode): void {
  const form = root.querySelector<HTMLFormElement>('form[data-filter]');
  if (!form) return;
  const words = filterWords[parseLanguage(document.documentElement.lang) ?? DEFAULT_LANGUAGE];
  const shown = form.querySelector<HTMLElement>('[data-shown]');
  const items = [...root.querySelectorAll<HTMLElement>('[data-check]')];
  // Texts are read once: all checks are looked through with each key.
  const texts = new Map(items.map((item) => [item, item.textContent.toLowerCase()]));
  const apply = (): void => {
    const wanted = readFilterCriteria(form);
    let count = 0;
    for (const item of items) {
      item.hidden = !isWanted(item, texts.get(item) ?? '', wanted);
      if (!item.hidden) count += 1;
    }
    for (const group of root.querySelectorAll<HTMLElement>('[data-group]')) showGroup(group, wanted);
    if (shown) shown.textContent = words.shown(count, items.length);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  form.hidden = false;
  form.addEventListener('change', apply);
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(apply, TYPING_MS);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    apply();
  });
  for (const button of form.querySelectorAll<HTMLButtonElement>('button[data-open]'))
    button.addEventListener('click', () => openShown(items, button.dataset['open'] === 'true'));
  apply(); // Browsers keep what was chosen when a page is loaded again.
}

function openShown(items: readonly HTMLElement[], isOpen: boolean): void {
  for (const item of items) if (item instanceof HTMLDetailsElement && !item.hidden) item.open = isOpen;
}

function readFilterCriteria(form: HTMLFormElement): FilterCriteria {
  const data = new FormData(form);
  const of = (name: string): string => {
    const value = data.get(name);
    return typeof value === 'string' ? value : '';
  };
  return { text: of('text').trim().toLowerCase(), status: of('status'), score: of('score') };
}

const isWanted = ({ dataset }: HTMLElement, content: string, { text, status, score }: FilterCriteria): boolean =>
  content.includes(text) &&
  (status === '' || dataset['status'] === status) &&
  (score === '' || (dataset['scores'] ?? '').split(' ').includes(score));

/** A group without a wanted check is not there; one that is folded opens for what is looked for by words or outcome. */
function showGroup(group: HTMLElement, { text, status }: FilterCriteria): void {
  const found = group.querySelector('[data-check]:not([hidden])') !== null;
  group.hidden = !found;
  if (group instanceof HTMLDetailsElement) group.open = found && (text !== '' || status !== '');
}
