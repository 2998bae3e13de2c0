import { expect, test, vi } from "vitest";
import { InterpretationCache } from "../../src/simulator/daml/interpretation-cache.ts";
import { asset, bob, execute, type Post, prepare, prepareTransfer, type Stub, stub, withPost } from "./_prepared.ts";
import { hashOfWorld, type RequestedStub } from "./_stub.ts";

const archivePreapproval = ({ world }: Stub) => world.perform([{ type: "preapproval-archived", receiver: bob }]);
/** Executes another transfer of the same holding. */
const spend = (requested: Stub) => expect(execute(requested, prepareTransfer(requested)).status).toBe(200);
const nothing = () => undefined;

interface Case {
  readonly name: string;
  readonly status: number;
  before?(requested: Stub): void;
  prepare(requested: Stub): Post;
  between?(requested: Stub): void;
}

test.each<Case>([
  { name: "a direct transfer", status: 200, prepare: prepareTransfer },
  { name: "an offer", status: 200, before: archivePreapproval, prepare: prepareTransfer },
  { name: "a create", status: 200, prepare: (requested) => prepare(requested, asset()) },
  { name: "a transfer whose input is spent", status: 404, prepare: prepareTransfer, between: spend },
  { name: "a transfer without its pre-approval", status: 404, prepare: prepareTransfer, between: archivePreapproval },
])("an execution of $name gives the same response and state with and without its kept interpretation", (given) => {
  const requested = stub();
  (given.before ?? nothing)(requested);
  const prepared = given.prepare(requested);
  (given.between ?? nothing)(requested);
  const find = vi.spyOn(InterpretationCache.prototype, "find");
  const executedIn = (fork: RequestedStub) => {
    find.mockClear();
    const response = execute(withPost(fork), prepared, { path: "executeAndWaitForTransaction" });
    const isKept = find.mock.results.some(({ value }) => value !== undefined);
    return { response, state: hashOfWorld(fork.world), isKept };
  };
  const [reused, again] = [executedIn(requested.fork()), executedIn(requested.forkWithoutCaches())];
  find.mockRestore();
  expect([reused.isKept, again.isKept]).toEqual([true, false]);
  expect(reused.response.status).toBe(given.status);
  expect([reused.response, reused.state]).toEqual([again.response, again.state]);
});
