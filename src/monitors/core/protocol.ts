import type { AlertDraft, MonitorAlert } from './alert.ts';
import type {
  AlertRules,
  Monitor,
  MonitorInterval,
  MonitorPayment,
  MonitorSubject,
  PauseReason,
  QuietHours,
} from './monitor.ts';
import type { Receiver, ReceiverRequest } from './receiver.ts';
import type { MonitorRun, RunOrder, RunResult } from './run.ts';

/** What a new monitor is made of; parsed and judged before (addresses, bodies, cron fields). */
export type NewMonitor = {
  name: string;
  subject: MonitorSubject;
  interval: MonitorInterval;
  rules: AlertRules;
  receivers: readonly ReceiverRequest[];
  quietHours: QuietHours | null;
  payment: MonitorPayment;
};

/** Who asks. `authorizedAtMs`: since when its token is good (rule A5). */
export type MonitorOwner = { account: string; clientId: string; authorizedAtMs: number };

export type CreateMonitor = {
  owner: MonitorOwner;
  monitor: NewMonitor;
  /** The same key with the same content makes one monitor (24 hours); with other content it is refused. */
  idempotencyKey: string;
  /** SHA-256 of the request, for that comparison. */
  contentSha256: string;
  /** How long the key is remembered, in milliseconds, where that is longer; then also when the monitor was deleted. */
  keyKeptMs?: number;
};

export type CreateRefusal =
  | 'too_many_monitors'
  | 'too_many_of_host'
  | 'idempotency_key_reused'
  /** A confirmation mail each: the account asked for too many today. */
  | 'too_many_mails';

export type CreateMonitorResult =
  | { ok: true; monitor: Monitor; isRepeat: boolean }
  | { ok: false; reason: CreateRefusal };

/** What an owner may change. A receiver is taken over by its id, or made new. */
export type MonitorPatch = {
  name?: string;
  subject?: MonitorSubject;
  interval?: MonitorInterval;
  rules?: AlertRules;
  receivers?: readonly ({ id: string } | ReceiverRequest)[];
  quietHours?: QuietHours | null;
  state?: 'active' | 'paused';
};

export type ChangeMonitorResult =
  | { ok: true; monitor: Monitor }
  | { ok: false; reason: 'not_found' | 'revision_mismatch' | 'another_subject' | 'unknown_receiver' | CreateRefusal };

/** A part of a list, newest first; `next` is where the next one begins. */
export type MonitorPage<T> = { items: readonly T[]; next: string | null };
export type PageQuery = { after?: string | undefined; limit: number };

/** A monitor with what its owner wants to see at once. */
export type MonitorOverview = {
  monitor: Monitor;
  lastRun: MonitorRun | null;
  /** For a sparkline, oldest first: a score or a rate of each of the last runs. */
  points: readonly { atMs: number; value: number | null }[];
  alerts: number;
};

export type ManualRunResult =
  | { ok: true; run: MonitorRun }
  | { ok: false; reason: 'not_found' | 'too_soon' | 'under_way'; retryAfterS?: number };

/** One message to one receiver: an alert, a digest of several, a test, or the confirmation of an address. */
export type AlertDelivery = {
  /** `dlv_` and 24 hex digits; `webhook-id` of each try. */
  id: string;
  monitorId: string;
  receiverId: string;
  kind: 'alert' | 'digest' | 'test' | 'confirmation';
  alertIds: readonly string[];
  state: 'waiting' | 'delivered' | 'dead';
  tries: number;
  createdAtMs: number;
  /** Of the next try; null when there is none. */
  nextMs: number | null;
  deliveredAtMs: number | null;
  /** What the last try came to: a status or a reason of ours, never what the receiver said. */
  lastOutcome: string | null;
};

/** Unguessable parts of the links in mails to one receiver. */
export type MailProofs = { confirm: string; unsubscribe: string };

export type DeliveryOrder = {
  delivery: AlertDelivery;
  attempt: number;
  monitor: Monitor;
  receiver: Receiver;
  /** Those of the delivery that are still kept. */
  alerts: readonly MonitorAlert[];
  /** Of an e-mail receiver. */
  proofs?: MailProofs;
};
export type AlertDeliveryResult =
  | { is: 'taken'; outcome: string }
  | { is: 'refused'; outcome: string; disable: boolean }
  | { is: 'again'; outcome: string; afterMs?: number };

/** What a queue carries: names only, so that a message twice does nothing twice. */
export type MonitorMessage =
  | { kind: 'run'; shard: number; monitorId: string; runId: string }
  | { kind: 'deliver'; shard: number; deliveryId: string };

export type SweepReport = { monitors: number; queued: number; again: number; failed: number };

/**
 * The monitors of a sixteenth of all accounts, as the api Worker calls their object over RPC. `account` is judged at each call: a
 * monitor of another account is `undefined` or `not_found`, never "forbidden".
 */
export interface MonitorShardObject {
  create(order: CreateMonitor): Promise<CreateMonitorResult>;
  read(account: string, id: string): Promise<MonitorOverview | undefined>;
  list(account: string, query: PageQuery): Promise<MonitorPage<MonitorOverview>>;
  /** `revision`: undefined where the caller takes any. */
  change(
    owner: MonitorOwner,
    id: string,
    revision: number | undefined,
    patch: MonitorPatch,
  ): Promise<ChangeMonitorResult>;
  /** The report ids that it kept; undefined where it is not there. */
  delete(account: string, id: string): Promise<{ reportIds: readonly string[] } | undefined>;
  runNow(account: string, id: string): Promise<ManualRunResult>;
  runs(account: string, id: string, query: PageQuery): Promise<MonitorPage<MonitorRun> | undefined>;
  run(account: string, id: string, runId: string): Promise<MonitorRun | undefined>;
  alerts(account: string, id: string, query: PageQuery): Promise<MonitorPage<MonitorAlert> | undefined>;
  alert(account: string, id: string, alertId: string): Promise<MonitorAlert | undefined>;

  deliveries(account: string, id: string, query: PageQuery): Promise<MonitorPage<AlertDelivery> | undefined>;
  /** Sends a dead or delivered one again, as a new try with the same id. */
  replay(account: string, id: string, deliveryId: string): Promise<boolean>;
  /** Not `test`: the runtime keeps that name for itself. */
  testReceiver(account: string, id: string, receiverId: string): Promise<AlertDelivery | 'too_soon' | undefined>;
  /** New secret, or new address of a feed; the old one ends at once. */
  rotate(account: string, id: string, receiverId: string): Promise<Receiver | undefined>;
  /** The link of a confirmation mail was pressed. */
  confirmEmail(id: string, receiverId: string, proof: string): Promise<boolean>;
  /** One click, RFC 8058. */
  unsubscribe(id: string, receiverId: string, proof: string): Promise<boolean>;
  /** What a feed shows; undefined for a wrong token. */
  feed(id: string, token: string): Promise<{ monitor: Monitor; alerts: readonly MonitorAlert[] } | undefined>;

  /** Replaces the token of a monitor; it is kept as a hash. */
  setToken(account: string, id: string, tokenSha256: string): Promise<boolean>;
  /** The account of a monitor whose token this is. */
  findByToken(id: string, tokenSha256: string): Promise<MonitorOwner | undefined>;

  /** A consumer takes a run: undefined when there is nothing to do, or another attempt holds it. */
  begin(runId: string): Promise<RunOrder | undefined>;
  /** `copies`: reports that the attempt is about to keep; where its run is not stored in the end, they are dropped. */
  renew(runId: string, attempt: number, copies?: readonly string[]): Promise<boolean>;
  /** False: another attempt owns the run by now, and nothing was written. */
  finish(runId: string, attempt: number, result: RunResult): Promise<boolean>;
  beginDelivery(deliveryId: string): Promise<DeliveryOrder | undefined>;
  finishDelivery(deliveryId: string, attempt: number, result: AlertDeliveryResult): Promise<boolean>;

  /** Raises an alert of the monitor itself. */
  raise(monitorId: string, alert: AlertDraft): Promise<boolean>;
  pause(monitorId: string, reason: PauseReason): Promise<boolean>;
  /** By cron: what the alarm should have done and did not. */
  sweep(): Promise<SweepReport>;
  /** The owner deletes the account. The report ids that its monitors kept. */
  forget(account: string): Promise<readonly string[]>;
  /** Reports that no run holds any more, at most 500: named until they are confirmed. */
  droppedReports(): Promise<readonly string[]>;
  /** Their copies are deleted. */
  confirmDropped(reportIds: readonly string[]): Promise<void>;
}

/** The shards as services reach them. */
export type MonitorShards = {
  /** By account. */
  ofAccount: (account: string) => Promise<MonitorShardObject>;
  /** By the id of a monitor; undefined for a text that is none. */
  ofMonitor: (id: string) => MonitorShardObject | undefined;
};
