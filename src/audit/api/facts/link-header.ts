/** Links of one header that are read. */
const MAX_LINKS = 50;

export type HeaderLink = { href: string; rels: readonly string[]; type: string };

/** The targets of a `Link` header value in order, as written, with lower-case relations and media type (RFC 8288). */
export function parseLinkHeader(value: string): readonly HeaderLink[] {
  return [...value.slice(0, 8192).matchAll(/<([^<>]{1,2000})>([^<>]{0,1000})/gu)].slice(0, MAX_LINKS).map((match) => ({
    href: (match[1] ?? '').trim(),
    rels: extractParameter(match[2] ?? '', 'rel')
      .toLowerCase()
      .split(/\s+/u),
    type: extractParameter(match[2] ?? '', 'type').toLowerCase(),
  }));
}

const PARAMETERS = {
  rel: /;\s{0,9}rel\s{0,9}=\s{0,9}(?:"([^"]{0,1000})"|([^\s;,"]{1,1000}))/iu,
  type: /;\s{0,9}type\s{0,9}=\s{0,9}(?:"([^"]{0,1000})"|([^\s;,"]{1,1000}))/iu,
};

function extractParameter(parameters: string, name: keyof typeof PARAMETERS): string {
  const found = PARAMETERS[name].exec(parameters);
  return (found?.[1] ?? found?.[2] ?? '').trim();
}
