/** A name of an area, never an offset: `UTC`, `Europe/Berlin`, `America/Argentina/Buenos_Aires`. */
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/;

/** Whether a text names a time zone of the IANA database that this runtime knows. */
export function isTimeZone(text: string): boolean {
  if (!NAME.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
