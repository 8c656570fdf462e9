import { handlersOf } from '../../../core/engine/collection.ts';
import type { Handlers } from '../../../core/engine/operation.ts';
import { buildingHandlers } from './buildings.ts';
import * as calendarList from './calendar-list.ts';
import { calendarHandlers } from './calendars.ts';
import * as chromeActions from '../devices/chrome-actions.ts';
import * as chromeCommands from '../devices/chrome-commands.ts';
import * as chromeList from '../devices/chrome-list.ts';
import { chromeDevices } from '../devices/chrome-rows.ts';
import { featureHandlers } from './features.ts';
import * as mobile from '../devices/mobile-devices.ts';

/** Rooms and devices. */
export const handlers: Handlers = {
  ...buildingHandlers,
  ...featureHandlers,
  ...calendarHandlers,
  'directory.resources.calendars.list': calendarList.list,
  ...handlersOf(chromeDevices, {
    get: 'directory.chromeosdevices.get',
    patch: 'directory.chromeosdevices.patch',
    update: 'directory.chromeosdevices.update',
  }),
  'directory.chromeosdevices.list': chromeList.list,
  'directory.chromeosdevices.action': chromeActions.act,
  'directory.chromeosdevices.moveDevicesToOu': chromeActions.moveDevicesToOu,
  'admin.customer.devices.chromeos.batchChangeStatus': chromeActions.batchChangeStatus,
  'admin.customer.devices.chromeos.countChromeOsDevices': chromeList.count,
  'admin.customer.devices.chromeos.issueCommand': chromeCommands.issue,
  'admin.customer.devices.chromeos.commands.get': chromeCommands.get,
  ...handlersOf(mobile.mobileDevices, {
    get: 'directory.mobiledevices.get',
    delete: 'directory.mobiledevices.delete',
  }),
  'directory.mobiledevices.list': mobile.list,
  'directory.mobiledevices.action': mobile.act,
};
