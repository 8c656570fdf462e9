import { BASE_SCOPE, CREDIT_SCOPE } from '../authorization/oauth/scopes.ts';
import { PRODUCT } from '../lib/product.ts';

/**
 * How an agent gets in, for agents to read. The service takes no registrations by the protocol of auth.md, and says so:
 * payments need none, and OAuth has its own.
 * @see https://workos.com/auth-md/docs/auth-md
 */
export const formatAuthMd = (baseUrl: string, networkName: string): string => `# auth.md

You are an agent that wants to use ${PRODUCT} at ${baseUrl}. API, MCP and authorization server are all at this address.
Most calls need no account: a payment is the permission. Choose the first way that you can go.

## 1. Pay for the call, without registration

POST to an address of ${baseUrl}/api/agent/index. The answer is 402 with the terms: \`PAYMENT-REQUIRED\` for x402 v2, and
\`WWW-Authenticate: Payment\` for MPP. Pay in USDC on ${networkName}, and send the same request again with the payment. Nothing is
stored about you but the paying address and the transaction. \`?dry=1\` says first what would be charged.

## 2. Show the wallet that paid

\`GET ${baseUrl}/reports\` lists the reports that a wallet bought. Without a proof it answers 401 with a challenge to sign
(sign-in-with-x); one signature opens one list, for that wallet alone.

## 3. Act for a person, by OAuth 2.1

For clients that cannot pay: a person signs in once, and your calls are paid from the person's credits.

### Discover

\`\`\`sh
curl -sS ${baseUrl}/.well-known/oauth-protected-resource/mcp-account
curl -sS ${baseUrl}/.well-known/oauth-authorization-server
\`\`\`

A 401 of ${baseUrl}/mcp-account names the first in \`WWW-Authenticate\`. Both documents decide where they differ from this text.

### Register

Send your metadata to the \`registration_endpoint\` (RFC 7591), or use the https address of your client metadata document as
\`client_id\`. No secret is given out.

### Ask for consent

Send the person to the \`authorization_endpoint\` with PKCE (S256) and \`resource=${baseUrl}/mcp-account\`.
Scopes: \`${BASE_SCOPE}\` to read and list, \`${CREDIT_SCOPE}\` to spend credits.

### Use and refresh

Send \`Authorization: Bearer <access token>\`. Tokens last an hour; the refresh token is replaced at each use.

### Errors

- 401: the token is missing, expired or revoked. Refresh it, or begin with consent.
- 403 \`insufficient_scope\`: ask for the scope that \`WWW-Authenticate\` names.
- 402: a payment is due, or the credits do not suffice.

### Revoke

Send the token to the \`revocation_endpoint\` (RFC 7009). People end an agent's access at ${baseUrl}/account/access.

## What is not offered

There is no \`agent_auth\` in the metadata: no identity assertions (ID-JAG), no claim by code, and no API keys for agents.
`;
