/** What of the package is used: types are judged where it is not installed. */
declare module 'gpt-tokenizer' {}
declare module 'gpt-tokenizer/encoding/o200k_base' {
  export const encode: (text: string) => number[];
}
