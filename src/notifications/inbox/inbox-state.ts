import type { Alert } from '../core/alerts.ts';
import type {
  InboxStatus,
  MessageQuery,
  ListPage,
  ReceiverChannel,
  ReplayRange,
  ReplayReport,
  ResyncOrder,
} from '../core/protocol.ts';
import type { Effect, UserState } from '../sinks/sink.ts';
import type { DirectoryUser } from '../vendor/vendor.ts';
import type { PushAdmission } from './channel-words.ts';
import type { KeepOutcome, MessageView } from './message.ts';

/** A user that is to be read again: the unit of work. */
export type Unit = {
  userId: string;
  /** Grows with each message that marks the user: what is read clears the mark only up to this (compare-and-clear). */
  stamp: number;
  /** Failed tries before this one. */
  tries: number;
  /** Events that led here, each once; `resync`, `replay`. */
  causes: readonly string[];
  /** As of the watch that last marked the user, or whom a resync knew it from; undefined: the deployment's own setting. */
  subject: string | undefined;
};

/**
 * An effect that is still to be delivered to a sink. Until `leasedUntilMs` no one else is given it, nor a newer one of
 * the user.
 */
export type Delivery = { sink: string; effect: Effect; tries: number; leasedUntilMs: number };

/**
 * A resync under way: which page is to be listed next. `tries`: failures since the listing last got farther than ever, also
 * those of other pages and of rounds before. `round` names the listing that the page belongs to; hand the step back as it
 * is: a step of an earlier round, or of a page that was booked already, changes nothing.
 */
export type ResyncStep = { order: ResyncOrder; pageToken: string | undefined; tries: number; round: number };

/**
 * The input of `found`: the sinks that want the effect, by name. `readAtMs`: taken before the user was asked for. A
 * reading whose stamp was booked already (a lease ran out, two workers read) changes nothing.
 */
export type ReadingOutcome = {
  unit: Unit;
  seen: UserState;
  readAtMs: number;
  sinksFor: (effect: Effect) => readonly string[];
};

/**
 * The state of one customer's inbox: synchronous, each call one transaction. What it promises: a message that `keep`
 * took is worked or dead, never forgotten; a unit marked while it is being read stays marked; an effect is written
 * together with the clearing of its unit, and delivered until its sink took it or it is dead.
 * What was kept is in a journal until it is digested, and only then is it a message that the other calls know: its
 * stamp is newer than that of every reading that began before, so no reading covers it that might have missed it.
 */
export type InboxState = {
  /** Holds the registry's word of a channel, for `admit` to go by. An older word that comes late takes nothing back. */
  learn: (customer: string, channel: ReceiverChannel) => void;
  /** Judges a message of a channel before it is kept: the text to keep, or why there is none. Writes nothing. */
  admit: (text: string, resourceId: string) => PushAdmission;
  /**
   * Writes messages, as `textOf` makes them, into the journal, in one transaction and with one row for all (group
   * commit): as many outcomes, in order. Whether one is known already shows when it is digested. With too many in the
   * journal the rest is `collapsed`: a resync is ordered in its place, so that a journal that no one digests stays
   * small as well (rule W3).
   */
  keep: (customer: string, texts: readonly string[]) => readonly KeepOutcome[];
  /**
   * Takes in the oldest messages of the journal, a bounded number: a row and a mark of its user for each, or a resync;
   * those that are known already are ignored. `collapsed`: channels that had no room for one (rule W3).
   */
  digest: () => Digested;
  /** The customer whose inbox this is, from the first call that wrote; undefined before. */
  customer: () => string | undefined;
  /** Units that are due, leased so that no one else takes them. */
  claimUnits: (limit: number) => readonly Unit[];
  /**
   * A unit was read: clears it unless it was marked again meanwhile, and writes the effect for each sink that wants it,
   * unless the user is as it was when it was last read (same entity tag or, without one, fingerprint). A user that was
   * only listed so far was never read: it is delivered. What was to be delivered about the user before and was not is
   * superseded: no sink hears an older reading after a newer one. `unproven`: gone for someone other than those who
   * last saw the user there. That is no proof and no effect: the unit comes back to be read for those, as a try that
   * failed.
   */
  found: (outcome: ReadingOutcome) => 'told' | 'unchanged' | 'unproven';
  /** A unit could not be read: it comes back later, or is dead after MAX_TRIES; its messages with it. */
  failed: (unit: Unit, why: { detail: string; retryAfterMs?: number | undefined }) => 'again' | 'dead';
  /**
   * Deliveries that are due, leased: of one user to one sink one at a time, in the order of stamps. `sink`: only those of
   * it, so that a slow one holds up no other; undefined for any.
   */
  claimDeliveries: (limit: number, sink?: string) => readonly Delivery[];
  delivered: (delivery: Delivery) => void;
  /** `again` as well where it counts for nothing: superseded meanwhile, or booked by someone else. */
  undelivered: (
    delivery: Delivery,
    why: { detail: string; refused: boolean; retryAfterMs?: number | undefined },
  ) => 'again' | 'dead';
  /** Wants everything read again. One that is under way takes up further orders of the same scope and subject. */
  resync: (customer: string, order: ResyncOrder) => void;
  /** The next page that is to be listed, leased; undefined when there is none or it is not due. */
  claimResync: () => ResyncStep | undefined;
  /**
   * A page came: marks users that differ from what was last read; with the last page those that are missing. A token that
   * was there before is a failure.
   */
  listed: (step: ResyncStep, users: readonly DirectoryUser[], nextPageToken: string | undefined) => void;
  resyncFailed: (step: ResyncStep, why: { detail: string; retryAfterMs?: number | undefined }) => void;
  /** Delivers an alert to sinks unless it is open already. @returns whether it is new */
  raise: (customer: string, alert: Alert, sinksFor: (effect: Effect) => readonly string[]) => boolean;
  /** An alert is over: it may be raised again. */
  over: (kind: Alert['kind'], subject: string) => void;
  /** Of the messages that are digested, as `replay`; `status` counts the others as waiting. */
  messages: (query: MessageQuery) => ListPage<MessageView>;
  /** Sets dead messages to be worked again; those that are not dead are left alone. */
  replay: (range: ReplayRange) => ReplayReport;
  status: () => InboxStatus;
  /** Deletes what was kept long enough; a bounded number of rows. @returns whether there is more */
  prune: () => boolean;
  /** When there is something to do next: now while the journal holds something; undefined for never. */
  nextDueMs: () => number | undefined;
};

export type Digested = {
  /** Messages that left the journal, known ones among them. */
  digested: number;
  /** Channels that had no room for a message: a resync is ordered in its place (rule W3). */
  collapsed: readonly string[];
  more: boolean;
};
