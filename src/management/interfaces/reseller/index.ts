import type { Interface } from '../../core/engine/operation.ts';
import * as customers from './customers.ts';
import * as notify from './notify.ts';
import * as orders from './subscriptions/orders.ts';
import { RESELLER_ROWS, RESELLER_SCHEMAS } from './row-schemas.ts';
import * as subscriptions from './subscriptions/subscriptions.ts';

/** Reseller v1: customers of a reseller and what they subscribed to (seed 3, "Reseller"). */
export const reseller: Interface = {
  name: 'reseller',
  version: 'v1',
  errors: 'legacy',
  handlers: {
    'reseller.customers.get': customers.get,
    'reseller.customers.insert': customers.insert,
    'reseller.customers.patch': customers.patch,
    'reseller.customers.update': customers.update,
    'reseller.subscriptions.list': subscriptions.list,
    'reseller.subscriptions.get': subscriptions.get,
    'reseller.subscriptions.insert': orders.insert,
    'reseller.subscriptions.delete': subscriptions.remove,
    'reseller.subscriptions.activate': subscriptions.activate,
    'reseller.subscriptions.changePlan': subscriptions.changePlan,
    'reseller.subscriptions.changeRenewalSettings': subscriptions.changeRenewalSettings,
    'reseller.subscriptions.changeSeats': subscriptions.changeSeats,
    'reseller.subscriptions.startPaidService': subscriptions.startPaidService,
    'reseller.subscriptions.suspend': subscriptions.suspend,
    'reseller.resellernotify.getwatchdetails': notify.getWatchDetails,
    'reseller.resellernotify.register': notify.register,
    'reseller.resellernotify.unregister': notify.unregister,
  },
  collections: RESELLER_SCHEMAS,
  rows: RESELLER_ROWS,
};
