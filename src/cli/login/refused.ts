/** Why there is no token. Reasons are stable words; the text may hold foreign words and is stripped where it is printed. */
export type LoginReason =
  | 'not_https'
  | 'address_refused'
  | 'redirected'
  | 'unreachable'
  | 'answer_unreadable'
  | 'no_resource_metadata'
  | 'resource_mismatch'
  | 'no_server_metadata'
  | 'issuer_mismatch'
  | 'no_pkce'
  | 'code_flow_unsupported'
  | 'client_of_other_issuer'
  | 'no_registration'
  | 'registration_refused'
  | 'authorization_refused'
  | 'no_answer'
  | 'token_request_refused'
  | 'token_refused'
  | 'scope_refused'
  | 'not_logged_in'
  | 'authorization_server_changed'
  | 'no_refresh_token'
  | 'token_file_unusable';

/** Ends a login from inside callbacks of the official client; `login` and `freshToken` turn it into data. */
export class LoginRefused extends Error {
  override name = 'LoginRefused';
  readonly reason: LoginReason;
  constructor(reason: LoginReason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

export type LoginRefusal = { ok: false; reason: LoginReason; detail: string };

/** Runs `work`; a `LoginRefused` is its outcome, everything else stays a bug. */
export async function orRefusal<T extends { ok: true }>(work: () => Promise<T>): Promise<T | LoginRefusal> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LoginRefused) return { ok: false, reason: error.reason, detail: error.message };
    throw error;
  }
}
