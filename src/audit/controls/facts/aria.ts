import { ABSTRACT_ROLES, ARIA_ATTRIBUTES, ARIA_ROLES, type AriaValue } from './aria-data.ts';
import type { AriaElement } from '../../page/facts/element-facts.ts';
import { PAGE_LIMITS, type PageFacts } from '../../page/facts/page-facts.ts';

/** `detail` is the page's own word: a role, an attribute with its value, or an id. */
export type AriaFault = {
  kind:
    | 'unknown_role'
    | 'abstract_role'
    | 'unknown_attribute'
    | 'invalid_value'
    | 'dangling_reference'
    | 'duplicate_id';
  selector: string;
  detail: string;
  line: number;
};

/** References whose target must be in the page as sent; other targets are often built only when needed. */
const MUST_RESOLVE = ['aria-labelledby', 'aria-controls'] as const;

/**
 * Faults in the roles and ARIA attributes of a page, each once: a fault that a template repeats is one. References are
 * judged only when every id of the page is known (`complete`: the page was not cut, and its ids met no bound).
 */
export function listAriaFaults(page: PageFacts, complete: boolean): readonly AriaFault[] {
  const ids = new Set(page.ids);
  const duplicates = new Set(page.duplicateIds);
  const known = complete && !page.capped.includes('ids');
  const faults = new Map<string, AriaFault>();
  for (const element of page.aria) {
    const found = [
      ...listRoleFaults(element),
      ...listValueFaults(element),
      ...(known ? listReferenceFaults(element, ids) : []),
      ...listDuplicateFaults(element, duplicates),
    ];
    for (const fault of found) {
      const key = `${fault.kind} ${fault.detail}`;
      if (!faults.has(key)) faults.set(key, fault);
    }
  }
  return [...faults.values()];
}

const split = (text: string): readonly string[] => text.split(/\s+/).filter((part) => part !== '');

/** A role may list several names, of which the first known one counts: one known name is enough. */
function listRoleFaults({ tag, role, line }: AriaElement): readonly AriaFault[] {
  const names = split(role);
  if (names.length === 0 || names.some((name) => ARIA_ROLES.has(name))) return [];
  const kind = names.some((name) => ABSTRACT_ROLES.has(name)) ? 'abstract_role' : 'unknown_role';
  return [{ kind, selector: `${tag}[role]`, detail: role.slice(0, 100), line }];
}

function listValueFaults({ tag, attributes, line }: AriaElement): readonly AriaFault[] {
  return Object.entries(attributes).flatMap(([name, value]): AriaFault[] => {
    const selector = `${tag}[${name.slice(0, 60)}]`;
    const type = Object.hasOwn(ARIA_ATTRIBUTES, name) ? ARIA_ATTRIBUTES[name] : undefined;
    if (!type) return [{ kind: 'unknown_attribute', selector, detail: name.slice(0, 60), line }];
    // An empty value is as good as no attribute.
    const text = value.trim();
    if (text === '' || isValid(type, text)) return [];
    return [{ kind: 'invalid_value', selector, detail: `${name}="${text.slice(0, 100)}"`, line }];
  });
}

function isValid(type: AriaValue, text: string): boolean {
  switch (type.kind) {
    case 'tokens': {
      const given = split(text.toLowerCase());
      return (type.many === true || given.length === 1) && given.every((word) => type.words.includes(word));
    }
    case 'integer':
      return /^[+-]?\d{1,15}$/.test(text);
    case 'number':
      return /^[+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:e[+-]?\d{1,3})?$/i.test(text);
    case 'id':
      return split(text).length === 1;
    case 'ids':
    case 'text':
      return true;
  }
}

function listReferenceFaults(element: AriaElement, ids: ReadonlySet<string>): readonly AriaFault[] {
  const { tag, attributes, line } = element;
  return MUST_RESOLVE.flatMap((name): AriaFault[] => {
    const value = attributes[name] ?? '';
    if (value.length >= PAGE_LIMITS.attributeChars || (name === 'aria-controls' && isClosed(element))) return [];
    const targets = split(value);
    if (targets.length === 0 || targets.some((id) => ids.has(id))) return [];
    return [{ kind: 'dangling_reference', selector: `${tag}[${name}]`, detail: targets.join(' ').slice(0, 100), line }];
  });
}

/** What a closed menu or a tab in the background controls may be built when it opens (as axe-core has it). */
const isClosed = ({ attributes }: AriaElement): boolean =>
  attributes['aria-expanded']?.trim().toLowerCase() === 'false' ||
  attributes['aria-selected']?.trim().toLowerCase() === 'false' ||
  !['', 'false'].includes(attributes['aria-haspopup']?.trim().toLowerCase() ?? '');

/** Ids that a reference names and several elements have: only the first of them is ever found. */
function listDuplicateFaults(
  { tag, attributes, line }: AriaElement,
  duplicates: ReadonlySet<string>,
): readonly AriaFault[] {
  if (duplicates.size === 0) return [];
  return Object.entries(attributes).flatMap(([name, value]) => {
    const kind = Object.hasOwn(ARIA_ATTRIBUTES, name) ? ARIA_ATTRIBUTES[name]?.kind : undefined;
    if (kind !== 'id' && kind !== 'ids') return [];
    return split(value)
      .filter((id) => duplicates.has(id))
      .map((id) => ({
        kind: 'duplicate_id' as const,
        selector: `${tag}[${name}]`,
        detail: id.slice(0, 100),
        line,
      }));
  });
}
