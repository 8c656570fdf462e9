/** Addresses that lead nowhere or to what is not ours, which no text of ours may link to. A row holds for what is below it. */
export const deadAddresses: readonly { begins: string; why: string }[] = [
  { begins: 'https://www.npmjs.com/package/sightline', why: 'the name is not ours' },
  { begins: 'https://npmjs.com/package/sightline', why: 'the name is not ours' },
  { begins: 'https://origin.invalid', why: 'it stands for the address of a deployment while pages are built' },
  { begins: 'https://platform.openai.com/docs/gptbot', why: 'moved to https://platform.openai.com/docs/bots' },
];
