import { expect, test } from "vitest";
import { exchangeOf } from "../../../test/acceptance/_report.ts";
import { createMask } from "../../foundation/secrets/mask.ts";
import { redactionMark } from "../../foundation/secrets/secret-name.ts";
import { loadSpec } from "../../foundation/spec/spec.ts";
import { checkExchange } from "./checker.ts";
import { showViolation } from "./shown-violation.ts";
import { Verdict } from "./verdict.ts";

const token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiI0NzExIn0.c2lnbmVkNDcxMQ";
const spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" });

test("redacts a token that is the name of a member, in the pointer and in the fingerprint", () => {
  const verdict = new Verdict(spec);
  const users = [{ id: "a", metadata: { annotations: { [token]: 5 } } }];
  verdict.add(checkExchange(spec, "release", exchangeOf(200, JSON.stringify({ users }))));
  const { violations } = verdict.summary();
  expect(violations.map(({ pointer }) => pointer)).toContain(`/users/0/metadata/annotations/${redactionMark}`);
  expect(JSON.stringify(violations)).not.toContain(token);
});

test("redacts a quoted signature by the member name in its pointer", () => {
  const violation = {
    rule: "r",
    section: "4",
    operationId: "o",
    status: 200,
    outcome: "FAIL",
    divergence: undefined,
    expected: "base64",
    actual: '"signed"',
  } as const;
  const shown = (pointer: string) => showViolation({ ...violation, pointer }, exchangeOf(200, ""), createMask()).actual;
  expect([shown("/a/0/signature"), shown("/a/0/format")]).toEqual([redactionMark, '"signed"']);
});
