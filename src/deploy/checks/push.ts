import * as z from 'zod';
import {
  askFor,
  buildJsonPost,
  type CheckName,
  describeNotReached,
  failCheck,
  leaveUnknown,
  acceptCheck,
} from './asking.ts';
import type { CheckPorts, DeploymentCheck } from './check.ts';

const name: CheckName = { id: 'push.self', title: 'A notification is acknowledged with 200, and then worked' };
const READ_LOG = 'Read the log: npx wrangler tail --config wrangler.webhook.toml';

/** How often what became of it is asked for, and how long after each other. */
const MAX_LOOKS = 30;
const LOOK_EVERY_MS = 1_000;

const probeSchema = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  address: z.url(),
  headers: z.record(z.string().regex(/^[A-Za-z-]{1,60}$/), z.string().regex(/^[\x20-\x7E]{0,200}$/)),
  body: z.string().max(1_000),
});
const stateSchema = z.object({ state: z.string() });

/** Sends a notification to the deployment, as a directory would, and waits until it is worked. */
export async function checkPush(
  webhook: string,
  token: { ok: true; token: string } | { ok: false; why: string },
  ports: CheckPorts,
): Promise<DeploymentCheck> {
  if (!token.ok) return leaveUnknown(name, `No token is given: ${token.why}`);
  const headers = { authorization: `Bearer ${token.token}` };
  const made = await askFor(ports, `${webhook}/probes`, buildJsonPost({}, headers));
  if (!made.reached) return leaveUnknown(name, describeNotReached(made));
  if (made.status === 404)
    return leaveUnknown(name, 'The webhook Worker has no probes: an older version', 'Upgrade it');
  const probe = probeSchema.safeParse(made.json);
  if (made.status !== 201 || !probe.success) return failCheck(name, `${made.url} answers ${made.status}`, READ_LOG);
  if (new URL(probe.data.address).origin !== webhook)
    return failCheck(
      name,
      `It expects notifications at ${probe.data.address}`,
      'Set WEBHOOK_URL of the webhook Worker',
    );
  return sendProbe(probe.data, { webhook, headers }, ports);
}

type At = { webhook: string; headers: Readonly<Record<string, string>> };

async function sendProbe(probe: z.infer<typeof probeSchema>, { webhook, headers }: At, ports: CheckPorts) {
  const sent = await askFor(ports, probe.address, { method: 'POST', headers: probe.headers, body: probe.body });
  if (!sent.reached) return leaveUnknown(name, describeNotReached(sent));
  if (sent.status !== 200)
    return failCheck(name, `${probe.address} answers ${sent.status}, not 200`, 'Check CHANNEL_TOKEN_KEYS');
  let state = 'not read';
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const answer = await askFor(ports, `${webhook}/probes/${probe.id}`, { headers });
    const parsed = answer.reached ? stateSchema.safeParse(answer.json) : undefined;
    state = parsed?.success === true ? parsed.data.state : 'not read';
    if (state === 'worked') return acceptCheck(name, `acknowledged, and worked after ${look} s or less`);
    if (state === 'dead') break;
    await ports.wait(LOOK_EVERY_MS);
  }
  if (state === 'not read') return leaveUnknown(name, 'It was acknowledged; what became of it could not be read');
  return failCheck(name, `It was acknowledged, and is ${state}`, READ_LOG);
}
