import type { PageSource } from './fix-context.ts';

/**
 * Whether every element of these names has an end tag of its own, as far as counting shows. HTML lets many be left out;
 * a rewriter then takes the end tag of the element around for it, and would rename or move that one.
 */
export function hasClosingTags(source: PageSource, names: readonly string[]): boolean {
  if (!source.ok) return true;
  return names.every((name) => {
    const count = (tag: RegExp): number => source.html.match(tag)?.length ?? 0;
    const [open, close] = TAGS[name] ?? [/$^/g, /$^/g];
    return count(open) === count(close);
  });
}

const NAMES = [
  'article',
  'b',
  'div',
  'em',
  'figure',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'i',
  'span',
  'strong',
  'td',
  'title',
] as const;

const TAGS: Readonly<Record<string, readonly [RegExp, RegExp]>> = Object.fromEntries(
  NAMES.map((name) => [name, [new RegExp(`<${name}[\\s/>]`, 'gi'), new RegExp(`</${name}[\\s>]`, 'gi')]]),
);
