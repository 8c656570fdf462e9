/** Copies the address of a page, or hands it to what the device shares with. */
export function showShareButtons(root: ParentNode): void {
  const said = root.querySelector<HTMLElement>('[data-share-said]');
  const copy = root.querySelector<HTMLButtonElement>('button[data-share-copy]');
  if (copy && 'clipboard' in navigator) {
    copy.hidden = false;
    copy.addEventListener('click', () => void copyAddress(copy.dataset, said));
  }
  const share = root.querySelector<HTMLButtonElement>('button[data-share]');
  if (share && 'share' in navigator) {
    share.hidden = false;
    share.addEventListener('click', () => void shareAddress());
  }
  const print = root.querySelector<HTMLButtonElement>('button[data-print]');
  if (print) {
    print.hidden = false;
    print.addEventListener('click', () => {
      print.ownerDocument.defaultView?.print();
    });
  }
}

/** Without what follows `#` and `?`: the address of the report itself. */
const getReportAddress = (): string => `${location.origin}${location.pathname}`;

async function copyAddress(words: DOMStringMap, said: HTMLElement | null): Promise<void> {
  let outcome = words['copied'];
  try {
    await navigator.clipboard.writeText(getReportAddress());
  } catch {
    outcome = `${words['refused'] ?? ''} ${getReportAddress()}`; // The browser refused: the person copies it by hand.
  }
  if (said) said.textContent = outcome ?? '';
}

async function shareAddress(): Promise<void> {
  try {
    await navigator.share({ title: document.title, url: getReportAddress() });
  } catch {
    // Cancelled, or refused by the device: the address is in the address bar still.
  }
}
