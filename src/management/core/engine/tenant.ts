/** Who calls: what the token says. */
export type Caller = {
  tenant: string;
  kind: 'payer' | 'operator' | 'service';
  /** The account: a user of ours, or a service account. */
  userId: string;
  clientId: string;
  /** Full scope URLs and words. */
  scopes: readonly string[];
};

/** Something that happened to a resource, for those who watch it. */
export type UserChange = {
  /** `users`, or `aliases` of one user. */
  watched: 'users' | 'aliases';
  event: 'add' | 'delete' | 'makeAdmin' | 'undelete' | 'update';
  user: { id: string; primaryEmail: string };
  /** The previous primary address, where it differs: watchers of the old domain are notified too. */
  oldEmail?: string;
};

/** The tenant as its operations see it. */
export type Tenant = {
  /** Its directory customer: `C00000001`. */
  id: string;
  mode: 'sandbox' | 'live';
  /** The domain that it starts with. */
  domain: string;
};
