/** Waits after a key before it filters, in milliseconds: long answers are not laid out again for each letter. */
const TYPING_MS = 120;

/** The outcome of answers that do not name the brand. Refusals have another. */
const MISSING = 'absent';

/** Brings the filter of the answers of a measurement to life; nothing where there is none. */
export function filterAnswers(root: ParentNode): void {
  const form = root.querySelector<HTMLFormElement>('form[data-answer-filter]');
  if (!form) return;
  const items = [...root.querySelectorAll<HTMLElement>('[data-answer]')];
  const texts = new Map(items.map((item) => [item, item.textContent.toLowerCase()]));
  const apply = (): void => showChosen(form, items, texts);
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
  root.querySelector('button[data-show-every]')?.addEventListener('click', () => {
    form.reset();
    apply();
    form.querySelector('select')?.focus();
  });
  const missing = form.querySelector<HTMLButtonElement>('button[data-missing]');
  missing?.addEventListener('click', () => {
    const outcome = form.querySelector<HTMLSelectElement>('select[name="outcome"]');
    if (!outcome) return;
    outcome.value = missing.getAttribute('aria-pressed') === 'true' ? '' : MISSING;
    apply();
  });
  for (const button of form.querySelectorAll<HTMLButtonElement>('button[data-open]'))
    button.addEventListener('click', () => {
      for (const item of items) openAnswer(item, button.dataset['open'] === 'true');
    });
  apply(); // Browsers keep what was chosen when a page is loaded again.
}

function openAnswer(item: HTMLElement, open: boolean): void {
  const answer = item.querySelector<HTMLDetailsElement>('details.answer');
  if (answer && !item.hidden) answer.open = open;
}

function showChosen(
  form: HTMLFormElement,
  items: readonly HTMLElement[],
  texts: ReadonlyMap<HTMLElement, string>,
): void {
  const fields = new FormData(form);
  const read = (name: string): string => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : '';
  };
  const wanted = { outcome: read('outcome'), intent: read('intent'), engine: read('engine') };
  form.querySelector('button[data-missing]')?.setAttribute('aria-pressed', String(wanted.outcome === MISSING));
  const words = read('text').toLowerCase().trim();
  let shown = 0;
  for (const item of items) {
    const { outcome = '', intent = '', engine = '' } = item.dataset;
    const fits = [
      wanted.outcome === '' || wanted.outcome === outcome,
      wanted.intent === '' || wanted.intent === intent,
      wanted.engine === '' || wanted.engine === engine,
      (texts.get(item) ?? '').includes(words),
    ];
    item.hidden = fits.includes(false);
    if (!item.hidden) shown += 1;
  }
  const none = items[0]?.closest('.answers')?.querySelector<HTMLElement>('[data-none-fits]');
  if (none) none.hidden = shown > 0;
  const output = form.querySelector<HTMLElement>('output[data-shown]');
  if (output)
    output.textContent = (output.dataset['shown'] ?? '')
      .replace('{shown}', String(shown))
      .replace('{total}', String(items.length));
}
