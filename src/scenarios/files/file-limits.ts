/** Limits for YAML and JSON files of users. Commands use `fileLimits`; no flag changes them (docs/limits.md). */
interface FileLimits {
  /** Objects and lists around a value, aliases resolved. */
  readonly fileNestingMax: number;
  /** Number of values that the aliases of a file repeat, those of nested aliases included. */
  readonly aliasValuesMax: number;
  /** Number of names, values, signs, spaces and line ends in a file that is not JSON. */
  readonly yamlTokensMax: number;
}

export const fileLimits: FileLimits = { fileNestingMax: 200, aliasValuesMax: 10_000, yamlTokensMax: 500_000 };
