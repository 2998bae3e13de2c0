import { MatchersV3, PactV4 } from "@pact-foundation/pact";
import { expect, test } from "vitest";
import { makeAdministrator } from "./wallet.js";

const pact = new PactV4({ consumer: "wallet", provider: "canton", dir: "pacts", logLevel: "error" });
const token = MatchersV3.regex(/^Bearer .+$/, "Bearer a-token");
const grant = (userId) => ({ userId, rights: [{ kind: { ParticipantAdmin: { value: {} } } }] });

test("makes a user an administrator", () =>
  pact
    .addInteraction()
    .given("alice is no administrator")
    .uponReceiving("a grant of a right")
    .withRequest("POST", "/v2/users/alice/rights", (request) => {
      request.headers({ Authorization: token }).jsonBody(grant("alice"));
    })
    .willRespondWith(200, (response) => {
      response.jsonBody({ newlyGrantedRights: MatchersV3.eachLike({ kind: {} }) });
    })
    .executeTest(({ url }) => makeAdministrator(url, "a-token", "alice")));

test("throws for an unknown user", () =>
  pact
    .addInteraction()
    .given("alice is no administrator")
    .uponReceiving("a grant to nobody")
    .withRequest("POST", "/v2/users/nobody/rights", (request) => {
      request.headers({ Authorization: token }).jsonBody(grant("nobody"));
    })
    .willRespondWith(404, (response) => {
      response.jsonBody({ code: "USER_NOT_FOUND" });
    })
    .executeTest(({ url }) => expect(makeAdministrator(url, "a-token", "nobody")).rejects.toThrow("USER_NOT_FOUND")));
