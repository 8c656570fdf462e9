import type { MethodCase } from '../support/method-cases.ts';
import { credentialCases } from './credentials.ts';
import { userAliasCases } from './user-aliases.ts';
import { userPhotoCases } from './user-photos.ts';
import { userCases } from './users.ts';

/** Users, their aliases, photos and credentials: a case for each method but the two that watch. */
export const cases: readonly MethodCase[] = [...userCases, ...userAliasCases, ...userPhotoCases, ...credentialCases];
