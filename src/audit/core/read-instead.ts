/** That another address than the one asked for was read, as a warning says it. */
export const formatReadInstead = (asked: string, read: string): string =>
  `${asked} gave no answer, so ${read} was read instead.`;

/** The warning, and its earlier wording in stored reports. */
const READ_INSTEAD =
  /^(\S{1,2100}) (?:gave no answer|could not be read \(.{0,500}\)), so (\S{1,2100}) was read instead\.$/;

/** Which address was asked for and which one was read; undefined for any other warning. */
export function parseReadInstead(warning: string): { asked: string; read: string } | undefined {
  const [, asked, read] = READ_INSTEAD.exec(warning) ?? [];
  return asked === undefined || read === undefined ? undefined : { asked, read };
}
