import type { Monitor } from '../core/monitor.ts';
import type { Delivery, DeliveryResult, MonitorPage, PageQuery } from '../core/protocol.ts';
import type { Receiver } from '../core/receiver.ts';
import { openDeliveryDesk } from '../receivers/desk.ts';
import { renewReceiver } from './make-receiver.ts';
import type { BookParts } from './parts.ts';

export type DeliverySteps = ReturnType<typeof createDeliverySteps>;

/** Deliveries and receivers of monitors. A monitor of another account is not there; links and feeds open with their secrets. */
export const createDeliverySteps = (parts: BookParts) => {
  const { monitors, alerts, outbox, tools } = parts;
  const findOf = (account: string, id: string): Monitor | undefined => {
    const monitor = monitors.find(id)?.monitor;
    return monitor?.account === account ? monitor : undefined;
  };
  const replaceReceiver = (monitorId: string, receiver: Receiver): void => {
    const monitor = monitors.find(monitorId)?.monitor;
    if (monitor === undefined) return;
    const receivers = monitor.receivers.map((one) => (one.id === receiver.id ? receiver : one));
    monitors.update({ ...monitor, receivers });
  };
  const desk = openDeliveryDesk(outbox, {
    findMonitor: (id) => monitors.find(id)?.monitor,
    findAlerts: (monitorId, alertIds) => alertIds.flatMap((id) => alerts.find(monitorId, id) ?? []),
    listNewestAlerts: (monitorId, limit) =>
      alerts.list(monitorId, Number.MAX_SAFE_INTEGER, limit).map(({ alert }) => alert),
    replaceReceiver,
  });
  return {
    deliveries: (account: string, id: string, query: PageQuery): MonitorPage<Delivery> | undefined =>
      findOf(account, id) && desk.deliveries(id, query),
    replay: (account: string, id: string, deliveryId: string): boolean => {
      const monitor = findOf(account, id);
      return monitor !== undefined && outbox.replay(monitor, deliveryId, tools.now());
    },
    test: (account: string, id: string, receiverId: string): Delivery | 'too_soon' | undefined => {
      const monitor = findOf(account, id);
      return monitor && outbox.test(monitor, receiverId, tools.now());
    },
    rotate: (account: string, id: string, receiverId: string): Receiver | undefined => {
      const receiver = findOf(account, id)?.receivers.find((one) => one.id === receiverId);
      const rotated = receiver && renewReceiver(receiver, tools.random);
      if (rotated !== undefined) replaceReceiver(id, rotated);
      return rotated;
    },
    confirmEmail: (id: string, receiverId: string, proof: string) =>
      desk.confirmEmail(id, receiverId, proof, tools.now()),
    unsubscribe: (id: string, receiverId: string, proof: string) =>
      desk.unsubscribe(id, receiverId, proof, tools.now()),
    feed: (id: string, token: string) => desk.feed(id, token),
    beginDelivery: (deliveryId: string) => desk.beginDelivery(deliveryId, tools.now()),
    finishDelivery: (deliveryId: string, attempt: number, result: DeliveryResult) =>
      desk.finishDelivery(deliveryId, attempt, result, tools.now()),
  };
};
