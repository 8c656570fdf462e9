/** What the caller gave cannot be used: options, a seed, a folder. Nothing was changed. The message says what to do. */
export class WrongInput extends Error {
  override name = 'WrongInput';
}
