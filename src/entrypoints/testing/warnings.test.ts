import { expect, test } from "vitest";
import { createUnderstudy } from "../library/start-understudy.ts";
import type { UnderstudyTestOptions } from "./end-of-test.ts";
import { TestWarnings } from "./warnings.ts";

const headers = { Authorization: "Bearer any" };
const misspelt =
  "client warning known-parameters-sent: GET /v2/users: expected the known parameter `pageSize`, actual the unknown parameter `page_size`";
const profileLine =
  'Profile spec is the letter of the spec. To play a release, such as that of a LocalNet: { profile: "canton-3.6" }.';

/** The lines after two tests that send a misspelt query parameter. */
async function linesOf(options: UnderstudyTestOptions): Promise<readonly string[]> {
  const lines: string[] = [];
  const warnings = new TestWarnings(options, (line) => lines.push(line));
  for (const _ of [1, 2]) {
    const understudy = createUnderstudy(options.profile === undefined ? {} : { profile: options.profile });
    await understudy.fetch("/v2/users?page_size=2", { headers });
    warnings.after(understudy);
    await understudy.close();
    warnings.after(understudy);
  }
  return lines;
}

test.each<readonly [UnderstudyTestOptions, readonly string[]]>([
  [{ profile: "canton-3.6" }, [misspelt]],
  [{ profile: "spec" }, [misspelt]],
  [{}, [profileLine, misspelt]],
  [{ profile: "canton-3.6", allow: ["known-parameters-sent"] }, []],
  [{ profile: "canton-3.6", clientRules: "ignore" }, []],
  [{ profile: "canton-3.6", clientRules: "warnings" }, []],
])("tests that pass print each warning once, with the options %j", async (options, lines) => {
  expect(await linesOf(options)).toEqual(lines);
});
