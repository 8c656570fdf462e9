import { defineCollectionHandlers } from '../../../core/engine/collection.ts';
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
  'directory.resources.calendars.list': calendarList.listCalendarResources,
  ...defineCollectionHandlers(chromeDevices, {
    get: 'directory.chromeosdevices.get',
    patch: 'directory.chromeosdevices.patch',
    update: 'directory.chromeosdevices.update',
  }),
  'directory.chromeosdevices.list': chromeList.listChromeDevices,
  'directory.chromeosdevices.action': chromeActions.handleChromeAction,
  'directory.chromeosdevices.moveDevicesToOu': chromeActions.moveDevicesToOu,
  'admin.customer.devices.chromeos.batchChangeStatus': chromeActions.changeChromeStatuses,
  'admin.customer.devices.chromeos.countChromeOsDevices': chromeList.countChromeDevices,
  'admin.customer.devices.chromeos.issueCommand': chromeCommands.issue,
  'admin.customer.devices.chromeos.commands.get': chromeCommands.getChromeCommand,
  ...defineCollectionHandlers(mobile.mobileDevices, {
    get: 'directory.mobiledevices.get',
    delete: 'directory.mobiledevices.delete',
  }),
  'directory.mobiledevices.list': mobile.listMobileDevices,
  'directory.mobiledevices.action': mobile.handleMobileAction,
};
