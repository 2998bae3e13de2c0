import {
  allocate,
  allocation,
  base64,
  choice,
  execute,
  execution,
  fields,
  type LargeInput,
  many,
  plan,
  post,
  preparation,
  prepare,
  registry,
  repeated,
  rights,
  signature,
  update,
  user,
  vetting,
  wrapped,
} from "./large-input.ts";

/** Inputs with as much of one thing as fits into the limit of bytes. Most exceed another limit. */
export const refusedInputs: readonly LargeInput[] = [
  post("320,000 annotations", "/v2/users", () => user(`{${many(320_000, (index) => `"k${index}":"v"`)}}`)),
  {
    name: "320,000 annotations in an update",
    method: "PATCH",
    target: "/v2/users/alice",
    body: () => update("", `{${many(320_000, (index) => `"k${index}":"v"`)}}`),
  },
  {
    name: "a resource version of 7,900,000 digits",
    method: "PATCH",
    target: "/v2/users/alice",
    body: () => update("9".repeat(7_900_000), "{}"),
  },
  post("an integer of 7,900,000 digits", execute, () => execution("", "9".repeat(7_900_000))),
  post("a text of 7,900,000 digits for an integer", execute, () => execution("", `"${"9".repeat(7_900_000)}"`)),
  post("a decimal of 7,900,000 digits", prepare, () => preparation(`{"amount":"${"9".repeat(7_900_000)}.0"}`)),
  post("numbers of 19 digits", execute, () =>
    execution("", "0", `[${"9".repeat(19)}${`,${"9".repeat(19)}`.repeat(390_000)}]`),
  ),
  post("100,000 rights", "/v2/users/alice/rights", () => rights(100_000)),
  { ...post("100,000 rights to revoke", "/v2/users/alice/rights", () => rights(100_000)), method: "PATCH" },
  post("1,000 rights with long names", "/v2/users/alice/rights", () => rights(1000, "x".repeat(180))),
  post("2,700,000 empty lists", "/v2/users", () => `{"a":[${many(2_700_000, () => "[]")}]}`),
  post("600,000 members", "/v2/users", () => `{"a":{${many(600_000, (index) => `"k${index}":{}`)}}}`),
  post("a text of 8,000,000 brackets", "/v2/users", () => `{"user":{"id":"${"[".repeat(8_000_000)}"}}`),
  post("a text of 1,300,000 escapes", "/v2/users", () => `{"user":{"id":"${String.raw`\u0041`.repeat(1_300_000)}"}}`),
  post(
    "4,000,000 unclosed brackets in 500 levels",
    "/v2/users",
    () => `{"a":${"[".repeat(498)}${many(4_000_000, () => "1")}${"]".repeat(498)}}`,
  ),
  post("3,000,000 empty protobuf fields", execute, () => execution(fields(6_000_000, 0x0a))),
  post("1,500,000 nested protobuf fields", execute, () =>
    execution(base64(wrapped(1, wrapped(3, repeated([0x0a, 0], 5_900_000))))),
  ),
  post("3,000,000 empty protobuf nodes", execute, () => execution(base64(wrapped(1, repeated([0x1a, 0], 5_900_000))))),
  post("3,000,000 protobuf roots", execute, () => execution(base64(wrapped(1, repeated([0x12, 0], 5_900_000))))),
  post("3,000,000 protobuf submitters", execute, () =>
    execution(base64(wrapped(2, wrapped(2, repeated([0x0a, 0], 5_900_000))))),
  ),
  post("3,000,000 fields in a disclosed contract", prepare, () => preparation("{}", fields(6_000_000, 0x12))),
  post("3,000,000 fields in a topology transaction", allocate, () =>
    allocation(`{"transaction":"${fields(6_000_000, 0x1a)}","signatures":[]}`),
  ),
  post("70,000 topology transactions", allocate, () =>
    allocation(many(70_000, () => `{"transaction":"CAEQARoA","signatures":[]}`)),
  ),
  post("60,000 signatures", execute, () =>
    execution(
      "",
      "0",
      "[]",
      many(60_000, (index) => `{"party":"p${index}::1220","signatures":[${signature}]}`),
    ),
  ),
  post("90,000 submitters", prepare, () => preparation("{}", undefined, 90_000)),
  post("120,000 commands", prepare, () => preparation(undefined, undefined, 1, 120_000)),
  post("200,000 members of a create argument", prepare, () =>
    preparation(`{${many(200_000, (index) => `"k${index}":"x"`)}}`),
  ),
  post("200,000 holdings in a choice argument", registry, () => choice(many(200_000, () => '"00ab"'))),
  post("100,000 packages to vet", "/v2/package-vetting", () => vetting(100_000)),
  post(
    "a rejected plan of 60,000 entries",
    plan,
    () => `{"plan":[${many(60_000, () => '{"at":"PT1S","disconect":"global"}')}]}`,
  ),
  post(
    "a rejected plan of 60,000 responses",
    plan,
    () => `{"plan":[${many(60_000, () => '{"on":"getV2Users","instead":{"delay":{}}}')}]}`,
  ),
  post(
    "a plan with 60,000 wrong names",
    plan,
    () => `{"plan":[${many(60_000, () => '{"at":"PT1S","disconnect":"nowhere"}')}]}`,
  ),
  post(
    "a plan of 60,000 entries",
    plan,
    () => `{"plan":[${many(60_000, () => '{"at":"PT1S","deactivateUser":"alice"}')}]}`,
  ),
  post(
    "a plan of 60,000 faults",
    plan,
    () =>
      `{"plan":[${many(60_000, (index) => `{"on":"getV2Users","nth":${index + 1},"instead":{"error":"ABORTED"}}`)}]}`,
  ),
  post("8,000,000 spaces", "/v2/users", () => " ".repeat(8_000_000)),
];
