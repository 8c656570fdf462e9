// Loaded before a peer's command line (`?ms=` is the time to begin at): the sites were written for one day, and none of
// their dates shall age.
const shiftMs = Number(new URL(import.meta.url).searchParams.get('ms')) - Date.now();
const RealDate = Date;
const now = () => RealDate.now() + shiftMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, asked) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, asked === globalThis.Date ? target : asked),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
