import { expect } from 'vitest';
import { refusal, type MethodCase, type World } from '../support/method-cases.ts';

const customer = 'my_customer';
const FORBIDDEN = '403 forbidden: Not Authorized to access this resource/api';
const NO_BUILDING = '404 notFound: Resource Not Found: buildingId';
const NO_CALENDAR = '404 notFound: Resource Not Found: calendarResourceId';
const NO_FEATURE = '404 notFound: Resource Not Found: featureKey';
const TAKEN = '409 duplicate: Entity already exists.';

async function newBuilding({ admin, fresh }: World): Promise<string> {
  const buildingId = fresh('building');
  const requestBody = { buildingId, buildingName: `Name of ${buildingId}`, description: 'old', floorNames: ['1', '2'] };
  await admin.resources.buildings.insert({ customer, requestBody });
  return buildingId;
}

async function newFeature({ admin, fresh }: World): Promise<string> {
  const name = fresh('feature');
  await admin.resources.features.insert({ customer, requestBody: { name } });
  return name;
}

async function newCalendar({ admin, fresh }: World, requestBody: object = {}): Promise<string> {
  const resourceId = fresh('room');
  const common = { resourceId, resourceName: `Room ${resourceId}`, capacity: 4 };
  await admin.resources.calendars.insert({ customer, requestBody: { ...common, ...requestBody } });
  return resourceId;
}

const readBuilding = async ({ admin }: World, buildingId: string) =>
  (await admin.resources.buildings.get({ customer, buildingId })).data;
const readCalendar = async ({ admin }: World, calendarResourceId: string) =>
  (await admin.resources.calendars.get({ customer, calendarResourceId })).data;

const buildingCases: readonly MethodCase[] = [
  {
    method: 'directory.resources.buildings.insert',
    right: async (world) => {
      const buildingId = world.fresh('building');
      const coordinates = { latitude: 40.74, longitude: -74 };
      const { data } = await world.admin.resources.buildings.insert({
        customer,
        coordinatesSource: 'CLIENT_SPECIFIED',
        requestBody: { buildingId, buildingName: buildingId, floorNames: ['B1', '1'], coordinates },
      });
      expect(data).toMatchObject({ kind: 'admin#directory#resources#buildings#Building', buildingId, coordinates });
      expect(await readBuilding(world, buildingId)).toEqual(data);
    },
    wrong: async (world) => {
      const requestBody = { buildingId: await newBuilding(world), buildingName: world.fresh('name') };
      expect(await refusal(world.admin.resources.buildings.insert({ customer, requestBody }))).toBe(TAKEN);
    },
  },
  {
    method: 'directory.resources.buildings.get',
    right: async (world) => {
      const buildingId = await newBuilding(world);
      expect(await readBuilding(world, buildingId)).toMatchObject({ buildingId, floorNames: ['1', '2'] });
    },
    wrong: async ({ admin, fresh }) => {
      expect(await refusal(admin.resources.buildings.get({ customer, buildingId: fresh('no') }))).toBe(NO_BUILDING);
    },
  },
  {
    method: 'directory.resources.buildings.list',
    right: async (world) => {
      const ids = [await newBuilding(world), await newBuilding(world)];
      const seen: unknown[] = [];
      let pageToken: string | undefined;
      do {
        const { data } = await world.admin.resources.buildings.list({
          customer,
          maxResults: 1,
          ...(pageToken !== undefined && { pageToken }),
        });
        seen.push(...(data.buildings ?? []).map(({ buildingId }) => buildingId));
        pageToken = data.nextPageToken ?? undefined;
      } while (pageToken !== undefined);
      expect(seen).toEqual(expect.arrayContaining(ids));
    },
    wrong: async ({ admin }) => {
      expect(await refusal(admin.resources.buildings.list({ customer: 'C00000002' }))).toBe(FORBIDDEN);
    },
  },
  {
    method: 'directory.resources.buildings.patch',
    right: async (world) => {
      const buildingId = await newBuilding(world);
      await world.admin.resources.buildings.patch({ customer, buildingId, requestBody: { floorNames: ['3'] } });
      expect(await readBuilding(world, buildingId)).toMatchObject({ description: 'old', floorNames: ['3'] });
    },
    wrong: async (world) => {
      const buildingId = await newBuilding(world);
      const patch = world.admin.resources.buildings.patch({ customer, buildingId, requestBody: { floorNames: [] } });
      expect(await refusal(patch)).toBe('400 invalid: Invalid Input: floorNames');
    },
  },
  {
    method: 'directory.resources.buildings.update',
    right: async (world) => {
      const buildingId = await newBuilding(world);
      const requestBody = { buildingId, buildingName: world.fresh('name') };
      await world.admin.resources.buildings.update({ customer, buildingId, requestBody });
      expect(await readBuilding(world, buildingId)).not.toHaveProperty('description');
    },
    wrong: async (world) => {
      const buildingId = await newBuilding(world);
      const update = world.admin.resources.buildings.update({
        customer,
        buildingId,
        requestBody: { description: 'x' },
      });
      expect(await refusal(update)).toBe('400 required: Missing required field: buildingName');
    },
  },
  {
    method: 'directory.resources.buildings.delete',
    right: async (world) => {
      const buildingId = await newBuilding(world);
      expect((await world.admin.resources.buildings.delete({ customer, buildingId })).status).toBe(204);
      expect(await refusal(world.admin.resources.buildings.get({ customer, buildingId }))).toBe(NO_BUILDING);
    },
    wrong: async (world) => {
      const buildingId = await newBuilding(world);
      await newCalendar(world, { buildingId });
      expect(await refusal(world.admin.resources.buildings.delete({ customer, buildingId }))).toBe(
        '412 conditionNotMet: The building cannot be deleted: it has resources.',
      );
    },
  },
];

const calendarCases: readonly MethodCase[] = [
  {
    method: 'directory.resources.calendars.insert',
    right: async (world) => {
      const [buildingId, name] = [await newBuilding(world), await newFeature(world)];
      const resourceId = await newCalendar(world, {
        buildingId,
        floorName: '2',
        featureInstances: [{ feature: { name } }],
      });
      expect(await readCalendar(world, resourceId)).toMatchObject({
        kind: 'admin#directory#resources#calendars#CalendarResource',
        generatedResourceName: `Name of ${buildingId}-2-Room ${resourceId} (4)`,
        resourceEmail: expect.stringContaining('@resource.calendar.google.com') as unknown,
        featureInstances: [{ feature: { name } }],
      });
    },
    wrong: async ({ admin, fresh }) => {
      const requestBody = {
        resourceId: fresh('room'),
        resourceName: 'Room',
        featureInstances: [{ feature: { name: 'no' } }],
      };
      expect(await refusal(admin.resources.calendars.insert({ customer, requestBody }))).toBe(
        '400 invalid: Invalid Input: featureInstances',
      );
    },
  },
  {
    method: 'directory.resources.calendars.get',
    right: async (world) => {
      const resourceId = await newCalendar(world);
      expect(await readCalendar(world, resourceId)).toMatchObject({ resourceId, capacity: 4 });
    },
    wrong: async ({ admin, fresh }) => {
      const get = admin.resources.calendars.get({ customer, calendarResourceId: fresh('no') });
      expect(await refusal(get)).toBe(NO_CALENDAR);
    },
  },
  {
    method: 'directory.resources.calendars.list',
    right: async (world) => {
      const buildingId = await newBuilding(world);
      const small = await newCalendar(world, { buildingId, capacity: 2 });
      const large = await newCalendar(world, { buildingId, capacity: 20 });
      const query = `buildingId=${buildingId} AND name:Room*`;
      const { data } = await world.admin.resources.calendars.list({
        customer,
        query,
        orderBy: 'buildingId, capacity desc',
      });
      expect(data.items?.map(({ resourceId }) => resourceId)).toEqual([large, small]);
    },
    wrong: async ({ admin }) => {
      expect(await refusal(admin.resources.calendars.list({ customer, query: 'colour=red' }))).toBe(
        '400 invalid: Invalid query',
      );
    },
  },
  {
    method: 'directory.resources.calendars.patch',
    right: async (world) => {
      const calendarResourceId = await newCalendar(world);
      await world.admin.resources.calendars.patch({ customer, calendarResourceId, requestBody: { capacity: 9 } });
      expect(await readCalendar(world, calendarResourceId)).toMatchObject({
        capacity: 9,
        generatedResourceName: `Room ${calendarResourceId} (9)`,
      });
    },
    wrong: async (world) => {
      const calendarResourceId = await newCalendar(world);
      const requestBody = { buildingId: world.fresh('no') };
      const patch = world.admin.resources.calendars.patch({ customer, calendarResourceId, requestBody });
      expect(await refusal(patch)).toBe('400 invalid: Invalid Input: buildingId');
    },
  },
  {
    method: 'directory.resources.calendars.update',
    right: async (world) => {
      const calendarResourceId = await newCalendar(world);
      const requestBody = { resourceCategory: 'OTHER' };
      await world.admin.resources.calendars.update({ customer, calendarResourceId, requestBody });
      expect(await readCalendar(world, calendarResourceId)).toMatchObject({ capacity: 4, resourceCategory: 'OTHER' });
    },
    wrong: async ({ admin, fresh }) => {
      const update = admin.resources.calendars.update({ customer, calendarResourceId: fresh('no'), requestBody: {} });
      expect(await refusal(update)).toBe(NO_CALENDAR);
    },
  },
  {
    method: 'directory.resources.calendars.delete',
    right: async (world) => {
      const calendarResourceId = await newCalendar(world);
      expect((await world.admin.resources.calendars.delete({ customer, calendarResourceId })).status).toBe(204);
      expect(await refusal(world.admin.resources.calendars.get({ customer, calendarResourceId }))).toBe(NO_CALENDAR);
    },
    wrong: async ({ admin, fresh }) => {
      const remove = admin.resources.calendars.delete({ customer, calendarResourceId: fresh('no') });
      expect(await refusal(remove)).toBe(NO_CALENDAR);
    },
  },
];

const featureCases: readonly MethodCase[] = [
  {
    method: 'directory.resources.features.insert',
    right: async (world) => {
      const featureKey = await newFeature(world);
      const { data } = await world.admin.resources.features.get({ customer, featureKey });
      expect(data).toMatchObject({ kind: 'admin#directory#resources#features#Feature', name: featureKey });
    },
    wrong: async (world) => {
      const requestBody = { name: await newFeature(world) };
      expect(await refusal(world.admin.resources.features.insert({ customer, requestBody }))).toBe(TAKEN);
    },
  },
  {
    method: 'directory.resources.features.get',
    right: async (world) => {
      const name = `Foyer: ${world.fresh('a/b')}`;
      await world.admin.resources.features.insert({ customer, requestBody: { name } });
      expect((await world.admin.resources.features.get({ customer, featureKey: name })).data.name).toBe(name);
    },
    wrong: async ({ admin, fresh }) => {
      expect(await refusal(admin.resources.features.get({ customer, featureKey: fresh('no') }))).toBe(NO_FEATURE);
    },
  },
  {
    method: 'directory.resources.features.list',
    right: async (world) => {
      const name = await newFeature(world);
      const { data } = await world.admin.resources.features.list({ customer, maxResults: 500 });
      expect(data.features).toContainEqual(expect.objectContaining({ name }));
    },
    wrong: async ({ admin }) => {
      const list = admin.resources.features.list({ customer, pageToken: 'forged' });
      expect(await refusal(list)).toBe('400 invalid: Invalid Input: pageToken');
    },
  },
  {
    method: 'directory.resources.features.patch',
    right: async (world) => {
      const [featureKey, name] = [await newFeature(world), world.fresh('renamed')];
      await world.admin.resources.features.patch({ customer, featureKey, requestBody: { name } });
      expect((await world.admin.resources.features.get({ customer, featureKey: name })).data.name).toBe(name);
    },
    wrong: async (world) => {
      const [featureKey, name] = [await newFeature(world), await newFeature(world)];
      const patch = world.admin.resources.features.patch({ customer, featureKey, requestBody: { name } });
      expect(await refusal(patch)).toBe(TAKEN);
    },
  },
  {
    method: 'directory.resources.features.update',
    right: async (world) => {
      const [featureKey, name] = [await newFeature(world), world.fresh('renamed')];
      await world.admin.resources.features.update({ customer, featureKey, requestBody: { name } });
      expect((await world.admin.resources.features.get({ customer, featureKey: name })).data.name).toBe(name);
    },
    wrong: async (world) => {
      const featureKey = await newFeature(world);
      const update = world.admin.resources.features.update({ customer, featureKey, requestBody: {} });
      expect(await refusal(update)).toBe('400 required: Missing required field: name');
    },
  },
  {
    method: 'directory.resources.features.rename',
    right: async (world) => {
      const [oldName, newName] = [await newFeature(world), world.fresh('renamed')];
      const room = await newCalendar(world, { featureInstances: [{ feature: { name: oldName } }] });
      await world.admin.resources.features.rename({ customer, oldName, requestBody: { newName } });
      expect((await readCalendar(world, room)).featureInstances).toEqual([{ feature: { name: newName } }]);
    },
    wrong: async (world) => {
      const rename = world.admin.resources.features.rename({
        customer,
        oldName: world.fresh('no'),
        requestBody: { newName: world.fresh('renamed') },
      });
      expect(await refusal(rename)).toBe('404 notFound: Resource Not Found: oldName');
    },
  },
  {
    method: 'directory.resources.features.delete',
    right: async (world) => {
      const featureKey = await newFeature(world);
      const room = await newCalendar(world, { featureInstances: [{ feature: { name: featureKey } }] });
      expect((await world.admin.resources.features.delete({ customer, featureKey })).status).toBe(204);
      expect(await readCalendar(world, room)).not.toHaveProperty('featureInstances');
    },
    wrong: async ({ admin, fresh }) => {
      expect(await refusal(admin.resources.features.delete({ customer, featureKey: fresh('no') }))).toBe(NO_FEATURE);
    },
  },
];

export const roomCases: readonly MethodCase[] = [...buildingCases, ...calendarCases, ...featureCases];
