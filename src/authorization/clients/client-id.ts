/** Longest client id that is looked at. It stands in the query of `/authorize`, which may have 8,192 characters. */
export const MAX_CLIENT_ID_CHARS = 2_048;
