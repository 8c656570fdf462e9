/** `make`, asked once per object; what it made is forgotten with the object. Only for objects that do not change. */
export function rememberPerObject<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, { value: V }>();
  return (key) => {
    const known = made.get(key);
    if (known) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}

/** `make`, asked once per key; what it made is kept as long as the function itself. */
export function rememberPerKey<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

/** `make`, called when it is first asked for, and then never again. */
export function rememberResult<V>(make: () => V): () => V {
  let made: V | undefined;
  return () => (made ??= make());
}
