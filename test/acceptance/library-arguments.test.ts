import { expect, test } from "vitest";
import { toConform } from "../../src/entrypoints/testing/conform.ts";
import { toHaveReceived } from "../../src/entrypoints/testing/received.ts";
import { check, createUnderstudy, run, startUnderstudy, type Understudy } from "../../src/index.ts";

/** Calls a function as a program in JavaScript can, with any arguments; the problem that it throws. */
async function problemOf(called: (stub: Understudy) => unknown): Promise<string> {
  await using stub = createUnderstudy({ profile: "canton-3.5" });
  try {
    await called(stub);
    return "none";
  } catch (error) {
    expect(error).not.toBeInstanceOf(TypeError);
    return error instanceof Error ? error.message : String(error);
  }
}

const calling =
  (name: "fault" | "fetch" | "reassign" | "token", ...given: readonly unknown[]) =>
  (stub: Understudy): unknown =>
    Reflect.apply(stub[name], stub, given);
const anyCall =
  (called: (...given: never[]) => unknown, ...given: readonly unknown[]) =>
  (stub: Understudy): unknown =>
    Reflect.apply(
      called,
      undefined,
      given.map((one) => (one === "STUB" ? stub : one)),
    );

const reassign = 'Write understudy.reassign("CONTRACT", { to: "SYNCHRONIZER" }).';
const fault = 'Write understudy.fault("getV2Users", { status: 503 }).';
const received = 'expect(understudy).toHaveReceived({ operation: "getV2Users" }).';

test.each([
  ["reassign without a target", calling("reassign", "x"), reassign],
  ["reassign to a text", calling("reassign", "x", "synchronizer-b"), reassign],
  ["reassign to nothing", calling("reassign", "x", {}), reassign],
  ["fault without what happens", calling("fault", "getV2Users"), fault],
  ["fault of a number", calling("fault", "getV2Users", 503), fault],
  ["fault of a path", calling("fault", "GET /v2/users", { status: 503 }), 'Did you mean "getV2Users"?'],
  ["token without a user", calling("token"), 'token({ user: "alice" })'],
  ["fetch without a path", calling("fetch"), 'but received undefined. Write fetch("/v2/users").'],
  ["fetch of a relative path", calling("fetch", "v2/users"), 'Write fetch("/v2/users").'],
  ["a URL has received", anyCall(toHaveReceived, "http://127.0.0.1:1"), received],
  ["a promise has received", anyCall(toHaveReceived, Promise.resolve(), {}), "a promise. Await it first"],
  ["received null", anyCall(toHaveReceived, "STUB", null), 'expected an object such as { operation: "getV2Users" }'],
  ["received a number as method", anyCall(toHaveReceived, "STUB", { method: 5 }), "member method: 5 is not a string."],
  ["a URL conforms", anyCall(toConform, "http://x"), 'a Response of fetch, but received "http://x".'],
  ["nothing conforms", anyCall(toConform), "but received undefined."],
  ["conforms with null", anyCall(toConform, "STUB", null), "null is not an object of options."],
  ["start with null", anyCall(startUnderstudy, null), "null is not an object of options."],
  ["start at a number", anyCall(startUnderstudy, { host: 5 }), "option host: 5 is not a non-empty string."],
  ["create with a text", anyCall(createUnderstudy, "x"), '"x" is not an object of options.'],
  ["check with a misspelt option", anyCall(check, { recording: "x.har" }), 'Did you mean "recordings"?'],
  ["run without scenarios", anyCall(run, {}), 'Use scenarios: ["first.arazzo.yaml"].'],
])("a wrong argument gets a sentence with the remedy: %s", async (_name, called, message) => {
  expect(await problemOf(called)).toContain(message);
});
