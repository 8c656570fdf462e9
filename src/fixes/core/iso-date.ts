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
