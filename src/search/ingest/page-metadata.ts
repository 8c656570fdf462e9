import type { MetaTag, PageFacts } from '../../audit/page/facts/page-facts.ts';
import { parsePage } from '../../audit/page/facts/page.ts';
import { decodeBody } from '../../audit/core/decode.ts';
import { parseMediaType } from '../../lib/media-type.ts';
import { castValue } from '../metadata.ts';
import type { MetadataField } from '../order.ts';
import type { Metadata } from '../index/item.ts';

export const HTML_TYPES = new Set(['text/html', 'application/xhtml+xml']);

/** What a meta of a page says, lower case but for its content. */
export type PageMeta = Pick<MetaTag, 'name' | 'property' | 'content'>;

/** Open Graph properties that are read for a field whose own meta is not there: the vendor's table. */
const FALLBACKS: ReadonlyMap<string, string> = new Map([
  ['title', 'og:title'],
  ['description', 'og:description'],
  ['image', 'og:image'],
]);

/** The metas of a page's head; of a page that has no tag for it, all. */
export function selectPageMetas({ metas }: Pick<PageFacts, 'metas'>): readonly PageMeta[] {
  const ofHead = metas.filter(({ inHead }) => inHead);
  return ofHead.length > 0 ? ofHead : metas;
}

/** The metas of a content that is kept; none of what is no page. @param type its media type, with its charset */
export function readStoredMetas(type: string, bytes: Uint8Array): readonly PageMeta[] {
  if (!HTML_TYPES.has(parseMediaType(type))) return [];
  const text = decodeBody(new Uint8Array(bytes), type);
  return selectPageMetas(parsePage(text, { url: 'about:blank', bodyBytes: bytes.byteLength }));
}

/**
 * The fields of an instance that a page has, from its metas by name or property. A value that is empty or not of the field's
 * type is none; the first one counts. Texts are cut, times are ISO 8601 in UTC, as those of uploads.
 * @see https://developers.cloudflare.com/ai-search/configuration/data-source/website/custom-metadata/
 */
export function buildPageMetadata(metas: readonly PageMeta[], fields: readonly MetadataField[]): Metadata {
  const entries = fields.flatMap(({ name, type }) => {
    const contents = [name, FALLBACKS.get(name) ?? ''].flatMap((key) => listMetaContents(metas, key));
    const [value] = contents.flatMap((content) => castValue(content, type) ?? []);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

const listMetaContents = (metas: readonly PageMeta[], key: string): readonly string[] =>
  key === ''
    ? []
    : metas.flatMap(({ name, property, content }) =>
        content !== '' && (name === key || property === key) ? [content] : [],
      );
