import { DAY_MS } from '../../../lib/time.ts';
import { isJsonRecord } from '../facts/json-document.ts';
import { classifyContext, getJsonLd } from '../facts/json-ld.ts';
import { toShortName } from '../facts/schema-nodes.ts';
import { findUnknownNames } from '../facts/unknown-names.ts';
import { formatSlot } from '../../../fixes/core/fix-slots.ts';
import {
  changeNode,
  listNodes,
  type JsonLdModel,
  type ModelBlock,
  type Node,
} from '../../../fixes/core/json-ld-model.ts';
import type { PageEdit } from '../../../fixes/core/page-edits.ts';
import { ensureOrganization } from './entity-edits.ts';

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/**
 * An ISO 8601 date or date-time for a text that means one without doubt: ISO itself, `2 October 2026`,
 * `October 2, 2026`, `2026/10/02` or `02.10.2026`. Undefined for all else: `10/02/2026` is two dates.
 */
export function parseIsoDate(text: string): string | undefined {
  const plain = text.trim();
  if (/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(plain))
    return rejectImpossibleDay(plain);
  const spaced = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}(?::\d{2})?)(?: ?(Z|UTC|[+-]\d{2}:?\d{2}))?$/.exec(plain);
  if (spaced) return rejectImpossibleDay(`${spaced[1]}T${spaced[2]}${spaced[3]?.replace('UTC', 'Z') ?? ''}`);
  const slashed = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$/.exec(plain);
  if (slashed) return formatDay(slashed[1], slashed[2], slashed[3]);
  const dotted = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})$/.exec(plain);
  if (dotted) return formatDay(dotted[3], dotted[2], dotted[1]);
  const named = /^(\d{1,2})(?:st|nd|rd|th)? ([a-z]{3,9})\.?,? (\d{4})$/i.exec(plain);
  if (named) return formatDay(named[3], parseMonth(named[2]), named[1]);
  const american = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/i.exec(plain);
  return american ? formatDay(american[3], parseMonth(american[1]), american[2]) : undefined;
}

const parseMonth = (name = ''): string =>
  String(
    MONTHS.findIndex(
      (month) => month === name.toLowerCase() || (name.length <= 4 && month.startsWith(name.toLowerCase().slice(0, 3))),
    ) + 1,
  );

const formatDay = (year = '', month = '', date = ''): string | undefined =>
  rejectImpossibleDay(`${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`);

/** The 31st of February is no day. */
function rejectImpossibleDay(iso: string): string | undefined {
  const [year = 0, month = 0, date = 0] = iso.slice(0, 10).split('-').map(Number);
  const parsed = new Date(Date.UTC(year, month - 1, date));
  return parsed.getUTCMonth() === month - 1 && parsed.getUTCDate() === date ? iso : undefined;
}

/**
 * Blocks with faults of notation, written as strict JSON with the context of schema.org where theirs is none. One that
 * stops in the middle cannot be fixed by a machine.
 */
export const buildStrictJsonEdit: PageEdit = ({ page }) =>
  page && {
    jsonLd(model) {
      for (const block of model.blocks) {
        if (!block.faulty || block.value === undefined) continue;
        block.changed = true;
        repairContext(block);
      }
    },
  };

/** Blocks whose context is missing or misspelt get the one of schema.org. */
export const buildContextEdit: PageEdit = ({ page }) =>
  page && {
    jsonLd(model) {
      for (const block of model.blocks) repairContext(block);
    },
  };

function repairContext(block: ModelBlock): void {
  for (const item of [block.value].flat().filter((value): value is Node => isJsonRecord(value))) {
    if (!['missing', 'near'].includes(classifyContext(item['@context']))) continue;
    const { '@context': _old, ...rest } = item;
    for (const key of Object.keys(item)) delete item[key];
    Object.assign(item, { '@context': 'https://schema.org' }, rest);
    block.changed = true;
  }
}

/** Types and properties that schema.org does not have, by the nearest name it has; without one they stay. */
export const buildKnownNamesEdit: PageEdit = ({ page }) => {
  if (!page) return undefined;
  const { unknownTypes, unknownProperties } = findUnknownNames(getJsonLd(page));
  const types = new Map(
    unknownTypes.flatMap(({ name, nearest }) => (nearest === undefined ? [] : [[name, nearest] as const])),
  );
  const properties = new Map(
    unknownProperties.flatMap(({ name, nearest }) => (nearest === undefined ? [] : [[name, nearest] as const])),
  );
  if (types.size + properties.size === 0) return undefined;
  return {
    jsonLd(model) {
      for (const node of listNodes(model)) {
        if (!hasRenames(node, types, properties)) continue;
        changeNode(model, node, (target) => renameIn(target, types, properties));
      }
    },
  };
};

type Renames = ReadonlyMap<string, string>;

const listNodeTypes = (node: Node): readonly string[] =>
  [node['@type']].flat().filter((type) => typeof type === 'string');

const hasRenames = (node: Node, types: Renames, properties: Renames): boolean =>
  listNodeTypes(node).some((type) => types.has(toShortName(type))) ||
  Object.keys(node).some((key) => properties.has(toShortName(key)));

function renameIn(node: Node, types: Renames, properties: Renames): void {
  const nameOf = (key: string): string => {
    const name = properties.get(toShortName(key)) ?? key;
    return name !== key && Object.hasOwn(node, name) ? key : name; // What is spelt right is not written over.
  };
  const entries = Object.entries(node).map(([key, value]) => [nameOf(key), value] as const);
  for (const key of Object.keys(node)) delete node[key];
  Object.assign(node, Object.fromEntries(entries));
  const renamed = listNodeTypes(node).map((type) => types.get(toShortName(type)) ?? type);
  if (renamed.length > 0) node['@type'] = Array.isArray(node['@type']) ? renamed : renamed[0];
}

const DATES = ['datePublished', 'dateModified', 'dateCreated', 'uploadDate', 'startDate', 'endDate'];

/** Dates written for people as ISO 8601; those that cannot be read or lie in the future are asked for. */
export const buildIsoDatesEdit: PageEdit = ({ page, audited }) =>
  page && {
    jsonLd(model) {
      const latest = new Date(audited.site.clockMs + DAY_MS).toISOString();
      for (const node of listNodes(model)) for (const name of DATES) repairDate(model, node, name, latest);
      for (const node of listNodes(model)) repairDateOrder(model, node);
    },
  };

function repairDate(model: JsonLdModel, node: Node, name: string, latest: string): void {
  const value = node[name];
  if (typeof value !== 'string') return;
  const iso = parseIsoDate(value);
  const past = name.startsWith('start') || name.startsWith('end') || (iso !== undefined && iso <= latest);
  const wanted =
    iso !== undefined && past
      ? iso
      : formatSlot(name === 'datePublished' ? 'datePublished' : name === 'dateModified' ? 'dateModified' : 'date');
  if (wanted !== value) changeNode(model, node, (target) => void (target[name] = wanted));
}

/** A page cannot have changed before it was published. */
function repairDateOrder(model: JsonLdModel, node: Node): void {
  const [published, modified] = [node['datePublished'], node['dateModified']];
  if (typeof published !== 'string' || typeof modified !== 'string') return;
  if (modified.slice(0, 10) < published.slice(0, 10) && /^\d/.test(modified) && /^\d/.test(published))
    changeNode(model, node, (target) => void (target['dateModified'] = formatSlot('dateModified')));
}

/** Nodes for references that lead nowhere, as far as their names tell what they mean. */
export const buildIdsEdit: PageEdit = ({ page, words }) =>
  page && {
    jsonLd(model) {
      const nodes = listNodes(model);
      const described = new Set(nodes.filter((node) => Object.keys(node).length > 1).map((node) => node['@id']));
      const open = new Set(nodes.filter((node) => Object.keys(node).length === 1).map((node) => node['@id']));
      for (const id of open) {
        if (typeof id !== 'string' || described.has(id)) continue;
        const node = buildStubNode(id, model, words);
        if (node) model.added.push(node);
      }
    },
  };

const STUBS: readonly (readonly [RegExp, string])[] = [
  [/website$/i, 'WebSite'],
  [/webpage$|page$/i, 'WebPage'],
  [/person|author/i, 'Person'],
  [/logo|image/i, 'ImageObject'],
];

function buildStubNode(
  id: string,
  model: JsonLdModel,
  words: Parameters<typeof ensureOrganization>[1],
): Node | undefined {
  const [, fragment = ''] = /#([\w/-]{1,80})$/.exec(id) ?? [];
  if (/org|publisher|company/i.test(fragment)) {
    const { origin } = words;
    const organization = { blocks: [], added: [] as Node[] };
    ensureOrganization(organization, words, false);
    return { ...organization.added[0], '@id': id, url: `${origin}/` };
  }
  const type = STUBS.find(([pattern]) => pattern.test(fragment))?.[1];
  if (type === undefined || model.added.some((node) => node['@id'] === id)) return undefined;
  if (type === 'ImageObject') return { '@type': type, '@id': id, url: words.logo ?? formatSlot('logo') };
  const name = type === 'Person' ? (words.byline ?? formatSlot('author')) : (words.name ?? formatSlot('name'));
  return {
    '@type': type,
    '@id': id,
    name,
    ...(type === 'Person' ? {} : { url: type === 'WebSite' ? `${words.origin}/` : words.pageUrl }),
  };
}
