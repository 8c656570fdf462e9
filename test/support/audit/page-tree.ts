import { Parser } from 'htmlparser2';

/** Attributes that lead somewhere, load, or run. */
const LEADS = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'srcset',
  'xlink:href',
  'poster',
  'data',
  'srcdoc',
  'style',
]);
/** Attributes that are read out and do nothing else: their text may be anybody's. */
const READ_OUT = new Set(['aria-label', 'content', 'title']);
const OUT_REL = 'noopener noreferrer nofollow ugc';

/** An address of a site as `OutLink` writes it. Where it is none, a `span` stands in its place: both are the same here. */
const isOutLink = (name: string, attributes: Record<string, string>): boolean =>
  name === 'a' &&
  attributes['class'] === 'url' &&
  attributes['rel'] === OUT_REL &&
  Object.keys(attributes).length === 3 &&
  /^https?:\/\//.test(attributes['href'] ?? '');

/** A form of ours is filled in by what follows `?`, encoded: which form it is has to stay the same. */
const cutQuery = (key: string, value: string): string =>
  key === 'href' && value.startsWith('/') && !value.startsWith('//') ? value.replace(/\?.*$/s, '') : value;

/**
 * The parsed tree of a page: each element with all of its attributes and where it ends. Text is left out, and so is where
 * links of `OutLink` lead, with what forms of ours are filled in, and what is read out; any other attribute stands with its
 * value.
 */
export function treeOf(page: string): string[] {
  const seen: string[] = [];
  const links: boolean[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      const out = isOutLink(name, attributes);
      links.push(out);
      const rest = Object.entries(attributes).map(([key, value]) =>
        READ_OUT.has(key) ? ` ${key}` : ` ${key}="${cutQuery(key, value)}"`,
      );
      seen.push(out ? '<span class="url">' : `<${name}${rest.join('')}>`);
    },
    onclosetag(name) {
      seen.push(links.pop() === true ? '</span>' : `</${name}>`);
    },
    oncomment(text) {
      seen.push(`<!--${text}-->`);
    },
    onprocessinginstruction(name) {
      seen.push(`<?${name}>`);
    },
  });
  parser.end(page);
  return seen;
}

/** Addresses in a page that are neither ours nor the audited site's by `OutLink`. */
export function foreignAddresses(page: string, isOurs: (address: string) => boolean): string[] {
  const found: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (isOutLink(name, attributes)) return;
      for (const [key, value] of Object.entries(attributes))
        if (LEADS.has(key) || key.startsWith('on')) if (!isOurs(value)) found.push(`${name} ${key}=${value}`);
    },
  });
  parser.end(page);
  return found;
}
