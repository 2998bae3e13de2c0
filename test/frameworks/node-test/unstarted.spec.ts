import { understudyTest } from "../../../src/entrypoints/testing/node-test.ts";

const test = understudyTest({ scenario: "none.arazzo.yaml" });

test("has no stub", () => undefined);
