/** How long a button says that it has copied, in milliseconds. */
const SAID_MS = 1_500;

/** Shows the copy buttons below `root` (`data-copy`): each copies the text of the `<pre>` that follows it. */
export function showCopyButtons(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    const block = button.parentElement?.querySelector('pre');
    if (!block || !('clipboard' in navigator)) continue;
    button.hidden = false;
    button.addEventListener('click', () => void copy(button, block.textContent));
  }
}

async function copy(button: HTMLButtonElement, text: string): Promise<void> {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Select and copy by hand'; // The browser refused: said to the person.
  }
  setTimeout(() => {
    button.textContent = label;
  }, SAID_MS);
}
