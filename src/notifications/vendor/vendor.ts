/** Whose users are watched or listed: those of a customer, or of one of its domains. */
export type WatchTarget = { customer: string; domain?: string | undefined };

/** Events about users that the vendor sends. */
export const VENDOR_EVENTS = ['add', 'delete', 'makeAdmin', 'undelete', 'update'] as const;
export type VendorEvent = (typeof VENDOR_EVENTS)[number];

/** Whom a service account acts for at the vendor; undefined for the deployment's own setting. */
export type OnBehalf = { subject?: string | undefined };

export type WatchOrder = OnBehalf & {
  /** Of 64 characters at most, and never used before. */
  id: string;
  /** Our URL for its messages. */
  address: string;
  token: string;
  target: WatchTarget;
  /** One kind of event; undefined for all. */
  event?: VendorEvent | undefined;
  /** Asked for; what is granted is in the answer. */
  ttlSeconds: number;
};

/** A channel as the vendor granted it. */
export type Granted = {
  ok: true;
  resourceId: string;
  resourceUri: string;
  /** By the vendor's clock, Unix milliseconds; undefined where it names none. */
  expiresAtMs: number | undefined;
  /** The vendor's clock as its `Date` header shows it, in Unix milliseconds (whole seconds). */
  vendorNowMs: number | undefined;
};

/** A user as the directory has it now: what we read of it. */
export type DirectoryUser = {
  /** Immutable. */
  id: string;
  primaryEmail: string;
  suspended: boolean;
  archived: boolean;
  isAdmin: boolean;
  orgUnitPath: string;
  /** The vendor's entity tag of this reading; '' where it names none. Tags of a list and of a get need not be alike. */
  etag: string;
  /** SHA-256 (hex) of the user without what changes by itself: the same user read by get or by list has the same one. */
  fingerprint: string;
};

export type UserPage = {
  ok: true;
  users: readonly DirectoryUser[];
  nextPageToken: string | undefined;
  /** Entries that were left out because they cannot be read; none where absent. */
  skipped?: number;
};

/**
 * Why the vendor did not do it. `unavailable`: it may do it later (5xx, 429, no answer in time; a watch may have been
 * made all the same). `credentials_refused`: no token, or 401/403. `refused`: this request will never be taken.
 */
export type VendorFailure = {
  ok: false;
  reason: 'id_not_unique' | 'not_found' | 'rate_limited' | 'unavailable' | 'credentials_refused' | 'refused';
  /** Our words and the vendor's status and reason; no token. */
  detail: string;
  /** From `Retry-After`. */
  retryAfterMs?: number | undefined;
  vendorNowMs?: number | undefined;
};

/** The directory at the vendor: what notifications need of it, over its documented requests . */
export type Vendor = {
  watch: (order: WatchOrder) => Promise<Granted | VendorFailure>;
  /** A channel that the vendor no longer knows is stopped: ok. */
  stop: (channel: OnBehalf & { id: string; resourceId: string }) => Promise<{ ok: true } | VendorFailure>;
  /** `user` is null where the directory says in its words, with a 404, that there is no such user (any more). */
  readUser: (asked: OnBehalf & { userId: string }) => Promise<{ ok: true; user: DirectoryUser | null } | VendorFailure>;
  /** One page of all users of a target, in a stable order. */
  listUsers: (
    asked: OnBehalf & { target: WatchTarget; pageToken?: string | undefined },
  ) => Promise<UserPage | VendorFailure>;
};
