/** A service and the proto file that has it. `bindings`: HTTP paths that the vendor's service configuration has instead of the proto's. */
export type GrpcService = {
  name: string;
  file: string;
  bindings?: Readonly<Record<string, HttpRule>>;
};

/** google.api.HttpRule as far as these services use it. */
export type HttpRule = {
  get?: string | undefined;
  put?: string | undefined;
  post?: string | undefined;
  delete?: string | undefined;
  patch?: string | undefined;
  body?: string | undefined;
  additional_bindings?: HttpRule[] | HttpRule | undefined;
};

/** Services of which at least one method has a row; a method without one is unimplemented. */
export const GRPC_SERVICES: readonly GrpcService[] = [
  { name: 'google.logging.v2.LoggingServiceV2', file: 'google/logging/v2/logging.proto' },
  { name: 'google.logging.v2.ConfigServiceV2', file: 'google/logging/v2/logging_config.proto' },
  { name: 'google.logging.v2.MetricsServiceV2', file: 'google/logging/v2/logging_metrics.proto' },
  { name: 'google.devtools.cloudtrace.v2.TraceService', file: 'google/devtools/cloudtrace/v2/tracing.proto' },
  { name: 'google.devtools.cloudtrace.v1.TraceService', file: 'google/devtools/cloudtrace/v1/trace.proto' },
  { name: 'google.api.cloudquotas.v1.CloudQuotas', file: 'google/api/cloudquotas/v1/cloudquotas.proto' },
  {
    name: 'google.api.cloudquotas.v1.QuotaAdjusterSettingsManager',
    file: 'google/api/cloudquotas/v1/quota_adjuster_settings.proto',
  },
  { name: 'google.api.cloudquotas.v1beta.CloudQuotas', file: 'google/api/cloudquotas/v1beta/cloudquotas.proto' },
  {
    name: 'google.api.cloudquotas.v1beta.QuotaAdjusterSettingsManager',
    file: 'google/api/cloudquotas/v1beta/quota_adjuster_settings.proto',
  },
  {
    // Operations of logging: buckets that change, and copies.
    name: 'google.longrunning.Operations',
    file: 'google/longrunning/operations.proto',
    bindings: {
      GetOperation: { get: '/v2/{name=*/*/locations/*/operations/*}' },
      ListOperations: { get: '/v2/{name=*/*/locations/*}/operations' },
      CancelOperation: { post: '/v2/{name=*/*/locations/*/operations/*}:cancel', body: '*' },
    },
  },
  {
    name: 'google.cloud.location.Locations',
    file: 'google/cloud/location/locations.proto',
    bindings: {
      GetLocation: { get: '/v2/{name=*/*/locations/*}' },
      ListLocations: { get: '/v2/{name=*/*}/locations' },
    },
  },
];

/** Files of messages that travel in a google.protobuf.Any: payloads of audit logs, and details of errors. */
export const GRPC_ANY_FILES: readonly string[] = [
  'google/appengine/logging/v1/request_log.proto',
  'google/cloud/audit/audit_log.proto',
  'google/iam/v1/logging/audit_data.proto',
  'google/rpc/error_details.proto',
];
