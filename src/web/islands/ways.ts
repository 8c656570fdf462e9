import { showCopyButtons } from './parts/copying.ts';

showCopyButtons(document);

/** `/prices#mcp` leads to the tabs; with scripts it opens that tab too. */
function openNamedWay(): void {
  const way = document.querySelector(`input[name="way"][value="${CSS.escape(location.hash.slice(1))}"]`);
  if (way instanceof HTMLInputElement) way.checked = true;
}

openNamedWay();
addEventListener('hashchange', openNamedWay);
