/** Names whose keys are remembered, and the longest of them: a hostile text cannot fill the memory. */
const MAX_REMEMBERED = 4096;
const MAX_REMEMBERED_CHARS = 120;

/** `make`, asked once per name as long as few names were asked for. Names recur in the answers of a run. */
export function rememberNames(make: (name: string) => string): (name: string) => string {
  const made = new Map<string, string>();
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const value = make(name);
    if (name.length > MAX_REMEMBERED_CHARS) return value;
    if (made.size >= MAX_REMEMBERED) made.clear();
    made.set(name, value);
    return value;
  };
}
