import type { MethodCase } from '../support/method-cases.ts';
import { deviceCases } from './devices.ts';
import { roomCases } from './rooms.ts';

/** Buildings, rooms, features, Chrome and mobile devices: a case for each method. */
export const cases: readonly MethodCase[] = [...roomCases, ...deviceCases];
