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
    .uponReceiving("a grant to alice")
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
    .uponReceiving("a grant to an unknown user")
    .withRequest("POST", "/v2/users/nick/rights", (request) => {
      request.headers({ Authorization: token }).jsonBody(grant("nick"));
    })
    .willRespondWith(404, (response) => {
      response.jsonBody({ code: "USER_NOT_FOUND" });
    })
    .executeTest(({ url }) => expect(makeAdministrator(url, "a-token", "nick")).rejects.toThrow("USER_NOT_FOUND")));
