import type * as z from 'zod';
import {
  askFor,
  buildJsonPost,
  type CheckName,
  describeNotReached,
  failCheck,
  leaveUnknown,
  acceptCheck,
} from './asking.ts';
import { BASE_SEPOLIA } from '../../payment/terms/networks-data.ts';
import type { CheckOrder, CheckPorts, DeploymentCheck, WorkerName } from './check.ts';
import {
  type ApiCheckup,
  apiCheckupSchema,
  type ControlCheckup,
  controlCheckupSchema,
  judgeBindings,
  judgeChannels,
  judgeDeadPrompts,
  judgeFacilitator,
  judgeInboxes,
  judgeQueues,
  judgeSettings,
  type WebhookCheckup,
  webhookCheckupSchema,
} from './checkups.ts';
import {
  askAsOperator,
  createCheckClient,
  type NotGiven,
  type OperatorSession,
  removeCheckClient,
  requestCheckToken,
  signInOperator,
  type SignInAttempt,
  signOutOperator,
} from './operator-session.ts';
import { checkPush } from './push.ts';

const names = {
  signIn: { id: 'operator.sign_in', title: 'An operator can sign in' },
  token: { id: 'operator.token', title: 'A token of the operator is given, and taken' },
} as const satisfies Readonly<Record<string, CheckName>>;

/** What the Workers say of themselves to their operator. */
export type Checkups = { api?: ApiCheckup; control?: ControlCheckup; webhook?: WebhookCheckup };
export type OperatorChecks = { results: readonly DeploymentCheck[]; checkups: Checkups };

const WITH_SECRET = 'Set SIGHTLINE_OPERATOR_SECRET';

/** Everything that needs an operator. What it makes for this, a session and a client, it removes again. */
export async function checkAsOperator(order: CheckOrder, ports: CheckPorts): Promise<OperatorChecks> {
  const secret = ports.operatorSecret;
  if (secret === undefined)
    return { results: [leaveUnknown(names.signIn, 'No secret of an operator is given', WITH_SECRET)], checkups: {} };
  const signedIn = await signInOperator(order.addresses.api, secret, ports);
  if (!signedIn.ok) return { results: [refuseSignIn(signedIn, ports)], checkups: {} };
  const { session } = signedIn;
  try {
    return await checkSignedIn(order, session, ports);
  } finally {
    await signOutOperator(session, ports);
  }
}

function refuseSignIn(
  { reason, detail }: SignInAttempt & { ok: false },
  { isSecretKept }: CheckPorts,
): DeploymentCheck {
  const name = names.signIn;
  if (reason === 'no_operators') return failCheck(name, `${detail}: there is no operator`, 'Set OPERATOR_SECRET');
  if (reason === 'wrong_secret' && isSecretKept === true)
    return leaveUnknown(
      name,
      `${detail}: the secret was replaced since it was written down`,
      'Set SIGHTLINE_OPERATOR_SECRET to the one in use, and correct or delete the file that has the old one',
    );
  if (reason === 'wrong_secret')
    return failCheck(name, `${detail}: the secret is not that of an operator`, 'Check SIGHTLINE_OPERATOR_SECRET');
  if (reason === 'too_many_attempts') return leaveUnknown(name, detail, 'Wait an hour: wrong secrets were tried');
  return reason === 'unreadable'
    ? failCheck(name, `${detail} without a session`, 'Read the log: npx wrangler tail')
    : leaveUnknown(name, `The api Worker could not be reached (${detail})`);
}

async function checkSignedIn(order: CheckOrder, session: OperatorSession, ports: CheckPorts): Promise<OperatorChecks> {
  const { api, control, webhook } = order.addresses;
  const results: DeploymentCheck[] = [acceptCheck(names.signIn, 'by its secret')];
  const own = await readCheckup('api', apiCheckupSchema, () => askAsOperator(session, '/operator/checkup', ports));
  const checkups: Checkups = own.ok ? { api: own.checkup } : {};
  const isTestNetwork = own.ok && own.checkup.network === BASE_SEPOLIA.id;
  const nowMs = ports.now();
  if (own.ok)
    results.push(
      ...judgeSettings('api', own.checkup.settings, { isTestNetwork }),
      ...judgeQueues('api', own.checkup.queues, nowMs),
      judgeDeadPrompts(own.checkup, nowMs),
      judgeFacilitator(own.checkup),
    );
  else results.push(own.result);
  const resources = [`${api}/mcp-account`, ...[control, webhook].filter((origin) => origin !== undefined)];
  const made = await createCheckClient(session, resources, ports);
  if (!made.ok) return { results: [...results, judgeNotGiven(names.token, 'No client was made', made)], checkups };
  const { client } = made;
  try {
    const tokens: Tokens = async (resource) => requestCheckToken(api, client, resource, ports);
    results.push(await checkToken(api, tokens, ports));
    if (control !== undefined) {
      const asked = await askWithToken('control', control, controlCheckupSchema, { tokens, ports });
      if (asked.ok) {
        checkups.control = asked.checkup;
        results.push(
          ...judgeSettings('control', asked.checkup.settings, { isTestNetwork }),
          ...judgeQueues('control', asked.checkup.queues, nowMs),
          ...judgeBindings(asked.checkup, { hasWebhook: webhook !== undefined }),
        );
      } else results.push(asked.result);
    }
    if (webhook !== undefined) {
      const asked = await askWithToken('webhook', webhook, webhookCheckupSchema, { tokens, ports });
      if (asked.ok) {
        checkups.webhook = asked.checkup;
        results.push(
          ...judgeSettings('webhook', asked.checkup.settings, { isTestNetwork }),
          ...judgeChannels(asked.checkup, nowMs),
          ...judgeInboxes(asked.checkup),
        );
      } else results.push(asked.result);
      results.push(await checkPush(webhook, await tokens(webhook), ports));
    }
  } finally {
    await removeCheckClient(session, client.id, ports);
  }
  return { results, checkups };
}

const READ_LOG = 'Read the log: npx wrangler tail';

type Tokens = (resource: string) => Promise<{ ok: true; token: string } | NotGiven>;

const judgeNotGiven = (name: CheckName, what: string, { isUnknown, why }: NotGiven): DeploymentCheck =>
  isUnknown ? leaveUnknown(name, `${what}: no answer (${why})`) : failCheck(name, `${what}: ${why}`, READ_LOG);

/** A token is given, and the protected MCP endpoint takes it. */
async function checkToken(api: string, tokens: Tokens, ports: CheckPorts): Promise<DeploymentCheck> {
  const token = await tokens(`${api}/mcp-account`);
  if (!token.ok) return judgeNotGiven(names.token, 'None is given', token);
  const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const headers = { authorization: `Bearer ${token.token}` };
  const answer = await askFor(ports, `${api}/mcp-account`, buildJsonPost(body, headers));
  if (!answer.reached) return leaveUnknown(names.token, describeNotReached(answer));
  // 400 is the answer to a call outside of a session: the token was judged before.
  if (answer.status === 401 || answer.status === 403 || answer.status >= 500)
    return failCheck(names.token, `${answer.url} answers ${answer.status} to a new token`, READ_LOG);
  return acceptCheck(names.token, 'by client credentials, for the MCP endpoint of accounts');
}

type ReadCheckup<Schema extends z.ZodType> =
  | { ok: true; checkup: z.output<Schema> }
  | { ok: false; result: DeploymentCheck };

async function readCheckup<Schema extends z.ZodType>(
  worker: WorkerName,
  schema: Schema,
  ask: () => ReturnType<typeof askFor>,
): Promise<ReadCheckup<Schema>> {
  const name: CheckName = { id: `checkup.${worker}`, title: `The ${worker} Worker says how it is to its operator` };
  const answer = await ask();
  if (!answer.reached) return { ok: false, result: leaveUnknown(name, describeNotReached(answer)) };
  const parsed = schema.safeParse(answer.json);
  if (answer.status === 200 && parsed.success) return { ok: true, checkup: parsed.data };
  if (answer.status === 404)
    return { ok: false, result: leaveUnknown(name, `${answer.url} answers 404: an older version`, 'Upgrade it') };
  return { ok: false, result: failCheck(name, `${answer.url} answers ${answer.status}`, READ_LOG) };
}

async function askWithToken<Schema extends z.ZodType>(
  worker: WorkerName,
  origin: string,
  schema: Schema,
  { tokens, ports }: { tokens: Tokens; ports: CheckPorts },
): Promise<ReadCheckup<Schema>> {
  const token = await tokens(origin);
  if (!token.ok) {
    const name: CheckName = { id: `checkup.${worker}`, title: `The ${worker} Worker says how it is to its operator` };
    return { ok: false, result: judgeNotGiven(name, `No token is given for ${origin}`, token) };
  }
  const headers = { authorization: `Bearer ${token.token}` };
  return readCheckup(worker, schema, () => askFor(ports, `${origin}/checkup`, { headers }));
}
