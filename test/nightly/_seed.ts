/** The first seed of the night. */
export const seed: number = Number(process.env["UNDERSTUDY_NIGHT"] ?? 1);
