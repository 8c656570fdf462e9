/** What clients need to know of a running emulator. */
export type EmulatorFacts = {
  control: string;
  /** The fixed token of this run; with `--no-auth` any other is as good. */
  token: string;
  /** Of the first tenant. */
  project: string;
  grpcPort?: number;
  /** Of the first key file. */
  keyFile?: string;
};

/** The account of AI Search for wrangler; like any other, it belongs to the tenant that names it first. */
export const CLOUDFLARE_ACCOUNT = '0'.repeat(31).concat('1');

/**
 * Variables of the environment by which clients find the emulator, by family. Only what clients really read: the vendor's
 * REST clients have no variable for the address of Directory, Reseller, Logging or Tags; they take it in code.
 */
export function listClientVariables(facts: EmulatorFacts): Readonly<Record<string, string>> {
  const { control, token, project, grpcPort, keyFile } = facts;
  return {
    SIGHTLINE_EMULATOR: control,
    SIGHTLINE_EMULATOR_TOKEN: token,
    ...(grpcPort === undefined ? {} : { SIGHTLINE_EMULATOR_GRPC: `${new URL(control).hostname}:${grpcPort}` }),
    GOOGLE_CLOUD_PROJECT: project,
    ...(keyFile === undefined ? {} : { GOOGLE_APPLICATION_CREDENTIALS: keyFile }),
    METADATA_SERVER_DETECTION: 'none',
    STORAGE_EMULATOR_HOST: control,
    CLOUDFLARE_API_BASE_URL: `${control}/client/v4`,
    CLOUDFLARE_BASE_URL: `${control}/client/v4`,
    CLOUDFLARE_API_TOKEN: token,
    CLOUDFLARE_ACCOUNT_ID: CLOUDFLARE_ACCOUNT,
    OTEL_EXPORTER_OTLP_ENDPOINT: control,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    // The project of what names none itself.
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${token},x-goog-user-project=${project}`,
  };
}

/** Lines that a POSIX shell takes by `eval`. */
export const formatExportLines = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'\n`)
    .join('');
