import type { ApiFailure } from './api.ts';

/** Why a deployment does not go on, as data. */
export type DeployRefusal = {
  ok: false;
  /** A stable word. */
  reason: string;
  /** What happened, as one sentence. */
  message: string;
  detail?: readonly string[];
  /** What to do. */
  next: string;
  /** Nothing could be reached: says nothing about the deployment. */
  isUnreachable?: true;
};

export const refuseDeploy = (
  reason: string,
  message: string,
  next: string,
  detail: readonly string[] = [],
): DeployRefusal => ({ ok: false, reason, message, next, ...(detail.length === 0 ? {} : { detail }) });

/** What the same command does after any break: nothing that was made is made again. */
export const RUN_AGAIN = 'Run the same command again: it goes on where this run stopped.';

/** For a refusal that is not among ours: it would come again. */
const ASK_PLATFORM =
  'Look up what it says at https://developers.cloudflare.com/workers/, correct that, and run the same command again. Where it names nothing of yours, report these lines, the version of this clone and that of wrangler. Nothing that was made is lost.';

/** What an answer of the platform means, by its own code. */
const meanings: Readonly<Record<number, readonly [reason: string, means: string, next: string]>> = {
  971: ['platform_busy', 'The platform takes no more calls of this login for now.', `Wait five minutes. ${RUN_AGAIN}`],
  6003: [
    'login_refused',
    'The platform does not accept this login.',
    'Check CLOUDFLARE_API_TOKEN, or run npx wrangler login.',
  ],
  9106: [
    'login_refused',
    'The platform does not accept this login.',
    'Check CLOUDFLARE_API_TOKEN, or run npx wrangler login.',
  ],
  9109: [
    'login_refused',
    'The platform does not accept this login.',
    'Check CLOUDFLARE_API_TOKEN, or run npx wrangler login.',
  ],
  10000: [
    'permission_missing',
    'The login is not valid, or may not do this.',
    'Give the token the permissions that docs/operate/deploy.md lists, or run npx wrangler login.',
  ],
  10004: ['bucket_taken', 'The bucket exists already.', RUN_AGAIN],
  10021: [
    'code_refused',
    'The platform refuses the code of the Worker.',
    'This is a fault of this version: report it.',
  ],
  10023: [
    'queues_unavailable',
    'The account has no queues.',
    'Switch to the paid Workers plan, then run the same command again.',
  ],
  10027: [
    'code_too_large',
    'The code of the Worker is larger than the plan allows.',
    'Switch to the paid Workers plan.',
  ],
  10042: [
    'r2_off',
    'R2, which stores reports, is not switched on in this account.',
    'Open https://dash.cloudflare.com/?to=/:account/r2 and switch it on, then run the same command again.',
  ],
  10074: [
    'migration_refused',
    'The platform refuses a migration of Durable Objects.',
    'Another version runs than this clone expects: deploy from the commit that ran last, then upgrade in order.',
  ],
  10079: [
    'migration_refused',
    'The platform refuses a migration of Durable Objects.',
    'Another version runs than this clone expects: deploy from the commit that ran last, then upgrade in order.',
  ],
  10143: [
    'service_missing',
    'A binding names a Worker that does not exist.',
    `It was removed during this run, or the configuration names a Worker of your own. Deploy that first. ${RUN_AGAIN}`,
  ],
  10214: [
    'older_version_runs',
    'The newest version of the Worker is not the one that runs: someone rolled it back.',
    RUN_AGAIN,
  ],
  10215: [
    'older_version_runs',
    'The newest version of the Worker is not the one that runs: someone rolled it back.',
    RUN_AGAIN,
  ],
  11009: ['queue_taken', 'The queue exists already.', RUN_AGAIN],
  100117: [
    'domain_taken',
    'The domain has DNS records already.',
    'Remove them, or give another domain. Nothing was changed at the domain.',
  ],
  100328: ['plan_free', 'The account is on the free Workers plan.', 'Switch to the paid Workers plan.'],
};

/** An answer of the platform as a refusal. @param doing what the step was about: `list the queues` */
export function refuseByPlatform(failure: ApiFailure, doing: string): DeployRefusal {
  if (failure.kind === 'unreachable')
    return {
      ...refuseDeploy(
        'platform_unreachable',
        `Could not ${doing}: ${failure.host ?? 'the platform'} does not answer.`,
        RUN_AGAIN,
      ),
      isUnreachable: true,
    };
  const known = failure.code === undefined ? undefined : meanings[failure.code];
  const said = `${failure.call}: ${failure.message}${failure.code === undefined ? '' : ` (code ${failure.code})`}`;
  if (known !== undefined) return refuseDeploy(known[0], `Could not ${doing}. ${known[1]}`, known[2], [said]);
  if (failure.status === 401 || failure.status === 403) {
    const [reason, means, next] = meanings[10_000] ?? ['', '', ''];
    return refuseDeploy(reason, `Could not ${doing}. ${means}`, next, [said]);
  }
  if (failure.status === 429 || failure.status >= 500)
    return refuseDeploy('platform_busy', `Could not ${doing}: the platform is busy.`, `Wait a minute. ${RUN_AGAIN}`, [
      said,
    ]);
  return refuseDeploy('platform_refused', `Could not ${doing}: the platform refuses.`, ASK_PLATFORM, [said]);
}

/** What wrangler printed in red: errors of the API have a code, a lost connection has words of its own. */
const LOST = /fetch failed|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|socket hang up|connectivity issue/;
/** A status as wrangler writes it: "GET /accounts -> 503 Service Unavailable". Numbers alone are sizes and counts as well. */
const TOO_MANY = /(?:-> |\[code: )429\b|Too Many Requests/;
const BROKEN = /(?:-> |\[code: )50[0234]\b|\[code: 10013\]/;
const MAX_LINES = 12;

/** A wrangler that failed, as a refusal. */
export function refuseByWrangler(output: string, doing: string, base: string): DeployRefusal {
  const code = Number(/\[code: (\d{3,6})\]/.exec(output)?.[1] ?? 'none');
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const failure: ApiFailure = {
    ok: false,
    kind: LOST.test(output) && Number.isNaN(code) ? 'unreachable' : 'refused',
    call: 'wrangler',
    host: new URL(base).host,
    status: TOO_MANY.test(output) ? 429 : BROKEN.test(output) ? 503 : 400,
    code: Number.isNaN(code) ? undefined : code,
    message: lines.find((line) => line.includes('[code:') || line.includes('[ERROR]')) ?? 'it failed',
  };
  const refused = refuseByPlatform(failure, doing);
  if (failure.kind === 'unreachable' || (code in meanings && refused.reason !== 'platform_refused')) return refused;
  return { ...refused, detail: lines.slice(-MAX_LINES) };
}

/** Whether a wrangler that failed may succeed when it is started again. */
export const isPassingFailure = (output: string): boolean =>
  LOST.test(output) || TOO_MANY.test(output) || BROKEN.test(output) || output.includes('[code: 971]');
