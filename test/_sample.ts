/** So many of the cases, evenly spread over all of them: those that `npm test` has time for. */
export function sampleOf<Case>(cases: readonly Case[], count: number): readonly Case[] {
  return cases.filter(
    (_, at) => Math.floor((at * count) / cases.length) !== Math.floor(((at - 1) * count) / cases.length),
  );
}
