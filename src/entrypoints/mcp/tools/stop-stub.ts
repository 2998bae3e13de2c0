import { optionalTextOf } from "../../../foundation/json/members.ts";
import { stubArgument, type Tool } from "../tool.ts";

export const stopStub: Tool = {
  name: "stop_stub",
  title: "Stop a stub",
  description:
    "Stops a stub and discards its state. Returns how many requests it received, how many kinds of client findings they had, and the injected faults that no request met.",
  isReadOnly: false,
  input: { stub: stubArgument },
  required: [],
  run: async (given, { stubs }) => {
    const stub = stubs.find(optionalTextOf(given["stub"]));
    const { world, understudy } = { world: stub.understudy.world, understudy: stub.understudy };
    const result = {
      stopped: stub.id,
      requests: world.requests,
      clientFindings: understudy.clientFindings().length,
      unusedFaults: understudy.unusedResponses().map((unused) => ({ ...unused })),
    };
    await stubs.stop(stub);
    return result;
  },
};
