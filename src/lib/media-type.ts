/** The media type of a Content-Type value, in lower case and without parameters; '' when it names none. */
export const parseMediaType = (contentType: string): string =>
  (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
