import { expect } from 'vitest';
import { startPushReceiver } from '../../support/webhooks/push-receiver.ts';
import { type MethodCase, refusal, type World } from '../support/method-cases.ts';

const channel = (id: string, address: string) => ({ id, type: 'web_hook', address, token: `token of ${id}` });
const CUSTOMER = { customer: 'my_customer' };

async function newUser({ admin, domain, fresh }: World): Promise<string> {
  const primaryEmail = `${fresh('watched')}@${domain}`;
  const name = { givenName: 'Watched', familyName: 'User' };
  await admin.users.insert({ requestBody: { primaryEmail, name, password: 'a long password' } });
  return primaryEmail;
}

/** The client has no method for the second path of the seed. */
async function watchSwapped({ url, token }: World, query: string, body: unknown) {
  const answer = await fetch(`${url}/admin/directory/users/v1/watch?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const usersWatch: MethodCase = {
  method: 'directory.users.watch',
  right: async (world) => {
    const receiver = await startPushReceiver();
    try {
      const id = world.fresh('channel');
      const { data } = await world.admin.users.watch({
        ...CUSTOMER,
        event: 'add',
        requestBody: { ...channel(id, receiver.url), params: { ttl: '3600' } },
      });
      expect(data).toMatchObject({ kind: 'api#channel', id, token: `token of ${id}` });
      expect(data.resourceUri).toBe(
        `${world.url}/admin/directory/v1/users?customer=${world.customer}&event=add&alt=json`,
      );
      expect(Number(data.expiration)).toBeGreaterThan(Date.now() + 3_500_000);
      expect(Number(data.expiration)).toBeLessThanOrEqual(Date.now() + 3_600_000);
      const sync = await receiver.waitFor(id, 'sync');
      expect(sync).toMatchObject({ body: '', headers: { 'x-goog-message-number': '1' } });
      const primaryEmail = await newUser(world);
      const { headers, body } = await receiver.waitFor(id, 'add');
      expect(headers).toMatchObject({
        'x-goog-resource-id': data.resourceId,
        'x-goog-resource-uri': data.resourceUri,
        'x-goog-channel-token': `token of ${id}`,
      });
      expect(JSON.parse(body)).toMatchObject({ kind: 'admin#directory#user', primaryEmail });
    } finally {
      await receiver.stop();
    }
  },
  wrong: async ({ admin, fresh }) => {
    const id = fresh('channel');
    const body = channel(id, 'http://hooks.example.net/push');
    expect(await refusal(admin.users.watch({ ...CUSTOMER, requestBody: body }))).toBe(
      '400 push.webhookUrlNotHttps: WebHook callback must be HTTPS: http://hooks.example.net/push',
    );
    const once = { ...CUSTOMER, requestBody: channel(id, 'http://127.0.0.1:9/') };
    await admin.users.watch(once);
    expect(await refusal(admin.users.watch(once))).toBe(`400 channelIdNotUnique: Channel id ${id} not unique`);
  },
};

const usersWatchSwapped: MethodCase = {
  method: 'directory.users.watchSwapped',
  right: async (world) => {
    const receiver = await startPushReceiver();
    try {
      const id = world.fresh('channel');
      const answer = await watchSwapped(world, 'customer=my_customer', {
        ...channel(id, receiver.url),
        expiration: Date.now() + 60_000,
        params: { ttl: 3_600 },
      });
      expect(answer).toMatchObject({ status: 200, body: { kind: 'api#channel', id } });
      await receiver.waitFor(id, 'sync');
      const userKey = await newUser(world);
      await world.admin.users.delete({ userKey });
      const { body } = await receiver.waitFor(id, 'delete');
      expect(JSON.parse(body)).toMatchObject({ primaryEmail: userKey });
    } finally {
      await receiver.stop();
    }
  },
  wrong: async (world) => {
    const body = channel(world.fresh('channel'), 'http://127.0.0.1:9/');
    expect(await watchSwapped(world, 'customer=my_customer&event=rename', body)).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 400,
          message: "Invalid string value: 'rename'. Allowed values: [add, delete, makeAdmin, undelete, update]",
        },
      },
    });
    expect(await watchSwapped(world, 'customer=C0000other', body)).toMatchObject({
      status: 403,
      body: { error: { code: 403, message: 'Not Authorized to access this resource/api' } },
    });
  },
};

const aliasesWatch: MethodCase = {
  method: 'directory.users.aliases.watch',
  right: async (world) => {
    const receiver = await startPushReceiver();
    try {
      const [userKey, id] = [await newUser(world), world.fresh('channel')];
      const { data } = await world.admin.users.aliases.watch({ userKey, requestBody: channel(id, receiver.url) });
      expect(data.kind).toBe('api#channel');
      const alias = `${world.fresh('alias')}@${world.domain}`;
      await world.admin.users.aliases.insert({ userKey, requestBody: { alias } });
      const { body } = await receiver.waitFor(id, 'add');
      expect(JSON.parse(body)).toMatchObject({ primaryEmail: userKey });
    } finally {
      await receiver.stop();
    }
  },
  wrong: async ({ admin, fresh, domain }) => {
    const requestBody = channel(fresh('channel'), 'http://127.0.0.1:9/');
    const userKey = `${fresh('nobody')}@${domain}`;
    expect(await refusal(admin.users.aliases.watch({ userKey, requestBody }))).toBe(
      '404 notFound: Resource Not Found: userKey',
    );
  },
};

const stop: MethodCase = {
  method: 'admin.channels.stop',
  right: async (world) => {
    const receiver = await startPushReceiver();
    try {
      const [stopped, open] = [world.fresh('channel'), world.fresh('channel')];
      const watch = (id: string) =>
        world.admin.users.watch({ ...CUSTOMER, event: 'add', requestBody: channel(id, receiver.url) });
      const { data } = await watch(stopped);
      await watch(open);
      await receiver.waitFor(stopped, 'sync');
      const { status } = await world.admin.channels.stop({
        requestBody: { id: stopped, resourceId: data.resourceId ?? '' },
      });
      expect(status).toBe(204);
      await newUser(world);
      await receiver.waitFor(open, 'add'); // The open one got it; the stopped one, first in line, did not.
      const states = receiver.received
        .filter(({ headers }) => headers['x-goog-channel-id'] === stopped)
        .map(({ headers }) => headers['x-goog-resource-state']);
      expect(states).toEqual(['sync']);
    } finally {
      await receiver.stop();
    }
  },
  wrong: async ({ admin, customer }) => {
    expect(await refusal(admin.channels.stop({ requestBody: { id: 'x', resourceId: 'y' } }))).toBe(
      `404 notFound: Channel 'x' not found for project '${customer}'`,
    );
    expect(await refusal(admin.channels.stop({ requestBody: { id: 'x' } }))).toBe(
      '400 required: Missing required field: resourceId',
    );
  },
};

export const cases: readonly MethodCase[] = [usersWatch, usersWatchSwapped, aliasesWatch, stop];
