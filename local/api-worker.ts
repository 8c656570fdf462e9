import { AuthorizationStore as Store } from '../durable-objects/authorization-store.ts';
import { CardLedger as DeployedCardLedger } from '../durable-objects/card-ledger.ts';
import { createApp } from '../routes/api/app.ts';
import { defineMcpToolsEntrypoint } from '../routes/api/bindings/mcp-tools-entrypoint.ts';
import { runMonitorsCron } from '../routes/api/bindings/monitors-queue.ts';
import { createQueueConsumer } from '../routes/api/bindings/queues.ts';
import { allowLoopbackExcept } from '../src/net/address-policy.ts';
import { localAnswers } from '../src/models/registry-local.ts';
import type { StripeAccount, StripePort } from '../src/payment/cards/stripe-port.ts';
import { passkeyJudge } from '../src/authorization/people/passkey-judge.ts';
import { createCardService } from '../src/payment/cards/card-service.ts';
import { classifyAnswer } from '../src/visibility/refusals/refusals.ts';
import { renderGallery } from '../src/web/design/gallery/page.tsx';
import { answerDemoBuyer, DEMO_BUYER_PATH, findDemoBuyer } from './demo-buyer.ts';
import { explainRefusals } from './outbound/explained-fetch.ts';
import { redirectToName } from './own-name.ts';
import { parseOwnPorts } from './own-ports.ts';

export { Authorization } from '../routes/api/bindings/authorization-entrypoint.ts';
export { ConsoleAccess } from '../routes/api/bindings/authorization-entrypoint.ts';
export { AgentTaskShard } from '../durable-objects/agent-task-shard.ts';
export { CreditAccount } from '../durable-objects/credit-account.ts';
export { EngineMeter } from '../durable-objects/engine-meter.ts';
export { HostRecord } from '../durable-objects/host-record.ts';
export { McpSession } from '../durable-objects/mcp-session.ts';
export { McpSessionRegistry } from '../durable-objects/mcp-session-registry.ts';
export { MonitorShard } from '../durable-objects/monitor-shard.ts';
export { Operations } from '../routes/api/bindings/operations-entrypoint.ts';
export { OperationsRegister } from '../durable-objects/operations-register.ts';
export { PaymentLedger } from '../durable-objects/payment-ledger.ts';
export { RateCounter } from '../durable-objects/rate-counter.ts';
export { Revocation } from '../routes/api/bindings/authorization-entrypoint.ts';
export { TargetGate } from '../durable-objects/target-gate.ts';
export { VisibilityRun } from '../durable-objects/visibility-run.ts';

explainRefusals();

/** Where the stand-in of Stripe is, which the stack names: no setting of a deployment does. */
const readStripeAddress = ({ LOCAL_STRIPE_API: url }: Record<string, unknown>): string | undefined =>
  typeof url === 'string' ? url : undefined;
/** The mails that the stack's Workers sent, which went nowhere. */
const MAILS_PATH = '/local/mails';

/** The api Worker of the local stack: the same app, which may read loopback and measure by engines that are no AI. */
const options = {
  policy: (env: Record<string, unknown>) => allowLoopbackExcept(parseOwnPorts(env['LOCAL_BLOCKED_PORTS'])),
  local: true,
  engines: localAnswers,
  classify: classifyAnswer,
  passkeyJudge,
  judgeCardEvent: createCardService(fetch).judgeCardEvent,
  demoBuyer: findDemoBuyer,
  cardPage: (env: Record<string, unknown>) => readStripeAddress(env),
  mailsPage: MAILS_PATH,
  renderDesign: renderGallery,
};

const app = createApp(options);

/** What shows them; undefined where the Worker runs without the stack. */
function findMails(env: Record<string, unknown>): Fetcher | undefined {
  return env['LOCAL_MAILS'] as Fetcher | undefined; // Bound by the stack alone.
}

/** The demo buyer answers before the app, which knows nothing of it: entries that are deployed cannot have it (rule F3). */
const fetchLocally: typeof app.fetch = (request, env, context) => {
  const named = redirectToName(request, { ...env }['BASE_URL']);
  if (named instanceof Response) return named;
  const path = URL.parse(named.url)?.pathname;
  if (path === DEMO_BUYER_PATH) return answerDemoBuyer(named, { ...env });
  const mails = path === MAILS_PATH ? findMails({ ...env }) : undefined;
  return mails === undefined ? app.fetch(named, env, context) : mails.fetch(named.url);
};

/** For the session objects of this Worker. */
export const McpTools = defineMcpToolsEntrypoint(options);

export default { fetch: fetchLocally, queue: createQueueConsumer(options), scheduled: runMonitorsCron };

/**
 * The store of the local stack also takes assertions that a vendor's library made out to its vendor: some name that
 * URL whatever the key file says. Elsewhere such an assertion could be one stolen from the vendor (rule A2).
 */
export class AuthorizationStore extends Store {
  protected override get otherAudiences(): readonly string[] {
    return ['https://oauth2.googleapis.com/token'];
  }
}

/** The purchases by card of the local stack, which speaks to its stand-in of Stripe. */
export class CardLedger extends DeployedCardLedger {
  protected override get localApiUrl(): string | undefined {
    return readStripeAddress({ ...this.env });
  }

  protected override async openStripe(account: StripeAccount): Promise<StripePort> {
    const { openStripe } = await import('../src/payment/cards/stripe-client.ts');
    return openStripe({ ...account, apiUrl: this.localApiUrl, fetch: (input, init) => fetch(input, init) });
  }
}
