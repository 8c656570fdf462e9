/** Elements that never have content, so that they are never open. */
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));

/**
 * Tells whether more than `max` elements are open at once for a streaming rewriter, which closes an element only at
 * an end tag: paragraphs and list items without one stay open until the element around them ends. Linear in the page.
 */
export function openElementsExceed(html: string, max: number): boolean {
  const open: string[] = [];
  const counts = new Map<string, number>();
  for (const [, slash, written = ''] of html.matchAll(/<(\/?)([a-z][^\s/<>]{0,60})/gi)) {
    const name = written.toLowerCase();
    if (slash === '') {
      if (VOID.has(name)) continue;
      open.push(name);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (open.length > max) return true;
      continue;
    }
    if ((counts.get(name) ?? 0) === 0) continue;
    for (let closed = open.pop(); closed !== undefined; closed = open.pop()) {
      counts.set(closed, (counts.get(closed) ?? 1) - 1);
      if (closed === name) break;
    }
  }
  return false;
}
