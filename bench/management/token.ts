/** A bearer token of the authorization server's own form, without which the control Worker asks nobody about it. */
export const TOKEN = `slm_${'b'.repeat(43)}`;
