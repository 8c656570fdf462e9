import * as local from '../../local/api-worker.ts';
import { countEntrypoint, countObject, countWorker } from './counted.ts';

/** The api Worker of the local stack with everything in it, whose bindings count. */
export const Authorization = countEntrypoint(local.Authorization);
export const ConsoleAccess = countEntrypoint(local.ConsoleAccess);
export const Operations = countEntrypoint(local.Operations);
export const Revocation = countEntrypoint(local.Revocation);
export const McpTools = countEntrypoint(local.McpTools);
export const AuthorizationStore = countObject('AUTHORIZATION_STORE', local.AuthorizationStore);
export const CreditAccount = countObject('CREDIT_ACCOUNT', local.CreditAccount);
export const EngineMeter = countObject('ENGINE_METER', local.EngineMeter);
export const McpSession = countObject('MCP_SESSION', local.McpSession);
export const McpSessionRegistry = countObject('MCP_SESSION_REGISTRY', local.McpSessionRegistry);
export const OperationsRegister = countObject('OPERATIONS_REGISTER', local.OperationsRegister);
export const PaymentLedger = countObject('PAYMENT_LEDGER', local.PaymentLedger);
export const RateCounter = countObject('RATE_COUNTER', local.RateCounter);
export const TargetGate = countObject('TARGET_GATE', local.TargetGate);
export const VisibilityRun = countObject('VISIBILITY_RUN', local.VisibilityRun);

export default countWorker(local.default);
