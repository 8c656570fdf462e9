import { encodeBase64url } from '../../../src/lib/base64url.ts';

/** What a test changes of what an honest browser and authenticator do. */
export type PasskeyChanges = {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  crossOrigin?: boolean;
  /** Signs with another key than that of the passkey. */
  isForged?: boolean;
  counter?: number;
  isUserAbsent?: boolean;
};

type Options = { challenge: string };

const encoder = new TextEncoder();
const bytesOf = (...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(parts.flatMap((part) => [...part]));
const sha256 = async (data: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', data));

/** CBOR of a byte string and of a text of less than 65,536 bytes. */
const cborHead = (major: number, length: number): readonly number[] => {
  if (length < 24) return [major + length];
  return length < 256 ? [major + 24, length] : [major + 25, length >> 8, length & 255];
};
const cborBytes = (data: Uint8Array): Uint8Array<ArrayBuffer> => bytesOf(cborHead(0x40, data.length), data);
const cborText = (text: string): Uint8Array<ArrayBuffer> => bytesOf(cborHead(0x60, text.length), encoder.encode(text));

/** An ECDSA signature as authenticators write it (DER), from the pair of numbers that WebCrypto makes. */
function toDer(raw: Uint8Array): Uint8Array<ArrayBuffer> {
  const integer = (half: Uint8Array) => {
    const start = half.findIndex((byte) => byte !== 0);
    const trimmed = half.slice(start === -1 ? half.length - 1 : start);
    const positive = (trimmed[0] ?? 0) > 127 ? bytesOf([0], trimmed) : bytesOf(trimmed);
    return bytesOf([0x02, positive.length], positive);
  };
  const body = bytesOf(integer(raw.slice(0, 32)), integer(raw.slice(32)));
  return bytesOf([0x30, body.length], body);
}

/** As the types of Workers and of Node both name it. */
type Key = Parameters<typeof crypto.subtle.sign>[1];

/** Workers' types say less of what is made than those of browsers. */
async function makeKey(): Promise<{ privateKey: Key; point: Uint8Array }> {
  const made: Key | { privateKey: Key; publicKey: Key } = await crypto.subtle.generateKey(CURVE, true, [
    'sign',
    'verify',
  ]);
  if (!('privateKey' in made)) throw new Error('no pair of keys');
  const raw: object = await crypto.subtle.exportKey('raw', made.publicKey);
  if (!(raw instanceof ArrayBuffer)) throw new Error('no bytes');
  return { privateKey: made.privateKey, point: new Uint8Array(raw) };
}

const CURVE = { name: 'ECDSA', namedCurve: 'P-256' };

/** An authenticator of one passkey in software, with the browser around it (WebAuthn, P-256, attestation `none`). */
export async function makeSoftPasskey(rpId: string, origin: string) {
  const [pair, stranger] = await Promise.all([makeKey(), makeKey()]);
  const { point } = pair;
  const credentialId = crypto.getRandomValues(new Uint8Array(16));
  const id = encodeBase64url(credentialId);
  let counter = 0;
  const cose = bytesOf(
    [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01],
    [0x21],
    cborBytes(point.slice(1, 33)),
    [0x22],
    cborBytes(point.slice(33)),
  );
  const clientData = (type: string, { challenge }: Options, changes: PasskeyChanges) =>
    encoder.encode(
      JSON.stringify({
        type: changes.type ?? type,
        challenge: changes.challenge ?? challenge,
        origin: changes.origin ?? origin,
        crossOrigin: changes.crossOrigin ?? false,
      }),
    );
  const authData = async (changes: PasskeyChanges, attested?: Uint8Array): Promise<Uint8Array<ArrayBuffer>> => {
    const flags = (changes.isUserAbsent ? 0 : 0x01) | 0x04 | (attested === undefined ? 0 : 0x40);
    const count = changes.counter ?? counter;
    const rpHash = await sha256(bytesOf(encoder.encode(changes.rpId ?? rpId)));
    return bytesOf(rpHash, [flags, count >>> 24, (count >> 16) & 255, (count >> 8) & 255, count & 255], attested ?? []);
  };
  return {
    id,
    /** What `navigator.credentials.create` gives, as JSON text. */
    register: async (options: Options, changes: PasskeyChanges = {}): Promise<string> => {
      const attested = bytesOf(new Uint8Array(16), [0, credentialId.length], credentialId, cose);
      const data = await authData(changes, attested);
      const attestation = bytesOf(
        [0xa3],
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        [0xa0],
        cborText('authData'),
        cborBytes(data),
      );
      return JSON.stringify({
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: encodeBase64url(clientData('webauthn.create', options, changes)),
          attestationObject: encodeBase64url(attestation),
          transports: ['internal'],
        },
      });
    },
    /** What `navigator.credentials.get` gives, as JSON text. */
    sign: async (options: Options, changes: PasskeyChanges = {}): Promise<string> => {
      counter += 1;
      const client = clientData('webauthn.get', options, changes);
      const data = await authData(changes);
      const signed = bytesOf(data, await sha256(bytesOf(client)));
      const { privateKey } = changes.isForged ? stranger : pair;
      const raw = new Uint8Array(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, signed));
      return JSON.stringify({
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: encodeBase64url(client),
          authenticatorData: encodeBase64url(data),
          signature: encodeBase64url(toDer(raw)),
          userHandle: null,
        },
      });
    },
  };
}

export type SoftPasskey = Awaited<ReturnType<typeof makeSoftPasskey>>;
