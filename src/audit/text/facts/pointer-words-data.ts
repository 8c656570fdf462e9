/**
 * Members of the documents we read, by their specifications: OpenAPI and JSON Schema, A2A, AI Catalog, Server Card, OAuth
 * metadata, x402, SKILL.md, agent skills, UCP and TDMRep. A pointer in a note shows these and leaves out a site's own keys.
 */
export const POINTER_WORDS: ReadonlySet<string> = new Set(
  `$defs $dynamicAnchor $id $ref $schema accepts additionalInterfaces additionalProperties agentInterfaces allOf amount anchor
  anyOf api asset auth authorization_endpoint authorization_servers callbacks capabilities capability
  code_challenge_methods_supported compatibility components contact contains content data default defaultInputModes
  defaultOutputModes definitions delete dependentSchemas description description_for_human description_for_model digest
  displayName else entries enum example examples extensions format get head headers host icons id identifier if in info
  inputModes inputSchema interfaces issuer items jwks_uri linkset links location maxAmountRequired maxTimeoutSeconds
  mediaType metadata mimeType name name_for_human name_for_model network not oneOf openapi operationId options
  outputModes outputSchema packages parameters patch path paths patternProperties payTo post prefixItems preferredTransport
  properties propertyNames protocolBinding protocolVersion provider publisher put query registryType remotes
  representativeQueries repository requestBodies requestBody required resource resource_metadata response responses
  response_types_supported schema schema_version schemas scheme scopes_supported security securityRequirements
  securitySchemes servers services sizes skills specVersion src summary supportedInterfaces supportedProtocolVersions
  swagger tags tdm-policy tdm-reservation then title token_endpoint trace transport type ucp unevaluatedItems
  unevaluatedProperties updatedAt url value values variables version webhooks websiteUrl x-mcp-header x402Version`.split(
    /\s+/u,
  ),
);
