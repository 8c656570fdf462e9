import type { Keccak } from '../../../lib/ethereum.ts';
import type { SignableTypedData } from './payment-signing.ts';

/** Hexadecimal digits of one word of 32 bytes. */
const WORD_DIGITS = 64;

/**
 * The digest that a wallet signs (EIP-712), for data whose members are texts, numbers, addresses and words of 32 bytes:
 * what this page has signed is flat.
 * @throws RangeError for a member of another type
 * @see https://eips.ethereum.org/EIPS/eip-712
 */
export function hashFlatTypedData(
  { domain, types, primaryType, message }: SignableTypedData,
  keccak: Keccak,
): `0x${string}` {
  const hashStruct = (type: string, values: Readonly<Record<string, string | number>>): string => {
    const members = types[type] ?? [];
    const written = `${type}(${members.map((member) => `${member.type} ${member.name}`).join(',')})`;
    const words = members.map(({ name, type: kind }) => encodeWord(kind, String(values[name] ?? ''), keccak));
    return keccak.hashHex(`${keccak.hashText(written)}${words.join('')}`);
  };
  return `0x${keccak.hashHex(`1901${hashStruct('EIP712Domain', domain)}${hashStruct(primaryType, message)}`)}`;
}

function encodeWord(type: string, value: string, keccak: Keccak): string {
  switch (type) {
    case 'string':
      return keccak.hashText(value);
    case 'uint256':
      return BigInt(value).toString(16).padStart(WORD_DIGITS, '0');
    case 'address':
    case 'bytes32':
      return value.replace(/^0x/, '').toLowerCase().padStart(WORD_DIGITS, '0');
    default:
      throw new RangeError(`no word is written of ${type}`);
  }
}
