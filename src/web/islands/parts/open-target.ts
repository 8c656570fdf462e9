/** Follows links to checks from now on, and the one that the address names already. */
export function followTargets(): void {
  openTarget();
  addEventListener('hashchange', openTarget);
}

/** A check that a link leads to opens, though a filter hides it or its group is folded: not every browser does so itself. */
function openTarget(): void {
  const id = decodeURIComponent(location.hash.slice(1));
  const target = id === '' ? null : document.getElementById(id);
  const details = target?.closest('details');
  if (!target || !details) return;
  const group = details.closest<HTMLElement>('[data-group]');
  if (group) group.hidden = false;
  if (group instanceof HTMLDetailsElement) group.open = true;
  details.hidden = false;
  details.open = true;
  // One that a preview only names is a line of a long list.
  (details === group ? target : details).scrollIntoView();
}
