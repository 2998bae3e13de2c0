const night = process.env["UNDERSTUDY_NIGHT"];

/**
 * The seed of all random tests. `npm test` and `npm run test:deep` draw the same each time, so a failure comes from the
 * change at hand; `npm run nightly` draws another one, prints it, and passes it in this variable.
 */
export const seed: number = night === undefined ? 1 : Number(night);
