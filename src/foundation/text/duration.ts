const pattern = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/;

/** Milliseconds of an ISO-8601 duration of hours, minutes and seconds; undefined for any other text. */
export function durationMs(text: string): number | undefined {
  const match = pattern.exec(text);
  if (match === null || text === "PT") return undefined;
  const [hours, minutes, seconds] = [match[1], match[2], match[3]].map((part) => Number(part ?? 0));
  return Math.round((((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000);
}
