/**
 * What the platform refuses, by our name: HTTP status, code, message. `source` says where the code was read; "not seen"
 * is ours, for a refusal that the documentation describes and no public transcript shows.
 */
export const REFUSALS = {
  badToken: { status: 401, code: 10_000, message: 'Authentication error', source: 'wrangler 4.155, src/cfetch' },
  noRoute: {
    status: 404,
    code: 7003,
    message: 'Could not route to {1}, perhaps your object identifier is invalid?',
    source: 'cloudflare/workers-sdk#1672',
  },
  otherAccount: {
    status: 403,
    code: 9109,
    message: 'Unauthorized to access requested resource',
    source: 'cloudflare/workers-sdk#1422',
  },
  scriptMissing: {
    status: 404,
    code: 10_007,
    message: 'This Worker does not exist on your account.',
    source: 'cloudflare/workers-sdk#2968',
  },
  serviceMissing: {
    status: 404,
    code: 10_090,
    message: 'workers.api.error.service_not_found',
    source: 'wrangler 4.155, worker-not-found-error',
  },
  noSubdomain: {
    status: 404,
    code: 10_007,
    message: 'You do not have a workers.dev subdomain.',
    source: 'wrangler 4.155, triggers/subdomain',
  },
  boundServiceMissing: {
    status: 400,
    code: 10_143,
    message:
      "Service binding '{1}' references Worker '{2}' which was not found. Verify the Worker exists in your account and that the service name in your configuration is correct.",
    source: 'benmix/opencatd_worker#15, and a build log of 2026-04',
  },
  boundEntrypointMissing: {
    status: 400,
    code: 10_144,
    message: "Could not resolve service binding '{1}'. Entrypoint '{2}' not found for target script '{3}'.",
    source:
      'not seen: 10144 is known for a missing environment. Stricter than the platform may be, so that an order that works here works there',
  },
  invalidScript: { status: 400, code: 10_021, message: '{1}', source: 'anomalyco/sst#6226' },
  bucketUnbound: {
    status: 400,
    code: 10_085,
    message: "R2 bucket '{1}' not found. Please use a different name and try again.",
    source: 'cloudflare/workers-sdk#9418',
  },
  queueUnbound: { status: 400, code: 11_002, message: "Queue '{1}' not found.", source: 'not seen' },
  inheritInvalid: {
    status: 400,
    code: 10_057,
    message: "inherit binding '{1}' is invalid as there is no previous version with this binding",
    source: 'wrangler 4.155, secrets-validation',
  },
  classUnconfigured: {
    status: 400,
    code: 10_061,
    message:
      "Cannot create binding for class '{1}' because it is not currently configured to implement Durable Objects. Did you forget to apply a new-class migration to it?",
    source: 'public transcripts of 2026',
  },
  classNotExported: {
    status: 400,
    code: 10_070,
    message: "Cannot apply new-class migration to class '{1}' that is not exported by script.",
    source: 'public transcripts of 2026',
  },
  classLost: {
    status: 400,
    code: 10_064,
    message: "New version of script does not export class '{1}' which is depended on by existing Durable Objects.",
    source: 'public transcripts of 2026',
  },
  classExists: {
    status: 400,
    code: 10_074,
    message:
      "Cannot apply new-sqlite-class migration to class '{1}' that is already depended on by existing Durable Objects",
    source: 'public transcripts of 2026',
  },
  classUnknown: {
    status: 400,
    code: 10_074,
    message: "Cannot apply {1} migration to class '{2}' which was not exported in the previous version of the script",
    source: 'public transcripts of 2026',
  },
  classBound: {
    status: 400,
    code: 10_061,
    message:
      "Cannot apply --delete-class migration to class '{1}' without also removing the binding that references it.",
    source: 'public transcripts',
  },
  migrationTag: {
    status: 412,
    code: 10_079,
    message: "Migration tag precondition failed; current tag is '{1}'",
    source: 'cloudflare/workers-sdk#6953',
  },
  migrationInVersion: {
    status: 400,
    code: 10_211,
    message:
      'Version upload failed. You attempted to upload a version of a Worker that includes a Durable Object migration, but migrations must be fully applied via a non-versioned deployment.',
    source: 'cloudflare/cloudflare-docs#32982',
  },
  oldClasses: {
    status: 400,
    code: 10_097,
    message:
      'In order to use Durable Objects with a free plan, you must create a namespace using a `new_sqlite_classes` migration.',
    source: 'sjdonado/idonthavespotify#83',
  },
  cpuLimits: {
    status: 400,
    code: 100_328,
    message:
      'CPU limits are not supported for the Free plan. Switch to a paid plan at https://dash.cloudflare.com/{1}/workers/plans to set CPU limits.',
    source: 'cloudflare/workers-sdk#8756',
  },
  rollbackMigration: {
    status: 400,
    code: 10_212,
    message: "Version '{1}' cannot be deployed: a Durable Object migration was applied after it.",
    source: 'not seen: documented in "Rollbacks"',
  },
  rollbackSecrets: {
    status: 400,
    code: 10_220,
    message: 'The following secrets have changed: {1}',
    source: 'wrangler 4.155, versions/rollback',
  },
  versionMissing: { status: 404, code: 10_222, message: "Version '{1}' was not found.", source: 'not seen' },
  latestNotDeployed: {
    status: 400,
    code: 10_215,
    message: "Secret edit failed. The latest version of your Worker isn't currently deployed.",
    source: 'wrangler 4.155, src/secret',
  },
  secretMissing: { status: 404, code: 10_056, message: 'Binding not found.', source: 'public transcripts' },
  workerConsumes: {
    status: 400,
    code: 10_064,
    message:
      "Cannot delete this Worker as it is a consumer for a Queue. Remove it from the Queue's consumers first, then retry.",
    source: 'public transcripts of 2026-10',
  },
  queueHandlerMissing: {
    status: 400,
    code: 11_001,
    message:
      'Queue handler is missing. Please see our docs for more information about creating handlers: https://developers.cloudflare.com/queues/configuration/javascript-apis/#consumer.',
    source: 'public transcripts of 2026',
  },
  queueMissing: { status: 404, code: 11_002, message: "Queue '{1}' not found.", source: 'not seen' },
  consumerExists: {
    status: 400,
    code: 11_004,
    message: 'workers.api.error.consumer_exists',
    source: 'cloudflare/workers-sdk#5347',
  },
  queueIsDeadLetter: {
    status: 400,
    code: 11_005,
    message: "Cannot delete queue '{1}' that serves as dead letter queue for consumers",
    source: 'public transcripts of 2026-10',
  },
  queueTaken: {
    status: 409,
    code: 11_009,
    message: "Queue name '{1}' is already taken. Please use a different name and try again.",
    source: 'public transcripts of 2026',
  },
  queueRetention: {
    status: 400,
    code: 11_010,
    message: 'The message retention period is longer than this plan allows: 86400 seconds.',
    source: 'not seen: described in cloudflare/workers-sdk#12460',
  },
  r2Off: {
    status: 403,
    code: 10_042,
    message: 'Please enable R2 through the Cloudflare Dashboard.',
    source: 'cloudflare/workers-sdk#1988',
  },
  bucketTaken: {
    status: 409,
    code: 10_004,
    message: 'The bucket you tried to create already exists, and you own it.',
    source: 'cloudflare/cloudflare-docs, R2 error codes',
  },
  bucketMissing: {
    status: 404,
    code: 10_006,
    message: 'The specified bucket does not exist.',
    source: 'cloudflare/cloudflare-docs, R2 error codes',
  },
  databaseTaken: {
    status: 400,
    code: 7502,
    message: "Database with name '{1}' already exists",
    source: 'public transcripts',
  },
  databaseMissing: {
    status: 404,
    code: 7404,
    message: 'The database {1} could not be found',
    source: 'public transcripts',
  },
  dnsConflict: {
    status: 409,
    code: 100_117,
    message:
      "Hostname '{1}' already has externally managed DNS records (A, CNAME, etc). Either delete them, try a different hostname, or use the option 'override_existing_dns_record' to override.",
    source: 'public transcripts',
  },
  domainTaken: {
    status: 409,
    code: 100_116,
    message: "Hostname '{1}' is already in use by another Worker.",
    source: 'not seen',
  },
  zoneMissing: {
    status: 400,
    code: 10_083,
    message: 'workers.api.error.zone_not_found for "{1}"',
    source: 'cloudflare/workers-sdk#2906',
  },
  assetToken: { status: 401, code: 10_000, message: 'The upload token is not valid.', source: 'not seen' },
  assetsIncomplete: {
    status: 400,
    code: 10_304,
    message: 'Not all assets of the manifest were uploaded.',
    source: 'not seen',
  },
  rateLimited: {
    status: 429,
    code: 971,
    message: 'Please wait and consider throttling your request speed',
    source: 'public transcripts',
  },
  internal: {
    status: 500,
    code: 10_013,
    message: 'An unknown error has occurred. If this issue persists, please contact Support',
    source: 'public transcripts',
  },
  unavailable: { status: 503, code: 10_013, message: 'Service unavailable', source: 'public transcripts' },
} as const satisfies Record<string, { status: number; code: number; message: string; source: string }>;

export type RefusalName = keyof typeof REFUSALS;

/** One call that the platform refuses, for one or several causes. */
export class RefusedCall extends Error {
  readonly status: number;
  readonly errors: readonly { readonly code: number; readonly message: string }[];

  constructor(name: RefusalName, ...causes: readonly (readonly string[])[]) {
    const { status, code, message } = REFUSALS[name];
    const fill = (words: readonly string[]): string =>
      words.reduce((text, word, i) => text.replaceAll(`{${i + 1}}`, () => word), message);
    super(`${name}: ${causes.map(fill).join('; ')}`);
    this.status = status;
    this.errors = (causes.length === 0 ? [[]] : causes).map((words) => ({ code, message: fill(words) }));
  }
}
