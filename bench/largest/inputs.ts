import { limits } from "../../src/foundation/limits/limits.ts";
import {
  allocate,
  allocation,
  base64,
  choice,
  execute,
  execution,
  many,
  nestedValues,
  party,
  partyKeys,
  plan,
  planOf,
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
} from "./bodies.ts";

/** A kind of request that is large in one respect. */
export interface LargeInput {
  readonly name: string;
  readonly method: "POST" | "PATCH" | "GET";
  readonly target: string;
  /** How many the limits accept; undefined if there is no such case. */
  readonly accepted: number | undefined;
  /** How many fit into a body, more than a limit allows. */
  readonly refused: number | undefined;
  /** Built when it is sent, from the last response: it may have megabytes. */
  readonly body: (count: number, previous: string) => string;
}

/** A little below the limits: the members around the large part count, too. */
const values = limits.jsonValuesMax.byDefault - 100;
const fieldsMax = limits.protobufFieldsMax.byDefault - 100;
const digits = limits.numberLengthMax.byDefault;
/** A little below the limit of a body. */
const characters = 7_900_000;
const [users, alice] = ["/v2/users", "/v2/users/alice"] as const;
const transaction = '{"transaction":"CAEQARoA","signatures":[]}';

type Counts = readonly [accepted: number | undefined, refused: number | undefined];

function post(name: string, target: string, [accepted, refused]: Counts, body: LargeInput["body"]): LargeInput {
  return { name, method: "POST", target, accepted, refused, body };
}

function patch(input: LargeInput): LargeInput {
  return { ...input, method: "PATCH" };
}

const message = (bytes: Uint8Array) => execution(base64(bytes));
const annotations = (count: number, value: string) => `{${many(count, (index) => `"k${index}":"${value}"`)}}`;
const nines = (count: number) => "9".repeat(count);
const some: Counts = [1, undefined];

/** Executes what the last request prepared. */
const executed: LargeInput = post("the same, to execute", execute, some, (_, previous) =>
  execution(JSON.parse(previous).preparedTransaction, "0", "[]", `{"party":"${party}","signatures":[${signature}]}`),
);

export const largeInputs: readonly LargeInput[] = [
  post("annotations", users, [values, 320_000], (count) => user(annotations(count, "v"))),
  patch(post("annotations in an update", alice, [undefined, 320_000], (count) => update("", annotations(count, "v")))),
  patch(post("annotations to delete", alice, [values, undefined], (count) => update("", annotations(count, "")))),
  patch(post("digits of a resource version", alice, [characters, undefined], (count) => update(nines(count), "{}"))),
  post("digits of an integer", execute, [undefined, characters], (count) => execution("", nines(count))),
  post("digits of a text for an integer", execute, [characters, undefined], (count) =>
    execution("", `"${nines(count)}"`),
  ),
  post("digits of a decimal", prepare, [characters, undefined], (count) =>
    preparation(`{"amount":"${nines(count)}.0"}`),
  ),
  post("numbers", execute, [characters / (digits + 1), 390_000], (count) =>
    execution("", "0", `[${many(count, () => nines(count > 100_000 ? 19 : digits))}]`),
  ),
  post("numbers in an argument", prepare, [characters / (digits + 1), undefined], (count) =>
    preparation(`{"list":[${many(count, () => nines(digits))}]}`),
  ),
  post("rights to grant", `${alice}/rights`, [values / 5, 100_000], (count) => rights(count)),
  patch(post("rights to revoke", `${alice}/rights`, [values / 5, 100_000], (count) => rights(count))),
  post("rights with long names", `${alice}/rights`, [undefined, 1000], (count) => rights(count, "x".repeat(180))),
  post("lists", users, [values, 2_700_000], (count) => `{"a":[${many(count, () => "[]")}]}`),
  post("members", users, [values, 600_000], (count) => `{"a":{${many(count, (index) => `"k${index}":{}`)}}}`),
  post(
    "elements in 500 unclosed levels",
    users,
    [undefined, 4_000_000],
    (count) => `{"a":${"[".repeat(498)}${many(count, () => "1")}${"]".repeat(498)}}`,
  ),
  post("brackets of a text", users, [8_000_000, undefined], (count) => `{"user":{"id":"${"[".repeat(count)}"}}`),
  post(
    "escapes of a text",
    users,
    [1_300_000, undefined],
    (count) => `{"user":{"id":"${String.raw`\u0041`.repeat(count)}"}}`,
  ),
  post("spaces", users, [8_000_000, undefined], (count) => " ".repeat(count)),
  post("protobuf fields", execute, [fieldsMax, 3_000_000], (count) => message(repeated([0x0a, 0], count * 2))),
  post("nested protobuf fields", execute, [undefined, 2_950_000], (count) =>
    message(wrapped(1, wrapped(3, repeated([0x0a, 0], count * 2)))),
  ),
  post("protobuf nodes", execute, [fieldsMax, 2_950_000], (count) =>
    message(wrapped(1, repeated([0x1a, 0], count * 2))),
  ),
  post("protobuf seeds", execute, [fieldsMax, undefined], (count) =>
    message(wrapped(1, repeated([0x22, 0], count * 2))),
  ),
  post("protobuf roots", execute, [fieldsMax, 2_950_000], (count) =>
    message(wrapped(1, repeated([0x12, 0], count * 2))),
  ),
  post("protobuf submitters", execute, [fieldsMax, 2_950_000], (count) =>
    message(wrapped(2, wrapped(2, repeated([0x0a, 0], count * 2)))),
  ),
  post("nested protobuf values", execute, [60, undefined], (count) => message(nestedValues(90, count))),
  post("topology transactions", allocate, [values / 4, 70_000], (count) => allocation(many(count, () => transaction))),
  post("topology signatures", allocate, [values / 4, undefined], (count) =>
    allocation(
      many(count / 2, () => transaction),
      count,
    ),
  ),
  post("keys of a party", allocate, [fieldsMax / 3, undefined], (count) =>
    allocation(`{"transaction":"${base64(partyKeys(count))}"}`),
  ),
  post("fields of a topology transaction", allocate, [undefined, 3_000_000], (count) =>
    allocation(`{"transaction":"${base64(repeated([0x1a, 0], count * 2))}","signatures":[]}`),
  ),
  post("signatures", execute, [values / 4, 60_000], (count) =>
    execution(
      "",
      "0",
      "[]",
      many(count, (index) => `{"party":"p${index}::1220","signatures":[${signature}]}`),
    ),
  ),
  post("submitters", prepare, [values, 90_000], (count) => preparation("{}", undefined, count)),
  post("times the same submitter", prepare, [values, undefined], (count) =>
    preparation("{}", undefined, count, 1, true),
  ),
  post("commands", prepare, [values / 4, 120_000], (count) => preparation("{}", undefined, 1, count)),
  post("members of an argument", prepare, [undefined, 200_000], (count) => preparation(annotations(count, "x"))),
  post("disclosed contracts", prepare, [values / 5, undefined], (count) =>
    preparation("{}", "CgMyLjESAA==", 1, 1, false, count),
  ),
  post("fields of a disclosed contract", prepare, [undefined, 3_000_000], (count) =>
    preparation("{}", base64(repeated([0x12, 0], count * 2))),
  ),
  post("holdings in a choice argument", registry, [values, 200_000], (count) => choice(many(count, () => '"00ab"'))),
  post("packages to vet", "/v2/package-vetting", [values / 4, 100_000], (count) => vetting(count)),
  post("unknown members of a plan", plan, [values / 3, 60_000], (count) =>
    planOf(count, () => '{"at":"PT1S","disconect":"global"}'),
  ),
  post("invalid responses of a plan", plan, [values / 4, 60_000], (count) =>
    planOf(count, () => '{"on":"getV2Users","instead":{"delay":{}}}'),
  ),
  post("unknown names of a plan", plan, [values / 3, 60_000], (count) =>
    planOf(count, () => '{"at":"PT1S","disconnect":"nowhere"}'),
  ),
  post("events of a plan, more than its limit", plan, [values / 3, 60_000], (count) =>
    planOf(count, () => '{"at":"PT1S","deactivateUser":"alice"}'),
  ),
  post("faults of a plan, more than its limit", plan, [undefined, 60_000], (count) =>
    planOf(count, (index) => `{"on":"getV2Users","nth":${index + 1},"instead":{"error":"INVALID_FIELD"}}`),
  ),
  post("texts of an argument, to prepare", prepare, [values / 2, undefined], (count) =>
    preparation(`{"list":[${many(count, () => '"some text"')}]}`),
  ),
  executed,
  post("records of an argument, to prepare", prepare, [values / 4, undefined], (count) =>
    preparation(`{"list":[${many(count, () => '{"a":"1.0","b":"x"}')}]}`),
  ),
  executed,
  post("characters of an argument in 80 levels, to prepare", prepare, [5_000_000, undefined], (count) =>
    preparation(`${`{"a":`.repeat(80)}"${"x".repeat(count)}"${"}".repeat(80)}`),
  ),
  executed,
  // A fault counts as seven members and elements.
  post("faults of a plan", plan, [values / 7, undefined], (count) =>
    planOf(count, () => '{"on":"getV2Users","match":{"query":{"a":"b"}},"instead":{"error":"INVALID_FIELD"}}'),
  ),
  read("parameters of a request that all these faults are compared with", `${users}?${"a=c&".repeat(1900)}`, 1900),
  read("the journal of all these", "/__understudy/worlds/default/journal", 1),
];

function read(name: string, target: string, accepted: number): LargeInput {
  return { name, method: "GET", target, accepted, refused: undefined, body: () => "" };
}
