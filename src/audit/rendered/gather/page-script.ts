import { LOOK_LIMITS } from '../facts/rendered-look.ts';

/** Points of the window, in each direction, at which the topmost element is asked for. */
const GRID = 9;

/**
 * Reads a page that was stopped. It runs in a world of its own: nothing that the page's scripts replaced is used. It
 * leaves the elements whose names are asked of the accessibility tree in `globalThis.named`, first the targets, then for
 * each overlay its dialog (or null) and its controls. Open shadow roots are written out where the browser shows them.
 */
export const PAGE_SCRIPT = `(() => {
const LIMITS = ${JSON.stringify(LOOK_LIMITS)};
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const CUT = (text) => String(text ?? '').slice(0, LIMITS.textChars);
let left = LIMITS.htmlChars, nodes = 0, shadowRoots = 0, truncated = false;
const parts = [];
const put = (text) => {
  if (truncated) return;
  if (text.length > left) { truncated = true; return; }
  left -= text.length;
  parts.push(text);
};
const escapeText = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const escapeValue = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const openTag = (element, name) => {
  put('<' + name);
  for (const { name: key, value } of element.attributes)
    if (/^[^\\s"'<>/=]+$/.test(key)) put(' ' + key + '="' + escapeValue(value) + '"');
  put('>');
};
const listChildren = (node) => {
  if (node.shadowRoot) { shadowRoots += 1; return [...node.shadowRoot.childNodes]; }
  if (node.localName === 'slot' && node.assignedNodes) {
    const assigned = node.assignedNodes();
    if (assigned.length > 0) return assigned;
  }
  return [...node.childNodes];
};
const write = (root) => {
  const stack = [root];
  while (stack.length > 0 && !truncated) {
    const node = stack.pop();
    if (typeof node === 'string') { put(node); continue; }
    nodes += 1;
    if (nodes > LIMITS.nodes) { truncated = true; break; }
    if (node.nodeType === 3) { put(escapeText(node.data)); continue; }
    if (node.nodeType !== 1) continue;
    const name = node.localName;
    if (!/^[a-z][\\w.:-]*$/i.test(name) || name === 'noscript' || name === 'template') continue;
    openTag(node, name);
    if (VOID.has(name)) continue;
    if (name === 'script') {
      if (/json/i.test(node.type)) put(node.textContent.replaceAll('</', '<\\\\/'));
      put('</script>');
      continue;
    }
    if (name === 'style') { put('</style>'); continue; }
    if (name === 'textarea') { put('</textarea>'); continue; }
    stack.push('</' + name + '>');
    const children = listChildren(node);
    for (let index = children.length - 1; index >= 0; index -= 1) stack.push(children[index]);
  }
};
put('<!doctype html>');
if (document.documentElement) write(document.documentElement);

const TARGETS = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=link], [role=checkbox], [role=menuitem], [role=tab], [role=switch], [onclick]';
const found = [];
const collect = (root, depth) => {
  for (const element of root.querySelectorAll('*')) {
    if (found.length >= LIMITS.targets) return;
    if (element.matches(TARGETS)) found.push(element);
    if (element.shadowRoot && depth < 20) collect(element.shadowRoot, depth + 1);
  }
};
collect(document, 0);
const isShown = (element) => {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
};
const findBlock = (element) => {
  let block = element.parentElement;
  while (block && getComputedStyle(block).display.startsWith('inline') && block.parentElement) block = block.parentElement;
  return block;
};
const isInSentence = (element) => {
  if (getComputedStyle(element).display !== 'inline') return false;
  const block = findBlock(element);
  if (!block) return false;
  let rest = block.textContent.slice(0, 5000);
  for (const link of [...block.querySelectorAll('a, button')].slice(0, 50)) rest = rest.replace(link.textContent, ' ');
  return /\\p{L}{2}/u.test(rest);
};
const shown = found.filter((element) => isShown(element) && !element.parentElement?.closest('a[href], button, summary'));
const targets = shown.map((element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  const name = element.localName;
  return {
    tag: CUT(name), x: x + scrollX, y: y + scrollY, width, height,
    inline: isInSentence(element),
    media: element.querySelector('img, picture, video, iframe, canvas, object') !== null || element.type === 'image',
    native: name === 'input' && (element.type === 'checkbox' || element.type === 'radio'),
  };
});

const findParent = (element) => element.assignedSlot ?? element.parentElement ?? element.getRootNode().host ?? null;
const findTopAt = (x, y) => {
  let element = document.elementFromPoint(x, y);
  for (let depth = 0; depth < 20 && element?.shadowRoot; depth += 1) {
    const inner = element.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === element) break;
    element = inner;
  }
  return element;
};
const findLayer = (element) => {
  let layer = null;
  for (let one = element; one && one !== document.body && one !== document.documentElement; one = findParent(one)) {
    const isTop = one.matches(':popover-open, dialog:modal');
    if (isTop || getComputedStyle(one).position === 'fixed') layer = one;
  }
  return layer;
};
const hits = new Map();
for (let column = 0; column < ${GRID}; column += 1)
  for (let row = 0; row < ${GRID}; row += 1) {
    const element = findTopAt((innerWidth * (column + 0.5)) / ${GRID}, (innerHeight * (row + 0.5)) / ${GRID});
    const layer = element && findLayer(element);
    if (layer) hits.set(layer, (hits.get(layer) ?? 0) + 1);
  }
const pageText = (document.body?.textContent ?? '').length;
const DIALOG = 'dialog, [role=dialog], [role=alertdialog]';
const named = [...shown];
const overlays = [...hits].sort((one, other) => other[1] - one[1]).slice(0, LIMITS.overlays).map(([layer, count]) => {
  const dialog = layer.closest(DIALOG) ?? (layer.shadowRoot ?? layer).querySelector(DIALOG);
  const controls = [...(layer.shadowRoot ?? layer).querySelectorAll('button, a[href], [role=button], input[type=submit], input[type=button]')]
    .filter(isShown).slice(0, LIMITS.closers);
  named.push(dialog, ...controls);
  const id = layer.id ? '#' + layer.id : layer.classList.length > 0 ? '.' + layer.classList[0] : '';
  return {
    selector: CUT(layer.localName + id),
    share: count / ${GRID * GRID},
    textShare: pageText === 0 ? 0 : Math.min(1, (layer.shadowRoot ?? layer).textContent.length / pageText),
    dialog: dialog !== null,
    controls: controls.length,
  };
});
globalThis.named = named;
return { url: location.href.slice(0, LIMITS.urlChars), html: parts.join(''), truncated, frames: document.querySelectorAll('iframe, frame').length, shadowRoots, targets, overlays };
})()`;
