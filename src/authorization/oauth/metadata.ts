import { CLIENT_ASSERTION_ALGORITHMS } from '../service-accounts/client-assertion.ts';
import { MACHINE_GRANTS } from './grant-types.ts';
import { PATHS } from './resources.ts';
import { serviceScopes } from './scopes.ts';

/** The metadata document of the authorization server (RFC 8414, section 2). */
export function authorizationServerMetadata(issuer: string, resources: readonly string[]) {
  return {
    issuer,
    authorization_endpoint: `${issuer}${PATHS.authorize}`,
    token_endpoint: `${issuer}${PATHS.token}`,
    protected_resources: [...resources],
    registration_endpoint: `${issuer}${PATHS.register}`,
    scopes_supported: Object.keys(serviceScopes),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', ...MACHINE_GRANTS],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: [...CLIENT_ASSERTION_ALGORITHMS],
    revocation_endpoint: `${issuer}${PATHS.token}`,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}
