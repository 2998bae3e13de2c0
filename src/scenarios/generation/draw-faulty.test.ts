import { expect, test } from "vitest";
import { loadSpec } from "../../foundation/spec/spec.ts";
import { drawFaulty } from "./draw-faulty.ts";
import { faultsOf } from "./request-faults.ts";

const { descriptions, operations } = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" });
const operation = operations.find(({ operationId }) => operationId === "patchV2UsersUser-id");
const body = {
  user: { id: "alice", primaryParty: "", isDeactivated: false },
  updateMask: { paths: ["is_deactivated"] },
};
const faults = faultsOf(descriptions.ledger, { $ref: `#${operation?.requestSchema}` }, body);

test("draws the same faulty requests after a change of words", () => {
  const requests = faults.map((fault) => ({ fault }));
  const reworded = faults.map((fault, index) => ({ fault: { ...fault, what: `fault ${index} in other words` } }));
  const options = { count: 8, seed: 3, operationId: "patchV2UsersUser-id" };
  const drawn = drawFaulty(requests, options);
  expect(drawn).toHaveLength(8);
  expect(placesOf(drawFaulty(reworded, options))).toEqual(placesOf(drawn));
});

test("draws every kind of fault once before it draws one twice", () => {
  const ids = new Set(faults.map(({ id }) => id));
  const requests = faults.map((fault) => ({ fault }));
  const drawn = drawFaulty(requests, { count: ids.size, seed: 3, operationId: "patchV2UsersUser-id" });
  expect(new Set(drawn.map(({ fault }) => fault.id))).toEqual(ids);
});

function placesOf(
  requests: readonly { readonly fault: { readonly id: string; readonly pointer: string | undefined } }[],
) {
  return requests.map(({ fault: { id, pointer } }) => `${id} ${pointer}`);
}
