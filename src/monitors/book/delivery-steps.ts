import type { Monitor } from '../core/monitor.ts';
import type {
  Delivery,
  DeliveryOrder,
  DeliveryResult,
  MailProofs,
  MonitorPage,
  PageQuery,
} from '../core/protocol.ts';
import type { Receiver } from '../core/receiver.ts';
import { rotateReceiver } from './make-receiver.ts';
import type { BookParts } from './parts.ts';

/** The deliveries of a shard, as the outbox keeps them. */
export type DeliveryBox = {
  find: (deliveryId: string) => Delivery | undefined;
  begin: (
    deliveryId: string,
    monitor: Monitor | undefined,
    nowMs: number,
  ) => { delivery: Delivery; attempt: number; receiver: Receiver; proofs?: MailProofs } | undefined;
  finish: (
    deliveryId: string,
    attempt: number,
    result: DeliveryResult,
    nowMs: number,
  ) => { monitorId: string; receiverId: string; disable: boolean } | undefined;
  page: (monitorId: string, query: PageQuery) => MonitorPage<Delivery>;
  replay: (monitor: Monitor, deliveryId: string, nowMs: number) => boolean;
  test: (monitor: Monitor, receiverId: string, nowMs: number) => Delivery | 'too_soon' | undefined;
  isProof: (use: keyof MailProofs, monitorId: string, receiverId: string, proof: string) => boolean;
  /** An address wants no mail of this account any more. */
  refuseAddress: (account: string, address: string, nowMs: number) => void;
};

export type DeliverySteps = ReturnType<typeof createDeliverySteps>;

/** Deliveries and receivers of monitors. A monitor of another account is not there. */
export const createDeliverySteps = (parts: BookParts, box: DeliveryBox) => {
  const { monitors, alerts, tools } = parts;
  const findOf = (account: string, id: string): Monitor | undefined => {
    const monitor = monitors.find(id)?.monitor;
    return monitor?.account === account ? monitor : undefined;
  };
  return {
    deliveries: (account: string, id: string, query: PageQuery): MonitorPage<Delivery> | undefined =>
      findOf(account, id) && box.page(id, query),
    replay: (account: string, id: string, deliveryId: string): boolean => {
      const monitor = findOf(account, id);
      return monitor !== undefined && box.replay(monitor, deliveryId, tools.now());
    },
    test: (account: string, id: string, receiverId: string): Delivery | 'too_soon' | undefined => {
      const monitor = findOf(account, id);
      return monitor && box.test(monitor, receiverId, tools.now());
    },
    rotate: (account: string, id: string, receiverId: string): Receiver | undefined => {
      const monitor = findOf(account, id);
      const rotated = monitor && findReceiver(monitor, receiverId, (one) => rotateReceiver(one, tools.random));
      if (monitor !== undefined && rotated !== undefined) replaceReceiver(parts, monitor, rotated);
      return rotated;
    },
    confirmEmail: (id: string, receiverId: string, proof: string): boolean => {
      const monitor = box.isProof('confirm', id, receiverId, proof) ? monitors.find(id)?.monitor : undefined;
      const confirmed =
        monitor &&
        findReceiver(monitor, receiverId, (one) =>
          one.kind === 'email' ? { ...one, confirmedAtMs: one.confirmedAtMs ?? tools.now() } : undefined,
        );
      if (monitor === undefined || confirmed === undefined) return false;
      replaceReceiver(parts, monitor, confirmed);
      return true;
    },
    unsubscribe: (id: string, receiverId: string, proof: string): boolean => {
      const monitor = box.isProof('unsubscribe', id, receiverId, proof) ? monitors.find(id)?.monitor : undefined;
      const receiver = monitor?.receivers.find((one) => one.id === receiverId);
      if (monitor === undefined || receiver?.kind !== 'email') return false;
      box.refuseAddress(monitor.account, receiver.address, tools.now());
      replaceReceiver(parts, monitor, { ...receiver, disabled: true });
      return true;
    },
    feed: (id: string, token: string) => {
      const monitor = monitors.find(id)?.monitor;
      const isOpen = monitor?.receivers.some(
        (one) => one.kind === 'feed' && one.token === token && one.disabled !== true,
      );
      return monitor !== undefined && isOpen === true ? { monitor, alerts: listFeedAlerts(parts, id) } : undefined;
    },
    beginDelivery: (deliveryId: string): DeliveryOrder | undefined => {
      const known = box.find(deliveryId);
      const monitor = known && monitors.find(known.monitorId)?.monitor;
      const begun = box.begin(deliveryId, monitor, tools.now());
      if (begun === undefined || monitor === undefined) return undefined;
      const ofDelivery = begun.delivery.alertIds.flatMap((alertId) => alerts.find(monitor.id, alertId) ?? []);
      return { ...begun, monitor, alerts: ofDelivery };
    },
    finishDelivery: (deliveryId: string, attempt: number, result: DeliveryResult): boolean => {
      const finished = box.finish(deliveryId, attempt, result, tools.now());
      if (finished === undefined) return false;
      const monitor = finished.disable ? monitors.find(finished.monitorId)?.monitor : undefined;
      const receiver = monitor?.receivers.find(({ id }) => id === finished.receiverId);
      if (monitor !== undefined && receiver !== undefined)
        replaceReceiver(parts, monitor, { ...receiver, disabled: true });
      return true;
    },
  };
};

/** Alerts that a feed shows. */
const FEED_ALERTS = 50;

const listFeedAlerts = ({ alerts }: BookParts, id: string) =>
  alerts.list(id, Number.MAX_SAFE_INTEGER, FEED_ALERTS).map(({ alert }) => alert);

function findReceiver(
  monitor: Monitor,
  receiverId: string,
  change: (receiver: Receiver) => Receiver | undefined,
): Receiver | undefined {
  const receiver = monitor.receivers.find(({ id }) => id === receiverId);
  return receiver && change(receiver);
}

function replaceReceiver({ monitors }: BookParts, monitor: Monitor, receiver: Receiver): void {
  const receivers = monitor.receivers.map((one) => (one.id === receiver.id ? receiver : one));
  monitors.update({ ...monitor, receivers });
}
