import { expect } from 'vitest';
import { refusal, type MethodCase, type World } from '../support/method-cases.ts';

export const NO_USER = '404 notFound: Resource Not Found: userKey';
const DUPLICATE = '409 duplicate: Entity already exists.';
const FORBIDDEN = '403 forbidden: Not Authorized to access this resource/api';
const password = 'correct horse';

/** A fresh user. */
export async function newUser(
  { admin, domain, fresh }: World,
  familyName = 'Lee',
): Promise<{ id: string; email: string }> {
  const email = `${fresh('user')}@${domain}`;
  const name = { givenName: 'Ann', familyName };
  const { data } = await admin.users.insert({ requestBody: { primaryEmail: email, password, name } });
  return { id: data.id ?? '', email };
}

export const nobody = ({ domain, fresh }: World): string => `${fresh('nobody')}@${domain}`;

export const userCases: readonly MethodCase[] = [
  {
    method: 'directory.users.insert',
    right: async ({ admin, domain, fresh, customer }) => {
      const primaryEmail = `${fresh('Ann')}@${domain}`;
      const { data } = await admin.users.insert({
        requestBody: {
          primaryEmail,
          password,
          name: { givenName: 'Ann', familyName: 'Lee' },
          phones: [{ value: '+1 555 0100', type: 'work' }],
        },
      });
      expect(data).toMatchObject({
        kind: 'admin#directory#user',
        primaryEmail: primaryEmail.toLowerCase(),
        name: { fullName: 'Ann Lee' },
        isAdmin: false,
        orgUnitPath: '/',
        customerId: customer,
        phones: [{ value: '+1 555 0100', type: 'work' }],
      });
      expect(data).not.toHaveProperty('password');
      const read = await admin.users.get({ userKey: data.id ?? '' });
      expect(read.data).toEqual(data);
    },
    wrong: async (world) => {
      const { email } = await newUser(world);
      const name = { givenName: 'Ann', familyName: 'Lee' };
      const insert = (requestBody: object) => refusal(world.admin.users.insert({ requestBody }));
      expect(await insert({ primaryEmail: email, password, name })).toBe(DUPLICATE);
      expect(await insert({ primaryEmail: 'a@elsewhere.invalid', password, name })).toBe(
        '404 notFound: Domain not found.',
      );
      expect(await insert({ primaryEmail: nobody(world), password: 'short', name })).toBe(
        '400 invalid: Invalid Password',
      );
      expect(await insert({ primaryEmail: nobody(world), name })).toBe(
        '400 required: Missing required field: password',
      );
      expect(await insert({ primaryEmail: nobody(world), password, name, orgUnitPath: '/no/where' })).toBe(
        '400 invalid: Invalid Input: INVALID_OU_ID',
      );
    },
  },
  {
    method: 'directory.users.get',
    right: async (world) => {
      const { id, email } = await newUser(world);
      const { data } = await world.admin.users.get({ userKey: email.toUpperCase(), projection: 'full' });
      expect(data).toMatchObject({ id, primaryEmail: email, lastLoginTime: '1970-01-01T00:00:00.000Z' });
      const open = await world.admin.users.get({ userKey: id, viewType: 'domain_public' });
      expect(open.data).not.toHaveProperty('isAdmin');
    },
    wrong: async (world) => {
      expect(await refusal(world.admin.users.get({ userKey: nobody(world) }))).toBe(NO_USER);
    },
  },
  {
    method: 'directory.users.list',
    right: async (world) => {
      const family = world.fresh('Family');
      const users = [await newUser(world, family), await newUser(world, family), await newUser(world, family)];
      const query = `familyName=${family}`;
      const first = await world.admin.users.list({ customer: 'my_customer', query, orderBy: 'email', maxResults: 2 });
      const pageToken = first.data.nextPageToken ?? '';
      const second = await world.admin.users.list({
        customer: 'my_customer',
        query,
        orderBy: 'email',
        maxResults: 2,
        pageToken,
      });
      const found = [...(first.data.users ?? []), ...(second.data.users ?? [])].map(({ primaryEmail }) => primaryEmail);
      expect(found).toEqual(users.map(({ email }) => email).toSorted());
      expect(second.data.nextPageToken).toBeUndefined();
      const { data } = await world.admin.users.list({ domain: world.domain, query: `email:${users[0]?.email}` });
      expect(data.users?.map(({ id }) => id)).toEqual([users[0]?.id]);
    },
    wrong: async ({ admin }) => {
      expect(await refusal(admin.users.list({}))).toBe('400 badRequest: Bad Request');
      expect(await refusal(admin.users.list({ customer: 'C0foreign' }))).toBe(FORBIDDEN);
      expect(await refusal(admin.users.list({ domain: 'elsewhere.invalid' }))).toBe('404 notFound: Domain not found.');
      const query = 'unknown=1';
      expect(await refusal(admin.users.list({ customer: 'my_customer', query }))).toBe(
        '400 invalid: Invalid Input: query',
      );
    },
  },
  {
    method: 'directory.users.patch',
    right: async (world) => {
      const { id, email } = await newUser(world);
      const primaryEmail = nobody(world);
      await world.admin.users.patch({ userKey: email, requestBody: { primaryEmail, suspended: true } });
      const { data } = await world.admin.users.get({ userKey: email });
      expect(data).toMatchObject({ id, primaryEmail, aliases: [email], suspended: true, suspensionReason: 'ADMIN' });
      expect(data.name).toMatchObject({ givenName: 'Ann', familyName: 'Lee' });
    },
    wrong: async (world) => {
      const [ann, bob] = [await newUser(world), await newUser(world)];
      const patch = (userKey: string, requestBody: object) =>
        refusal(world.admin.users.patch({ userKey, requestBody }));
      expect(await patch(nobody(world), { suspended: true })).toBe(NO_USER);
      expect(await patch(ann.id, { primaryEmail: bob.email, suspended: true })).toBe(DUPLICATE);
      expect(await patch(ann.id, { customSchemas: { None: { x: '1' } } })).toBe(
        '400 invalid: Invalid Input: custom_schema',
      );
      const { data } = await world.admin.users.get({ userKey: ann.id });
      expect(data.suspended).toBe(false);
    },
  },
  {
    method: 'directory.users.update',
    right: async (world) => {
      const { email } = await newUser(world);
      const requestBody = { name: { givenName: 'Anne' }, phones: [{ value: '2' }] };
      await world.admin.users.update({ userKey: email, requestBody });
      const { data } = await world.admin.users.get({ userKey: email });
      expect(data).toMatchObject({ primaryEmail: email, name: { fullName: 'Anne Lee' }, phones: [{ value: '2' }] });
    },
    wrong: async (world) => {
      const { email } = await newUser(world);
      const familyName = 'x'.repeat(61);
      const update = (userKey: string) => world.admin.users.update({ userKey, requestBody: { name: { familyName } } });
      expect(await refusal(update(email))).toBe('400 invalid: Invalid Given/Family Name: FamilyName');
      expect(await refusal(update(nobody(world)))).toBe(NO_USER);
    },
  },
  {
    method: 'directory.users.delete',
    right: async (world) => {
      const { id, email } = await newUser(world);
      expect((await world.admin.users.delete({ userKey: email })).status).toBe(204);
      expect(await refusal(world.admin.users.get({ userKey: id }))).toBe(NO_USER);
      const query = `email:${email}`;
      const { data } = await world.admin.users.list({ customer: 'my_customer', showDeleted: 'true', query });
      expect(data.users).toMatchObject([{ id, deletionTime: expect.any(String) as string }]);
    },
    wrong: async (world) => {
      const { id } = await newUser(world);
      await world.admin.users.delete({ userKey: id });
      expect(await refusal(world.admin.users.delete({ userKey: id }))).toBe(NO_USER);
    },
  },
  {
    method: 'directory.users.undelete',
    right: async (world) => {
      const { id, email } = await newUser(world);
      await world.admin.users.delete({ userKey: id });
      expect((await world.admin.users.undelete({ userKey: id, requestBody: { orgUnitPath: '/' } })).status).toBe(204);
      const { data } = await world.admin.users.get({ userKey: email });
      expect(data.id).toBe(id);
    },
    wrong: async (world) => {
      const { id, email } = await newUser(world);
      const undelete = (userKey: string) =>
        refusal(world.admin.users.undelete({ userKey, requestBody: { orgUnitPath: '/' } }));
      expect(await undelete(id)).toBe(
        '412 conditionNotMet: The user cannot be undeleted: it was not deleted in the last 20 days',
      );
      await world.admin.users.delete({ userKey: id });
      expect(await undelete(email)).toBe(NO_USER);
    },
  },
  {
    method: 'directory.users.makeAdmin',
    right: async (world) => {
      const { id } = await newUser(world);
      const makeAdmin = (status: boolean) => world.admin.users.makeAdmin({ userKey: id, requestBody: { status } });
      expect((await makeAdmin(true)).status).toBe(204);
      expect((await world.admin.users.get({ userKey: id })).data.isAdmin).toBe(true);
      await makeAdmin(false);
      expect((await world.admin.users.get({ userKey: id })).data.isAdmin).toBe(false);
    },
    wrong: async (world) => {
      const { id } = await newUser(world);
      const makeAdmin = (userKey: string, requestBody: object) =>
        refusal(world.admin.users.makeAdmin({ userKey, requestBody }));
      expect(await makeAdmin(nobody(world), { status: true })).toBe(NO_USER);
      expect(await makeAdmin(id, {})).toBe('400 required: Missing required field: status');
    },
  },
  {
    method: 'directory.users.signOut',
    right: async (world) => {
      const { id } = await newUser(world);
      const before = await world.admin.users.get({ userKey: id });
      expect((await world.admin.users.signOut({ userKey: id })).status).toBe(204);
      expect((await world.admin.users.get({ userKey: id })).data).toEqual(before.data);
    },
    wrong: async (world) => {
      expect(await refusal(world.admin.users.signOut({ userKey: nobody(world) }))).toBe(NO_USER);
    },
  },
  {
    method: 'directory.users.createGuest',
    right: async ({ admin, fresh, customer }) => {
      const primaryGuestEmail = `${fresh('guest')}@partner.invalid`;
      const { data } = await admin.users.createGuest({ requestBody: { customer, primaryGuestEmail } });
      expect(data).toMatchObject({ isGuestUser: true, guestAccountInfo: { primaryGuestEmail } });
      const read = await admin.users.get({ userKey: primaryGuestEmail });
      expect(read.data).toEqual(data);
    },
    wrong: async ({ admin, domain, fresh }) => {
      const createGuest = (requestBody: object) => refusal(admin.users.createGuest({ requestBody }));
      expect(await createGuest({})).toBe('400 required: Missing required field: primaryGuestEmail');
      expect(await createGuest({ primaryGuestEmail: `own@${domain}` })).toBe(
        '400 invalid: Invalid Input: primaryGuestEmail',
      );
      expect(await createGuest({ customer: 'C0foreign', primaryGuestEmail: `${fresh('g')}@partner.invalid` })).toBe(
        FORBIDDEN,
      );
    },
  },
];
