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
export type Change = {
  /** `users`, or `aliases` of one user. */
  watched: 'users' | 'aliases';
  event: 'add' | 'delete' | 'makeAdmin' | 'undelete' | 'update';
  user: { id: string; primaryEmail: string };
  /** The primary address before, where that is another: watchers of the old domain are told too. */
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
