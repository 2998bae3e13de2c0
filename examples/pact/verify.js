// Verifies the Pact of the tests against the stub, with Pact's verifier.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Verifier } from "@pact-foundation/pact";

const scenario = "node_modules/canton-understudy/scenarios/rights.arazzo.yaml";
const states = spawn("node_modules/.bin/understudy", ["pact", "states", scenario, "--port", "0", "--json"], {
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const [line] = await once(createInterface(states.stdout), "line");
  const { url } = JSON.parse(line);
  await new Verifier({
    provider: "canton",
    providerBaseUrl: url,
    providerStatesSetupUrl: `${url}/__understudy/provider-states`,
    pactUrls: ["pacts/wallet-canton.json"],
    logLevel: "error",
  }).verifyProvider();
} finally {
  states.kill();
}
