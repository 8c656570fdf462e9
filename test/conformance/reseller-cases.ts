import { google } from 'googleapis';
import { expect } from 'vitest';
import { refusal, type MethodCase, type World } from './support/method-cases.ts';

const BASIC = 'Google-Apps-For-Business';
const ENTERPRISE = '1010020020';
const FLEXIBLE = { skuId: BASIC, plan: { planName: 'FLEXIBLE' }, seats: { maximumNumberOfSeats: 10 } };
const ANNUAL = { skuId: BASIC, plan: { planName: 'ANNUAL_MONTHLY_PAY' }, seats: { numberOfSeats: 10 } };
const TRIAL = { skuId: BASIC, plan: { planName: 'TRIAL' }, seats: { maximumNumberOfSeats: 10 } };
const NO_CUSTOMER = '404 notFound: Resource Not Found: customerId';
const NO_SUBSCRIPTION = '404 notFound: Resource Not Found: subscriptionId';

const customerBody = (customerDomain: string) => ({
  customerDomain,
  alternateEmail: 'admin@elsewhere.test',
  phoneNumber: '+16505550100',
  postalAddress: { contactName: 'Ann', organizationName: 'Acme', countryCode: 'US', postalCode: '94043' },
});

async function newCustomer({ reseller, fresh }: World): Promise<{ customerId: string; domain: string }> {
  const domain = `${fresh('customer')}.test`;
  const { data } = await reseller.customers.insert({ requestBody: customerBody(domain) });
  return { customerId: data.customerId ?? '', domain };
}

/** A fresh customer with one subscription. */
async function sold(world: World, requestBody: object) {
  const { customerId, domain } = await newCustomer(world);
  const { data } = await world.reseller.subscriptions.insert({ customerId, requestBody });
  return { domain, path: { customerId, subscriptionId: data.subscriptionId ?? '' } };
}

const read = async ({ reseller }: World, path: { customerId: string; subscriptionId: string }) =>
  (await reseller.subscriptions.get(path)).data;

const customerCases: readonly MethodCase[] = [
  {
    method: 'reseller.customers.insert',
    right: async (world) => {
      const { customerId, domain } = await newCustomer(world);
      const { data } = await world.reseller.customers.get({ customerId: domain });
      expect(data).toMatchObject({
        kind: 'reseller#customer',
        customerId,
        customerDomain: domain,
        customerType: 'domain',
      });
    },
    wrong: async (world) => {
      const { domain } = await newCustomer(world);
      expect(await refusal(world.reseller.customers.insert({ requestBody: customerBody(domain) }))).toBe(
        '409 duplicate: Entity already exists.',
      );
    },
  },
  {
    method: 'reseller.customers.get',
    right: async (world) => {
      const { path, domain } = await sold(world, FLEXIBLE);
      await world.reseller.subscriptions.delete({ ...path, deletionType: 'transfer_to_direct' });
      const { data } = await world.reseller.customers.get({ customerId: domain });
      expect(data).toMatchObject({ customerId: path.customerId, customerDomain: domain });
      expect(data).not.toHaveProperty('postalAddress');
    },
    wrong: async ({ reseller, fresh }) => {
      expect(await refusal(reseller.customers.get({ customerId: `${fresh('no')}.test` }))).toBe(NO_CUSTOMER);
    },
  },
  {
    method: 'reseller.customers.patch',
    right: async (world) => {
      const { customerId, domain } = await newCustomer(world);
      const customerDomain = `${world.fresh('moved')}.test`;
      await world.reseller.customers.patch({ customerId, requestBody: { customerDomain } });
      const { data } = await world.reseller.customers.get({ customerId: customerDomain });
      expect(data).toMatchObject({ customerId, phoneNumber: '+16505550100' });
      expect(await refusal(world.reseller.customers.get({ customerId: domain }))).toBe(NO_CUSTOMER);
    },
    wrong: async (world) => {
      const { customerId } = await newCustomer(world);
      const patch = world.reseller.customers.patch({ customerId, requestBody: { customerType: 'team' } });
      expect(await refusal(patch)).toBe('400 invalid: Invalid Input: customerType');
    },
  },
  {
    method: 'reseller.customers.update',
    right: async (world) => {
      const { customerId, domain } = await newCustomer(world);
      const { phoneNumber: _left, ...requestBody } = customerBody(domain);
      await world.reseller.customers.update({ customerId, requestBody });
      expect((await world.reseller.customers.get({ customerId })).data).not.toHaveProperty('phoneNumber');
    },
    wrong: async (world) => {
      const { customerId, domain } = await newCustomer(world);
      const { alternateEmail: _left, ...requestBody } = customerBody(domain);
      expect(await refusal(world.reseller.customers.update({ customerId, requestBody }))).toBe(
        '400 required: Missing required field: alternateEmail',
      );
    },
  },
];

const orderCases: readonly MethodCase[] = [
  {
    method: 'reseller.subscriptions.insert',
    right: async (world) => {
      const { path } = await sold(world, ANNUAL);
      expect(await read(world, path)).toMatchObject({
        kind: 'reseller#subscription',
        skuName: 'G Suite Basic',
        plan: { planName: 'ANNUAL', isCommitmentPlan: true },
        seats: { numberOfSeats: 10, licensedNumberOfSeats: 0 },
        status: 'ACTIVE',
      });
      await world.reseller.subscriptions.insert({
        customerId: path.customerId,
        action: 'switch',
        sourceSkuId: BASIC,
        requestBody: { ...ANNUAL, skuId: ENTERPRISE },
      });
      const { data } = await world.reseller.subscriptions.list({ customerId: path.customerId });
      expect(data.subscriptions).toMatchObject([{ skuId: ENTERPRISE }]);
    },
    wrong: async (world) => {
      const { customerId } = await newCustomer(world);
      const requestBody = { ...FLEXIBLE, skuId: 'Google-Everything' };
      expect(await refusal(world.reseller.subscriptions.insert({ customerId, requestBody }))).toBe(
        '400 invalid: Invalid Input: skuId',
      );
    },
  },
  {
    method: 'reseller.subscriptions.get',
    right: async (world) => {
      const { path, domain } = await sold(world, FLEXIBLE);
      const byDomain = await read(world, { ...path, customerId: domain });
      expect(byDomain).toEqual(await read(world, path));
      expect(byDomain.creationTime).toMatch(/^[0-9]{13}$/);
    },
    wrong: async (world) => {
      const { customerId } = await newCustomer(world);
      expect(await refusal(world.reseller.subscriptions.get({ customerId, subscriptionId: '1' }))).toBe(
        NO_SUBSCRIPTION,
      );
    },
  },
  {
    method: 'reseller.subscriptions.list',
    right: async (world) => {
      const { path, domain } = await sold(world, FLEXIBLE);
      const { customerId } = path;
      await world.reseller.subscriptions.insert({ customerId, requestBody: { ...FLEXIBLE, skuId: 'Google-Vault' } });
      const query = { customerNamePrefix: domain.slice(0, -'.test'.length), maxResults: 1 };
      const first = await world.reseller.subscriptions.list(query);
      const pageToken = first.data.nextPageToken ?? '';
      const second = await world.reseller.subscriptions.list({ ...query, pageToken });
      const skus = [first, second].flatMap(({ data }) => data.subscriptions?.map(({ skuId }) => skuId));
      expect(new Set(skus)).toEqual(new Set([BASIC, 'Google-Vault']));
    },
    wrong: async ({ reseller, fresh }) => {
      expect(await refusal(reseller.subscriptions.list({ customerId: `${fresh('no')}.test` }))).toBe(NO_CUSTOMER);
    },
  },
  {
    method: 'reseller.subscriptions.delete',
    right: async (world) => {
      const { path } = await sold(world, FLEXIBLE);
      expect((await world.reseller.subscriptions.delete({ ...path, deletionType: 'suspend' })).status).toBe(204);
      expect((await read(world, path)).status).toBe('SUSPENDED');
      await world.reseller.subscriptions.delete({ ...path, deletionType: 'cancel' });
      expect(await refusal(world.reseller.subscriptions.get(path))).toBe(NO_SUBSCRIPTION);
    },
    wrong: async (world) => {
      const { path } = await sold(world, FLEXIBLE);
      const deletion = { ...path, deletionType: 'deletion_type_undefined' };
      expect(await refusal(world.reseller.subscriptions.delete(deletion))).toBe(
        '400 required: Missing required field: deletionType',
      );
    },
  },
];

const stateCases: readonly MethodCase[] = [
  {
    method: 'reseller.subscriptions.suspend',
    right: async (world) => {
      const { path } = await sold(world, FLEXIBLE);
      await world.reseller.subscriptions.suspend(path);
      expect(await read(world, path)).toMatchObject({ status: 'SUSPENDED', suspensionReasons: ['RESELLER_INITIATED'] });
    },
    wrong: async (world) => {
      const { path } = await sold(world, FLEXIBLE);
      await world.reseller.subscriptions.suspend(path);
      expect(await refusal(world.reseller.subscriptions.suspend(path))).toBe(
        '412 conditionNotMet: The subscription is not active.',
      );
    },
  },
  {
    method: 'reseller.subscriptions.activate',
    right: async (world) => {
      const { path } = await sold(world, FLEXIBLE);
      await world.reseller.subscriptions.suspend(path);
      await world.reseller.subscriptions.activate(path);
      const subscription = await read(world, path);
      expect(subscription.status).toBe('ACTIVE');
      expect(subscription).not.toHaveProperty('suspensionReasons');
    },
    wrong: async (world) => {
      const { path } = await sold(world, FLEXIBLE);
      expect(await refusal(world.reseller.subscriptions.activate(path))).toBe(
        '412 conditionNotMet: The subscription is not suspended by the reseller.',
      );
    },
  },
  {
    method: 'reseller.subscriptions.changePlan',
    right: async (world) => {
      const { path } = await sold(world, FLEXIBLE);
      const { data } = await world.reseller.subscriptions.changePlan({
        ...path,
        requestBody: { planName: 'ANNUAL_YEARLY_PAY', seats: { numberOfSeats: 5 }, purchaseOrderId: 'PO-7' },
      });
      const now = { ...path, subscriptionId: data.subscriptionId ?? '' };
      expect(await read(world, now)).toMatchObject({
        plan: {
          planName: 'ANNUAL_YEARLY_PAY',
          commitmentInterval: { startTime: expect.stringMatching(/^[0-9]{13}$/) as unknown },
        },
        seats: { numberOfSeats: 5 },
        purchaseOrderId: 'PO-7',
      });
      expect(await refusal(world.reseller.subscriptions.get(path))).toBe(NO_SUBSCRIPTION);
    },
    wrong: async (world) => {
      const { path } = await sold(world, ANNUAL);
      const requestBody = { planName: 'FLEXIBLE', seats: { maximumNumberOfSeats: 5 } };
      expect(await refusal(world.reseller.subscriptions.changePlan({ ...path, requestBody }))).toBe(
        '412 conditionNotMet: The plan cannot be changed before its renewal.',
      );
    },
  },
  {
    method: 'reseller.subscriptions.changeRenewalSettings',
    right: async (world) => {
      const { path } = await sold(world, ANNUAL);
      const requestBody = { renewalType: 'CANCEL' };
      await world.reseller.subscriptions.changeRenewalSettings({ ...path, requestBody });
      expect((await read(world, path)).renewalSettings).toMatchObject({ renewalType: 'CANCEL' });
    },
    wrong: async (world) => {
      const { path } = await sold(world, FLEXIBLE);
      const requestBody = { renewalType: 'CANCEL' };
      expect(await refusal(world.reseller.subscriptions.changeRenewalSettings({ ...path, requestBody }))).toBe(
        '412 conditionNotMet: Renewal settings are for annual plans.',
      );
    },
  },
  {
    method: 'reseller.subscriptions.changeSeats',
    right: async (world) => {
      const { path } = await sold(world, ANNUAL);
      await world.reseller.subscriptions.changeSeats({ ...path, requestBody: { numberOfSeats: 25 } });
      expect((await read(world, path)).seats).toMatchObject({ numberOfSeats: 25 });
    },
    wrong: async (world) => {
      const { path } = await sold(world, ANNUAL);
      const requestBody = { numberOfSeats: 9 };
      expect(await refusal(world.reseller.subscriptions.changeSeats({ ...path, requestBody }))).toBe(
        '412 conditionNotMet: Seats of an annual plan cannot be reduced before its renewal.',
      );
      expect((await read(world, path)).seats).toMatchObject({ numberOfSeats: 10 });
    },
  },
  {
    method: 'reseller.subscriptions.startPaidService',
    right: async (world) => {
      const { path } = await sold(world, TRIAL);
      const requestBody = { planName: 'FLEXIBLE', seats: { maximumNumberOfSeats: 5 } };
      const { data } = await world.reseller.subscriptions.changePlan({ ...path, requestBody });
      const now = { ...path, subscriptionId: data.subscriptionId ?? '' };
      expect((await read(world, now)).trialSettings).toMatchObject({ isInTrial: true });
      await world.reseller.subscriptions.startPaidService(now);
      expect(await read(world, now)).toMatchObject({
        plan: { planName: 'FLEXIBLE' },
        trialSettings: { isInTrial: false },
      });
    },
    wrong: async (world) => {
      const { path } = await sold(world, TRIAL);
      expect(await refusal(world.reseller.subscriptions.startPaidService(path))).toBe(
        '412 conditionNotMet: The trial has no payment plan.',
      );
    },
  },
];

const notifyCases: readonly MethodCase[] = [
  {
    method: 'reseller.resellernotify.register',
    right: async ({ reseller, fresh }) => {
      const serviceAccountEmailAddress = `${fresh('bot')}@project.iam.gserviceaccount.com`;
      const { data } = await reseller.resellernotify.register({ serviceAccountEmailAddress });
      const details = await reseller.resellernotify.getwatchdetails();
      expect(details.data.topicName).toBe(data.topicName);
      expect(details.data.serviceAccountEmailAddresses).toContain(serviceAccountEmailAddress);
    },
    wrong: async ({ reseller }) => {
      expect(await refusal(reseller.resellernotify.register({ serviceAccountEmailAddress: 'bot' }))).toBe(
        '400 invalid: Invalid Input: serviceAccountEmailAddress',
      );
    },
  },
  {
    method: 'reseller.resellernotify.unregister',
    right: async ({ reseller, fresh }) => {
      const serviceAccountEmailAddress = `${fresh('bot')}@project.iam.gserviceaccount.com`;
      await reseller.resellernotify.register({ serviceAccountEmailAddress });
      await reseller.resellernotify.unregister({ serviceAccountEmailAddress });
      const { data } = await reseller.resellernotify.getwatchdetails();
      expect(data.serviceAccountEmailAddresses ?? []).not.toContain(serviceAccountEmailAddress);
    },
    wrong: async ({ reseller, fresh }) => {
      const serviceAccountEmailAddress = `${fresh('bot')}@project.iam.gserviceaccount.com`;
      expect(await refusal(reseller.resellernotify.unregister({ serviceAccountEmailAddress }))).toBe(
        '404 notFound: Resource Not Found: serviceAccountEmailAddress',
      );
    },
  },
  {
    method: 'reseller.resellernotify.getwatchdetails',
    right: async ({ reseller, fresh }) => {
      const addresses = [fresh('bot'), fresh('bot')].map((name) => `${name}@project.iam.gserviceaccount.com`);
      for (const serviceAccountEmailAddress of addresses)
        await reseller.resellernotify.register({ serviceAccountEmailAddress });
      const { data } = await reseller.resellernotify.getwatchdetails();
      expect(data.serviceAccountEmailAddresses).toEqual(expect.arrayContaining(addresses));
    },
    wrong: async ({ reseller }) => {
      const auth = new google.auth.OAuth2();
      auth.setCredentials({ access_token: 'nobody' });
      expect(await refusal(reseller.resellernotify.getwatchdetails({ auth }))).toBe(
        '401 authError: Invalid Credentials',
      );
    },
  },
];

/** Customers, subscriptions and registrations: a case for each method of Reseller v1. */
export const cases: readonly MethodCase[] = [...customerCases, ...orderCases, ...stateCases, ...notifyCases];
