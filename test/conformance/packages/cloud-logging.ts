/** The client takes only credentials of the gRPC that it was installed with. */
export { credentials } from '@grpc/grpc-js';
export { Logging } from '@google-cloud/logging';
