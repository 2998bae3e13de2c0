import { limits } from "../../src/foundation/limits/limits.ts";
import { plannedMax } from "../../src/simulator/world/plan.ts";
import {
  allocate,
  allocation,
  base64,
  choice,
  execute,
  execution,
  type LargeInput,
  many,
  party,
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

/** A little below the limits: the members around the large part count, too. */
const values = limits.jsonValuesMax.byDefault - 100;
const fieldsMax = limits.protobufFieldsMax.byDefault - 100;
const digits = "9".repeat(limits.numberLengthMax.byDefault);
const numbers = Math.floor(7_900_000 / (digits.length + 1));
const users = "/v2/users";
const grant = "/v2/users/alice/rights";

/** Inputs with as much of one thing as the limits accept. */
export const acceptedInputs: readonly LargeInput[] = [
  post("annotations", users, () => user(`{${many(values, (index) => `"k${index}":"v"`)}}`)),
  updating("annotations to delete", () => update("", `{${many(values, (index) => `"k${index}":""`)}}`)),
  updating("a resource version", () => update("9".repeat(7_900_000), "{}")),
  post("a text of digits for an integer", execute, () => execution("", `"${"9".repeat(7_900_000)}"`)),
  post("a text of digits in an argument", prepare, () => preparation(`{"amount":"${"9".repeat(7_900_000)}.0"}`)),
  post("long numbers", execute, () => execution("", "0", `[${many(numbers, () => digits)}]`)),
  post("long numbers in an argument", prepare, () => preparation(`{"list":[${many(numbers, () => digits)}]}`)),
  post("rights to grant", grant, () => rights(values / 5)),
  { ...post("rights to revoke", grant, () => rights(values / 5)), method: "PATCH" },
  post("lists", users, () => `{"a":[${many(values, () => "[]")}]}`),
  post("members", users, () => `{"a":{${many(values, (index) => `"k${index}":{}`)}}}`),
  post("a text of brackets", users, () => `{"user":{"id":"${"[".repeat(8_000_000)}"}}`),
  post("a text of escapes", users, () => `{"user":{"id":"${String.raw`\u0041`.repeat(1_300_000)}"}}`),
  post("spaces", users, () => " ".repeat(8_000_000)),
  post("protobuf fields", execute, () => message(repeated([0x0a, 0], fieldsMax * 2))),
  post("protobuf nodes", execute, () => message(wrapped(1, repeated([0x1a, 0], fieldsMax * 2)))),
  post("protobuf seeds", execute, () => message(wrapped(1, repeated([0x22, 0], fieldsMax * 2)))),
  post("protobuf roots", execute, () => message(wrapped(1, repeated([0x12, 0], fieldsMax * 2)))),
  post("protobuf submitters", execute, () => message(wrapped(2, wrapped(2, repeated([0x0a, 0], fieldsMax * 2))))),
  post("nested protobuf values", execute, () => message(nestedValues(90, 60))),
  post("topology transactions", allocate, () => allocation(many(values / 4, () => transaction))),
  post("topology signatures", allocate, () =>
    allocation(
      many(values / 8, () => transaction),
      values / 4,
    ),
  ),
  post("keys of a party", allocate, () => allocation(`{"transaction":"${base64(keys(fieldsMax / 3))}"}`)),
  post("signatures", execute, () =>
    execution(
      "",
      "0",
      "[]",
      many(values / 4, (index) => `{"party":"p${index}::1220","signatures":[${signature}]}`),
    ),
  ),
  post("submitters", prepare, () => preparation(undefined, undefined, values)),
  post("the same submitter again and again", prepare, () => preparation(undefined, undefined, values, 1, true)),
  post("commands", prepare, () => preparation(undefined, undefined, 1, values / 4)),
  post("disclosed contracts", prepare, () => preparation(undefined, "CgMyLjESAA==", 1, 1, false, values / 5)),
  post("holdings in a choice argument", registry, () => choice(many(values, () => '"00ab"'))),
  post("packages to vet", "/v2/package-vetting", () => vetting(values / 4)),
  post("a plan with unknown members", plan, () => planOf(values / 3, '{"at":"PT1S","disconect":"global"}')),
  post("a plan with invalid responses", plan, () => planOf(values / 4, '{"on":"getV2Users","instead":{"delay":{}}}')),
  post("a plan with unknown names", plan, () => planOf(values / 3, '{"at":"PT1S","disconnect":"nowhere"}')),
  post("a plan of more events than its limit", plan, () =>
    planOf(values / 3, '{"at":"PT1S","deactivateUser":"alice"}'),
  ),
  post("an argument of texts, to prepare", prepare, () =>
    preparation(`{"list":[${many(values / 2, () => '"some text"')}]}`),
  ),
  post("the same, to execute", execute, executionOf),
  post("an argument of records, to prepare", prepare, () =>
    preparation(`{"list":[${many(values / 4, () => '{"a":"1.0","b":"x"}')}]}`),
  ),
  post("the same, to execute", execute, executionOf),
  post("an argument of 5 MB in 80 levels, to prepare", prepare, () =>
    preparation(`${`{"a":`.repeat(80)}"${"x".repeat(5_000_000)}"${"}".repeat(80)}`),
  ),
  post("the same, to execute", execute, executionOf),
  post("a plan of faults", plan, () =>
    planOf(plannedMax, '{"on":"getV2Users","match":{"query":{"a":"b"}},"instead":{"error":"ABORTED"}}'),
  ),
  {
    name: "a request that all faults of the plan are compared with",
    method: "GET",
    target: `/v2/users?${"a=c&".repeat(1900)}`,
    body: () => "",
  },
  { name: "the journal of all these", method: "GET", target: "/__understudy/worlds/default/journal", body: () => "" },
];

const transaction = '{"transaction":"CAEQARoA","signatures":[]}';

function updating(name: string, body: () => string): LargeInput {
  return { name, method: "PATCH", target: "/v2/users/alice", body };
}

function message(bytes: Uint8Array): string {
  return execution(base64(bytes));
}

function planOf(entries: number, entry: string): string {
  return `{"plan":[${many(Math.floor(entries), () => entry)}]}`;
}

/** Executes what the last request prepared. */
function executionOf(previous: string): string {
  const { preparedTransaction } = JSON.parse(previous);
  return execution(preparedTransaction, undefined, undefined, `{"party":"${party}","signatures":[${signature}]}`);
}

/** Created contracts whose argument has many levels. */
function nestedValues(levels: number, count: number): Uint8Array {
  let value: Uint8Array = wrapped(8, Uint8Array.of(97));
  for (let level = 0; level < levels; level += 1)
    value = wrapped(11, repeatedMessage(1, value, level === levels - 1 ? 200 : 1));
  const node = wrapped(3, wrapped(1000, wrapped(1, wrapped(5, value))));
  return wrapped(1, Buffer.concat(Array.from({ length: Math.max(1, Math.floor(count / 12)) }, () => node)));
}

function repeatedMessage(field: number, content: Uint8Array, times: number): Uint8Array {
  return Buffer.concat(Array.from({ length: times }, () => wrapped(field, content)));
}

/** The hosting of a party with many signing keys. */
function keys(count: number): Uint8Array {
  const all = Array.from({ length: Math.floor(count) }, (_, index) =>
    wrapped(1, wrapped(3, Buffer.from(`key ${index}`))),
  );
  const hosting = Buffer.concat([wrapped(1, Buffer.from(party)), wrapped(6, Buffer.concat(all))]);
  return Buffer.concat([Uint8Array.of(8, 1, 16, 1), wrapped(3, wrapped(9, hosting))]);
}
