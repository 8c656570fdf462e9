import { isSameText } from '../../lib/digest.ts';
import type { MonitorAlert } from '../core/alert.ts';
import type { Monitor } from '../core/monitor.ts';
import type { AlertDelivery, DeliveryOrder, AlertDeliveryResult, MonitorPage, PageQuery } from '../core/protocol.ts';
import type { Receiver } from '../core/receiver.ts';
import type { AlertOutbox } from './outbox.ts';

/** Alerts that a feed shows, newest first. */
export const MAX_FEED_ALERTS = 50;

/** What the desk reads and writes of monitors. */
export type DeskBooks = {
  findMonitor: (id: string) => Monitor | undefined;
  /** Those of a monitor that are still kept, in this order. */
  findAlerts: (monitorId: string, alertIds: readonly string[]) => readonly MonitorAlert[];
  /** The newest alerts of a monitor. */
  listNewestAlerts: (monitorId: string, limit: number) => readonly MonitorAlert[];
  /** Takes the place of the receiver with this id; no change by its owner. */
  replaceReceiver: (monitorId: string, receiver: Receiver) => void;
};

/**
 * What the object of a shard does with deliveries, synchronously: each call belongs into one transaction. Owners are judged
 * before; links in mails and feeds are judged here.
 */
export const openDeliveryDesk = (outbox: AlertOutbox, books: DeskBooks) => {
  const replaceReceiver = (monitor: Monitor, receiverId: string, change: (receiver: Receiver) => Receiver): boolean => {
    const receiver = monitor.receivers.find(({ id }) => id === receiverId);
    if (receiver === undefined) return false;
    books.replaceReceiver(monitor.id, change(receiver));
    return true;
  };
  const findEmail = (monitorId: string, receiverId: string) => {
    const monitor = books.findMonitor(monitorId);
    const receiver = monitor?.receivers.find(({ id }) => id === receiverId);
    return monitor && receiver?.kind === 'email' ? { monitor, receiver } : undefined;
  };
  return {
    beginDelivery(deliveryId: string, nowMs: number): DeliveryOrder | undefined {
      const known = outbox.find(deliveryId);
      const monitor = known && books.findMonitor(known.monitorId);
      const begun = outbox.begin(deliveryId, monitor, nowMs);
      if (monitor === undefined || begun === undefined) return undefined;
      return { ...begun, monitor, alerts: books.findAlerts(monitor.id, begun.delivery.alertIds) };
    },
    finishDelivery(deliveryId: string, attempt: number, result: AlertDeliveryResult, nowMs: number): boolean {
      const finished = outbox.finish(deliveryId, attempt, result, nowMs);
      if (finished === undefined) return false;
      const monitor = finished.disable ? books.findMonitor(finished.monitorId) : undefined;
      if (monitor) replaceReceiver(monitor, finished.receiverId, (receiver) => ({ ...receiver, disabled: true }));
      return true;
    },
    deliveries: (monitorId: string, query: PageQuery): MonitorPage<AlertDelivery> => outbox.page(monitorId, query),
    /** The link of a confirmation mail was pressed: true however often, until the address unsubscribes. */
    confirmEmail(monitorId: string, receiverId: string, proof: string, nowMs: number): boolean {
      const found = findEmail(monitorId, receiverId);
      if (found === undefined || !outbox.isProof('confirm', monitorId, receiverId, proof)) return false;
      const { monitor, receiver } = found;
      if (receiver.disabled === true) return false;
      if (receiver.confirmedAtMs === null)
        replaceReceiver(monitor, receiverId, () => ({ ...receiver, confirmedAtMs: nowMs }));
      return true;
    },
    /** One click: the receiver gets nothing more. An address that never confirmed is asked by this account no more, either. */
    unsubscribe(monitorId: string, receiverId: string, proof: string, nowMs: number): boolean {
      const found = findEmail(monitorId, receiverId);
      if (found === undefined || !outbox.isProof('unsubscribe', monitorId, receiverId, proof)) return false;
      const { monitor, receiver } = found;
      if (receiver.disabled === true) return true;
      replaceReceiver(monitor, receiverId, () => ({ ...receiver, disabled: true }));
      if (receiver.confirmedAtMs === null) outbox.refuseAddress(monitor.account, receiver.address, nowMs);
      return true;
    },
    /** What a feed shows; undefined for a wrong token. */
    feed(monitorId: string, token: string): { monitor: Monitor; alerts: readonly MonitorAlert[] } | undefined {
      const monitor = books.findMonitor(monitorId);
      const isOpen = monitor?.receivers.some(
        (receiver) => receiver.kind === 'feed' && receiver.disabled !== true && isSameText(receiver.token, token),
      );
      return monitor && isOpen === true
        ? { monitor, alerts: books.listNewestAlerts(monitorId, MAX_FEED_ALERTS) }
        : undefined;
    },
  };
};
