/** What is looked for; empty texts look for everything. */
type FilterCriteria = { text: string; status: string; score: string };

/** Brings the filter of the checks below `root` to life; nothing where there is none. */
export function filterChecks(root: HTMLElement): void {
  const form = root.querySelector<HTMLFormElement>('#check-filter');
  if (!form) return;
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
    for (const group of root.querySelectorAll<HTMLElement>('[data-group]')) {
      group.hidden = group.querySelector('[data-check]:not([hidden])') === null;
      openLocked(group, wanted);
    }
    if (shown) shown.textContent = `${count} of ${items.length} checks`;
  };
  form.hidden = false;
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
  apply();
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

/** What is looked for by its words shows wherever it occurs. */
function openLocked(group: HTMLElement, { text, status }: FilterCriteria): void {
  const locked = group.querySelector<HTMLDetailsElement>('[data-locked]');
  if (!locked) return;
  const found = locked.querySelector('[data-check]:not([hidden])') !== null;
  locked.hidden = !found;
  locked.open = found && (text !== '' || status === 'locked');
}
