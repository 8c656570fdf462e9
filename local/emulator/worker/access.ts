import { DurableObject } from 'cloudflare:workers';
import { generateRandomHex } from '../../../src/lib/digest.ts';
import { JWT_BEARER, PATHS } from '../../../src/authorization/oauth/resources.ts';
import { createSqlRows } from '../../../src/authorization/oauth/rows.ts';
import {
  buildOAuthError,
  readTokenForm,
  type TokenRequest,
  type WireAnswer,
} from '../../../src/authorization/oauth/store-protocol.ts';
import type { ValidToken } from '../../../src/authorization/oauth/tokens.ts';
import { createMachineGrants, type Machine } from '../../../src/authorization/service-accounts/machine.ts';
import type { KeyFile } from '../../../src/authorization/service-accounts/shapes.ts';

const KEY_DAYS = 365;
/** Some vendor libraries sign for this address whatever the key file says. */
const VENDOR_TOKEN_URL = 'https://oauth2.googleapis.com/token';

export type EmulatorAccount = {
  tenant: string;
  project: string;
  name: string;
  scopes: readonly string[];
  /** Users that it may act for: `subject` of the vendors' libraries. */
  actsFor: readonly string[];
};

/** Own origin, which issues the tokens. */
type AccessEnv = { CONTROL_URL: string };

/** Service accounts of a seed and their tokens, by the code of the authorization server (rule A2). Lives as long as the emulator. */
export class EmulatorAccess extends DurableObject<AccessEnv> {
  readonly #machine: Machine;

  constructor(ctx: DurableObjectState, env: AccessEnv) {
    super(ctx, env);
    const now = (): number => Date.now();
    const tools = { rows: createSqlRows(ctx.storage.sql, now), now, random: generateRandomHex };
    this.#machine = createMachineGrants(tools, {
      issuer: env.CONTROL_URL,
      tokenEndpoint: `${env.CONTROL_URL}${PATHS.token}`,
      resources: [env.CONTROL_URL],
      control: env.CONTROL_URL,
      otherAudiences: [VENDOR_TOKEN_URL],
    });
  }

  /** Makes an account with a key. The private half is in the answer alone. */
  async createAccount(account: EmulatorAccount): Promise<{ ok: true; file: KeyFile } | { ok: false; reason: string }> {
    const created = this.#machine.services.create(account);
    if (!created.ok) return { ok: false, reason: created.reason };
    const key = await this.#machine.services.addKey(created.account.id, KEY_DAYS);
    return key.ok ? { ok: true, file: key.file } : { ok: false, reason: key.reason };
  }

  /** Answers the token endpoint: the JWT bearer grant of service accounts and no other (RFC 7523). */
  async answerToken(request: TokenRequest): Promise<WireAnswer> {
    const read = readTokenForm(request);
    if (!read.ok) return read.answer;
    if (read.form.get('grant_type') !== JWT_BEARER)
      return buildOAuthError(400, 'unsupported_grant_type', `The emulator knows the grant ${JWT_BEARER} only`);
    return this.#machine.token({ form: read.form, authorization: request.authorization });
  }

  async validate(token: string): Promise<ValidToken | null> {
    return this.#machine.validate(token, this.env.CONTROL_URL);
  }
}

/** The one object of that class. */
export const getEmulatorAccess = ({ EMULATOR_ACCESS }: { EMULATOR_ACCESS: DurableObjectNamespace<EmulatorAccess> }) =>
  EMULATOR_ACCESS.getByName('access');
