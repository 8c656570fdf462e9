/**
 * Ids of the attack list that a running stack cannot be asked about: they need a clock, a network or a client of their
 * own. Each names the file and the title of the test that proves it.
 */
export const PROVEN_ELSEWHERE = {
  K5: ['test/durable-objects/authorization-codes.test.ts', 'K5: a code is dead after ten minutes'],
  M2: ['test/cli/login/login.test.ts', 'C11: the answer must be from the server that was asked'],
  M4: [
    'test/cli/login/login.test.ts',
    'M4: when the service names another authorization server, the client registers again there',
  ],
  D5: ['test/routes/api/authorization/token.test.ts', 'S3, D5: a redirect of its document is not followed'],
  S3: ['test/authorization/clients/cimd.test.ts', 'a redirect %s is not followed'],
  S5: ['test/authorization/clients/cimd.test.ts', 'S5: more than 5 KB'],
  S7: ['test/authorization/clients/cimd.test.ts', 'S7: an address inside is not asked'],
  /** Workers resolve names on the platform's side, to public addresses only; in Node the address is judged before it is dialled. */
  S8: ['test/net/guarded-fetch.test.ts', 'with a resolver, a name at %j ends as %s'],
  S9: [
    'test/durable-objects/authorization-documents.test.ts',
    'S9: the document of one URL says nothing about another query of it',
  ],
  $4: ['test/payment/facilitator/facilitator.test.ts', 'a refusal without anything else'],
  $5: [
    'test/e2e/purchases/money.test.ts',
    'P4: a facilitator that hangs ends with the buyer charged once and served once',
  ],
} as const satisfies Record<string, readonly [file: string, title: string]>;

/** The whole attack list, by group. */
export const ATTACK_IDS: readonly string[] = [
  'O1 O2 O3 O4 O5 O6 O7 O8 O9',
  'K1 K2 K3 K4 K5 K6 K7',
  'P1 P2 P3 P4 P5 P6',
  'M1 M2 M3 M4',
  'U1 U2 U3 U4 U5 U6 U7 U8 U9',
  'T1 T2 T3 T4 T5 T6 T7 T8 T9',
  'F1 F2 F3 F4 F5 F6 F7',
  'X1 X2 X3',
  'D1 D2 D3 D4 D5 D6',
  'S1 S2 S3 S4 S5 S6 S7 S8 S9',
  'N1 N2 N3 N4 N5 N6 N7 N8',
  'G1 G2 G3 G4 G5 G6 G7',
  'Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8',
  '$1 $2 $3 $4 $5 $6 $7',
].flatMap((group) => group.split(' '));
