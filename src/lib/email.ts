/** What follows the last `@` of an address, in lower case; the whole text where there is none. */
export const extractEmailDomain = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** What precedes the last `@` of an address; '' where there is none. */
export const extractEmailLocalPart = (email: string): string => email.slice(0, Math.max(0, email.lastIndexOf('@')));
