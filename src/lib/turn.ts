/** A turn of the event loop: whatever is ready elsewhere goes first. */
export const turn = (): Promise<undefined> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(undefined), 0);
  });
