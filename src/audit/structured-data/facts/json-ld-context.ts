import { isJsonRecord } from './json-document.ts';

/**
 * What a block's `@context` makes of bare names: `schema_org` and `prefix` (names written `schema:Name`) resolve to
 * schema.org, `near` means it but is not its name (`www.schema.org`, `schema.org/Person`), `foreign` is another
 * vocabulary, `missing` is none.
 */
export type ContextKind = 'schema_org' | 'prefix' | 'near' | 'foreign' | 'missing';

/** Contexts looked at in one array; more than these is no context but a flood. */
const MAX_CONTEXTS = 20;

const EXACT = /^https?:\/\/schema\.org(?:\/|\/docs\/jsonldcontext\.json(?:ld)?)?$/i;
const NEAR = /^(?:https?:)?(?:\/\/)?(?:www\.)?schema\.org(?:[/#?]|$)/i;

/** Kinds from best to worst: of several contexts of one value the best decides, of several values the worst. */
const ORDER: readonly ContextKind[] = ['schema_org', 'prefix', 'near', 'foreign', 'missing'];

const pick = (kinds: readonly ContextKind[], end: 0 | -1): ContextKind =>
  ORDER.filter((kind) => kinds.includes(kind)).at(end) ?? 'missing';

/** Reads one `@context` value: a string, an object with `@vocab` or prefixes, or an array of these. */
export function classifyContext(context: unknown): ContextKind {
  if (context === undefined || context === null) return 'missing';
  if (Array.isArray(context)) return pick(context.slice(0, MAX_CONTEXTS).map(classifySingleContext), 0);
  return classifySingleContext(context);
}

function classifySingleContext(context: unknown): ContextKind {
  if (typeof context === 'string') return classifyIri(context);
  if (!isJsonRecord(context)) return 'missing';
  const vocab = context['@vocab'];
  if (typeof vocab === 'string') return classifyIri(vocab);
  return Object.values(context).some((iri) => typeof iri === 'string' && EXACT.test(iri.trim())) ? 'prefix' : 'foreign';
}

function classifyIri(iri: string): ContextKind {
  const trimmed = iri.trim();
  if (EXACT.test(trimmed)) return 'schema_org';
  if (NEAR.test(trimmed)) return 'near';
  return trimmed === '' ? 'missing' : 'foreign';
}

/** The context of a whole block: the top-level object's, or the worst of a top-level array's members. */
export const classifyBlockContext = (value: unknown): ContextKind =>
  Array.isArray(value) ? pick(value.slice(0, MAX_CONTEXTS).map(classifyItemContext), -1) : classifyItemContext(value);

const classifyItemContext = (item: unknown): ContextKind =>
  isJsonRecord(item) ? classifyContext(item['@context']) : 'missing';

/** Names that a context itself defines: they are no misspelt schema.org names. */
export function listContextTerms(context: unknown): readonly string[] {
  const parts: readonly unknown[] = Array.isArray(context) ? context.slice(0, MAX_CONTEXTS) : [context];
  return parts.filter(isJsonRecord).flatMap((part) => Object.keys(part).filter((key) => !key.startsWith('@')));
}
