import type { Interface } from '../../core/engine/operation.ts';
import * as customers from './customers.ts';
import * as notify from './notify.ts';
import * as orders from './subscriptions/orders.ts';
import { RESELLER_ROWS, RESELLER_SCHEMAS } from './row-schemas.ts';
import * as subscriptions from './subscriptions/subscriptions.ts';

/** Reseller v1: customers of a reseller and their subscriptions. */
export const reseller: Interface = {
  name: 'reseller',
  version: 'v1',
  errors: 'legacy',
  handlers: {
    'reseller.customers.get': customers.getResellerCustomer,
    'reseller.customers.insert': customers.insertResellerCustomer,
    'reseller.customers.patch': customers.patchResellerCustomer,
    'reseller.customers.update': customers.updateResellerCustomer,
    'reseller.subscriptions.list': subscriptions.listSubscriptions,
    'reseller.subscriptions.get': subscriptions.getSubscription,
    'reseller.subscriptions.insert': orders.insertSubscription,
    'reseller.subscriptions.delete': subscriptions.remove,
    'reseller.subscriptions.activate': subscriptions.handleActivate,
    'reseller.subscriptions.changePlan': subscriptions.handleChangePlan,
    'reseller.subscriptions.changeRenewalSettings': subscriptions.changeRenewalSettings,
    'reseller.subscriptions.changeSeats': subscriptions.handleChangeSeats,
    'reseller.subscriptions.startPaidService': subscriptions.handleStartPaidService,
    'reseller.subscriptions.suspend': subscriptions.handleSuspend,
    'reseller.resellernotify.getwatchdetails': notify.getWatchDetails,
    'reseller.resellernotify.register': notify.registerListener,
    'reseller.resellernotify.unregister': notify.unregister,
  },
  collections: RESELLER_SCHEMAS,
  rows: RESELLER_ROWS,
};
