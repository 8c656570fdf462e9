/** A credential whose form is wrong. `detail` is in our words and repeats nothing of the credential. */
export type RefusedCredential = {
  ok: false;
  reason: 'invalid_payload' | 'credential_invalid' | 'challenge_invalid' | 'wrong_terms';
  detail: string;
};

export const refuseCredential = (detail: string): RefusedCredential => ({
  ok: false,
  reason: 'invalid_payload',
  detail,
});
