/** Receivers of one monitor. */
export const MAX_RECEIVERS = 5;

/**
 * Where alerts go. URLs, addresses and tokens are secrets: answers show them masked, logs and exports never. `id`: `rcv_` and 16
 * hex digits, given by us.
 */
export type Receiver =
  /** Signed by Standard Webhooks 1.0.0. `secret`: `whsec_` and base64. */
  | { id: string; kind: 'webhook'; url: string; secret: string; disabled?: true }
  /** JSON that an incoming webhook of Slack, or of Teams, takes. */
  | { id: string; kind: 'slack' | 'teams'; url: string; disabled?: true }
  /** `confirmedAtMs`: null until the link in the first mail was pressed; nothing else is sent before. */
  | {
      id: string;
      kind: 'email';
      address: string;
      confirmedAtMs: number | null;
      language?: 'en' | 'de';
      disabled?: true;
    }
  /** An Atom feed at a secret address. `token`: 32 hex digits. */
  | { id: string; kind: 'feed'; token: string; disabled?: true };

/** What an owner says of a receiver; the rest is ours. */
export type ReceiverRequest =
  | { kind: 'webhook'; url: string }
  | { kind: 'slack' | 'teams'; url: string }
  | { kind: 'email'; address: string; language?: 'en' | 'de' | undefined }
  | { kind: 'feed' };
