/**
 * Whether an answer is compressed with gzip: only if the caller accepts it and its user agent names it. On Workers the
 * caller's own Accept-Encoding is `request.cf.clientAcceptEncoding`.
 */
export function canSendGzip(acceptEncoding: string | null | undefined, userAgent: string | null | undefined): boolean {
  return (userAgent ?? '').toLowerCase().includes('gzip') && isGzipAccepted(acceptEncoding ?? '');
}

/** Codings of one header that are looked at. */
const MAX_CODINGS = 32;

function isGzipAccepted(header: string): boolean {
  const codings = header.toLowerCase().split(',', MAX_CODINGS);
  const gzip = codings.map((coding) => coding.split(';', 2)).find(([name = '']) => name.trim() === 'gzip');
  return gzip !== undefined && isPositive(gzip[1]);
}

/** The weight of RFC 9110 12.4.2: absent is 1; one that cannot be read is taken for a no. */
function isPositive(parameter: string | undefined): boolean {
  if (parameter === undefined) return true;
  const [, weight] = /^\s?q=(0(?:\.\d{1,3})?|1(?:\.0{1,3})?)\s?$/.exec(parameter) ?? [];
  return weight !== undefined && Number(weight) > 0;
}
