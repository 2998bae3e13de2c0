import type { components } from "./generated/config-types.ts";

/**
 * Contents of `understudy.config.ts`: values for the flags of `serve`, `check` and `record`, options for the stubs of tests, and
 * live targets by name. Paths start from the folder of the file. Write secrets as `{ env: "NAME" }`.
 *
 * @example
 * const config: UnderstudyConfig = { check: { target: "staging" }, targets: { staging: { ledger: "http://127.0.0.1:7575" } } };
 */
export type UnderstudyConfig = components["schemas"]["Config"];

/**
 * Returns the config. Editors complete and check its argument.
 *
 * @example
 * export default defineConfig({ serve: { profile: "canton-3.5" }, test: { profile: "canton-3.5" } });
 */
export function defineConfig(config: UnderstudyConfig): UnderstudyConfig {
  return config;
}
