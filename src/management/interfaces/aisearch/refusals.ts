import { type Refusal, type RefusalData, vendorRefusals } from '../../../lib/refusal.ts';
import { howToConfigureChats } from '../../../models/port.ts';
import type { Unreadable } from '../../../search/ingest/text-of.ts';
import { requestRefusals } from '../../core/conventions/errors.ts';

/** The vendor's words for what is not there; another's is not there either (rule K1). */
export const refuseMissingNamespace = (): Refusal => vendorRefusals.missing('namespace_not_found');
export const refuseMissingInstance = (): Refusal => vendorRefusals.missing('ai_search_not_found');
export const refuseMissingToken = (): Refusal => vendorRefusals.missing('token_not_found');

export const refuseUnknownInstances = (): Refusal =>
  vendorRefusals.invalid('instances_allowed_contains_unknown_instances');
export const refuseDefaultNamespace = (): Refusal => vendorRefusals.invalid('cannot_modify_default_namespace');
export const refuseTakenName = (): Refusal => vendorRefusals.duplicate('namespace_already_exists');
/** Of an instance it is 400, as the vendor documents it. */
export const refuseTakenId = (): Refusal => vendorRefusals.invalid('ai_search_with_this_name_already_exist');
export const refuseTokenInUse = (): Refusal => vendorRefusals.aborted('token_in_use_by_instances');
export const refuseMissingQuery = (): Refusal => vendorRefusals.invalid('missing_user_query');

/** 503 of a chat where no engine answers: `detail` says what is missing for one. */
export const refuseUnconfiguredEngine = (detail: string): RefusalData => ({
  status: 503,
  word: 'UNAVAILABLE',
  reason: 'engine_not_configured',
  message: `No answer engine is configured: ${detail}. ${howToConfigureChats}`,
});

/** 429 of a chat, where those of the tenant have cost too much within the hour. */
export const refuseChatCeiling = (retryAfterS: number): RefusalData => ({
  ...requestRefusals.rateLimited(retryAfterS),
  reason: 'chat_ceiling_reached',
  message: 'Chats of this tenant have reached what they may cost within an hour: come again later',
});

const FILE_STATUS: Readonly<Record<Unreadable, number>> = {
  unsupported_type: 400,
  too_large: 413,
  took_too_long: 400,
  not_utf8: 400,
  unreadable: 400,
  empty: 400,
};

/** A file that has no text that can be indexed. */
export const refuseUnreadableFile = (reason: Unreadable, message: string): RefusalData => ({
  status: FILE_STATUS[reason],
  word: 'INVALID_ARGUMENT',
  reason,
  message,
});
