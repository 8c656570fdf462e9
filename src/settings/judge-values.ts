import { keccak_256 } from '@noble/hashes/sha3';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import type * as z from 'zod';
import { isUsableSecret } from '../authorization/operators/secret.ts';
import { parseJson } from '../lib/json.ts';
import { findNetworkRowFaults } from '../payment/terms/network-rows.ts';
import { findUnsafeAddresses } from '../lib/settings-reader.ts';
import { isTenantId } from '../management/core/tenants.ts';
import { findUnsafeEngineUrls } from '../models/core/api-endpoint.ts';
import { deployedKinds, findPanelFaults } from '../models/panel-faults.ts';
import { webhookSettingsSchema } from '../notifications/core/settings.ts';
import { isWellKnownTestAccount, ZERO_ADDRESS } from '../payment/terms/constants.ts';
import { apiWorkerSettingsSchema } from '../sales/settings.ts';
import { controlSettingsSchema } from './control-settings.ts';
import { frontSettingsSchema } from './front-settings.ts';

const schemas: readonly z.ZodObject[] = [
  apiWorkerSettingsSchema,
  controlSettingsSchema,
  webhookSettingsSchema,
  frontSettingsSchema,
];

/**
 * What is wrong with the values of settings for a deployment, a sentence each. A Worker whose settings do not parse answers
 * 500 on every path, so they are parsed by its own schemas before it gets one. No sentence has a value in it.
 */
export function judgeSettingValues(values: ReadonlyMap<string, string>, nowMs: number): readonly string[] {
  return [...values].flatMap(([name, value]) => {
    const fault = findFormFault(name, value) ?? findMeaningFault(name, value, nowMs);
    return fault === undefined ? [] : [`${name}: ${fault}`];
  });
}

function findFormFault(name: string, value: string): string | undefined {
  for (const schema of schemas) {
    const field = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    const read = field?.safeParse(value);
    if (read?.success === false) return describeIssue(read.error.issues[0]);
  }
  return undefined;
}

/** Our own words: those of a library may quote what was given. */
function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  switch (issue?.code) {
    case 'invalid_union':
      // The empty value is taken first, and the form of any other last.
      return describeIssue(issue.errors.at(-1)?.[0]);
    case 'invalid_format':
      return issue.format === 'url' ? 'it is no http or https address' : 'it does not have its form';
    case 'invalid_value':
      return `it is none of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `it is below ${issue.minimum}${issue.origin === 'string' ? ' characters' : ''}`;
    case 'too_big':
      return `it is above ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`;
    case 'invalid_type':
      return issue.expected === 'string' ? 'it does not have its form' : `it is no ${issue.expected}`;
    case 'custom':
      return `it is not what is read: ${issue.message}`;
    default:
      return 'it does not have its form';
  }
}

type Judge = (value: string, nowMs: number) => string | undefined;

const requireHttps: Judge = (value) => findUnsafeAddresses({ value })[0]?.detail.replace(/^It/, 'it');

const judgeEngineUrl: Judge = (value) => findUnsafeEngineUrls({ value })[0]?.detail.replace(/^It/, 'it');

const buildKindJudge =
  (engines: readonly string[]): Judge =>
  (value) =>
    engines.includes(value) ? undefined : `it is no engine of a deployment, which are ${engines.join(', ')}`;
/** What makes vectors. */
const EMBEDDERS = ['none', 'openai-compatible', 'workers-ai'];

/** What a schema takes, and a deployment cannot work with. */
const meanings: Readonly<Record<string, Judge>> = {
  PAY_TO: judgePayee,
  RPC_URL: requireHttps,
  FACILITATOR_URL: requireHttps,
  PAYMENT_NETWORKS: (value) => findNetworkRowFaults(value)[0],
  ANSWER_ENGINE: buildKindJudge(['none', ...deployedKinds]),
  ANSWER_ENGINES: (value) => findPanelFaults(value)[0],
  ANSWER_ENGINE_URL: judgeEngineUrl,
  EMBEDDING_ENGINE: buildKindJudge(EMBEDDERS),
  EMBEDDING_ENGINE_URL: judgeEngineUrl,
  BASE_URL: requireHttps,
  CONTROL_URL: requireHttps,
  WEBHOOK_URL: requireHttps,
  DIRECTORY_URL: requireHttps,
  OTEL_EXPORTER_OTLP_ENDPOINT: requireHttps,
  OPERATOR_SECRET: (value) =>
    isUsableSecret(value) ? undefined : 'it is no secret of an operator: 43 characters or more of A-Z a-z 0-9 _ -',
  OPERATOR_TENANT: (value) =>
    isTenantId(value) ? undefined : 'it is no id: a capital C, then up to 31 lower-case letters and digits',
  PAYMENTS_SINCE: (value, nowMs) =>
    Number(value) * 1000 > nowMs ? 'it is in the future, so transfers of today would be refused' : undefined,
  DIRECTORY_KEY: (value) => (parseJson(value) === undefined ? 'it is no JSON' : undefined),
};

const findMeaningFault = (name: string, value: string, nowMs: number): string | undefined =>
  Object.hasOwn(meanings, name) ? meanings[name]?.(value, nowMs) : undefined;

function judgePayee(address: string): string | undefined {
  if (address.toLowerCase() === ZERO_ADDRESS) return 'no one holds its key: money sent there is lost';
  if (isWellKnownTestAccount(address)) return 'everyone holds its key: it is a test account';
  const digits = address.slice(2);
  // Letters of one case carry no checksum (EIP-55).
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase() || digits === addChecksum(digits))
    return undefined;
  return 'its checksum is wrong (EIP-55): a character was mistyped';
}

function addChecksum(digits: string): string {
  const lower = digits.toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(lower)));
  return Array.from(lower, (digit, at) =>
    Number.parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit,
  ).join('');
}
