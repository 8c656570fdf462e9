import type { JsonObject } from '../../../lib/json.ts';
import type { AnswerSelection } from '../conventions/fields.ts';
import type { RefusalData } from '../../../lib/refusal.ts';
import type { SearchOrder } from '../../../search/order.ts';
import type { EntryOrder } from '../../log-store/order.ts';
import type { WatchChannels } from '../../watch/channels.ts';
import type { MethodRow } from '../table/method-row.ts';
import type { CollectionIndex } from './collection-index.ts';
import type { ListCursor, NewRow, Resources } from './stored-row.ts';
import type { Caller, UserChange, Tenant } from './tenant.ts';

/** Query parameters after the table has judged them; repeated ones are lists. */
export type QueryValue = string | number | boolean | readonly string[];

/** One call of a method, parsed: everything in it has the types of the table. JSON all through: it crosses to the tenant's object. */
export type Call = {
  /** Id of the method's row. */
  method: string;
  /** Decoded path parameters. */
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, QueryValue>>;
  /** Valid by the schema; read-only fields are still in it (the engine drops them). `{}` where there is none. */
  body: JsonObject;
  caller: Caller;
  /** Entity tags of If-Match and If-None-Match, as sent. */
  ifMatch?: string;
  ifNoneMatch?: string;
  /** What the Worker asked the store of entries before, where the method needs it (`Interface.asksFirst`, `asksIdentity`). */
  known?: { isBucketEmpty?: boolean; webhookIdentity?: string };
  /** The service's own call: no fault strikes it, and a reset leaves what it wrote (rule K2). */
  isOwn?: true;
  /** Spans that a trace has no room for are left out and counted: `leftOut` of the answer. */
  leavesOut?: true;
  /** alt=media: asks for the content of what the path names, not for what is known of it (`MethodRow.media`). */
  asMedia?: true;
  /** What of the answer is shown in the end (`fields`): the rest need not be read. More in it does no harm. */
  selection?: AnswerSelection;
  /** Of the answer's body as JSON, where it is one of many (rule K4); a longer one is refused, and nothing is done. */
  maxAnswerChars?: number;
};

/** The content of something: its media type and text. */
export type Media = { type: string; text: string };

/**
 * What a call comes to. A body goes with 200; `etag` is that of the resource; `media` is answered in the body's place. 304
 * and 204 have no body.
 */
export type CallAnswer =
  | { ok: true; status: 200; body: JsonObject; etag?: string; media?: Media }
  | { ok: true; status: 204 }
  | { ok: true; status: 304; etag: string }
  | { ok: false; refusal: RefusalData };

/** What an operation works with. It runs in one transaction and does no I/O beside its store. */
export type Context = {
  row: MethodRow;
  tenant: Tenant;
  store: Resources;
  /** Unix milliseconds by the tenant's clock. */
  now: () => number;
  /** Random bytes as lower-case hex, for ids. The same from run to run where a sandbox asked for it. */
  random: (bytes: number) => string;
  /** Unpredictable random bytes as hex: passwords, codes, tokens (rule K7). */
  secret: (bytes: number) => string;
  /**
   * The quoted entity tag of a revision, unique in the tenant; with a view, also of what is shown, which may depend on
   * other rows: `"<salt>/<revision>.<hash>"`. Readers compare the whole tag, writers the part before the dot.
   */
  etagOf: (revision: number, view?: JsonObject) => string;
  /** Tokens of pages: good for this method, tenant and query only, three days long (rule K9). */
  pages: {
    seal: (cursor: ListCursor) => string;
    /** The cursor of the call's page token; undefined on the first page. @throws Refusal for any other token */
    open: () => ListCursor | undefined;
  };
  /** Notifies the watchers once the transaction is committed. */
  changed: (change: UserChange) => void;
  /** The tenant wants the seed's rule for every PUT: what is left out is cleared, also where the vendor keeps it. */
  isStrictPut: boolean;
  channels: WatchChannels;
  /** Stores a row after the operation where nothing has its address: a read does so too, unless the tenant is full. A refused call stores none. */
  remember: (row: NewRow) => void;
  /**
   * Hands an order to the store of entries and spans; it is done after this operation's transaction, and its answer takes
   * the place of this one's. At most one a call.
   */
  hand: (order: EntryOrder) => void;
  /** The same for AI Search instances, whose items, chunks and jobs are in objects of their own. */
  handSearch: (order: SearchOrder) => void;
  /** Random text of this tenant that page tokens hang on. */
  salt: string;
};

/** Does what a method does. @returns the answer's body, or undefined for an empty answer (204). @throws Refusal */
export type Handler = (call: Call, context: Context) => JsonObject | undefined;
export type Handlers = Readonly<Record<string, Handler>>;

/** A management interface as the control Worker serves it: a row of `interfaces.ts`. */
export type Interface = {
  name: string;
  version: string;
  /** How its errors look: `errors[]` of the older interfaces, google.rpc.Status only, or the envelope of Cloudflare. */
  errors: 'legacy' | 'status' | 'cloudflare';
  /** The vendor has no discovery document of it, and the table no schemas. */
  hasNoDocument?: true;
  /** By method id; every row of the table with this name and version has one. */
  handlers: Handlers;
  /** By method id: what of a call the tenant's resources are asked with; the store of entries gets it whole. */
  brief?: Readonly<Record<string, (call: Call) => Call>>;
  /** By method id: the bucket of which the call needs to know whether it is empty. */
  asksFirst?: Readonly<Record<string, (call: Call) => string>>;
  /** By method id: whether the call needs the key that webhooks of the tenant's sinks are verified with. */
  asksIdentity?: Readonly<Record<string, (call: Call) => boolean>>;
  /** Writes what a new tenant starts with. */
  start?: (context: Context) => void;
  /** Its collections, each with the schema of its rows ('' for none): a restore takes no others. */
  collections?: Readonly<Record<string, string>>;
  /** Judges the rows of collections that no schema describes whole. */
  rows?: Readonly<Record<string, (body: JsonObject) => boolean>>;
  /** Collections that are found by more than the order of their rows. */
  indexes?: readonly CollectionIndex[];
  /** Collections that no snapshot holds: credentials and channels (rule K3). */
  unsaved?: readonly string[];
};
