/** Landmark nearest around an element; the header and footer of an article or section are not the page's. */
export type Region = 'main' | 'nav' | 'header' | 'footer' | 'aside' | 'none';

/** Why a reader of the rendered page does not see an element. `aria-hidden` is seen, but not by assistive technology. */
export type HiddenHow =
  | 'hidden-attribute'
  | 'display-none'
  | 'visibility-hidden'
  | 'font-size-0'
  | 'zero-size'
  | 'same-colour'
  | 'off-screen'
  | 'aria-hidden';

/** Where an element is: 1-based line, landmark, inside `main` or `article`, and why it is hidden (if it is). */
export type ElementPlace = { line: number; region: Region; inContent: boolean; hidden?: HiddenHow };
