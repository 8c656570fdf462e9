import { type AriaFault, ariaFaults } from '../facts/aria.ts';
import type { ElementEdit, PageEdit } from '../../../fixes/core/page-edits.ts';

/** Takes out roles, attributes and references that mean nothing, and gives later elements of one id another. */
export const ariaEdit: PageEdit = ({ page }) => {
  if (!page) return undefined;
  const faults = ariaFaults(page, !page.tooDeep);
  return faults.length === 0 ? undefined : { elements: [...faults.flatMap(editOf), uniqueIds(faults)] };
};

/** Attribute names are the page's own words: only plain ones become a selector. */
const PLAIN_NAME = /^aria-[a-z]{1,40}$/;

function editOf({ kind, selector, detail }: AriaFault): readonly ElementEdit[] {
  if (kind === 'duplicate_id') return [];
  const isRole = kind === 'unknown_role' || kind === 'abstract_role';
  const named = kind === 'invalid_value' ? detail.split('=')[0] : selector.slice(selector.indexOf('[') + 1, -1);
  const name = isRole ? 'role' : (named ?? '');
  if (!isRole && !PLAIN_NAME.test(name)) return [];
  return [
    {
      selector: `[${name}]`,
      edit(element) {
        if (kind === 'unknown_attribute' || saysSo(element.getAttribute(name) ?? '', name, detail))
          element.removeAttribute(name);
      },
    },
  ];
}

/** Whether the value is the one of the fault, in any of the ways a fault writes it. */
function saysSo(value: string, name: string, detail: string): boolean {
  const plain = value.trim();
  const words = plain.split(/\s+/).join(' ').slice(0, 100);
  return (
    words === detail || value.toLowerCase().slice(0, 100) === detail || `${name}="${plain.slice(0, 100)}"` === detail
  );
}

function uniqueIds(faults: readonly AriaFault[]): ElementEdit {
  const twice = new Set(faults.filter(({ kind }) => kind === 'duplicate_id').map(({ detail }) => detail));
  const counts = new Map<string, number>();
  return {
    selector: twice.size === 0 ? '[id="sightline-no-such-id"]' : '[id]',
    edit(element) {
      const id = element.getAttribute('id') ?? '';
      if (!twice.has(id)) return;
      const count = (counts.get(id) ?? 0) + 1;
      counts.set(id, count);
      if (count > 1) element.setAttribute('id', `${id}-${count}`);
    },
  };
}
