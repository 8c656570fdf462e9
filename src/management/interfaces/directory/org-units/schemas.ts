import { getTextMember, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import type { Context } from '../../../core/engine/operation.ts';
import { type Indexed, type ResourceRow, isKey } from '../../../core/engine/stored-row.ts';
import { refuseOrgUnitName, refuseParentOrgUnit } from '../refusals.ts';
import { requireShortTexts } from '../schemas.ts';
import {
  findOrgUnit,
  formatOrgUnitId,
  getOrgUnitRowPath,
  listUnitsBelow,
  normaliseOrgUnitPath,
  ROOT_PATH,
} from './rows.ts';

/** Levels below the root. */
const MAX_DEPTH = 35;

/** Units that move with one above them: two statements each. */
export const MAX_MOVED = 2_000;

/** Characters of a name, and of a description. */
const LIMITS = { name: 256, description: 4_096 } as const;

/**
 * The parent that a body names by path or id; undefined where it names none. Of a changed resource that is sent back
 * whole, the one that is new counts. @throws Refusal 400 for one that is not there
 */
export function readSentParent(body: JsonObject, context: Context, before?: ResourceRow): ResourceRow | undefined {
  const [sentId, path] = [getTextMember(body, 'parentOrgUnitId'), getTextMember(body, 'parentOrgUnitPath')];
  if (sentId === '' && path === '') return undefined;
  const id = formatOrgUnitId(sentId.replace(/^id:/, ''));
  const isOld = path !== '' && id === before?.body['parentOrgUnitId'];
  const key = sentId === '' || isOld ? path : id;
  const parent = findOrgUnit(key, context);
  if (parent === undefined) throw refuseParentOrgUnit();
  return parent;
}

/** A unit with this name in a place where it fits. `before`: the unit itself, when it is already there. @throws Refusal */
export function buildPlacedUnit(
  parent: ResourceRow,
  sent: JsonObject,
  context: Context,
  before?: ResourceRow,
): { body: JsonObject } & Indexed {
  const { name, path } = validateUnitName(sent, getOrgUnitRowPath(parent));
  const there = findOrgUnit(path, context);
  if (there !== undefined && there.id !== before?.id) throw vendorRefusals.duplicate();
  requireRoom(path, parent, before, context);
  const body = {
    name,
    description: getTextMember(sent, 'description'),
    orgUnitPath: path,
    parentOrgUnitId: formatOrgUnitId(parent.id),
    blockInheritance: false,
  };
  return { body, s1: normaliseOrgUnitPath(path), ref: parent.id };
}

function validateUnitName(sent: JsonObject, parent: string): { name: string; path: string } {
  const name = getTextMember(sent, 'name').trim();
  if (name === '' || name.includes('/') || name.length > LIMITS.name) throw refuseOrgUnitName();
  requireShortTexts(sent, { description: LIMITS.description });
  return { name, path: parent === ROOT_PATH ? `/${name}` : `${parent}/${name}` };
}

/** @throws Refusal 400 for a place inside of the unit itself, or one that is too deep for it and what is below it */
function requireRoom(path: string, parent: ResourceRow, before: ResourceRow | undefined, context: Context): void {
  const from = before && normaliseOrgUnitPath(getOrgUnitRowPath(before));
  const isInside = from !== undefined && `${normaliseOrgUnitPath(getOrgUnitRowPath(parent))}/`.startsWith(`${from}/`);
  if (isInside) throw refuseParentOrgUnit();
  const isMoved = before !== undefined && normaliseOrgUnitPath(path) !== from;
  const moved = isMoved ? listUnitsBelow(before, MAX_MOVED + 1, context) : [];
  if (moved.length > MAX_MOVED) throw vendorRefusals.limitExceeded(`At most ${MAX_MOVED} org units move at once`);
  const paths = [path, ...moved.map((row) => path + getOrgUnitRowPath(row).slice(from?.length))];
  if (paths.some((each) => computeDepth(each) > MAX_DEPTH)) throw refuseParentOrgUnit();
  if (paths.some((each) => !isKey(normaliseOrgUnitPath(each)))) throw refuseOrgUnitName();
}

const computeDepth = (path: string): number => (path === ROOT_PATH ? 0 : path.split('/').length - 1);

/** The root keeps its place and name; what it is for can be said. */
export function buildRootBody(before: ResourceRow, sent: JsonObject, asked: JsonObject): JsonObject {
  if (getTextMember(asked, 'parentOrgUnitId') || getTextMember(asked, 'parentOrgUnitPath')) throw refuseParentOrgUnit();
  if (getTextMember(asked, 'name') && asked['name'] !== before.body['name']) throw refuseOrgUnitName();
  requireShortTexts(sent, { description: LIMITS.description });
  return { ...before.body, description: getTextMember(sent, 'description') };
}
