/** `unknown`: it could not be checked, which says nothing about the deployment and is never a failure. */
export const CHECK_STATUSES = ['pass', 'warn', 'fail', 'unknown'] as const;
export type DeploymentStatus = (typeof CHECK_STATUSES)[number];

/** What a check found: on the wire of `sightline doctor --json`. */
export type DeploymentCheck = {
  /** `<group>.<what>`, stable. */
  id: string;
  /** What holds where it passes. */
  title: string;
  status: DeploymentStatus;
  /** What was found, as one sentence. */
  detail: string;
  /** What to do, where something is to be done. */
  next?: string;
};

export const workerNames = ['api', 'control', 'webhook'] as const;
export type WorkerName = (typeof workerNames)[number];

/** Origins of the Workers of a deployment. Those left out are discovered, or not there. */
export type WorkerAddresses = { api: string; control?: string | undefined; webhook?: string | undefined };

/** What the deployment should be, where the caller knows. What is left out is not compared. */
export type ExpectedDeployment = {
  /** CAIP-2: `eip155:8453`. */
  network?: string | undefined;
  payTo?: string | undefined;
  /** Settings that this run left as they were: what the deployment has of them may be right, and not what is expected. */
  kept?: ReadonlySet<string> | undefined;
  /** Version of the service. */
  version?: string | undefined;
};

export type CertificateFacts = {
  /** Unix milliseconds. */
  validFromMs: number;
  validToMs: number;
  /** Whether it is for the host that was asked. */
  matchesHost: boolean;
  /** Why the chain is not trusted here: OpenSSL's code, such as `CERT_HAS_EXPIRED`. */
  untrusted?: string | undefined;
  issuer: string;
};

/** A purchase that was tried with real money of a test network. */
export type TriedPurchase = { ok: true; detail: string } | { ok: false; isUnknown: boolean; detail: string };

/** What the checks work with. */
export type CheckPorts = {
  /** Sends a request: follows no redirect, and rejects where nothing answers in time. */
  ask: (url: string, init?: RequestInit) => Promise<Response>;
  /** Reads the certificate of an https origin, trusted or not. Rejects where nothing answers. */
  readCertificate: (origin: string) => Promise<CertificateFacts>;
  /** Unix milliseconds. */
  now: () => number;
  wait: (ms: number) => Promise<void>;
  /** `OPERATOR_SECRET`, or the secret of a named operator; without it what only an operator may see is `unknown`. */
  operatorSecret?: string | undefined;
  /** Whether it may have been replaced since it was written down: then a refusal says nothing of the deployment. */
  isSecretKept?: boolean | undefined;
  /** Buys one result; only of the smoke test, and only on a test network. */
  buy?: (() => Promise<TriedPurchase>) | undefined;
  /** Hears of each result as it comes. */
  onResult?: ((result: DeploymentCheck) => void) | undefined;
};

export type CheckOrder = { addresses: WorkerAddresses; expected?: ExpectedDeployment | undefined };

/** `fail`: a check fails. `unknown`: none fails, and the api Worker could not be reached at all. */
export type CheckReport = {
  status: 'pass' | 'fail' | 'unknown';
  /** ISO 8601. */
  checked_at: string;
  addresses: WorkerAddresses;
  counts: Readonly<Record<DeploymentStatus, number>>;
  results: readonly DeploymentCheck[];
};
