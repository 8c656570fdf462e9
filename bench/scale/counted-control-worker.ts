import * as local from '../../local/control-worker.ts';
import { countEntrypoint, countObject, countWorker } from './counted.ts';

/** The control Worker of the local stack, whose bindings count. */
export const Telemetry = countEntrypoint(local.Telemetry);
export const Quotas = countEntrypoint(local.Quotas);
export const EngineMeter = countObject('ENGINE_METER', local.EngineMeter);
export const EntryStore = countObject('ENTRY_STORE', local.EntryStore);
export const RateCounter = countObject('RATE_COUNTER', local.RateCounter);
export const ResourceStore = countObject('RESOURCE_STORE', local.ResourceStore);
export const SearchInstance = countObject('SEARCH_INSTANCE', local.SearchInstance);
export const TargetGate = countObject('TARGET_GATE', local.TargetGate);
export const TenantRegistry = countObject('TENANT_REGISTRY', local.TenantRegistry);

export default countWorker(local.default);
