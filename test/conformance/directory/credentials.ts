import { expect } from 'vitest';
import { refusal, type MethodCase, type World } from '../support/method-cases.ts';
import { newUser, nobody, NO_USER } from './users.ts';

const NO_ASP = '404 notFound: Resource Not Found: codeId';
const NO_TOKEN = '404 notFound: Resource Not Found: clientId';
const SCOPE = 'https://www.googleapis.com/auth/drive';

/** What people make at the vendor's account pages comes to be by the emulator's seed. @throws Error when it refuses */
async function seeded({ url, token, customer }: World, method: string, userKey: string, body: object): Promise<void> {
  const answer = await fetch(`${url}/v1/tenants/${customer}:seed`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ calls: [{ method, params: { userKey }, body }] }),
  });
  const text = await answer.text();
  if (!answer.ok || text.includes('"error"')) throw new Error(`${method}: ${answer.status} ${text}`);
}

async function withAsp(world: World): Promise<{ userKey: string; codeId: number }> {
  const { id } = await newUser(world);
  await seeded(world, 'emulator.asps.issue', id, { codeId: 7, name: 'Mail' });
  return { userKey: id, codeId: 7 };
}

async function withToken(world: World): Promise<{ userKey: string; clientId: string }> {
  const { id } = await newUser(world);
  await seeded(world, 'emulator.tokens.grant', id, { clientId: 'app.invalid', displayText: 'App', scopes: [SCOPE] });
  return { userKey: id, clientId: 'app.invalid' };
}

async function codesOf({ admin }: World, userKey: string): Promise<string[]> {
  const { data } = await admin.verificationCodes.list({ userKey });
  return (data.items ?? []).map(({ verificationCode }) => verificationCode ?? '');
}

export const credentialCases: readonly MethodCase[] = [
  {
    method: 'directory.asps.list',
    right: async (world) => {
      const { userKey, codeId } = await withAsp(world);
      const { data } = await world.admin.asps.list({ userKey });
      expect(data).toMatchObject({ kind: 'admin#directory#aspList', items: [{ codeId, name: 'Mail', userKey }] });
    },
    wrong: async (world) => {
      expect(await refusal(world.admin.asps.list({ userKey: nobody(world) }))).toBe(NO_USER);
    },
  },
  {
    method: 'directory.asps.get',
    right: async (world) => {
      const { userKey, codeId } = await withAsp(world);
      const { data } = await world.admin.asps.get({ userKey, codeId });
      const list = await world.admin.asps.list({ userKey });
      expect(list.data.items).toEqual([data]);
    },
    wrong: async (world) => {
      const { userKey } = await withAsp(world);
      expect(await refusal(world.admin.asps.get({ userKey, codeId: 8 }))).toBe(NO_ASP);
    },
  },
  {
    method: 'directory.asps.delete',
    right: async (world) => {
      const one = await withAsp(world);
      expect((await world.admin.asps.delete(one)).status).toBe(204);
      expect(await refusal(world.admin.asps.get(one))).toBe(NO_ASP);
    },
    wrong: async (world) => {
      const { userKey } = await withAsp(world);
      expect(await refusal(world.admin.asps.delete({ userKey, codeId: 8 }))).toBe(NO_ASP);
    },
  },
  {
    method: 'directory.tokens.list',
    right: async (world) => {
      const { userKey, clientId } = await withToken(world);
      const { data } = await world.admin.tokens.list({ userKey });
      expect(data).toMatchObject({
        kind: 'admin#directory#tokenList',
        items: [{ clientId, scopes: [SCOPE], userKey }],
      });
    },
    wrong: async (world) => {
      expect(await refusal(world.admin.tokens.list({ userKey: nobody(world) }))).toBe(NO_USER);
    },
  },
  {
    method: 'directory.tokens.get',
    right: async (world) => {
      const one = await withToken(world);
      const { data } = await world.admin.tokens.get(one);
      const list = await world.admin.tokens.list({ userKey: one.userKey });
      expect(list.data.items).toEqual([data]);
    },
    wrong: async (world) => {
      const { userKey } = await withToken(world);
      expect(await refusal(world.admin.tokens.get({ userKey, clientId: 'other.invalid' }))).toBe(NO_TOKEN);
    },
  },
  {
    method: 'directory.tokens.delete',
    right: async (world) => {
      const one = await withToken(world);
      expect((await world.admin.tokens.delete(one)).status).toBe(204);
      expect(await refusal(world.admin.tokens.get(one))).toBe(NO_TOKEN);
    },
    wrong: async (world) => {
      const { userKey } = await withToken(world);
      expect(await refusal(world.admin.tokens.delete({ userKey, clientId: 'other.invalid' }))).toBe(NO_TOKEN);
    },
  },
  {
    method: 'directory.verificationCodes.generate',
    right: async (world) => {
      const { id: userKey } = await newUser(world);
      expect((await world.admin.verificationCodes.generate({ userKey })).status).toBe(204);
      const first = await codesOf(world, userKey);
      expect(first).toHaveLength(10);
      expect(first.every((code) => /^[0-9]{8}$/.test(code))).toBe(true);
      await world.admin.verificationCodes.generate({ userKey });
      expect(await codesOf(world, userKey)).not.toEqual(first);
    },
    wrong: async (world) => {
      expect(await refusal(world.admin.verificationCodes.generate({ userKey: nobody(world) }))).toBe(NO_USER);
    },
  },
  {
    method: 'directory.verificationCodes.list',
    right: async (world) => {
      const { id: userKey, email } = await newUser(world);
      await world.admin.verificationCodes.generate({ userKey });
      const { data } = await world.admin.verificationCodes.list({ userKey: email });
      expect(data.kind).toBe('admin#directory#verificationCodesList');
      expect(data.items?.map(({ userId }) => userId)).toEqual(Array.from({ length: 10 }, () => userKey));
    },
    wrong: async (world) => {
      expect(await refusal(world.admin.verificationCodes.list({ userKey: nobody(world) }))).toBe(NO_USER);
    },
  },
  {
    method: 'directory.verificationCodes.invalidate',
    right: async (world) => {
      const { id: userKey } = await newUser(world);
      await world.admin.verificationCodes.generate({ userKey });
      expect((await world.admin.verificationCodes.invalidate({ userKey })).status).toBe(204);
      expect(await codesOf(world, userKey)).toEqual([]);
    },
    wrong: async (world) => {
      expect(await refusal(world.admin.verificationCodes.invalidate({ userKey: nobody(world) }))).toBe(NO_USER);
    },
  },
  {
    method: 'directory.twoStepVerification.turnOff',
    right: async (world) => {
      const { id: userKey } = await newUser(world);
      await seeded(world, 'emulator.twoStepVerification.turnOn', userKey, {});
      expect((await world.admin.users.get({ userKey })).data.isEnrolledIn2Sv).toBe(true);
      expect((await world.admin.twoStepVerification.turnOff({ userKey })).status).toBe(204);
      expect((await world.admin.users.get({ userKey })).data.isEnrolledIn2Sv).toBe(false);
    },
    wrong: async (world) => {
      const { id: userKey } = await newUser(world);
      expect(await refusal(world.admin.twoStepVerification.turnOff({ userKey }))).toBe(
        '400 invalid: Invalid Input: the user is not enrolled in 2-step verification',
      );
    },
  },
];
