/** How long a button says that it has copied, in milliseconds. */
const SAID_MS = 1_500;

/** What a button says for that time, and where the browser refuses; pages are in one of these languages. */
const SAID = {
  en: { copied: 'Copied', refused: 'Select and copy by hand' },
  de: { copied: 'Kopiert', refused: 'Von Hand markieren und kopieren' },
} as const;

/** Shows the copy buttons below `root` (`data-copy`), each once: it copies the text of the `<pre>` that follows it. */
export function showCopyButtons(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    const block = button.parentElement?.querySelector('pre');
    if (!block || !button.hidden || !('clipboard' in navigator)) continue;
    button.hidden = false;
    button.addEventListener('click', () => void copy(button, block.textContent));
  }
}

async function copy(button: HTMLButtonElement, text: string): Promise<void> {
  const label = button.textContent;
  const words = button.closest<HTMLElement>('[lang]')?.lang === 'de' ? SAID.de : SAID.en;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = words.copied;
  } catch {
    button.textContent = words.refused; // Said to the person.
  }
  setTimeout(() => {
    button.textContent = label;
  }, SAID_MS);
}
