import * as z from 'zod';
import type { World } from './method-cases.ts';

const seededSchema = z.object({ calls: z.array(z.object({ ok: z.literal(true) })).length(1) });

/** Enrols a device by the emulator's seed: the vendor has no method for it. `params` say what a device does not show. */
async function enrol({ url, token, customer }: World, kind: string, params: object, body: object): Promise<void> {
  const response = await fetch(`${url}/v1/tenants/${customer}:seed`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ calls: [{ method: `emulator.${kind}.enroll`, params, body }] }),
  });
  seededSchema.parse(await response.json());
}

/** A fresh Chrome device in the root org unit. @returns its id */
export async function enrolChrome(world: World, body: object = {}, params: { kiosk?: boolean } = {}): Promise<string> {
  const deviceId = world.fresh('chrome');
  await enrol(world, 'chromeosdevices', params, { deviceId, ...body });
  return deviceId;
}

/** A fresh mobile device. @returns its resource id */
export async function enrolMobile(world: World, body: object = {}): Promise<string> {
  const resourceId = world.fresh('mobile');
  await enrol(world, 'mobiledevices', {}, { resourceId, ...body });
  return resourceId;
}
