import { PAGE_LIMITS } from './page-facts.ts';
import type { HiddenHow, Region } from './place.ts';
import { hiddenBy } from './hidden.ts';
import { type Attributes, type Frame, type Reading, tokens } from './state.ts';

/** Elements whose content is no text of the page, and among them those that hold nothing a plain reader sees. */
const INERT = new Set(
  'iframe noembed noframes noscript script select style svg template textarea datalist title'.split(' '),
);
const SKIPPED = new Set('iframe noembed noframes noscript style svg template'.split(' '));

const SECTIONING = new Set('article aside main nav section'.split(' '));

/** Elements that hold running text: a link in them is part of what the page says. */
const PROSE = new Set('p li blockquote q dd td figcaption'.split(' '));

const ROLES: ReadonlyMap<string, Region> = new Map([
  ['main', 'main'],
  ['navigation', 'nav'],
  ['banner', 'header'],
  ['contentinfo', 'footer'],
  ['complementary', 'aside'],
]);

/** The element that opens now, with what it takes over from the element around it. */
export function newFrame(reading: Reading, name: string, attributes: Attributes, line: number): Frame {
  const parent = reading.stack.at(-1);
  const role = roleOf(attributes);
  const region = regionOf(name, role, parent?.sectioned ?? false) ?? parent?.region ?? 'none';
  return {
    name,
    attributes,
    line,
    region,
    sectioned: (parent?.sectioned ?? false) || SECTIONING.has(name),
    inProse: (parent?.inProse ?? false) || PROSE.has(name),
    inContent: (parent?.inContent ?? false) || name === 'article' || region === 'main' || role === 'article',
    hidden: strongest(parent?.hidden, hiddenBy(attributes)),
    inert: (parent?.inert ?? false) || INERT.has(name),
    skipped: (parent?.skipped ?? false) || SKIPPED.has(name),
    nosnippet: (parent?.nosnippet ?? false) || attributes['data-nosnippet'] !== undefined,
    item: parent?.item ?? -1,
    from: reading.stream.pieces.length,
    headings: reading.headings.length,
    closers: [],
  };
}

function roleOf(attributes: Attributes): string {
  const role = attributes['role'];
  return role === undefined ? '' : (tokens(role.slice(0, PAGE_LIMITS.labelChars))[0] ?? '');
}

function regionOf(name: string, role: string, sectioned: boolean): Region | undefined {
  const byRole = ROLES.get(role);
  if (byRole) return byRole;
  if (name === 'main' || name === 'nav' || name === 'aside') return name;
  if (name !== 'header' && name !== 'footer') return undefined;
  return sectioned ? undefined : name;
}

/** A hidden ancestor hides for good; `aria-hidden` only gives way to what hides more. */
function strongest(outer: HiddenHow | undefined, own: HiddenHow | undefined): HiddenHow | undefined {
  if (outer === undefined || outer === 'aria-hidden') return own === undefined ? outer : own;
  return outer;
}
