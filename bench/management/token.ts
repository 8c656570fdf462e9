/** A bearer token in the form that the authorization server issues: the control Worker refuses any other form unseen. */
export const TOKEN = `slm_${'b'.repeat(43)}`;
