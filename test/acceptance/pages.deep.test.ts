import { expect, test } from "vitest";
import { followed, problemsOfCommands } from "./_followed-page.ts";

test.for(followed)("the commands of %s print what the page shows", async (page, { signal }) => {
  expect(await problemsOfCommands(page, signal)).toEqual([]);
});
