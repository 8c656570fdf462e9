/** Sets the clock of this process back by so many milliseconds: stored data then is as old as it was when it was recorded. */
export function setBack(ms: number): void {
  const now = Date.now.bind(Date);
  Date.now = () => now() - ms;
  globalThis.Date = new Proxy(Date, {
    construct: (target, given: unknown[], made) =>
      Reflect.construct(target, given.length === 0 ? [target.now()] : given, made) as object,
  });
}
