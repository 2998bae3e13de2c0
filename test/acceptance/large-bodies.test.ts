import { expect, test } from "vitest";
import { FieldBudget } from "../../src/foundation/protobuf/field-budget.ts";
import { decodePreparedTransaction } from "../../src/foundation/protobuf/prepared-transaction.ts";
import { createUnderstudy, startUnderstudy, type UnderstudyOptions } from "../../src/index.ts";

const execute = "/v2/interactive-submission/executeAndWait";
const prepare = "/v2/interactive-submission/prepare";
const alice = "alice::12202bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90";
const synchronizer = "global-domain::1220fa79dd1ee8fe25d601870c1b05bb634a8086134bfbe57f870549e2ddaca444e2";

/** Sends one body to a new stub. */
async function sent(method: string, path: string, body: string, options: UnderstudyOptions = {}) {
  await using understudy = createUnderstudy(options);
  const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };
  const response = await understudy.fetch(path, { method, headers, body });
  return { status: response.status, text: await response.text() };
}

const many = (count: number, one: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => one(index)).join(",");

const withAnnotations = (count: number) =>
  `{"user":{"id":"u","metadata":{"annotations":{${many(count, (index) => `"k${index}":"v"`)}}}}}`;

const execution = (preparedTransaction: string, offset = "0") =>
  `{"preparedTransaction":"${preparedTransaction}","submissionId":"s","partySignatures":{"signatures":[]},"hashingSchemeVersion":"HASHING_SCHEME_VERSION_V2","deduplicationPeriod":{"DeduplicationOffset":{"value":${offset}}}}`;

const preparation = (argument: string, submitters = 1, commands = 1) => {
  const create = `{"CreateCommand":{"templateId":"#splice-amulet:M:T","createArguments":${argument}}}`;
  return `{"commandId":"c","userId":"alice","actAs":[${many(submitters, () => `"${alice}"`)}],"commands":[${many(commands, () => create)}]}`;
};

const rights = (count: number) =>
  `{"userId":"alice","rights":[${many(count, (index) => `{"kind":{"CanActAs":{"value":{"party":"p${index}::1220ab"}}}}`)}]}`;

const base64 = (hex: string) => Buffer.from(hex, "hex").toString("base64");

test.each([
  ["320,000 annotations", "POST", "/v2/users", () => withAnnotations(320_000), "--limit jsonValuesMax"],
  ["100,000 rights", "POST", "/v2/users/alice/rights", () => rights(100_000), "--limit jsonValuesMax"],
  [
    "an integer of 7.9 million digits",
    "POST",
    execute,
    () => execution("", "9".repeat(7_900_000)),
    "--limit numberLengthMax",
  ],
  [
    "1.5 million protobuf fields",
    "POST",
    execute,
    () => execution(base64("0a00".repeat(1_500_000))),
    "--limit protobufFieldsMax",
  ],
  [
    "a topology of 1.5 million fields",
    "POST",
    "/v2/parties/external/allocate",
    () =>
      `{"synchronizer":"${synchronizer}","onboardingTransactions":[{"transaction":"${base64("1a00".repeat(1_500_000))}"}]}`,
    "--limit protobufFieldsMax",
  ],
] as const)("refuses %s, and names the limit", async (_name, method, path, body, flag) => {
  for (const profile of ["spec", "canton-3.5"] as const) {
    const { status, text } = await sent(method, path, body(), { profile });
    expect([status, text]).toEqual([
      400,
      expect.stringMatching(new RegExp(`^Invalid value for: body \\(.* \\(${flag}\\)\\)$`)),
    ]);
  }
});

test.each([
  [
    "a rejected plan of 60,000 entries",
    `{"plan":[${many(60_000, () => '{"at":"PT1S","disconect":"global"}')}]}`,
    "--limit jsonValuesMax",
  ],
  ["a plan with a number of a million digits", `{"plan":[${"9".repeat(1_000_000)}]}`, "--limit numberLengthMax"],
])("the control API refuses %s, and names the limit", async (_name, body, flag) => {
  await using understudy = await startUnderstudy();
  const path = "/__understudy/worlds/default/plan";
  const response = await fetch(`${understudy.ledgerUrl}${path}`, { method: "POST", body });
  expect([response.status, await response.json()]).toEqual([400, { error: expect.stringContaining(`(${flag})`) }]);
});

test.each([
  [
    "a resource version",
    "PATCH",
    "/v2/users/alice",
    (digits: string) =>
      `{"user":{"id":"alice","metadata":{"resourceVersion":"${digits}"}},"updateMask":{"paths":["metadata"]}}`,
    409,
  ],
  ["an integer that is written as text", "POST", execute, (digits: string) => execution("", `"${digits}"`), 400],
  ["a decimal in an argument", "POST", prepare, (digits: string) => preparation(`{"amount":"${digits}.0"}`), 400],
] as const)(
  "compares or refuses %s of five million digits without reading it as a number",
  async (_name, method, path, bodyOf, status) => {
    const read = BigInt;
    const lengths: number[] = [];
    globalThis.BigInt = Object.assign((value: string | number | bigint | boolean) => {
      if (typeof value === "string") lengths.push(value.length);
      return read(value);
    }, read);
    try {
      const response = await sent(method, path, bodyOf("9".repeat(5_000_000)), { profile: "canton-3.5" });
      expect([response.status, Math.max(0, ...lengths) <= 1000]).toEqual([status, true]);
    } finally {
      globalThis.BigInt = read;
    }
  },
);

test("a resource version may have leading zeros", async () => {
  const body = `{"user":{"id":"alice","metadata":{"resourceVersion":"000"}},"updateMask":{"paths":["metadata"]}}`;
  expect((await sent("PATCH", "/v2/users/alice", body)).status).toBe(200);
});

test("a party that acts many times is one submitter of the prepared transaction", async () => {
  const { status, text } = await sent("POST", prepare, preparation("{}", 10_000));
  expect(status).toBe(200);
  expect(decodePreparedTransaction(JSON.parse(text).preparedTransaction)?.metadata?.actAs).toEqual([alice]);
});

test("prepares 500 commands, and refuses one more", async () => {
  expect((await sent("POST", prepare, preparation("{}", 1, 500))).status).toBe(200);
  const { status, text } = await sent("POST", prepare, preparation("{}", 1, 501));
  expect([status, text]).toEqual([400, expect.stringContaining("There are 501 commands, the limit is 500")]);
});

test("prepares an argument with a list of 20,000 texts and one of 90 levels, and hashes it", async () => {
  for (const argument of [
    `{"list":[${many(20_000, () => '"some text"')}]}`,
    `${'{"a":'.repeat(80)}"${"x".repeat(1_000_000)}"${"}".repeat(80)}`,
  ]) {
    const { status, text } = await sent("POST", prepare, preparation(argument));
    expect([status, JSON.parse(text).preparedTransactionHash]).toEqual([200, expect.stringMatching(/^.{43}=$/)]);
  }
});

test("the stages of a request read the fields of its transaction once", async () => {
  const fields = 600;
  const transaction = base64("0a00".repeat(fields));
  const { text } = await sent("POST", execute, execution(transaction), { limits: { protobufFieldsMax: fields } });
  expect(text).not.toContain("--limit protobufFieldsMax");
});

test("a budget of fields covers inner messages, and is exceeded by one more", () => {
  const metadata = base64(`1204${"1202"}0a00`);
  const exact = new FieldBudget(3);
  expect(decodePreparedTransaction(metadata, exact)?.metadata?.actAs).toEqual([""]);
  expect(exact.isExceeded).toBe(false);
  const short = new FieldBudget(2);
  expect(decodePreparedTransaction(metadata, short)).toBeUndefined();
  expect(short.isExceeded).toBe(true);
});

test("the signatures of all topology transactions are not read again for each of them", async () => {
  const transactions = many(30_000, () => '{"transaction":"CAEQARoA"}');
  const rest = `"format":"SIGNATURE_FORMAT_RAW","signature":"","signingAlgorithmSpec":"SIGNING_ALGORITHM_SPEC_ED25519"`;
  const signatures = many(30_000, (index) => `{"signedBy":"1220${index}",${rest}}`);
  const body = `{"synchronizer":"${synchronizer}","onboardingTransactions":[${transactions}],"multiHashSignatures":[${signatures}]}`;
  const limits = { jsonValuesMax: 1_000_000, protobufFieldsMax: 1_000_000 };
  const { status, text } = await sent("POST", "/v2/parties/external/allocate", body, { limits });
  expect([status, text]).toEqual([400, expect.stringContaining("One transaction of type PartyToParticipant")]);
});
