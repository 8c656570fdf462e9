import type { RefusalData } from '../../../../lib/refusal.ts';

/** Numbers and, where they are fixed, words of the vendor's errors. */
export type ErrorCode = { code: number; message?: string };

/**
 * By the vendor's words that a message is, or begins with before a colon: wins over reason and status. From its list of error
 * codes ("AI Search troubleshooting"), as a public mirror of its documents has it.
 */
export const CODES_BY_WORDS: Readonly<Record<string, number>> = {
  ai_search_not_found: 7002,
  namespace_not_found: 7063,
  token_not_found: 7075,
  item_not_found: 7041,
  job_not_found: 7021,
  job_cannot_be_cancelled: 7046,
  ai_search_with_this_name_already_exist: 7022,
  namespace_already_exists: 7064,
  token_in_use_by_instances: 7076,
  max_instances_reached: 7013,
  max_namespaces_reached: 7062,
  cannot_modify_default_namespace: 7065,
  namespace_not_empty: 7066,
  instances_allowed_contains_unknown_instances: 7097,
  type_and_source_are_required_for_non_managed_instances: 7052,
  invalid_url_location: 7047,
  specific_sitemaps_only_valid_when_parse_type_is_sitemap: 7045,
  missing_user_query: 7039,
  invalid_retrieval_type: 7070,
  too_many_multi_search_instances: 7074,
  filter_or_operator_only_supports_eq_filters: 7015,
  filter_or_operator_does_not_support_different_keys: 7016,
  invalid_datetime_filter_value: 7057,
  invalid_metadata_filter: 7058,
  invalid_metadata_format: 7056,
  filename_exceeds_maximum_length: 7072,
  ai_search_is_paused: 7032,
  sync_in_cooldown: 7020,
};

/** By reason of a refusal, which wins over its status. */
export const CODES_BY_REASON: Readonly<Record<string, ErrorCode>> = {
  insufficientPermissions: { code: 9109, message: 'Unauthorized to access requested resource' },
  duplicate: { code: 7009 },
  limitExceeded: { code: 7010 },
  quotaExceeded: { code: 7010 },
  unsupported_type: { code: 7060 },
  too_large: { code: 7054 },
  engine_not_configured: { code: 7012 },
  chat_ceiling_reached: { code: 971 },
};

/**
 * By HTTP status. 7000 and 7002 are the vendor's; 7001, 971, 9109 and 10000 are its too, from memory. The others are ours,
 * in the same range.
 */
export const CODES_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: { code: 7001 },
  401: { code: 10_000, message: 'Authentication error' },
  403: { code: 9109 },
  404: { code: 7002 },
  409: { code: 7009 },
  412: { code: 7009 },
  413: { code: 7008 },
  415: { code: 7011 },
  422: { code: 7001 },
  429: { code: 971, message: 'Please wait and consider throttling your request speed' },
  500: { code: 7500, message: 'Internal server error' },
  501: { code: 7501 },
  502: { code: 7502 },
  503: { code: 7503 },
};

/** Of a status that no row has. */
export const OTHER_CODE: ErrorCode = { code: 7500 };

/** A path of no row, and a path that has no such method: numbers of their own, whatever else has their status. */
export const ROUTE_ERRORS = {
  unknownPath: { code: 7000, message: 'No route for that URI', status: 404 },
  unknownMethod: { code: 7001, message: 'Method not available for that URI', status: 405 },
} as const satisfies Record<string, { code: number; message: string; status: RefusalData['status'] }>;
