/** One line of a generated file, and what a migration must do to it. */
export type Line =
  | { fate: 'keep' | 'remove'; text: string }
  | { fate: 'edit'; text: string; to: readonly string[] }
  | { fate: 'insert'; to: readonly string[] };

type Ending = { indent: number; at: number; to: readonly string[] };

/**
 * Collects the lines of a file. It knows which comments a removed key takes along, and where the end of a block is: own
 * lines of a key are its line to the last line of its value, and further over comment lines that are indented deeper than
 * the key, with the blank lines between them.
 */
export function lineWriter() {
  const lines: Line[] = [];
  let depth = 0;
  let removed: number | undefined;
  let loose: number[] = [];
  let endings: Ending[] = [];

  function settle() {
    removed = undefined;
    loose = [];
    for (const { at, to } of endings.toSorted((one, other) => other.at - one.at))
      lines.splice(at, 0, { fate: 'insert', to });
    endings = [];
  }
  function remove(text: string) {
    lines.push({ fate: 'remove', text });
  }

  return {
    isRemoving: () => depth > 0,
    line(text: string, to = text) {
      if (depth > 0) return remove(text);
      settle();
      lines.push(to === text ? { fate: 'keep', text } : { fate: 'edit', text, to: [to] });
    },
    edit(text: string, to: readonly string[]) {
      settle();
      lines.push({ fate: 'edit', text, to });
    },
    /** Right here, whatever comes next. */
    insert(to: readonly string[]) {
      settle();
      lines.push({ fate: 'insert', to });
    },
    blank(text = '') {
      if (depth > 0) return remove(text);
      if (removed !== undefined) loose.push(lines.length);
      lines.push({ fate: 'keep', text });
    },
    comment(indent: number, text: string) {
      const line = `${' '.repeat(indent)}${text}`;
      if (depth > 0) return remove(line);
      const isTaken = removed !== undefined && indent > removed;
      if (isTaken) for (const at of loose) lines[at] = { fate: 'remove', text: (lines[at] as { text: string }).text };
      if (!isTaken) removed = undefined;
      loose = [];
      lines.push({ fate: isTaken ? 'remove' : 'keep', text: line });
      endings = endings.map((ending) => (ending.indent < indent ? { ...ending, at: lines.length } : ending));
      if (endings.some((ending) => ending.indent >= indent)) closeEndings();
    },
    /** What `write` writes belongs to a key at `indent` that goes. */
    removing(indent: number, write: () => void) {
      if (depth === 0) settle();
      depth += 1;
      write();
      depth -= 1;
      if (depth === 0) removed = indent;
    },
    /** What comes next is not of the key that went last. */
    endRemoval() {
      removed = undefined;
    },
    /** To stand at the end of the block whose key is at `indent` and whose value ends here. */
    atEnd(indent: number, to: readonly string[]) {
      endings.push({ indent, at: lines.length, to });
    },
    finish(): readonly Line[] {
      settle();
      return lines;
    },
  };

  /** A comment that is not of the block ends it; what a removed key takes is told apart from that. */
  function closeEndings() {
    const kept = removed;
    settle();
    removed = kept;
  }
}
export type LineWriter = ReturnType<typeof lineWriter>;
