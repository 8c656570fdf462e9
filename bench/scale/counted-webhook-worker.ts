import * as local from '../../local/webhook-worker.ts';
import { countEntrypoint, countObject, countWorker } from './counted.ts';

/** The webhook Worker of the local stack, whose bindings count. */
export const Channels = countEntrypoint(local.Channels);
export const ConsoleDesk = countEntrypoint(local.ConsoleDesk);
export const ChannelRegistry = countObject('CHANNEL_REGISTRY', local.ChannelRegistry);
export const NotificationInbox = countObject('NOTIFICATION_INBOX', local.NotificationInbox);

export default countWorker(local.default);
