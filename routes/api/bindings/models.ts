import type { PasskeyJudge } from '../../../src/authorization/people/passkeys.ts';
import { createRemotePasskeyJudge } from '../../../src/authorization/people/remote-passkey-judge.ts';
import { createRemoteEventJudge } from '../../../src/payment/cards/remote-stripe.ts';
import type { JudgeCardEvent } from '../../../src/payment/cards/webhook.ts';
import type { AppOptions } from '../context.ts';
import type { Env } from './env.ts';

/** Judges passkeys: here, or by the Worker of models. */
export const getPasskeyJudge = (
  { MODELS }: Pick<Env, 'MODELS'>,
  { passkeyJudge }: Pick<AppOptions, 'passkeyJudge'>,
): PasskeyJudge => passkeyJudge ?? createRemotePasskeyJudge(MODELS);

/** Judges signatures of card events: here, or by the Worker of models. */
export const getCardEventJudge = (
  { MODELS }: Pick<Env, 'MODELS'>,
  { judgeCardEvent }: Pick<AppOptions, 'judgeCardEvent'>,
): JudgeCardEvent => judgeCardEvent ?? createRemoteEventJudge(MODELS);
