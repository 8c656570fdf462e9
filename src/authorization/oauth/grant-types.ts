/** Grants of clients without a person: RFC 6749, section 4.4, and RFC 7523, section 2.1. */
export const CLIENT_CREDENTIALS = 'client_credentials';
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
export const MACHINE_GRANTS: readonly string[] = [CLIENT_CREDENTIALS, JWT_BEARER];
